"""The command ``kitchentable``."""
