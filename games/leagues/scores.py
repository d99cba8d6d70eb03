"""Scores: what each player has from a contest, written down in the transaction of its last turn."""

from collections.abc import Sequence
from typing import Any

from games.leagues.models import FullGame, Score
from games.models import Game, Seat
from games.services.bell import ring

Played = tuple[Game, Seat]  # a game, and a player's seat at it


def keep(*, games: Sequence[Game], full: FullGame | None) -> None:
    """Write the scores of an ended contest: one game, or all of a full game in order. The task then books them."""
    last = games[-1]
    tables = [list(Seat.objects.filter(game=game).select_related("owner").order_by("number")) for game in games]
    places = standing(full, tables[-1])
    Score.objects.bulk_create(
        [
            score([(game, seats[seat]) for game, seats in zip(games, tables, strict=True)], full, places[seat])
            for seat in range(last.players)
        ],
        ignore_conflicts=True,
    )
    ring("games.tasks.book_scores", last.ruleset)
    ring("games.tasks.settle_challenge", last.pk)
    ring("games.tasks.settle_meeting", last.pk)


def standing(full: FullGame | None, seats: Sequence[Seat]) -> list[tuple[int, int]]:
    """Place and points of each seat in the contest."""
    if full is None:
        return [(seat.place or 0, seat.total or 0) for seat in seats]
    return [(line["place"], line["points"]) for line in full.standing or ()]


def score(played: Sequence[Played], full: FullGame | None, result: tuple[int, int]) -> Score:
    """The score of one player. Whether it is rated, and for whom, was decided when the contest began."""
    game, seat = played[-1]
    assert game.ended_at
    return Score(
        full_game=full, game=game, seat=seat.number, user=seat.owner, bot=seat.own_bot, who=seat.who, name=seat.name,
        ruleset=game.ruleset, players=game.players, listed=game.listed, counts=game.counts, gave_up=seat.has_given_up,
        place=result[0], points=result[1], games=[line(*one) for one in played], ended_at=game.ended_at,
    )  # fmt: skip


def line(game: Game, seat: Seat) -> dict[str, Any]:
    """A game in a score: points in all and by source, as the scoresheet has them."""
    sources = game.result["seats"][seat.number]["lines"] if game.result else []
    return {
        "game": game.public_id,
        "seat": seat.number,
        "points": seat.total,
        "place": seat.place,
        "left": seat.left,
        "sources": {source["source"]: source["points"] for source in sources},
    }
