"""Choices for seats and clocks in the forms of the lobby."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext_lazy

from games.rules.registry import RULESETS

STRENGTHS = (
    ("random", gettext_lazy("Easy: plays random moves")),
    ("greedy", gettext_lazy("Medium: looks one turn ahead")),
)
SEAT_CHOICES = (("", gettext_lazy("Open")), *((slug, label) for slug, label in STRENGTHS))
REPLY_CLOCKS = (
    (2, gettext_lazy("2 hours")),
    (6, gettext_lazy("6 hours")),
    (12, gettext_lazy("12 hours")),
    (24, gettext_lazy("1 day")),
    (48, gettext_lazy("2 days")),
)
USUAL_REPLY_CLOCK = 12
USUAL_GAME = next(iter(RULESETS))
GAMES = [(slug, ruleset.name) for slug, ruleset in RULESETS.items()]
MOST_PLAYERS = max(max(ruleset.seat_counts) for ruleset in RULESETS.values())


def nearest(seat_counts: Sequence[int], wanted: int) -> int:
    """Return the possible number of players that is nearest to the wanted one."""
    return min(seat_counts, key=lambda n: (abs(n - wanted), n))


IsNewTo = Callable[[str], bool]


def to_nobody(ruleset: str) -> bool:
    """Return False: the default when nothing is known about the reader."""
    return False
