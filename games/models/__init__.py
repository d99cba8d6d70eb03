"""What is kept of games. The log is the truth; the rows beside it are what lists need, and can be rebuilt from it."""

from games.leagues.models import FullGame
from games.models.draft import Draft
from games.models.game import Game, Seat, Status
from games.models.log import Entry, Seed, Snapshot
from games.notices.models import Notice

__all__ = ["Draft", "Entry", "FullGame", "Game", "Notice", "Seat", "Seed", "Snapshot", "Status"]
