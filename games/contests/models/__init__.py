"""Models of contests: scores, ratings, ladders, leagues, seasons and tournaments."""

from games.contests.models.gates import Admitted, Apart
from games.contests.models.ladder import Challenge, Climb, Ladder, Rung
from games.contests.models.league import League, LeagueState, Member, News, Season, SeasonState, What
from games.contests.models.organising import Announcement, Organiser
from games.contests.models.pools import (
    Appearance,
    Badge,
    Entrant,
    Fate,
    Honour,
    Intervention,
    InterventionKind,
    Match,
    MatchState,
    Pool,
)
from games.contests.models.scores import RatedPlayer, RatingBook, Score, Size, SizeRating, Tally
from games.contests.models.tournament import Tournament, TournamentState

__all__ = [
    "Admitted",
    "Announcement",
    "Apart",
    "Appearance",
    "Badge",
    "Challenge",
    "Climb",
    "Entrant",
    "Fate",
    "Honour",
    "Intervention",
    "InterventionKind",
    "Ladder",
    "League",
    "LeagueState",
    "Match",
    "MatchState",
    "Member",
    "News",
    "Organiser",
    "Pool",
    "RatedPlayer",
    "RatingBook",
    "Rung",
    "Score",
    "Season",
    "SeasonState",
    "Size",
    "SizeRating",
    "Tally",
    "Tournament",
    "TournamentState",
    "What",
]
