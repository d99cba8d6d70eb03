"""Recomputation of ratings and traits from the logs alone: folded, scored, placed, and rated in book order.

The result must equal the rows to the last bit. If it does not, the rows can be corrected.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import groupby

from django.db import transaction
from django.db.models import Q

from games.contests.models import RatedPlayer, Score, SizeRating
from games.contests.ratings import book
from games.contests.ratings.book import LastRatings
from games.contests.ratings.scores import (
    decided_places,
    deserted_seats,
    places_when_bots_took_over,
    places_when_replaced,
)
from games.rules.full_game import ranked, seat_total
from games.tables.models import Seat

FIGURES = ("weight", *book.FIGURES)


@dataclass
class Recomputed:
    """The result of reading the logs up to contest `last`.

    Strengths and number of contests are by player (`Score.who`) and size, "" for all. `problems` describe the
    differences, `changed` are the scores that differ.
    """

    last: int = 0
    strengths: LastRatings = field(default_factory=dict)
    contests: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    changed: list[Score] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def recompute(ruleset: str, *, mend: bool) -> list[str]:
    """Recompute one ruleset and describe the differences. Nothing is written unless `mend` is set.

    The logs are read while games continue; only contests that ended meanwhile are read under the lock of the book.
    """
    recomputed = Recomputed()
    read_on(ruleset, recomputed)
    return compare(ruleset, recomputed, mend=mend)


def read_on(ruleset: str, recomputed: Recomputed) -> None:
    """Process the contests after the last one that count, or were counted, in book order."""
    rated = Q(game__counts=True) | Q(counts=True)
    booked = Score.objects.filter(rated, ruleset=ruleset, order__gt=recomputed.last).select_related("game")
    in_order = booked.order_by("order", "seat").iterator()
    for order, scores in groupby(in_order, key=lambda score: score.order):
        _recompute_contest(list(scores), recomputed)
        recomputed.last = order or 0


@transaction.atomic
def compare(ruleset: str, recomputed: Recomputed, *, mend: bool) -> list[str]:
    """Compare stored with recomputed ratings and return the differences, under the lock of the book."""
    book.lock(ruleset)
    read_on(ruleset, recomputed)
    problems = list(recomputed.problems)

    # 1. The ratings of players who still exist
    overall = {
        (str(strength.user_id or strength.bot), ""): strength
        for strength in RatedPlayer.objects.filter(ruleset=ruleset)
    }
    by_size = {
        (str(strength.user_id or strength.bot), strength.size): strength
        for strength in SizeRating.objects.filter(ruleset=ruleset)
    }
    stored = {**overall, **by_size}
    existing = book.existing_players(who for who, _size in recomputed.strengths)
    for who, size in sorted(key for key in recomputed.strengths if key[0] in existing):
        strength = stored.get((who, size)) or book.player_row(ruleset, who, size)
        rating, at = recomputed.strengths[who, size]
        if (strength.rating, strength.contests, strength.last_at) != (rating, recomputed.contests[who, size], at):
            problems.append(f"The rating of player {who} does not match the logs.")
            strength.become(rating, at)
            strength.contests = recomputed.contests[who, size]
            if mend:
                strength.save()
    for who, size in sorted(stored.keys() - recomputed.strengths.keys()):
        problems.append(f"The rating of player {who} is based on no contest.")
        if mend:
            stored[who, size].delete()

    # 2. The scores
    if mend:
        changed = ["counts", "who", "place", "points", "stood", "kept_waiting", "ruled", "gave_up", "games", *FIGURES]
        Score.objects.bulk_update(recomputed.changed, changed, batch_size=500)
    return problems


def _recompute_contest(scores: list[Score], recomputed: Recomputed) -> None:
    """Recompute a contest: fold its games, place its players, rate them. Whom to rate was decided when it began.

    What organizers have decided is read from the interventions.
    """
    before = [_figures(score) for score in scores]
    players = {seat.number: seat.who for seat in Seat.objects.filter(game=scores[0].game_id)}
    played = [book.read_game(line["game"]) for line in scores[0].games]
    when_replaced, decided = places_when_replaced(played), decided_places(scores[0].game)
    deserted = deserted_seats(entry for game in played for entry in game.entries)
    when_bots_took_over = places_when_bots_took_over(played, deserted)
    for score in scores:
        score.counts, score.who, score.stood = score.game.counts, players[score.seat], when_replaced.get(score.seat)
        score.kept_waiting = when_bots_took_over.get(score.seat)
        score.ruled, score.gave_up = decided.get(score.seat), score.gave_up or score.seat in deserted
    if scores[0].counts:
        for number, game in enumerate(played):
            sheet, left = game.rules.score(game.state), game.rules.left_over(game.state)
            for score in scores:
                seat = score.games[number]["seat"]
                seat_score = sheet.seats[seat]
                score.games[number].update(points=seat_score.total, place=seat_score.place, left=left[seat])
                book.note_traits(score.games[number], game.traits[seat])
        if scores[0].full_game_id is None:
            for score in scores:
                score.place, score.points = score.games[0]["place"], score.games[0]["points"]
        else:
            lines = [
                seat_total(score.seat, [(line["points"], line["place"], line["left"]) for line in score.games])
                for score in scores
            ]
            for score, line in zip(scores, ranked(lines), strict=True):
                score.place, score.points = line.place, line.points
        book.rate(scores, recomputed.strengths)
        for score in scores:
            for size in ("", score.size) if score.who else ():
                recomputed.contests[score.who, size] += 1
    else:
        for score in scores:
            score.weight = 1.0
            for name in book.FIGURES:
                setattr(score, name, None)
    for score, old in zip(scores, before, strict=True):
        if _figures(score) != old:
            recomputed.changed.append(score)
            recomputed.problems.append(f"Contest {score.order}: the score of {score.name} does not match the logs.")


def _figures(score: Score) -> tuple[object, ...]:
    lines = tuple(
        (line["points"], line["place"], line["left"], line.get("bid"), line.get("traits")) for line in score.games
    )
    figures = (getattr(score, name) for name in FIGURES)
    facts = (score.counts, score.who, score.place, score.points, score.stood, score.ruled, score.gave_up)
    return *facts, score.kept_waiting, lines, *figures
