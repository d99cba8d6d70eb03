"""Recomputation of ratings and traits from the logs alone: folded, scored, placed, and rated in book order.

The result must equal the rows to the last bit. If it does not, the rows can be corrected.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import groupby

from django.db import transaction
from django.db.models import Q

from games.contests.models import RatedPlayer, Score
from games.contests.ratings import book
from games.contests.ratings.model import Rating
from games.contests.ratings.scores import ruled, stood_at
from games.rules.full_game import ranked, standing
from games.tables.models import Seat

FIGURES = ("weight", "mu_before", "sigma_before", "mu_after", "sigma_after")


@dataclass
class Anew:
    """The result of reading the logs up to contest `last`.

    Strengths and number of contests are by player (`Score.who`). `problems` describe the differences, `changed` are the
    scores that differ.
    """

    last: int = 0
    strengths: dict[str, Rating] = field(default_factory=dict)
    contests: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    changed: list[Score] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def recompute(ruleset: str, *, mend: bool) -> list[str]:
    """Recompute one ruleset and describe the differences. Nothing is written unless `mend` is set.

    The logs are read while games continue; only contests that ended meanwhile are read under the lock of the book.
    """
    anew = Anew()
    read_on(ruleset, anew)
    return compare(ruleset, anew, mend=mend)


def read_on(ruleset: str, anew: Anew) -> None:
    """Process the contests after the last one that count, or were counted, in book order."""
    rated = Q(game__counts=True) | Q(counts=True)
    booked = Score.objects.filter(rated, ruleset=ruleset, order__gt=anew.last).select_related("game")
    in_order = booked.order_by("order", "seat").iterator()
    for order, scores in groupby(in_order, key=lambda score: score.order):
        _contest(list(scores), anew)
        anew.last = order or 0


@transaction.atomic
def compare(ruleset: str, anew: Anew, *, mend: bool) -> list[str]:
    """Compare stored with recomputed ratings and return the differences, under the lock of the book."""
    book.lock(ruleset)
    read_on(ruleset, anew)
    problems = list(anew.problems)

    # 1. The ratings of players who still exist
    rows = {str(row.user_id or row.bot): row for row in RatedPlayer.objects.filter(ruleset=ruleset)}
    for who in sorted(book.present(anew.strengths)):
        row = rows.get(who) or RatedPlayer(ruleset=ruleset, **book.key(who))
        if (row.rating, row.contests) != (anew.strengths[who], anew.contests[who]):
            problems.append(f"The rating of player {who} does not match the logs.")
            row.become(anew.strengths[who])
            row.contests = anew.contests[who]
            if mend:
                row.save()
    for who in sorted(rows.keys() - anew.strengths.keys()):
        problems.append(f"The rating of player {who} is based on no contest.")
        if mend:
            rows[who].delete()

    # 2. The scores
    if mend:
        changed = ["counts", "who", "place", "points", "stood", "ruled", "games", *FIGURES]
        Score.objects.bulk_update(anew.changed, changed, batch_size=500)
    return problems


def _contest(scores: list[Score], anew: Anew) -> None:
    """Recompute a contest: fold its games, place its players, rate them. Whom to rate was decided when it began.

    What organizers have decided is read from the interventions.
    """
    before = [_figures(score) for score in scores]
    players = {seat.number: seat.who for seat in Seat.objects.filter(game=scores[0].game_id)}
    played = [book.read_game(line["game"]) for line in scores[0].games]
    given_away, decided = stood_at(played), ruled(scores[0].game)
    for score in scores:
        score.counts, score.who, score.stood = score.game.counts, players[score.seat], given_away.get(score.seat)
        score.ruled = decided.get(score.seat)
    if scores[0].counts:
        for number, game in enumerate(played):
            sheet, left = game.rules.score(game.state), game.rules.left_over(game.state)
            for score in scores:
                seat = score.games[number]["seat"]
                mine = sheet.seats[seat]
                score.games[number].update(points=mine.total, place=mine.place, left=left[seat])
                book.note_traits(score.games[number], game.traits[seat])
        if scores[0].full_game_id is None:
            for score in scores:
                score.place, score.points = score.games[0]["place"], score.games[0]["points"]
        else:
            lines = [
                standing(score.seat, [(line["points"], line["place"], line["left"]) for line in score.games])
                for score in scores
            ]
            for score, line in zip(scores, ranked(lines), strict=True):
                score.place, score.points = line.place, line.points
        rated = book.rate(scores, [anew.strengths.get(score.who, Rating()) for score in scores])
        for score, rating in zip(scores, rated, strict=True):
            if score.who:
                anew.strengths[score.who] = rating
                anew.contests[score.who] += 1
    else:
        for score in scores:
            score.weight = 1.0
            score.mu_before = score.sigma_before = score.mu_after = score.sigma_after = None
    for score, old in zip(scores, before, strict=True):
        if _figures(score) != old:
            anew.changed.append(score)
            anew.problems.append(f"Contest {score.order}: the score of {score.name} does not match the logs.")


def _figures(score: Score) -> tuple[object, ...]:
    lines = tuple(
        (line["points"], line["place"], line["left"], line.get("bid"), repr(line.get("traits"))) for line in score.games
    )
    figures = (getattr(score, name) for name in FIGURES)
    return score.counts, score.who, score.place, score.points, score.stood, score.ruled, lines, *figures
