"""Achievements as data: a name, a sentence and the rule that says in which contest of a career it is earned. Pure.

A career is the list of a player's rated contests from the first, of all rulesets. Only contests that count can earn
something: among people, finished by those who began them, without a decision by an organizer, and not again and again
with the same opponents. The others only end a winning streak, if they were not won.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.rules.words import gettext_noop

REPEATS = 3  # contests with the same opponents that count within PERIOD
PERIOD = timedelta(days=30)


@dataclass(frozen=True)
class Opponent:
    """An opponent of a contest. `rating` is the shown rating before it, None while it is provisional or unknown."""

    who: str
    points: int
    rating: int | None


@dataclass(frozen=True)
class Played:
    """A contest of a career. `pk` is the id of the score. `places` are those in the games of a full game, in order.

    `has_points` is False if the points of the ruleset only count places, so that they show neither a narrow win nor a
    clear one.
    """

    pk: int
    ruleset: str
    at: datetime
    players: int
    seat: int
    place: int
    points: int
    rating: int | None
    opponents: tuple[Opponent, ...]
    places: tuple[int, ...]
    is_full: bool
    has_points: bool
    counts: bool
    is_won: bool

    @property
    def margin(self) -> int:
        """Return the lead over the best opponent; negative after a loss."""
        return self.points - max(opponent.points for opponent in self.opponents)


Career = Sequence[Played]
Rule = Callable[[Career], Played | None]  # takes the contests that count


@dataclass(frozen=True)
class Achievement:
    """An achievement. `name` and `sentence` are texts to translate, as is."""

    slug: str
    name: str
    sentence: str
    earned: Rule


def that_count(career: Career) -> list[Played]:
    """Return the contests that count, without those whose opponents the player has all met often recently."""
    met: dict[str, deque[datetime]] = defaultdict(deque)
    counted = []
    for contest in career:
        if not contest.counts:
            continue
        for opponent in contest.opponents:
            while met[opponent.who] and met[opponent.who][0] <= contest.at - PERIOD:
                met[opponent.who].popleft()
        if any(len(met[opponent.who]) < REPEATS for opponent in contest.opponents):
            counted.append(contest)
        for opponent in contest.opponents:
            met[opponent.who].append(contest.at)
    return counted


def streaks(career: Career) -> Iterator[list[Played]]:
    """Yield the winning streaks of each ruleset as they are after each win.

    A contest that does not count continues no streak, but any rated contest that was not won ends it.
    """
    fair = {contest.pk for contest in that_count(career)}
    running: dict[str, list[Played]] = defaultdict(list)
    for contest in career:
        if not contest.is_won:
            running[contest.ruleset] = []
        elif contest.pk in fair:
            running[contest.ruleset] = [*running[contest.ruleset], contest]
            yield running[contest.ruleset]


def longest_streaks(career: Career) -> dict[str, list[Played]]:
    """Return the longest streak of each ruleset, the earliest of equal ones, with at least two wins."""
    longest: dict[str, list[Played]] = {}
    for streak in streaks(career):
        if len(streak) > max(1, len(longest.get(streak[-1].ruleset, ()))):
            longest[streak[-1].ruleset] = streak
    return longest


def earned(career: Career) -> dict[str, Played]:
    """Return the contest in which each achievement was earned, by slug."""
    counted = that_count(career)
    contests = {achievement.slug: achievement.earned(counted) for achievement in ACHIEVEMENTS}
    for length, slug in STREAKS.items():
        contests[slug] = next((streak[-1] for streak in streaks(career) if len(streak) == length), None)
    return {slug: contest for slug, contest in contests.items() if contest is not None}


# Rules


def _first(condition: Callable[[Played], bool]) -> Rule:
    return lambda career: next((contest for contest in career if contest.is_won and condition(contest)), None)


def _finished(number: int) -> Rule:
    return lambda career: career[number - 1] if len(career) >= number else None


def _different(number: int, values: Callable[[Played], Iterable[object]]) -> Rule:
    """Return the rule that wins must show this many different values."""

    def rule(career: Career) -> Played | None:
        seen = Counter[object]()
        for contest in career:
            if contest.is_won:
                seen.update(set(values(contest)))
                if len(seen) >= number:
                    return contest
        return None

    return rule


def _streak(_career: Career) -> None:
    """Return None: `earned` looks at streaks, because contests that do not count can end them."""


def _is_upset(contest: Played) -> bool:
    if contest.rating is None:
        return False
    return any(other.rating is not None and other.rating >= contest.rating + 200 for other in contest.opponents)


def _is_close(contest: Played) -> bool:
    return contest.has_points and contest.margin == 1


def _is_runaway(contest: Played) -> bool:
    second = contest.points - contest.margin
    return contest.has_points and second > 0 and 2 * contest.points >= 3 * second


STREAKS = {3: "three-in-a-row", 7: "seven-in-a-row"}
ACHIEVEMENTS = (
    Achievement(
        "first-win", gettext_noop("First win"), gettext_noop("Win a rated match."), _first(lambda contest: True)
    ),
    Achievement(
        "three-in-a-row",
        gettext_noop("Three in a row"),
        gettext_noop("Win three rated matches in a row in the same game."),
        _streak,
    ),
    Achievement(
        "seven-in-a-row",
        gettext_noop("Seven in a row"),
        gettext_noop("Win seven rated matches in a row in the same game."),
        _streak,
    ),
    Achievement(
        "by-a-point",
        gettext_noop("Photo finish"),
        gettext_noop("Win by a single point."),
        _first(_is_close),
    ),
    Achievement(
        "runaway",
        gettext_noop("Runaway"),
        gettext_noop("Win with at least one and a half times the runner-up’s points."),
        _first(_is_runaway),
    ),
    Achievement(
        "upset",
        gettext_noop("Upset"),
        gettext_noop("Win against someone rated at least 200 points above you."),
        _first(_is_upset),
    ),
    Achievement(
        "clean-sweep",
        gettext_noop("Clean sweep"),
        gettext_noop("Win all three games of a full game."),
        _first(lambda contest: contest.is_full and all(place == 1 for place in contest.places)),
    ),
    Achievement(
        "comeback",
        gettext_noop("Comeback"),
        gettext_noop("Win a full game after finishing last in its first game."),
        _first(lambda contest: contest.is_full and contest.places[0] == contest.players),
    ),
    Achievement(
        "big-table",
        gettext_noop("Big table"),
        gettext_noop("Win a match of four or more players."),
        _first(lambda contest: contest.players >= 4),
    ),
    Achievement(
        "all-rounder",
        gettext_noop("All-rounder"),
        gettext_noop("Win matches in three different games."),
        _different(3, lambda contest: [contest.ruleset]),
    ),
    Achievement(
        "ten-opponents",
        gettext_noop("Well traveled"),
        gettext_noop("Win against ten different people."),
        _different(10, lambda contest: [other.who for other in contest.opponents]),
    ),
    Achievement("regular", gettext_noop("Regular"), gettext_noop("Finish 25 rated matches."), _finished(25)),
    Achievement("veteran", gettext_noop("Veteran"), gettext_noop("Finish 100 rated matches."), _finished(100)),
)
BY_SLUG = {achievement.slug: achievement for achievement in ACHIEVEMENTS}
