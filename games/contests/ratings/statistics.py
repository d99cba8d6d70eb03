"""Statistics of a game: how often seats, bids, first cards and other traits win, by rating band.

They are counted every night from the scores of rated contests between people, so that a page reads one small table. A
contest that is hidden because others still play its deal is left out, so that nobody learns what was bid there.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from games.contests.models import Score, Tally
from games.contests.models.scores import WIN
from games.contests.ratings.model import Rating
from games.estimates import wilson
from games.rules.protocol import Ruleset
from games.rules.registry import RULESETS, get

FEWEST = 30  # games; with fewer, a share of wins means little and is not shown
LOW, HIGH = 1400, 1600
BANDS = {
    "": gettext_lazy("All players"),
    "low": gettext_lazy("Under 1400"),
    "middle": gettext_lazy("1400 to 1599"),
    "high": gettext_lazy("1600 or more"),
}
SEAT = "seat"  # the kind that every game has, in addition to those of its rules
CHUNK = 2000  # rows read at once
COLUMNS = ("players", "who", "mu_before", "sigma_before", "games")


@dataclass
class Count:
    """A number of games and wins, and the sums of places and points. Shared wins are parts of WIN."""

    games: int = 0
    wins: int = 0
    places: int = 0
    points: int = 0


Key = tuple[int, str, str, str]  # number of players, band, kind and value


def collect() -> None:
    """Count the statistics of all games again."""
    for ruleset in RULESETS:
        counts = count(ruleset)
        with transaction.atomic():
            Tally.objects.filter(ruleset=ruleset).delete()
            Tally.objects.bulk_create(
                Tally(ruleset=ruleset, players=players, band=band, kind=kind, value=value, **vars(tally))
                for (players, band, kind, value), tally in counts.items()
            )


def count(ruleset: str) -> dict[Key, Count]:
    """Return the sums over all contests of a ruleset that may be shown."""
    counts: dict[Key, Count] = defaultdict(Count)
    booked = Score.objects.filter(ruleset=ruleset, counts=True, order__isnull=False)
    rows = booked.exclude(game__is_withheld=True).order_by("order", "seat").values_list("order", *COLUMNS)
    for _order, of_contest in groupby(rows.iterator(chunk_size=CHUNK), key=lambda row: row[0]):
        scores = [_Played(*row[1:]) for row in of_contest]
        if not all(score.who.isdigit() for score in scores):  # with a bot
            continue
        for number in range(len(scores[0].games)):
            lines = [score.games[number] for score in scores]
            share = WIN // max(1, sum(line["place"] == 1 for line in lines))
            for score, line in zip(scores, lines, strict=True):
                bands = ("", rating_band) if (rating_band := band(score.mu_before, score.sigma_before)) else ("",)
                won = share if line["place"] == 1 else 0
                for kind, values in {**line.get("traits", {}), SEAT: [str(line["seat"] + 1)]}.items():
                    for value in values:
                        for name in bands:
                            tally = counts[score.players, name, kind, value]
                            tally.games += 1
                            tally.wins += won
                            tally.places += line["place"]
                            tally.points += line["points"]
    return counts


class _Played(NamedTuple):
    players: int
    who: str
    mu_before: float | None
    sigma_before: float | None
    games: list[dict[str, Any]]


def band(mu: float | None, sigma: float | None) -> str:
    """Return the band of a rating before a contest; none of a provisional one, which says little."""
    if mu is None or sigma is None or (rating := Rating(mu, sigma)).is_provisional:
        return ""
    return "low" if rating.shown < LOW else "middle" if rating.shown < HIGH else "high"


# For the page


@dataclass(frozen=True)
class TraitResults:
    """The results of seats with one trait. Shares are percentages: `chosen` of all seats, `low` to `high` 95%."""

    name: str
    games: int
    chosen: float
    wins: float
    low: float
    high: float
    place: float
    points: float


@dataclass(frozen=True)
class TraitKind:
    """A kind of trait, such as bids, with its values, and how many values are left out for too few games."""

    slug: str
    name: str
    values: list[TraitResults]
    left_out: int

    @property
    def has_choices(self) -> bool:
        """Whether it matters how many seats had each value, other than with seats and turns, which go around."""
        return self.slug not in (SEAT, "first")


@dataclass(frozen=True)
class Statistics:
    """The statistics of a ruleset with this number of players, in a band.

    `seats` counts the results of players: as many as games times players, or fewer in a band. `expected` is the share
    of wins if nothing mattered, in percent.
    """

    rules: Ruleset
    players: int
    band: str
    seats: int
    kinds: list[TraitKind]

    @property
    def expected(self) -> float:
        return 100 / self.players

    @property
    def games(self) -> int:
        return self.seats // self.players


def statistics(*, ruleset: str, players: int, band: str = "") -> Statistics:
    """Return the statistics to show, with one query."""
    rules = get(ruleset)
    by_kind: dict[str, list[Tally]] = defaultdict(list)
    for tally in Tally.objects.filter(ruleset=ruleset, players=players, band=band):
        by_kind[tally.kind].append(tally)
    seats = sum(tally.games for tally in by_kind[SEAT])
    names = {SEAT: gettext("Seat"), **{kind: gettext(name) for kind, name in rules.trait_names.items()}}
    kinds = [_kind(rules, kind, name, by_kind[kind], seats) for kind, name in names.items() if by_kind[kind]]
    return Statistics(rules, players, band, seats, [kind for kind in kinds if kind.values])


def _kind(rules: Ruleset, kind: str, name: str, tallies: Iterable[Tally], seats: int) -> TraitKind:
    enough = {tally: tally.value if kind == SEAT else gettext(rules.trait_name(kind, tally.value)) for tally in tallies}
    shown: Mapping[Tally, str] = {tally: value for tally, value in enough.items() if tally.games >= FEWEST}
    if all(tally.value.rstrip("+").isdigit() for tally in shown):  # numbers are in order
        ordered = sorted(shown, key=lambda tally: int(tally.value.rstrip("+")))
    else:  # names by share of wins
        ordered = sorted(shown, key=lambda tally: (-tally.wins / tally.games, shown[tally]))
    return TraitKind(kind, name, [_results(tally, shown[tally], seats) for tally in ordered], len(enough) - len(shown))


def _results(tally: Tally, name: str, seats: int) -> TraitResults:
    share = tally.wins / WIN / tally.games
    low, high = wilson(share, tally.games)
    return TraitResults(
        name, tally.games, 100 * tally.games / max(seats, tally.games), 100 * share, 100 * low, 100 * high,
        tally.places / tally.games, tally.points / tally.games,
    )  # fmt: skip
