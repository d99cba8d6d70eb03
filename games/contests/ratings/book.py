"""The book of a ruleset: ended contests in the order in which they count, with their ratings.

Each contest is one transaction under the lock of the book's row, so that it counts once, however many workers run or
are killed. The book can be recomputed from the logs alone: see `recompute.py`.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, permutations
from statistics import fmean
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from empire.on_commit import delay_on_commit
from games.contests.achievements import book as achievements
from games.contests.models import RatedPlayer, RatingBook, Score, Size, SizeRating
from games.contests.models.scores import Strength, days
from games.contests.ratings import model as ratings
from games.contests.ratings.model import Rating
from games.rules import log
from games.rules.protocol import Ruleset, State, Traits
from games.tables.models import Game, Seat
from games.tables.selectors import position

logger = logging.getLogger(__name__)

BATCH = 200  # contests per sweep
FIGURES = (
    "mu_before", "sigma_before", "mu_after", "sigma_after",
    "size_mu_before", "size_sigma_before", "size_mu_after", "size_sigma_after",
)  # fmt: skip

# By player and size ("" for all): the rating after the last contest, and when that contest ended
LastRatings = dict[tuple[str, str], tuple[Rating, datetime]]


def sweep() -> int:
    """Enter the ended contests that are in no book yet. Return how many.

    A contest that fails blocks its own book, because the order matters, but no other.
    """
    count, waiting = 0, to_book().values_list("ruleset", flat=True)
    corrected = RatingBook.objects.filter(redo_from__isnull=False).values_list("ruleset", flat=True)
    for ruleset in sorted({*waiting.order_by("ruleset").distinct(), *corrected}):
        try:
            count += book(ruleset)
        except Exception:
            logger.exception("The rating book of %s could not be continued.", ruleset)
    sweep_absent()
    return count


def sweep_absent() -> None:
    """Make the ratings provisional whose players have been away for too long."""
    for kind in (RatedPlayer, SizeRating):
        kind.objects.filter(is_provisional=False, settled_until__lte=timezone.now()).update(is_provisional=True)


def book(ruleset: str) -> int:
    """Rework corrected contests of one ruleset, then enter new ones, earliest first. Return how many are new."""
    rework(ruleset)
    count = 0
    while count < BATCH and take_next(ruleset):
        count += 1
    return count


@transaction.atomic
def take_next(ruleset: str) -> bool:
    """Enter the next contest. Return whether there was one."""
    rating_book = lock(ruleset)
    first = to_book().filter(ruleset=ruleset).order_by("id").first()
    if first is None:
        return False
    rating_book.last += 1
    scores = list(Score.objects.filter(game=first.game_id).order_by("seat"))
    enter(scores, rating_book.last)
    rating_book.save(update_fields=["last"])
    achievements.enter(scores)
    return True


def to_book() -> QuerySet[Score]:
    """Return the scores that are in no book and may enter it.

    Those of a duplicate wait until it ends. Ratings and achievements would tell players of the other tables how the
    same deal went.
    """
    return Score.objects.filter(order=None, game__is_withheld=False)


@transaction.atomic
def rework(ruleset: str) -> int:
    """Work out the ratings again from the first corrected contest on. Return how many scores changed.

    The weights of contests stay, because they depend on who met when, not on results.
    """
    rating_book = RatingBook.objects.select_for_update().filter(ruleset=ruleset, redo_from__isnull=False).first()
    if rating_book is None:
        return 0
    last_ratings: LastRatings = {}  # of players whose rating is no longer the stored one
    changed: list[Score] = []
    later = Score.objects.filter(ruleset=ruleset, counts=True, order__gte=rating_book.redo_from).defer("games")
    rows = later.order_by("order", "seat").iterator(chunk_size=BATCH)
    for _order, of_contest in groupby(rows, key=lambda score: score.order):
        scores = list(of_contest)
        has_changed = [False] * len(scores)
        for size in ("", scores[0].size):
            stored = [(score.size_before if size else score.before) or Rating() for score in scores]
            before = [
                on_the_day(last_ratings[score.who, size], score) if (score.who, size) in last_ratings else rating
                for score, rating in zip(scores, stored, strict=True)
            ]
            after = rated(scores, before)
            is_new = [
                score.set_ratings(old, new, by_size=bool(size))
                for score, old, new in zip(scores, before, after, strict=True)
            ]
            has_changed = [any(of_score) for of_score in zip(has_changed, is_new, strict=True)]
            if any(is_new):  # then all of them, because a bot may have two seats
                for score, rating in zip(scores, after, strict=True):
                    last_ratings[score.who, size] = rating, score.ended_at
        changed += [score for score, is_new_score in zip(scores, has_changed, strict=True) if is_new_score]
    Score.objects.bulk_update(changed, FIGURES, batch_size=BATCH)
    existing = existing_players(who for who, _size in last_ratings)
    for (who, size), (rating, at) in last_ratings.items():
        if who in existing:
            strength = player_row(ruleset, who, size)
            strength.become(rating, at)
            strength.save()
    for user in sorted({score.user_id for score in changed if score.user_id is not None}):
        achievements.work_out(user)  # some ask for a rating
    rating_book.redo_from = None
    rating_book.save(update_fields=["redo_from"])
    return len(changed)


def rework_later(ruleset: str, order: int | None) -> None:
    """Note that the result of this contest was corrected. Requires the lock of the book.

    A task then works out the ratings again. A contest that is not in the book yet needs none.
    """
    if order is not None:
        rating_book = RatingBook.objects.get(ruleset=ruleset)
        RatingBook.objects.filter(ruleset=ruleset).update(redo_from=min(order, rating_book.redo_from or order))
        delay_on_commit("games.tasks.book_scores", ruleset)


def lock(ruleset: str) -> RatingBook:
    """Lock and return the book's row, creating it if necessary."""
    try:
        with transaction.atomic():
            RatingBook.objects.get_or_create(ruleset=ruleset)
    except IntegrityError:  # someone else created it at the same moment
        pass
    return RatingBook.objects.select_for_update().get(ruleset=ruleset)


