"""Forms: a quick game against bots, a new table, an invitation, a step at the table."""

from games.tables.forms.open_table import OpenTableForm
from games.tables.forms.play_now import PlayNowForm
from games.tables.forms.seats import MOST_PLAYERS, SEAT_CHOICES, STRENGTHS
from games.tables.forms.small import GuestForm, StepForm

__all__ = [
    "MOST_PLAYERS", "SEAT_CHOICES", "STRENGTHS", "GuestForm", "OpenTableForm", "PlayNowForm", "StepForm",
]  # fmt: skip
