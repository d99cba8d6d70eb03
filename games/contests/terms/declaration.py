"""The terms of leagues and tournaments: their lines, what each means, its valid values, and their TOML file. PURE.

The file has one table, `[league]` or `[tournament]`. `parse` reads one, `text` writes one with comments.
"""

import tomllib
from datetime import date
from difflib import get_close_matches
from typing import Any

import msgspec
import tomlkit

from games.clocks import clock as clocks
from games.clocks.clock import IllegalClock
from games.contests.pairing.crosstable import TIE_BREAKS
from games.contests.pairing.formats import FORMATS, TEAMS
from games.contests.pairing.protocol import SEATS
from games.rules.protocol import IllegalAction
from games.rules.registry import RULESETS
from games.rules.words import Translate, gettext_noop, legible, untranslated

LONGEST_NAME = 60
LAST_YEAR = 2999  # for the start of a season: calendars end with 9999, and plans reach beyond their first day
HIGHEST_RATING = 4000  # for entry conditions
USUAL_CLOCK = "bank 3d +8h cap 5d"
LONGEST_TEXT = 20_000  # characters of a text
LONGEST_LINE = 1000  # characters; parsing a key of many parts takes quadratic time


class MatchTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of each match, and the entry conditions. A condition of 0 or False asks for nothing."""

    name: str
    ruleset: str = "legends"
    options: dict[str, Any] = {}
    players: int = 2
    full: bool = True
    clock: str = USUAL_CLOCK
    time_out: str = "seat"
    rated: bool = True
    bots: bool = False
    invite_only: bool = False
    rating_from: int = 0
    rating_to: int = 0
    games_from: int = 0
    reliability: int = 0
    confirmed_email: bool = False

    @property
    def games(self) -> int:
        """Return the number of games of a match."""
        return 3 if self.full else 1


class LeagueTerms(MatchTerms, frozen=True, kw_only=True):
    """The terms of a league. Without `starts`, its first season starts a `pause` after it is opened."""

    division: int = 6
    spread: int = 1
    promoted: int = 1
    hours_from: int = 3
    weeks: int = 18
    pause: int = 1
    late: int = 3
    at_once: int = 2
    tie_breaks: tuple[str, ...] = ("met", "score", "wins")
    drop_outs: str = "bot"
    unfinished: str = "bots"
    starts: date | None = None

    def plays_like(self, other: "LeagueTerms") -> bool:
        """Return whether a season is played in the same way under both, apart from the name and the first start."""
        unnamed, other_unnamed = (msgspec.structs.replace(terms, name="", starts=None) for terms in (self, other))
        return unnamed == other_unnamed


class TournamentTerms(MatchTerms, frozen=True, kw_only=True):
    """The terms of a tournament. Without `starts`, it starts when it is full. `rounds` 0 is the default number.

    `days`, `best` and `at_once` are for arenas. In a team league, `seats` and `fewest` count teams, and `pause` is the
    number of weeks between two seasons, 0 if there is only one.
    """

    full: bool = False
    format: str = "swiss"
    rounds: int = 0
    seats: int = 16
    fewest: int = 4
    starts: date | None = None
    days_a_round: int = 14
    days: int = 14
    best: int = 10
    at_once: int = 3
    tie_breaks: tuple[str, ...] = ("strength", "met", "score", "wins")
    boards: int = 0
    reserves: int = 2
    pause: int = 0

    @property
    def is_for_teams(self) -> bool:
        return self.format == TEAMS

    @property
    def squad(self) -> int:
        """Return the maximum players of a team."""
        return self.boards + self.reserves


AnyTerms = LeagueTerms | TournamentTerms


class TermsLine(msgspec.Struct, frozen=True):
    """A line of the terms: what it means, and its valid values.

    These are a number from `low` to `high`, or one of the `words`, each with its meaning. Meanings are to be
    translated.
    """

    sentence: str
    low: int = 0
    high: int = 0
    words: dict[str, str] = {}


MATCH = {
    "name": TermsLine(gettext_noop("The name.")),
    "ruleset": TermsLine(gettext_noop("The game."), words={slug: rules.name for slug, rules in RULESETS.items()}),
    "players": TermsLine(gettext_noop("Players per game."), 2, 5),
    "full": TermsLine(
        gettext_noop("Whether a match is a full game (three games whose points are added up) or a single game.")
    ),
    "clock": TermsLine(
        gettext_noop("The clock: time per turn, such as “move 2d”, or a time bank, such as “bank 3d +8h cap 5d”.")
    ),
    "time_out": TermsLine(
        gettext_noop("What happens if a player runs out of time."),
        words={
            "turn": gettext_noop("a bot plays that turn"),
            "seat": gettext_noop("a bot plays until the player comes back"),
            "out": gettext_noop("the player resigns, and a bot plays to the end"),
        },
    ),
    "rated": TermsLine(gettext_noop("Whether matches are rated.")),
    "bots": TermsLine(gettext_noop("Whether bots can enter. If so, matches can’t be rated.")),
    "options": TermsLine(
        gettext_noop("The game’s options, as for any new table. Options you leave out get their default.")
    ),
    "invite_only": TermsLine(
        gettext_noop("Whether only people with the invitation link, or on the list of invited players, can enter.")
    ),
    "rating_from": TermsLine(
        gettext_noop("The lowest rating in this game with which a player can enter; 0 for any."), 0, HIGHEST_RATING
    ),
    "rating_to": TermsLine(
        gettext_noop("The highest rating in this game with which a player can enter; 0 for any."), 0, HIGHEST_RATING
    ),
    "games_from": TermsLine(
        gettext_noop("How many rated games of this kind a player must have finished to enter; 0 for none."), 0, 1000
    ),
    "reliability": TermsLine(
        gettext_noop(
            "The percentage of turns on time that a player needs to enter; 0 for any. Players with fewer than 10 turns "
            "can always enter."
        ),
        0,
        100,
    ),
    "confirmed_email": TermsLine(gettext_noop("Whether players need a confirmed email address to enter.")),
}
TIE_BREAKS_LINE = TermsLine(
    gettext_noop("The tie-breaks, in order."),
    words={name: tie_break.label for name, tie_break in TIE_BREAKS.items()},
)
LEAGUE = MATCH | {
    "division": TermsLine(
        gettext_noop(
            "Players in a division. If the players don’t divide evenly, some divisions have one more or less."
        ),
        4,
        8,
    ),
    "spread": TermsLine(
        gettext_noop("How many divisions are below each division: 1 makes a tower, 2 or 3 a pyramid."), 1, 4
    ),
    "promoted": TermsLine(gettext_noop("How many players of each division are promoted at the end of a season."), 1, 3),
    "hours_from": TermsLine(
        gettext_noop("From this tier down, divisions group players who are awake at the same hours; 0 for never."),
        0,
        99,
    ),
    "weeks": TermsLine(gettext_noop("Weeks from the start of a season to its end."), 1, 52),
    "pause": TermsLine(gettext_noop("Weeks of sign-up between the end of a season and the start of the next."), 0, 26),
    "late": TermsLine(gettext_noop("Weeks after the start in which players can still join."), 0, 26),
    "at_once": TermsLine(gettext_noop("Matches each player plays at a time, unless they choose another number."), 1, 6),
    "tie_breaks": TIE_BREAKS_LINE,
    "drop_outs": TermsLine(
        gettext_noop("What happens to the unfinished matches of players who drop out. Finished matches count."),
        words={"bot": gettext_noop("a bot plays them"), "annul": gettext_noop("they are annulled")},
    ),
    "unfinished": TermsLine(
        gettext_noop("What happens to matches that are unfinished when the season ends. They are never annulled."),
        words={
            "bots": gettext_noop("bots play them to the end"),
            "points": gettext_noop("the current points count, in games where points show who is ahead"),
        },
    ),
    "starts": TermsLine(
        gettext_noop("The day the first season starts. Without this line, it starts after the weeks of sign-up.")
    ),
}
TOURNAMENT = MATCH | {
    "format": TermsLine(gettext_noop("The format."), words=FORMATS),
    "rounds": TermsLine(gettext_noop("Rounds of a Swiss tournament; 0 for the default."), 0, 20),
    "seats": TermsLine(gettext_noop("Maximum players; in a team league, maximum teams."), 2, SEATS),
    "fewest": TermsLine(
        gettext_noop("Minimum players; in a team league, minimum teams. Canceled if fewer sign up."), 2, SEATS
    ),
    "starts": TermsLine(gettext_noop("The day it starts. Without this line, it starts when it is full.")),
    "days_a_round": TermsLine(
        gettext_noop("Days per round; in an arena, days per match, after which bots finish it."), 1, 90
    ),
    "days": TermsLine(gettext_noop("For arenas: the number of days during which matches can start."), 1, 90),
    "best": TermsLine(gettext_noop("For arenas: how many of each player’s matches count (their best ones)."), 1, 100),
    "at_once": TermsLine(gettext_noop("For arenas: how many matches a player can play at a time."), 1, 10),
    "tie_breaks": TIE_BREAKS_LINE,
    "boards": TermsLine(gettext_noop("Boards of a team match in a team league, 2 to 6; 0 in other formats."), 0, 6),
    "reserves": TermsLine(gettext_noop("How many more players a team can have, in a team league."), 0, 6),
    "pause": TermsLine(
        gettext_noop("Weeks from the end of a season of a team league to the next one; 0 if there is only one season."),
        0,
        12,
    ),
}


def lines_of(kind: type[AnyTerms]) -> dict[str, TermsLine]:
    """Return the lines of such terms, in reading order."""
    return LEAGUE if kind is LeagueTerms else TOURNAMENT


def check_values(terms: AnyTerms) -> None:
    """Raise `IllegalAction` with a sentence that names the first line with an invalid value."""
    for key, line in lines_of(type(terms)).items():
        value = getattr(terms, key)
        if line.high and not line.low <= value <= line.high:
            sentence = gettext_noop("“{key}” must be a number from {low} to {high}.")
            raise IllegalAction(sentence, key=key, low=line.low, high=line.high)
        chosen = [value] if isinstance(value, str) else value
        if line.words and not set(chosen) <= line.words.keys():
            raise IllegalAction(gettext_noop("“{key}” must be one of: {words}."), key=key, words=", ".join(line.words))
    if not terms.name.strip() or len(terms.name) > LONGEST_NAME or not terms.name.isprintable():
        sentence = gettext_noop("“{key}” must be one line of 1 to {most} characters.")
        raise IllegalAction(sentence, key="name", most=LONGEST_NAME)
    if legible(terms.name) != terms.name.strip():
        sentence = gettext_noop("“{key}” has invisible characters, or too many accents on one letter. Remove them.")
        raise IllegalAction(sentence, key="name")
    if terms.starts and terms.starts.year > LAST_YEAR:
        raise IllegalAction(gettext_noop("“{key}” must not be after the year {year}."), key="starts", year=LAST_YEAR)
    if len(set(terms.tie_breaks)) < len(terms.tie_breaks):
        raise IllegalAction(gettext_noop("“{key}” lists a tie-break twice. List each only once."), key="tie_breaks")
    try:
        clocks.parse(terms.clock)
    except IllegalClock as refusal:
        raise IllegalAction(gettext_noop("“{key}”: {reason}"), key="clock", reason=refusal) from None
    rules = RULESETS[terms.ruleset]
    if terms.players not in rules.seat_counts:
        sentence = gettext_noop("“{key}”: this game is for {low} to {high} players.")
        raise IllegalAction(sentence, key="players", low=min(rules.seat_counts), high=max(rules.seat_counts))
    if isinstance(terms, LeagueTerms) and terms.unfinished == "points" and not rules.has_running_points:
        sentence = gettext_noop("“{key}”: in this game, points don’t show who is ahead before the end. Choose bots.")
        raise IllegalAction(sentence, key="unfinished")
    try:
        rules.options(terms.options, terms.players)
    except IllegalAction as refusal:
        raise IllegalAction(gettext_noop("“{key}”: {reason}"), key="options", reason=refusal) from None


# The TOML file

KINDS: dict[str, type[AnyTerms]] = {"league": LeagueTerms, "tournament": TournamentTerms}

# The expected value of a line of each type
WANTED: dict[Any, str] = {
    str: gettext_noop("“{key}” must be text in quotes."),
    bool: gettext_noop("“{key}” must be true or false."),
    int: gettext_noop("“{key}” must be a whole number."),
    date | None: gettext_noop("“{key}” must be a date, such as 2027-03-01."),
    tuple[str, ...]: gettext_noop('“{key}” must be a list of words, such as ["met", "wins"].'),
    dict[str, Any]: gettext_noop("“{key}” must be a table of the game’s options."),
}


def parse(toml: str) -> AnyTerms:
    """Parse the terms. Raises `IllegalAction` with a sentence that names the line."""
    if any(len(line) > LONGEST_LINE for line in toml.splitlines()):
        raise IllegalAction(gettext_noop("A line is too long. Use at most {most} characters."), most=LONGEST_LINE)
    try:
        tables = tomllib.loads(toml)
    except (ValueError, RecursionError) as wrong:  # such as numbers with thousands of digits, or deeply nested lists
        raise IllegalAction(gettext_noop("This is not valid TOML: {reason}."), reason=wrong) from None
    [(title, lines), *others] = tables.items() or [("", None)]
    if others or title not in KINDS or not isinstance(lines, dict):
        raise IllegalAction(
            gettext_noop("The text must have exactly one table, [league] or [tournament], with its lines.")
        )
    types = {field.name: field.type for field in msgspec.structs.fields(KINDS[title])}
    for key in lines:
        if key in types:
            continue
        if near := get_close_matches(key, types, 1):
            sentence = gettext_noop("There is no line “{key}”. Did you mean “{near}”?")
            raise IllegalAction(sentence, key=key[:40], near=near[0])
        sentence = gettext_noop("There is no line “{key}”. Possible lines are: {keys}.")
        raise IllegalAction(sentence, key=key[:40], keys=", ".join(types))
    if "name" not in lines:
        raise IllegalAction(gettext_noop("The line “{key}” is missing."), key="name")
    values = {}
    for key, value in lines.items():
        try:
            values[key] = msgspec.convert(value, types[key])
        except msgspec.ValidationError:
            raise IllegalAction(WANTED[types[key]], key=key) from None
    terms = KINDS[title](**values)
    check_values(terms)
    return terms


def text(terms: AnyTerms, translate: Translate = untranslated) -> str:
    """Write the terms as TOML with a comment on each line. The inverse of `parse`."""
    [title] = (name for name, kind in KINDS.items() if isinstance(terms, kind))
    lines = [f"[{title}]"]
    for key, line in lines_of(type(terms)).items():
        lines += ["", f"# {translate(line.sentence)}"]
        lines += [f"#   {word}: {translate(meaning)}" for word, meaning in line.words.items()]
        value = getattr(terms, key)
        lines.append(f"# {key} = 2027-03-01" if value is None else f"{key} = {_toml(value)}")
    return "\n".join([*lines, ""])


def _toml(value: object) -> str:
    """Format a value as TOML. A table has to be on the line of its key."""
    if not isinstance(value, dict):
        return tomlkit.item(value).as_string()
    table = tomlkit.inline_table()
    table.update(value)
    return table.as_string()