def enter(scores: Sequence[Score], order: int) -> None:
    """Number the scores of one contest, note the traits of its games, and update ratings."""
    for score in scores:
        score.order = order
    if scores[0].counts:
        for number, line in enumerate(scores[0].games):
            traits = read_game(line["game"]).traits
            for score in scores:
                note_traits(score.games[number], traits[score.games[number]["seat"]])
        existing, last_ratings = existing_players(score.who for score in scores), {}
        for score in scores:
            for size in ("", score.size):
                if last := previous_rating(score, size):
                    last_ratings[score.who, size] = last
        rate(scores, last_ratings)
        for score in scores:
            for size in ("", score.size) if score.who in existing else ():  # the rows from which lists are read
                strength = player_row(score.ruleset, score.who, size)
                strength.become(*last_ratings[score.who, size])
                strength.contests += 1
                strength.save()
    Score.objects.bulk_update(scores, ["order", "games", "weight", *FIGURES])


def player_row(ruleset: str, who: str, size: str) -> Strength:
    """Return the row of a player from which lists are read, overall or for a size; a new one if there is none."""
    columns: dict[str, Any] = {"ruleset": ruleset, **key(who)}
    kind: type[Strength] = RatedPlayer
    if size:
        kind, columns["size"] = SizeRating, size
    return kind._default_manager.filter(**columns).first() or kind(**columns)


def places(scores: Sequence[Score]) -> list[int]:
    """Return the places for ratings, in the order of `scores`. A seat that is ahead of more others has a better place.

    The first of these rules that applies to two seats says which one is ahead:

    1. the places that an organizer has decided, if neither player had been replaced
    2. a player who resigned is behind one who did not
    3. the places at the moment when the first of the two was replaced, or else at the end

    A player who kept the others waiting until bots took over (L33) does not gain by what bots did after that: of the
    result and the one at that moment, the worse counts. If they were not ahead then, they tie with a player who left.
    """
    if not any(score.stood or score.kept_waiting for score in scores):
        ranks = [(False, score.ruled) if score.ruled else (score.gave_up, score.place) for score in scores]
        return [1 + sum(other < rank for other in ranks) for rank in ranks]
    return _ranked(scores, lambda score, other: _compared(score, other, scores))


def places_in_match(scores: Sequence[Score]) -> list[int]:
    """Return the places that count for a match whose organizer has decided nothing.

    They are those for ratings, except that a seat that was given to someone else counts as it was played, and that
    players who left always rank last (L31), because someone has to advance.
    """

    def compared(score: Score, other: Score) -> int:
        has_left, other_has_left = (seat.gave_up and seat.stood is None for seat in (score, other))
        return other_has_left - has_left or _when_bots_took_over(score, other, _ahead(score.place, other.place))

    return _ranked(scores, compared)


def _ranked(scores: Sequence[Score], compared: Callable[[Score, Score], int]) -> list[int]:
    ahead = [sum(compared(score, other) for other in scores if other is not score) for score in scores]
    return [1 + sum(other > total for other in ahead) for total in ahead]


def _compared(score: Score, other: Score, scores: Sequence[Score]) -> int:
    """Return 1 if the first of two seats counts as ahead, -1 if it counts as behind, 0 if they are tied."""
    if score.ruled and other.ruled and not (score.stood or other.stood):
        return int(score.ruled < other.ruled) - int(score.ruled > other.ruled)
    if score.gave_up or other.gave_up:
        result = other.gave_up - score.gave_up
        return result if result * _when_bots_took_over(score, other, result) > 0 else 0
    moments = [stood for stood in (score.stood, other.stood) if stood]
    first = min(moments, key=lambda stood: (stood["game"], stood["seq"]), default=None)
    at = first["places"] if first else {score.seat: score.place for score in scores}
    return _when_bots_took_over(score, other, _ahead(at[score.seat], at[other.seat]))


