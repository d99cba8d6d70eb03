"""Scores as files: each contest of a history as plain values, with everything that its page shows.

Values of a contest's games are lists with a value per game; the same holds for its opponents.
"""

import csv
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from games.contests.models import Score
from games.contests.ratings.history import Person, contests

BATCH = 200
COLUMNS = (
    "ended", "ruleset", "full_game", "players", "place", "points", "rated", "gave_up", "rating_before", "rating_after",
    "rating_change", "opponents", "opponent_places", "opponent_points", "games", "seats", "bids", "game_places",
    "game_points", "game_sources", "link", "game_links",
)  # fmt: skip

FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # characters that make spreadsheets compute a formula

Link = Callable[[str], str]  # from a path to a URL
Row = dict[str, Any]


def rows(person: Person, scores: QuerySet[Score], link: Link) -> Iterator[Row]:
    """Yield each contest with the `COLUMNS`, latest first. Seats count from 1. Bids are None if there were none."""
    keys = list(scores.values_list("pk", flat=True))
    for first in range(0, len(keys), BATCH):
        some = keys[first : first + BATCH]
        for contest in contests(person, Score.objects.filter(pk__in=some)):
            if contest.score.pk not in some:
                continue
            score, others, games = contest.score, contest.others, contest.score.games
            pages = [link(reverse("table", args=[line["game"]])) for line in games]
            yield {
                "ended": score.ended_at.isoformat(timespec="seconds"),
                "ruleset": score.ruleset,
                "full_game": score.full_game_id is not None,
                "players": score.players,
                "place": score.place,
                "points": score.points,
                "rated": score.is_rated,
                "gave_up": score.gave_up,
                "rating_before": score.before.shown if score.is_rated and score.before else None,
                "rating_after": score.after.shown if score.is_rated and score.after else None,
                "rating_change": score.change,
                "opponents": [one.name for one in others],
                "opponent_places": [one.place for one in others],
                "opponent_points": [one.points for one in others],
                "games": [line["game"] for line in games],
                "seats": [line["seat"] + 1 for line in games],
                "bids": [line.get("bid") for line in games],
                "game_places": [line["place"] for line in games],
                "game_points": [line["points"] for line in games],
                "game_sources": [line["sources"] for line in games],
                "link": link(reverse("full_game", args=[score.full_game_id])) if score.full_game_id else pages[0],
                "game_links": pages,
            }


def csv_lines(found: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of a CSV file: lists joined with semicolons, and nothing that is computed as a formula."""
    writer = csv.writer(Echo())
    yield writer.writerow(COLUMNS)
    for one in found:
        cells = []
        for value in (one[column] for column in COLUMNS):
            words = text(value)
            cells.append(f"'{words}" if words.startswith(FORMULAS) and not isinstance(value, int) else words)
        yield writer.writerow(cells)


class Echo:
    """A file for the CSV writer whose `write` returns the text instead of storing it."""

    def write(self, text: str) -> str:
        return text


def text(value: Any) -> str:
    if isinstance(value, list):
        return "; ".join(map(text, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return "" if value is None else str(value)
