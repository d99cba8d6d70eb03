"""The luck of a finished game, and a player's reviewed games: accuracy and luck over time, by ruleset."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean

import msgspec
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.bots.review import ENGINE, Luck
from games.bots.search import doubt
from games.tables.models import Game, GameLuck, Seat, SeatReview
from games.tables.selectors.rights import Reader, is_person

MOST = 200  # reviewed games of a player that are shown
FEWEST = 2  # for a standard error


@dataclass(frozen=True)
class Reviewed:
    """A player's reviewed games with one ruleset, oldest first: averages, with the standard error of the luck."""

    ruleset: str
    games: list[SeatReview]
    accuracy: float
    luck: float
    luck_doubt: float | None


def luck_of(game: Game) -> Luck | None:
    """Return the stored luck of a game, None until it is worked out and while the deal is secret."""
    if not game.is_open_book:
        return None
    data = GameLuck.objects.filter(game=game).values_list("data", flat=True).first()
    try:
        return msgspec.convert(data, Luck) if data is not None else None
    except msgspec.ValidationError:  # written by another version of the site
        return None


def of_player(user: User, reader: Reader) -> list[Reviewed]:
    """Return the player's latest reviewed games that the reader may see, by ruleset, the most played first."""
    rows = SeatReview.objects.filter(user=user, review__engine=ENGINE).select_related("review__game")
    if not (is_person(reader) and reader == user):
        listed = Q(review__game__listed=True)
        mine = Seat.objects.filter(Q(user=reader) | Q(owner=reader)) if is_person(reader) else Seat.objects.none()
        rows = rows.filter(listed | Q(Exists(mine.filter(game=OuterRef("review__game")))))
    by_ruleset: dict[str, list[SeatReview]] = defaultdict(list)
    for row in reversed(rows.order_by("-ended_at", "-pk")[:MOST]):
        by_ruleset[row.ruleset].append(row)
    found = []
    for ruleset, games in sorted(by_ruleset.items(), key=lambda one: -len(one[1])):
        luck = [row.luck for row in games]
        error = doubt(luck) if len(luck) >= FEWEST else None
        found.append(Reviewed(ruleset, games, fmean(row.accuracy for row in games), fmean(luck), error))
    return found
