"""What a league can expect: a thousand seasons of one division, with players who drop out. PURE.

What is assumed: the players of a division are rated alike and differ by what ratings do not know; places go by a race
in which the stronger are quicker (Plackett and Luce), over a full game by the sum of three; people have habits, so one
answers soon and another late, in all their meetings, though nobody later than the clock allows.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from math import exp, inf, sqrt
from statistics import fmean
from typing import NamedTuple

import msgspec

from games.clocks import clock as clocks
from games.leagues.crosstable import Result, rank
from games.leagues.fitting import WITH_WEEKENDS, allowed_hours, answer_hours
from games.leagues.pairing import round_robin
from games.leagues.pairing.round_robin import Table
from games.leagues.ratings import MODEL, SETTLED
from games.leagues.terms import Terms

STRENGTHS = SETTLED / (sqrt(2) * MODEL.beta)  # standard deviation of log strength, as the model of ratings has it
BOT = -STRENGTHS  # the strength of a bot that plays on for somebody
HABITS = 0.7  # standard deviation of the log of answer times, between people
MOODS = 0.3  # the same, between the meetings of one of them
NEARLY_ALL = 0.95  # of the seasons end within `most_days`


class Forecast(msgspec.Struct, frozen=True):
    """`days` until the last meeting of a season has ended, at the median and of 95 in 100 (`most_days`), and the share
    of seasons that go `over` the weeks declared. `meetings` and `games` that a player has; the shares of meetings that
    are `annulled` and that a bot plays in. How fair it is: how often the strongest of a division comes first, how often
    one of its best `promoted` + 1 goes up, and the rank correlation of strength and place (`order`).

    Shares are from 0 to 1. Who drops out is in none of the figures of fairness.
    """

    seasons: int
    days: int
    most_days: int
    over: float
    meetings: int
    games: int
    annulled: float
    by_bot: float
    strongest_wins: float
    best_promoted: float
    order: float


def simulate(terms: Terms, decisions: int, rng: random.Random, seasons: int = 1000, drop_out: float = 0.08) -> Forecast:
    """Play the seasons. `decisions`: how often one player is waited for in one game; `drop_out`: how likely each is."""
    division = _Division(terms, decisions, rng, drop_out)
    played = [division.season() for _season in range(seasons)]
    held = [one for season in played for one in season.held]
    days = sorted(season.days for season in played)
    orders = [season.order for season in played if len(season.order) > 1]
    meetings = round_robin.meetings_each(terms.division, terms.players)
    return Forecast(
        seasons=seasons,
        days=round(days[seasons // 2]),
        most_days=round(days[int(seasons * NEARLY_ALL)]),
        over=_share(season > terms.weeks * 7 for season in days),
        meetings=meetings,
        games=meetings * terms.games,
        annulled=_share(not one.counts for one in held),
        by_bot=_share(one.counts and one.has_bot for one in held),
        strongest_wins=_share(order[0] == 0 for order in orders),
        best_promoted=_share(min(order[: terms.promoted]) <= terms.promoted for order in orders),
        order=fmean(map(_correlation, orders)) if orders else 0.0,
    )


class _Player(NamedTuple):
    """The log of somebody's strength, their usual hours for an answer, and the day on which they drop out."""

    strength: float
    hours: float
    leaves: float


class _Held(NamedTuple):
    """A meeting: the day on which it ended, whether it counts, and whether a bot played in it."""

    table: Table
    ended: float
    counts: bool
    has_bot: bool


class _Season(NamedTuple):
    """The meetings, and who stayed in the order of their places, numbered by strength from 0."""

    held: Sequence[_Held]
    order: Sequence[int]

    @property
    def days(self) -> float:
        return max(one.ended for one in self.held)


class _Division:
    def __init__(self, terms: Terms, decisions: int, rng: random.Random, drop_out: float) -> None:
        self.terms, self.rng, self.drop_out = terms, rng, drop_out
        self.last_day = terms.weeks * 7
        self.tables = [table for tables in round_robin.plan(terms.division, terms.players) for table in tables]
        clock = clocks.parse(terms.clock)
        self.answers = terms.games * decisions  # of each player, in a meeting
        self.usual, self.allowed = answer_hours(clock, decisions), allowed_hours(clock, decisions)
        self.hours_a_day = clocks.HOURS_A_DAY / (WITH_WEEKENDS if clock.weekends_off else 1)

    def season(self) -> _Season:
        players = [self._player() for _player in range(self.terms.division)]
        held = list(self._held(players))
        results = [self._result(one, players) for one in held if one.counts]
        lines = rank(range(len(players)), results, self.terms.tie_breaks)
        by_strength = sorted(range(len(players)), key=lambda one: -players[one].strength)
        stayed = [one for one in by_strength if players[one].leaves == inf]
        return _Season(held, [stayed.index(line.entrant) for line in lines if line.entrant in stayed])

    def _player(self) -> _Player:
        leaves = self.rng.uniform(0, self.last_day) if self.rng.random() < self.drop_out else inf
        return _Player(self.rng.gauss(0, STRENGTHS), self.usual * self._varied(HABITS), leaves)

    def _varied(self, by: float) -> float:
        """A log-normal number around 1."""
        return self.rng.lognormvariate(-by * by / 2, by)

    def _held(self, players: Sequence[_Player]) -> Iterator[_Held]:
        """The meetings in the order in which they begin: each as soon as all at its table have room for one more."""
        waiting, busy, day = list(self.tables), [0] * len(players), 0.0
        playing: list[tuple[float, Table]] = []
        while waiting:
            for table in list(waiting):
                if all(busy[one] < self.terms.at_once for one in table):
                    waiting.remove(table)
                    meeting = self._meeting(table, players, day)
                    heappush(playing, (meeting.ended, table))
                    for one in table:
                        busy[one] += 1
                    yield meeting
            day, table = heappop(playing)
            for one in table:
                busy[one] -= 1

    def _meeting(self, table: Table, players: Sequence[_Player], day: float) -> _Held:
        """What is not played in the season is annulled; and where somebody leaves, as the league declares."""
        left = [players[one].leaves for one in table]
        ends = day + self._length([players[one] for one in table], day)
        if max(left) <= day or (min(left) < ends and self.terms.drop_outs == "annul"):
            return _Held(table, max(min(left), day), counts=False, has_bot=False)
        return _Held(table, ends, counts=ends <= self.last_day, has_bot=min(left) < ends)

    def _length(self, players: Iterable[_Player], day: float) -> float:
        """In days. Bots take no time."""
        people = (one for one in players if one.leaves > day)
        return self.answers * sum(self._answer(one) for one in people) / self.hours_a_day

    def _answer(self, player: _Player) -> float:
        return min(player.hours * self._varied(MOODS), self.allowed)

    def _result(self, held: _Held, players: Sequence[_Player]) -> Result:
        order = sorted(held.table, key=lambda one: self._time(players[one], held))
        places = range(1, len(order) + 1)
        return Result(tuple(order), tuple(places), tuple(reversed(places)))

    def _time(self, player: _Player, held: _Held) -> float:
        """In the race for places, over all games of the meeting."""
        rate = exp(player.strength if player.leaves >= held.ended else BOT)
        return sum(self.rng.expovariate(rate) for _game in range(self.terms.games))


def _share(those: Iterable[bool]) -> float:
    found = list(those)
    return sum(found) / len(found) if found else 0.0


def _correlation(order: Sequence[int]) -> float:
    """Of the places with the numbers that stand there (Spearman): 1 where they are in order."""
    number = len(order)
    return 1 - 6 * sum((place - one) ** 2 for place, one in enumerate(order)) / (number * (number**2 - 1))
