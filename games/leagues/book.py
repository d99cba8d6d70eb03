"""The book of a ruleset: ended contests in the order in which they count, each with ratings and tallies made of it.

One contest is one transaction under the lock of the book's row, so that however many workers are at it, or are killed,
each contest counts once. What is in the book can be worked out again from the logs alone: see `recompute.py`.
"""

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import IntegrityError, transaction

from accounts.models import User
from games.leagues import ratings, tallies
from games.leagues.models import RatedPlayer, RatingBook, Score

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
    fields = ["order", "games", "mu_before", "sigma_before", "mu_after", "sigma_after"]
    Score.objects.bulk_update(scores, fields)


def places(scores: Sequence[Score]) -> list[int]:
    """The places that count for ratings: who gave up stands behind everybody else."""
    behind = len(scores)
    return [behind if score.gave_up else score.place for score in scores]


def rate(scores: Sequence[Score]) -> None:
    """Work out what the contest does to the ratings of those who played it."""
    known = [so_far(score) for score in scores]
    here = present(score.who for score in scores)
    for score, before, after in zip(scores, known, ratings.rate(known, places(scores)), strict=True):
        score.mu_before, score.sigma_before = before.mu, before.sigma
        score.mu_after, score.sigma_after = after.mu, after.sigma
        if score.who in here:
            _list(score, after)


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
