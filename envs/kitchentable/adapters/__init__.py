"""Adapters that make any game an environment of PettingZoo, Gymnasium or OpenSpiel."""
