"""Models of contests: scores, ratings, ladders, leagues, seasons and tournaments."""

from games.contests.models.badges import Badge, Honour
from games.contests.models.ladder import Challenge, Climb, Ladder, Rung
from games.contests.models.league import League, LeagueState, Member, News, Season, SeasonState, What
from games.contests.models.pools import Act, Deed, Entrant, Fate, Meeting, MeetingState, Pool, Sitting
from games.contests.models.scores import RatedPlayer, RatingBook, Score, Tally
from games.contests.models.tournament import Tournament, TournamentState

__all__ = [
    "Act", "Badge", "Challenge", "Climb", "Deed", "Entrant", "Fate", "Honour", "Ladder", "League", "LeagueState",
    "Meeting", "MeetingState", "Member", "News", "Pool", "RatedPlayer", "RatingBook", "Rung", "Score", "Season",
    "SeasonState", "Sitting", "Tally", "Tournament", "TournamentState", "What",
]  # fmt: skip
