"""Checks whether the terms of a league or tournament can be scheduled in the declared time. PURE."""

from collections.abc import Mapping
from functools import lru_cache
from math import ceil
from statistics import median_low
from typing import Any

import msgspec

from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.clocks import clock as clocks
from games.clocks.clock import Clock
from games.contests.pairing import formats, round_robin
from games.contests.pairing.teams import BOARDS, MOST_TEAMS
from games.contests.terms.declaration import AnyTerms, LeagueTerms, TournamentTerms, check_values
from games.rules.protocol import IllegalAction
from games.rules.registry import get
from games.rules.words import gettext_noop

# Most people answer after about a sixth of the time for a move (in a daily game they move two or three times a day),
# but on average hardly before two hours. Terms are refused if not even they finish in time. Some players use the whole
# clock and their nights: forecasts assume one of them in each division, see `leagues/forecast.py`.
PART = 6  # of the time for a move
SOONEST = 2  # hours
NARROWEST = 100  # points between the lowest and the highest rating that may enter
WITH_NIGHTS = clocks.HOURS_A_DAY / (clocks.HOURS_A_DAY - 10)  # factor for players with the longest night that counts
WITH_WEEKENDS = 7 / 5  # factor if Saturdays and Sundays do not count


def answer_hours(clock: Clock, decisions: int) -> float:
    """Return the likely average hours per answer, in a game with this many decisions per player."""
    allowed = allowed_hours(clock, decisions)
    return min(max(allowed / PART, SOONEST), allowed)


def allowed_hours(clock: Clock, decisions: int) -> float:
    """Return the average hours per answer that the clock allows."""
    return (clock.start + clock.increment * (decisions - 1)) / decisions


def match_days(terms: AnyTerms, decisions: int) -> float:
    """Return how many days a match likely takes. `decisions`: how often the others wait for one player in one game."""
    clock = clocks.parse(terms.clock)
    hours = terms.games * terms.players * decisions * answer_hours(clock, decisions)
    return hours / clocks.HOURS_A_DAY * (WITH_WEEKENDS if clock.weekends_off else 1)


def season_weeks(terms: LeagueTerms, decisions: int) -> int:
    """Return how many weeks an entrant of a division of the declared size likely needs for all matches."""
    waves = ceil(round_robin.matches_each(terms.division, terms.players) / terms.at_once)
    return ceil(waves * match_days(terms, decisions) / 7)


def check(terms: AnyTerms, decisions: int) -> None:
    """Raise `IllegalAction` with a sentence that names the first line that does not fit."""
    check_values(terms)
    if terms.bots and terms.rated:
        raise IllegalAction(
            gettext_noop("“{key}”: matches can’t be rated if bots can enter. Choose false."), key="rated"
        )
    if terms.rating_to and terms.rating_to < terms.rating_from + NARROWEST:
        sentence = gettext_noop("“{key}” must be at least {least} points above the lowest rating, or 0.")
        raise IllegalAction(sentence, key="rating_to", least=NARROWEST)
    if isinstance(terms, LeagueTerms):
        return _check_league(terms, decisions)
    if terms.is_for_teams:
        _check_teams(terms)
    elif terms.boards:
        raise IllegalAction(gettext_noop("“{key}” is only for team leagues. Enter 0."), key="boards")
    elif terms.pause:
        raise IllegalAction(gettext_noop("“{key}” is only for team leagues. Enter 0."), key="pause")
    taken = formats.fields(terms.format, terms.players)
    if terms.seats not in taken:
        sentence = gettext_noop("“{key}”: with {players} players per game, this format needs {fields} players.")
        raise IllegalAction(sentence, key="seats", players=terms.players, fields=round_robin.listed(taken))
    if terms.fewest > terms.seats:
        raise IllegalAction(
            gettext_noop("“{key}” can be at most {seats}, the number of places."), key="fewest", seats=terms.seats
        )
    if terms.rounds and terms.format != formats.SWISS:
        raise IllegalAction(gettext_noop("“{key}” is only for Swiss tournaments. Enter 0."), key="rounds")
    most = (terms.seats - 1) // (terms.players - 1)
    if terms.format == formats.SWISS and terms.rounds > most:
        sentence = gettext_noop("“{key}”: after {most} rounds, {seats} players would have to meet again.")
        raise IllegalAction(sentence, key="rounds", most=most, seats=terms.seats)
    needed = ceil(match_days(terms, decisions))
    if formats.KINDS[terms.format].is_arena:
        if terms.bots:
            raise IllegalAction(gettext_noop("“{key}”: arenas are for people only. Choose false."), key="bots")
        if needed > terms.days:
            sentence = gettext_noop("“{key}”: with this clock, a match takes about {needed} days.")
            raise IllegalAction(sentence, key="days", needed=needed)
    if needed > terms.days_a_round:
        sentence = gettext_noop("“{key}”: with this clock, a match takes about {needed} days.")
        raise IllegalAction(sentence, key="days_a_round", needed=needed)


