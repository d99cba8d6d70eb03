"""Statistics: results of seats by bid, card or turn order.

They are counted contest by contest, under the lock of the book; pages only read sums.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contests.models import Score, Tally
from games.contests.models.scores import WIN
from games.rules import log
from games.rules.protocol import Ruleset, State, Traits
from games.tables.models import Game, Seat
from games.tables.selectors import position

SEAT = "seat"  # the kind that every game has, in addition to those of its rules


@dataclass
class Count:
    """A number of games and wins, and the sums of places and points. Shared wins are parts of WIN."""

    games: int = 0
    wins: int = 0
    places: int = 0
    points: int = 0

    def add(self, place: int, points: int, share: int) -> None:
        self.games += 1
        self.wins += share if place == 1 else 0
        self.places += place
        self.points += points


Counts = dict[tuple[str, str], Count]


@dataclass(frozen=True)
class Read:
    """A game read from its log: seats, entries, the final position, and the traits of each seat."""

    game: Game
    seats: Sequence[Seat]
    entries: Sequence[log.Entry]
    state: State
    traits: Sequence[Traits]

    @property
    def rules(self) -> Ruleset:
        return self.game.rules


def read(public_id: str) -> Read:
    """Fold the log of an ended game."""
    game = Game.objects.get(public_id=public_id)
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    entries = position.entries(game)
    state = log.fold(game.rules, position.empty(game, seats), entries)
    events = [event for entry in log.standing(entries) for event in log.facts(game.rules, entry)]
    return Read(game, seats, entries, state, game.rules.traits(events, state))


def add(scores: Sequence[Score]) -> None:
    """Count the games of a contest, and write each bid into its score."""
    counts: Counts = defaultdict(Count)
    for number, line in enumerate(scores[0].games):
        count(read(line["game"]).traits, [score.games[number] for score in scores], counts)
    keep(scores[0].ruleset, scores[0].players, counts)


def count(traits: Sequence[Traits], lines: Sequence[dict[str, Any]], counts: Counts) -> None:
    """Add one game to the counts, and each seat's bid to its line."""
    share = WIN // max(1, sum(line["place"] == 1 for line in lines))
    for line in lines:
        mine = traits[line["seat"]]
        if "bid" in mine:
            line["bid"] = int(mine["bid"][0])
        counts[SEAT, str(line["seat"] + 1)].add(line["place"], line["points"], share)
        for kind, values in mine.items():
            for value in dict.fromkeys(values):  # once, even if the seat took a card twice
                counts[kind, value].add(line["place"], line["points"], share)


def keep(ruleset: str, players: int, counts: Mapping[tuple[str, str], Count]) -> None:
    """Add the counts to the rows. Requires the lock of the book."""
    rows = {(row.kind, row.value): row for row in Tally.objects.filter(ruleset=ruleset, players=players)}
    known = [_added(rows[key], more) for key, more in counts.items() if key in rows]
    Tally.objects.bulk_update(known, ["games", "wins", "places", "points"])
    Tally.objects.bulk_create(
        _added(Tally(ruleset=ruleset, players=players, kind=kind, value=value), more)
        for (kind, value), more in counts.items()
        if (kind, value) not in rows
    )


def _added(row: Tally, more: Count) -> Tally:
    row.games += more.games
    row.wins += more.wins
    row.places += more.places
    row.points += more.points
    return row
