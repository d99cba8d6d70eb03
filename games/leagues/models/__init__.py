"""What contests leave behind, and what they are played for: scores, ratings, ladders, leagues, tournaments."""

from games.leagues.models.badges import Badge, Honour
from games.leagues.models.duplicate import Round, RoundSeed, SeenDeal
from games.leagues.models.full import GAMES, FullGame, FullStatus
from games.leagues.models.ladder import Challenge, Climb, Ladder, Rung
from games.leagues.models.league import League, LeagueState, Member, News, Season, SeasonState, What
from games.leagues.models.pools import Act, Deed, Entrant, Fate, Meeting, MeetingState, Pool, Sitting
from games.leagues.models.scores import RatedPlayer, RatingBook, Score, Tally
from games.leagues.models.tournament import Tournament, TournamentState

__all__ = [
    "GAMES", "Act", "Badge", "Challenge", "Climb", "Deed", "Entrant", "Fate", "FullGame", "FullStatus", "Honour",
    "Ladder", "League", "LeagueState", "Meeting", "MeetingState", "Member", "News", "Pool", "RatedPlayer", "RatingBook",
    "Round", "RoundSeed", "Rung", "Score", "Season", "SeasonState", "SeenDeal", "Sitting", "Tally",
    "Tournament", "TournamentState", "What",
]  # fmt: skip