def _check_league(terms: LeagueTerms, decisions: int) -> None:
    sizes = round_robin.sizes(terms.players)
    if terms.division not in sizes:
        sentence = gettext_noop("“{key}”: with {players} players per game, a division must have {sizes} players.")
        raise IllegalAction(sentence, key="division", players=terms.players, sizes=round_robin.listed(sizes))
    up, down = terms.promoted, terms.promoted * terms.spread
    if up + down >= terms.division:
        sentence = gettext_noop(
            "“{key}”: of {division} players, {up} would be promoted and {down} relegated, so nobody would stay."
        )
        raise IllegalAction(sentence, key="promoted", division=terms.division, up=up, down=down)
    needed = season_weeks(terms, decisions)
    if needed > terms.weeks:
        matches = round_robin.matches_each(terms.division, terms.players)
        sentence = gettext_noop(
            "“{key}”: with this clock and {at_once} at a time, a player’s {matches} matches take about {needed} weeks."
        )
        raise IllegalAction(sentence, key="weeks", at_once=terms.at_once, matches=matches, needed=needed)
    left = terms.weeks - terms.late
    if needed > left:
        sentence = gettext_noop(
            "“{key}”: late joiners need about {needed} of the season’s weeks for their matches, but only {left} would "
            "be left."
        )
        raise IllegalAction(sentence, key="late", left=max(left, 0), needed=needed)


def _check_teams(terms: TournamentTerms) -> None:
    if terms.players != 2:
        raise IllegalAction(gettext_noop("“{key}”: boards of a team match are for two players."), key="players")
    if terms.bots:
        raise IllegalAction(gettext_noop("“{key}”: bots can’t play in a team league. Choose people only."), key="bots")
    if terms.boards not in BOARDS:
        sentence = gettext_noop("“{key}”: a team match has {low} to {high} boards.")
        raise IllegalAction(sentence, key="boards", low=min(BOARDS), high=max(BOARDS))
    if terms.seats not in formats.fields(terms.format, terms.players):
        sentence = gettext_noop("“{key}”: a team league has {low} to {high} teams.")
        raise IllegalAction(sentence, key="seats", low=2, high=MOST_TEAMS)


# The length of a game in decisions, measured by letting bots play: deterministic

GAMES = 5  # of which the median counts: some end early, some hardly ever
QUICK = BOTS["random"]


def decisions(ruleset: str, players: int, options: Mapping[str, Any]) -> int:
    """Return how often the others wait for one player in one game. Raises `IllegalAction` for invalid options."""
    return _decisions(ruleset, players, msgspec.json.encode(options, order="sorted"))


@lru_cache(1 << 10)
def _decisions(ruleset: str, players: int, options: bytes) -> int:
    rules, chosen = get(ruleset), msgspec.json.decode(options)
    tables = (Table(rules, chosen, [QUICK] * players, seed_of("length", number)) for number in range(GAMES))
    return ceil(median_low(table.play().waits for table in tables) / players)
