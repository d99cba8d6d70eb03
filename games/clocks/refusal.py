"""What a clock, a night or a vacation is refused with."""

from games.rules.protocol import IllegalAction


class IllegalClock(IllegalAction):
    """A time that makes no sense, in a sentence for the player: a template and its values, as with every refusal."""
