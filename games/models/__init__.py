"""What is kept of games. The log is the truth; the rows beside it are what lists need, and can be rebuilt from it."""

from games.leagues.models import Challenge, Climb, FullGame, Ladder, Rung
from games.models.absence import Handover, Replacement, Vacation
from games.models.channels import Device, Hook
from games.models.chat import Block, Message, Note, Report
from games.models.draft import Draft
from games.models.game import Game, Seat, SeatName, Status, TimeOut
from games.models.log import Entry, Seed, Snapshot
from games.models.takeback import TakeBack
from games.notices.models import Notice, Outage

__all__ = [
    "Block", "Challenge", "Climb", "Device", "Draft", "Entry", "FullGame", "Game", "Handover", "Hook", "Ladder",
    "Message", "Note", "Notice", "Outage", "Replacement", "Report", "Rung", "Seat", "SeatName", "Seed", "Snapshot",
    "Status",
    "TakeBack", "TimeOut", "Vacation",
]  # fmt: skip
