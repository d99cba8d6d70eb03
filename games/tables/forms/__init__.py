"""Forms: a new table, a quick game against bots, an invitation, a step at the table."""

from games.tables.forms.game import MOST_PLAYERS, SEAT_CHOICES, STRENGTHS
from games.tables.forms.open_table import OpenTableForm, PlayNowForm
from games.tables.forms.table import GuestForm, StepForm

__all__ = [
    "MOST_PLAYERS", "SEAT_CHOICES", "STRENGTHS", "GuestForm", "OpenTableForm", "PlayNowForm", "StepForm",
]  # fmt: skip
