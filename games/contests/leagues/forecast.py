"""Forecast of a league: a thousand simulated seasons of one division, with players who drop out. PURE.

Assumptions: players of a division have equal ratings and differ by what ratings do not know. Places are drawn from a
race in which stronger players are faster (Plackett and Luce), for a full game by the sum of three. People have habits,
so some answer soon and others late in all their matches, but never later than the clock allows. In each division one
player stalls: they use the whole clock for every answer, and their clock stops in the longest night allowed. Unfinished
matches are handled as the league declares: bots play them to the end, or the current points count.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from math import exp, inf
from statistics import fmean
from typing import NamedTuple

import msgspec

from games.clocks import clock as clocks
from games.contests.pairing import round_robin
from games.contests.pairing.crosstable import Result, rank
from games.contests.pairing.protocol import Table
from games.contests.ratings.model import SCALE, SETTLED
from games.contests.terms.declaration import LeagueTerms
from games.contests.terms.fitting import WITH_NIGHTS, WITH_WEEKENDS, allowed_hours, answer_hours

STRENGTHS = SETTLED / SCALE  # standard deviation of log strength, as the model of ratings has it
BOT = -STRENGTHS  # the strength of a bot that plays for someone who left
HABITS = 0.7  # standard deviation of the log of answer times, between people
MOODS = 0.3  # the same, between the matches of one of them
NEARLY_ALL = 0.95  # of the seasons end within `most_days`


class Forecast(msgspec.Struct, frozen=True):
    """The results of simulated seasons of a league. Shares are from 0 to 1.

    The figures of fairness leave out players who drop out.
    """

    seasons: int  # how many were simulated
    days: int  # the median of the day on which the last match ends
    most_days: int  # its 95th percentile
    over: float  # share of seasons that take longer than the declared weeks
    matches: int  # per player
    games: int  # per player
    annulled: float  # share of matches that do not count
    by_bot: float  # share of matches that count and in which a bot replaced a player
    strongest_wins: float  # how often the strongest player of a division wins it
    best_promoted: float  # how often one of the best `promoted` + 1 players of a division is promoted
    order: float  # rank correlation of strength and place
    unfinished: float = 0.0  # share of matches that are not over when the season ends
    staller_wins: float = 0.0  # how often a player who stalls wins


def simulate(
    terms: LeagueTerms, decisions: int, rng: random.Random, seasons: int = 1000, drop_out: float = 0.08, stalls: int = 1
) -> Forecast:
    """Simulate seasons of one division.

    `decisions`: how often the others wait for one player in one game. `drop_out`: the probability that a player drops
    out. `stalls`: how many players of each division use the whole clock.
    """
    division = _Division(terms, decisions, rng, drop_out, stalls)
    played = [division.season() for _season in range(seasons)]
    played_matches = [match for season in played for match in season.matches]
    days = sorted(season.days for season in played)
    orders = [season.order for season in played if len(season.order) > 1]
    matches = round_robin.matches_each(terms.division, terms.players)
    correlations = []  # Spearman's, of places with the numbers in them: 1 if they are in order
    for order in orders:
        squares, number = sum((place - player) ** 2 for place, player in enumerate(order)), len(order)
        correlations.append(1 - 6 * squares / (number * (number**2 - 1)))
    return Forecast(
        seasons=seasons,
        days=round(days[seasons // 2]),
        most_days=round(days[int(seasons * NEARLY_ALL)]),
        over=_share(season > terms.weeks * 7 for season in days),
        matches=matches,
        games=matches * terms.games,
        annulled=_share(not match.counts for match in played_matches),
        by_bot=_share(match.counts and match.has_bot for match in played_matches),
        strongest_wins=_share(order[0] == 0 for order in orders),
        best_promoted=_share(min(order[: terms.promoted]) <= terms.promoted for order in orders),
        order=fmean(correlations) if correlations else 0.0,
        unfinished=_share(match.by_people < 1 for match in played_matches),
        staller_wins=_share(season.has_staller_won for season in played if season.order),
    )


class _Player(NamedTuple):
    """A player: log strength, usual hours per answer, and the day on which they drop out.

    A player who `stalls` uses the whole clock.
    """

    strength: float
    hours: float
    leaves: float
    stalls: bool = False


class _PlayedMatch(NamedTuple):
    """A match: the day it ended, whether it counts, and whether a bot replaced someone who left.

    `by_people`: the share of it that was over at the end of the season.
    """

    table: Table
    ended: float
    counts: bool
    has_bot: bool
    by_people: float = 1.0


class _Season(NamedTuple):
    """A season: its matches, and the remaining players in the order of places, numbered by strength from 0.

    `has_staller_won`: the first of them is a player who stalls.
    """

    matches: Sequence[_PlayedMatch]
    order: Sequence[int]
    has_staller_won: bool

    @property
    def days(self) -> float:
        return max(match.ended for match in self.matches)


class _Division:
    def __init__(self, terms: LeagueTerms, decisions: int, rng: random.Random, drop_out: float, stalls: int) -> None:
        self.terms, self.rng, self.drop_out, self.stalls = terms, rng, drop_out, stalls
        self.last_day = terms.weeks * 7
        self.tables = [table for tables in round_robin.plan(terms.division, terms.players) for table in tables]
        clock = clocks.parse(terms.clock)
        self.answers = terms.games * decisions  # of each player, in a match
        self.usual, self.allowed = answer_hours(clock, decisions), allowed_hours(clock, decisions)
        self.hours_a_day = clocks.HOURS_A_DAY / (WITH_WEEKENDS if clock.weekends_off else 1)

    def season(self) -> _Season:
        players = []
        for number in range(self.terms.division):
            stalls = number < self.stalls
            leaves = self.rng.uniform(0, self.last_day) if self.rng.random() < self.drop_out else inf
            hours = self.allowed * WITH_NIGHTS if stalls else self.usual * self._varied(HABITS)
            players.append(_Player(self.rng.gauss(0, STRENGTHS), hours, leaves, stalls))
        self.rng.shuffle(players)
        matches = list(self._play(players))
        results = []
        for match in matches:
            if match.counts:
                times = {entrant: self._time(players[entrant], match) for entrant in match.table}
                order, places = sorted(times, key=times.__getitem__), range(1, len(times) + 1)
                results.append(Result(tuple(order), tuple(places), tuple(reversed(places))))
        lines = rank(range(len(players)), results, self.terms.tie_breaks)
        by_strength = sorted(range(len(players)), key=lambda entrant: -players[entrant].strength)
        stayed = [entrant for entrant in by_strength if players[entrant].leaves == inf]
        order = [line.entrant for line in lines if line.entrant in stayed]
        has_staller_won = bool(order) and players[order[0]].stalls
        return _Season(matches, [stayed.index(entrant) for entrant in order], has_staller_won)

    def _varied(self, by: float) -> float:
        """Return a log-normal number around 1."""
        return self.rng.lognormvariate(-by * by / 2, by)

    def _play(self, players: Sequence[_Player]) -> Iterator[_PlayedMatch]:
        """Yield the matches in order of their start: each as soon as all its players have room for one more."""
        waiting, busy, day = list(self.tables), [0] * len(players), 0.0
        playing: list[tuple[float, Table]] = []
        while waiting:
            for table in list(waiting):
                if all(busy[entrant] < self.terms.at_once for entrant in table):
                    waiting.remove(table)
                    match = self._match(table, players, day)
                    heappush(playing, (match.ended, table))
                    for entrant in table:
                        busy[entrant] += 1
                    yield match
            day, table = heappop(playing)
            for entrant in table:
                busy[entrant] -= 1

    def _match(self, table: Table, players: Sequence[_Player], day: float) -> _PlayedMatch:
        """Play a match. If a player leaves, it continues as the league declares. Bots take no time."""
        hours = 0.0  # of one answer of each player
        for player in (players[n] for n in table):
            if player.leaves > day:
                hours += player.hours if player.stalls else min(player.hours * self._varied(MOODS), self.allowed)
        ends, left = day + self.answers * hours / self.hours_a_day, [players[n].leaves for n in table]
        if max(left) <= day or (min(left) < ends and self.terms.drop_outs == "annul"):
            return _PlayedMatch(table, max(min(left), day), counts=False, has_bot=False)
        by_people = 1.0 if ends <= self.last_day else max(self.last_day - day, 0) / (ends - day)
        return _PlayedMatch(table, ends, counts=True, has_bot=min(left) < ends, by_people=by_people)

    def _time(self, player: _Player, match: _PlayedMatch) -> float:
        """Return a player's time in the race for places, over all games of the match.

        The part left at the end of the season is played by equally strong bots, or the current points count.
        """
        rate = exp(player.strength if player.leaves >= match.ended else BOT)
        times = [self.rng.expovariate(rate) for _game in range(self.terms.games)]
        by_bots = self.terms.unfinished == "bots" or not match.by_people
        rest = self.rng.expovariate(exp(BOT)) * self.terms.games if by_bots else 0.0
        return match.by_people * sum(times) + (1 - match.by_people) * rest


def _share(outcomes: Iterable[bool]) -> float:
    answers = list(outcomes)
    return sum(answers) / len(answers) if answers else 0.0
