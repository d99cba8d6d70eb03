"""What contests leave behind: full games, scores, ratings, what statistics count, ladders."""

from games.leagues.models.duplicate import Round, RoundSeed
from games.leagues.models.full import GAMES, FullGame, FullStatus
from games.leagues.models.ladder import Challenge, Climb, Ladder, Rung
from games.leagues.models.scores import RatedPlayer, RatingBook, Score, Tally

__all__ = [
    "GAMES", "Challenge", "Climb", "FullGame", "FullStatus", "Ladder", "RatedPlayer", "RatingBook", "Round",
    "RoundSeed", "Rung", "Score", "Tally",
]  # fmt: skip
