"""Refusals of clocks, nights and vacations."""

from games.rules.protocol import IllegalAction


class IllegalClock(IllegalAction):
    """An invalid clock, night or vacation, with a sentence for the player."""