def _when_bots_took_over(score: Score, other: Score, result: int) -> int:
    """Return the result between two seats, without what a seat that kept the others waiting gained by bots.

    For such a seat, the worse of `result` and of the result when bots took over counts.
    """
    for slow, worse in ((score, min), (other, max)):
        if slow.kept_waiting:
            places_then = slow.kept_waiting["places"]
            result = worse(result, _ahead(places_then[score.seat], places_then[other.seat]))
    return result


def _ahead(place: int, other_place: int) -> int:
    return int(place < other_place) - int(place > other_place)


def rate(scores: Sequence[Score], last_ratings: LastRatings) -> None:
    """Rate the players of a contest, overall and for its size, in their scores and in `last_ratings`."""
    for score, weight in zip(scores, weights(scores), strict=True):
        score.weight = weight
    for size in ("", scores[0].size):
        before = [
            on_the_day(last_ratings[score.who, size], score) if (score.who, size) in last_ratings else Rating()
            for score in scores
        ]
        for score, old, new in zip(scores, before, rated(scores, before), strict=True):
            score.set_ratings(old, new, by_size=bool(size))
            if score.who:
                last_ratings[score.who, size] = new, score.ended_at


def rated(scores: Sequence[Score], before: Sequence[Rating]) -> list[Rating]:
    """Return the ratings after a contest, whose weights are known."""
    return ratings.rate(before, places(scores), [score.weight for score in scores], games=scores[0].length)


def on_the_day(last: tuple[Rating, datetime], score: Score) -> Rating:
    """Return a rating as it is when the contest of a score ends, with the doubt that has grown since the last one."""
    rating, at = last
    return ratings.faded(rating, days(at, score.ended_at))


def weights(scores: Sequence[Score]) -> list[float]:
    """Return how much the contest counts for each player: the mean of the weights of its pairs.

    The weights depend only on earlier contests in the book, so that recomputing them gives the same result.
    """
    first, people = scores[0], [score.who for score in scores if score.who.isdigit()]
    lately = Score.objects.filter(
        ruleset=first.ruleset, counts=True, order__lt=first.order, ended_at__gt=first.ended_at - ratings.RECENT
    )
    contests: dict[int | None, set[str]] = defaultdict(set)
    for order, who in lately.filter(who__in=people).values_list("order", "who"):
        contests[order].add(who)
    bots = [score.who for score in scores if score.who and not score.who.isdigit()]
    if bots:
        for order, who in lately.filter(order__in=list(contests), who__in=bots).values_list("order", "who"):
            contests[order].add(who)
    met = Counter(pair for who_played in contests.values() for pair in permutations(sorted(who_played), 2))
    return [
        fmean(ratings.weight(met[score.who, other.who], listed=first.listed) for other in scores if other is not score)
        for score in scores
    ]


def previous_rating(score: Score, size: str) -> tuple[Rating, datetime] | None:
    """Return the player's rating after their previous contest in the book, and when that ended; None without one."""
    before = Score.objects.filter(who=score.who, ruleset=score.ruleset, counts=True, order__lt=score.order)
    if size:
        before = before.filter(players=2) if size == Size.TWO else before.filter(players__gt=2)
    last = before.order_by("-order").first() if score.who else None
    rating = (last.size_after if size else last.after) if last else None
    return (rating, last.ended_at) if last and rating else None


def existing_players(players: Iterable[str]) -> set[str]:
    """Return those of the players (`Score.who`) who are bots or have an account."""
    ids = {who for who in players if who}
    numbers = [int(who) for who in ids if who.isdigit()]
    people = {str(pk) for pk in User.objects.filter(pk__in=numbers).values_list("pk", flat=True)}
    return people | {who for who in ids if not who.isdigit()}


def key(who: str) -> dict[str, Any]:
    """Return the columns of `RatedPlayer` that identify a player (`Score.who`)."""
    return {"user_id": int(who)} if who.isdigit() else {"bot": who}


@dataclass(frozen=True)
class ReadGame:
    """A game read from its log: seats, entries, the final position, and the traits of each seat."""

    game: Game
    seats: Sequence[Seat]
    entries: Sequence[log.Entry]
    state: State
    traits: Sequence[Traits]

    @property
    def rules(self) -> Ruleset:
        return self.game.rules


def read_game(public_id: str) -> ReadGame:
    """Fold the log of an ended game."""
    game = Game.objects.get(public_id=public_id)
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    entries = position.entries(game)
    state = log.fold(game.rules, position.empty(game, seats), entries)
    events = [event for entry in log.turns_that_count(entries) for event in log.facts(game.rules, entry)]
    return ReadGame(game, seats, entries, state, game.rules.traits(events, state))


def note_traits(line: dict[str, Any], traits: Traits) -> None:
    """Write a seat's traits into its line of a score, each value once. The bid also has its own key."""
    line["traits"] = {kind: list(dict.fromkeys(values)) for kind, values in traits.items()}
    if "bid" in traits:
        line["bid"] = int(traits["bid"][0])
