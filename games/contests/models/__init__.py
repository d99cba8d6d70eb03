"""Models of contests: scores, ratings, ladders, leagues, seasons and tournaments."""

from games.contests.models.achievements import Achievement, Earning, Streak
from games.contests.models.gates import Admitted, Apart, PairingChange
from games.contests.models.ladder import Challenge, Climb, Ladder, Rung
from games.contests.models.league import League, LeagueState, Member, News, NewsKind, Season, SeasonState
from games.contests.models.organizing import Announcement, Organizer
from games.contests.models.pools import (
    Appearance,
    Badge,
    Entrant,
    Honor,
    Intervention,
    InterventionKind,
    Match,
    MatchState,
    Pool,
    SeasonOutcome,
)
from games.contests.models.scores import RatedPlayer, RatingBook, Score, Size, SizeRating, Tally
from games.contests.models.seek import Rated, Seek, SeekState
from games.contests.models.teams import Board, Team, TeamInvitation, TeamMatch, TeamPlayer
from games.contests.models.tournament import Tournament, TournamentState
from games.contests.models.webhooks import CompetitionHook, Post, Subject

__all__ = [
    "Achievement",
    "Admitted",
    "Announcement",
    "Apart",
    "Appearance",
    "Badge",
    "Board",
    "Challenge",
    "Climb",
    "CompetitionHook",
    "Earning",
    "Entrant",
    "Honor",
    "Intervention",
    "InterventionKind",
    "Ladder",
    "League",
    "LeagueState",
    "Match",
    "MatchState",
    "Member",
    "News",
    "NewsKind",
    "Organizer",
    "PairingChange",
    "Pool",
    "Post",
    "Rated",
    "RatedPlayer",
    "RatingBook",
    "Rung",
    "Score",
    "Season",
    "SeasonOutcome",
    "SeasonState",
    "Seek",
    "SeekState",
    "Size",
    "SizeRating",
    "Streak",
    "Subject",
    "Tally",
    "Team",
    "TeamInvitation",
    "TeamMatch",
    "TeamPlayer",
    "Tournament",
    "TournamentState",
]
