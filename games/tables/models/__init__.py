"""Models of tables: games, seats, logs and chat. The log is the source of truth; other rows can be rebuilt."""

from games.tables.models.absence import Handover, Replacement, Vacation
from games.tables.models.chat import Block, Message, Note, Report
from games.tables.models.draft import Draft
from games.tables.models.duplicate import Duplicate, DuplicateSeed, SeenDeal
from games.tables.models.full_game import GAMES, FullGame, FullStatus
from games.tables.models.game import Game, Seat, SeatName, Status, TimeOut
from games.tables.models.log import Entry, Seed, Snapshot
from games.tables.models.takeback import TakeBack

__all__ = [
    "GAMES",
    "Block",
    "Draft",
    "Duplicate",
    "DuplicateSeed",
    "Entry",
    "FullGame",
    "FullStatus",
    "Game",
    "Handover",
    "Message",
    "Note",
    "Replacement",
    "Report",
    "Round",
    "Seat",
    "SeatName",
    "Seed",
    "SeenDeal",
    "Snapshot",
    "Status",
    "TakeBack",
    "TimeOut",
    "Vacation",
]  # fmt: skip
