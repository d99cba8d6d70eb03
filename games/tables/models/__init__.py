"""Models of tables: games, seats, logs and chat. The log is the source of truth; other rows can be rebuilt."""

from games.tables.models.absence import Handover, Replacement, Vacation
from games.tables.models.chat import Block, Message, Note
from games.tables.models.game import (
    GAMES,
    Duplicate,
    DuplicateSeed,
    FullGame,
    FullStatus,
    Game,
    Mute,
    Seat,
    SeatName,
    SeenDeal,
    Status,
    TimeOut,
)
from games.tables.models.invitation import Friend, Invitation
from games.tables.models.log import Draft, Entry, Seed, Snapshot, UndoRequest
from games.tables.models.report import Report, ReportReason, Subject
from games.tables.models.review import GameLuck, GameReview, ReviewRequest, ReviewState, SeatReview

__all__ = [
    "GAMES", "Block", "Draft", "Duplicate", "DuplicateSeed", "Entry", "Friend", "FullGame", "FullStatus", "Game",
    "GameLuck", "GameReview", "Handover", "Invitation", "Message", "Mute", "Note", "Replacement", "Report",
    "ReportReason", "ReviewRequest", "ReviewState", "Seat", "SeatName", "SeatReview", "Seed", "SeenDeal", "Snapshot",
    "Status", "Subject", "TimeOut", "UndoRequest", "Vacation",
]  # fmt: skip
