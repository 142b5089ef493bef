"""Tables as text, for language models: `TextEnv`, and adapters to TextArena and OpenEnv."""

from __future__ import annotations

from kitchentable.text.env import TextEnv

__all__ = ["TextEnv"]
