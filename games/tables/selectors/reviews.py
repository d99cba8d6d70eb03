"""The luck of a finished game, and a player's luck and accuracy over time, by ruleset."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean

import msgspec
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from games.bots.review import ENGINE, Luck, Review
from games.bots.search import doubt
from games.tables.models import Game, GameLuck, GameReview, ReviewState, Seat, SeatReview, Status
from games.tables.selectors.rights import Reader, is_person

MOST_GAMES = 200  # games of a player that are shown, and as many reviewed ones
FEWEST_VALUES = 2  # for a standard error


@dataclass(frozen=True)
class PlayedGame:
    """A finished game of a player: their luck (`bots.review.in_points`), and their accuracy in percent if reviewed."""

    public_id: str
    ended_at: datetime
    luck: float
    accuracy: float | None


@dataclass(frozen=True)
class LuckTally:
    """A player's finished games of one ruleset, oldest first: averages, with the standard error of the luck.

    `reviewed` counts those with an accuracy, of which `accuracy` is the average.
    """

    ruleset: str
    games: list[PlayedGame]
    luck: float
    luck_doubt: float | None
    reviewed: int
    accuracy: float | None


def luck_of(game: Game) -> Luck | None:
    """Return the stored luck of a game, None until it is worked out and while the deal is secret.

    That of a review by the current engine is more precise than the one that every game has.
    """
    if not game.is_open_book:
        return None
    done = GameReview.objects.filter(game=game, engine=ENGINE, state=ReviewState.DONE)
    reviewed = done.values_list("data", flat=True).first()
    data = GameLuck.objects.filter(game=game).values_list("data", flat=True).first() if reviewed is None else None
    try:
        if reviewed is not None:
            review = msgspec.convert(reviewed, Review)
            return Luck(
                review.engine,
                review.samples,
                tuple((change.seq, change.margins) for change in review.luck),
                review.sides,
            )
        return msgspec.convert(data, Luck) if data is not None else None
    except msgspec.ValidationError:  # written by another version of the site
        return None


def is_reviewed(game: Game) -> bool:
    """Return whether a review by the current engine is there, or is being worked out."""
    return GameReview.objects.filter(game=game, engine=ENGINE).exclude(state=ReviewState.FAILED).exists()


def of_player(user: User, reader: Reader) -> list[LuckTally]:
    """Return luck and accuracy of the player's latest games that the reader may see, by ruleset, most played first.

    Every game has luck, soon after its end. A game counts if nobody else had the player's seat. A reviewed game also
    counts if a bot stood in for a while, because its accuracy leaves out the bot's turns.
    """
    is_own = is_person(reader) and reader == user
    own_seats = Seat.objects.filter(Q(user=reader) | Q(owner=reader)) if is_person(reader) else Seat.objects.none()
    # 1. The luck of all games
    whole = Q(owner=user, has_changed_hands=False) & (Q(first_owner=user) | Q(first_owner=None))
    ended = Q(game__status=Status.FINISHED, game__is_withheld=False, game__imported=False, game__lesson="")
    seats = Seat.objects.filter(whole, ended, game__luck__data__isnull=False)
    if not is_own:
        seats = seats.filter(Q(game__listed=True) | Exists(own_seats.filter(game=OuterRef("game"))))
    games: dict[str, dict[str, PlayedGame]] = defaultdict(dict)
    columns = ("game__ruleset", "game__public_id", "game__ended_at", "number", "game__luck__data__sides")
    for ruleset, public_id, ended_at, number, sides in seats.order_by("-game_id").values_list(*columns)[:MOST_GAMES]:
        games[ruleset][public_id] = PlayedGame(public_id, ended_at, sides[number]["luck"], None)
    # 2. Reviews, whose luck is more precise
    reviews = SeatReview.objects.filter(user=user, review__engine=ENGINE).select_related("review__game")
    if not is_own:
        reviews = reviews.filter(Q(review__game__listed=True) | Exists(own_seats.filter(game=OuterRef("review__game"))))
    for review in reviews.order_by("-ended_at", "-pk")[:MOST_GAMES]:
        public_id = review.review.game.public_id
        games[review.ruleset][public_id] = PlayedGame(public_id, review.ended_at, review.luck, review.accuracy)
    return sorted(map(_tally, games, games.values()), key=lambda tally: -len(tally.games))


def _tally(ruleset: str, by_id: dict[str, PlayedGame]) -> LuckTally:
    games = sorted(by_id.values(), key=lambda game: (game.ended_at, game.public_id))
    luck, accuracies = [game.luck for game in games], [game.accuracy for game in games if game.accuracy is not None]
    return LuckTally(
        ruleset, games, fmean(luck), doubt(luck) if len(luck) >= FEWEST_VALUES else None, len(accuracies),
        fmean(accuracies) if accuracies else None,
    )  # fmt: skip
