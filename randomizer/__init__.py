"""Deal any kingdom of a deck-building game, list everything its setup needs, and look its rules up."""

__version__ = "0.1.0"
