"""The book of a ruleset: ended contests in the order in which they count, each with ratings and tallies made of it.

One contest is one transaction under the lock of the book's row, so that however many workers are at it, or are killed,
each contest counts once. What is in the book can be worked out again from the logs alone: see `recompute.py`.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations
from statistics import fmean
from typing import Any

from django.db import IntegrityError, transaction

from accounts.models import User
from games.contests.models import RatedPlayer, RatingBook, Score
from games.contests.ratings import model as ratings
from games.contests.ratings import tallies

logger = logging.getLogger(__name__)

BATCH = 200  # contests that one sweep takes up


def sweep() -> int:
    """Take up the contests that ended and are in no book yet. Returns how many.

    One that cannot be counted holds up its own book, for the order counts, and no other.
    """
    taken, waiting = 0, Score.objects.filter(order=None).values_list("ruleset", flat=True)
    for ruleset in list(waiting.order_by("ruleset").distinct()):
        try:
            taken += book(ruleset)
        except Exception:
            logger.exception("The book of %s could not be written on.", ruleset)
    return taken


def book(ruleset: str) -> int:
    """Take up the contests of one ruleset, the earliest first. Returns how many."""
    taken = 0
    while taken < BATCH and take_next(ruleset):
        taken += 1
    return taken


@transaction.atomic
def take_next(ruleset: str) -> bool:
    """Take up the next contest. Whether there was one."""
    page = lock(ruleset)
    first = Score.objects.filter(ruleset=ruleset, order=None).order_by("id").first()
    if first is None:
        return False
    page.last += 1
    scores = list(Score.objects.filter(game=first.game_id).order_by("seat"))
    enter(scores, page.last)
    page.save(update_fields=["last"])
    return True


def lock(ruleset: str) -> RatingBook:
    """The book's row, locked. The first to ask makes it."""
    try:
        with transaction.atomic():
            RatingBook.objects.get_or_create(ruleset=ruleset)
    except IntegrityError:  # somebody made it at this moment
        pass
    return RatingBook.objects.select_for_update().get(ruleset=ruleset)


def enter(scores: Sequence[Score], order: int) -> None:
    """Give the scores of one contest their number, and make of it what follows."""
    counts = scores[0].counts
    for score in scores:
        score.order = order
    if counts:
        tallies.add(scores)
        rate(scores)
    fields = ["order", "games", "weight", "mu_before", "sigma_before", "mu_after", "sigma_after"]
    Score.objects.bulk_update(scores, fields)


def places(scores: Sequence[Score]) -> list[int]:
    """The places that count for ratings: players who gave up rank last, players who were replaced as they stood then.

    Between two seats the places count that they had when the first of them was given to somebody else, or else those
    at the end. A seat that is ahead of more others has the better place.
    """
    behind = len(scores)
    if not any(score.stood for score in scores):
        return [behind if score.gave_up else score.place for score in scores]
    ahead = [sum(_compared(one, other, scores) for other in scores if other is not one) for one in scores]
    return [1 + sum(other > mine for other in ahead) for mine in ahead]


def _compared(one: Score, other: Score, scores: Sequence[Score]) -> int:
    """Return 1 if the first of two seats counts as ahead, -1 if it counts as behind, 0 if they are level."""
    if one.gave_up or other.gave_up:
        return int(other.gave_up) - int(one.gave_up)
    moments = [score.stood for score in (one, other) if score.stood]
    first = min(moments, key=lambda stood: (stood["game"], stood["seq"]), default=None)
    at = first["places"] if first else {score.seat: score.place for score in scores}
    mine, others = at[one.seat], at[other.seat]
    return int(mine < others) - int(mine > others)


def rate(scores: Sequence[Score]) -> None:
    """Work out what the contest does to the ratings of those who played it."""
    known = [so_far(score) for score in scores]
    for score, weight in zip(scores, weights(scores), strict=True):
        score.weight = weight
    here = present(score.who for score in scores)
    rated = ratings.rate(known, places(scores), [score.weight for score in scores])
    for score, before, after in zip(scores, known, rated, strict=True):
        score.mu_before, score.sigma_before = before.mu, before.sigma
        score.mu_after, score.sigma_after = after.mu, after.sigma
        if score.who in here:
            _list(score, after)


def weights(scores: Sequence[Score]) -> list[float]:
    """How much the contest counts for each of those who played it: the mean over the others of what the pair gives.

    It depends on the contests before it in the book alone, so that it comes out the same when all is worked out again.
    """
    first, people = scores[0], [score.who for score in scores if score.who.isdigit()]
    is_open = first.listed or first.game.duplicate_id is not None
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
    met = Counter(pair for present in contests.values() for pair in permutations(sorted(present), 2))
    return [
        fmean(ratings.weight(met[one.who, other.who], is_open=is_open) for other in scores if other is not one)
        for one in scores
    ]


def so_far(score: Score) -> ratings.Rating:
    """The rating with which somebody comes into the contest: from the last one before it in the book."""
    before = Score.objects.filter(who=score.who, ruleset=score.ruleset, counts=True, order__lt=score.order)
    last = before.order_by("-order").first() if score.who else None
    return (last and last.after) or ratings.Rating()


def _list(score: Score, rating: ratings.Rating) -> None:
    """Bring the row that lists read up to date."""
    rated = key(score.who)
    row = RatedPlayer.objects.filter(ruleset=score.ruleset, **rated).first()
    row = row or RatedPlayer(ruleset=score.ruleset, **rated)
    row.become(rating)
    row.contests, row.last_at = row.contests + 1, score.ended_at
    row.save()


def present(players: Iterable[str]) -> set[str]:
    """Those of the players (`Score.who`) who are bots, or have an account."""
    named = {who for who in players if who}
    numbers = [int(who) for who in named if who.isdigit()]
    people = {str(pk) for pk in User.objects.filter(pk__in=numbers).values_list("pk", flat=True)}
    return people | {who for who in named if not who.isdigit()}


def key(who: str) -> dict[str, Any]:
    """The columns of `RatedPlayer` by which a player (`Score.who`) is found."""
    return {"user_id": int(who)} if who.isdigit() else {"bot": who}
