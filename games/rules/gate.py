"""Differences between a stored game and the same game decided by other code: the entries whose events differ.

`manage.py replay` asks this of stored games before a release goes live. A difference names the kinds of the events and
the rulings about them, but nothing that a player of a running game may not know.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from traceback import extract_tb
from typing import Any, get_args

import msgspec

from games.rules import log
from games.rules.protocol import IllegalAction, Ruleset
from games.rules.record import Flaw, Record, Redecision
from games.rules.registry import VERSIONS, get

RULING = re.compile(r"\b[A-Z]\d+\b")


class Difference(msgspec.Struct, frozen=True):
    """An entry that is decided differently. `version` is the one it was decided by now, `rulings` what it is about.

    `seat` is null for the site, and for the position after the last entry.
    """

    game: str
    seq: int
    seat: int | None
    version: int
    rulings: tuple[str, ...]
    what: str

    def __str__(self) -> str:
        about = ", ".join(self.rulings) or "no ruling named"
        seat = "the site" if self.seat is None else f"seat {self.seat}"
        return f"{self.game}, entry {self.seq} of {seat} ({about}): {self.what}"


def differences(record: Record, version: int | None = None) -> Iterator[Difference]:
    """Decide a game again and yield what differs from its log, by default in the version of the rules it began with.

    The record is complete, with its seed. After a difference, the log is followed, so that each one is yielded alone.
    """
    number = record.version if version is None else version
    try:
        rules = get(record.ruleset, number)
        redecision = Redecision(record, rules)
    except KeyError:
        what = f"this release has no {record.ruleset}/{number}, in which the game was played."
        yield Difference(record.game, 0, None, number, (), what)
        return
    except Flaw as flaw:
        yield Difference(record.game, 0, None, number, _between(record, number), str(flaw))
        return
    for place, entry in enumerate(record.entries):
        try:
            redecision.decide(place)
        except Exception as error:  # also faults of the new code, which are what the gate must find
            what, kinds = _described(entry, redecision.events, error)
            yield Difference(record.game, entry.seq, entry.seat, number, _rulings(rules, record, kinds), what)
            try:
                redecision.follow(place)
            except Exception as fault:
                what = f"the events in the log cannot be applied: {_where(fault)}. Later entries were not decided."
                yield Difference(record.game, entry.seq, entry.seat, number, (), what)
                return


def newer(record: Record) -> int | None:
    """Return the version of the rules that new games have, or None if this game began with it."""
    newest = VERSIONS[record.ruleset][-1].version if record.ruleset in VERSIONS else record.version
    return newest if newest > record.version else None


def _described(entry: log.Entry, events: Sequence[Any], error: Exception) -> tuple[str, list[str]]:
    """Return what differs, and the kinds of events that do. Neither contains anything secret, such as cards."""
    if not isinstance(error, Flaw):
        return f"the code fails: {_where(error)}.", [event.get("kind", "") for event in entry.events]
    now = log.stored(events)
    if not now:
        reason = error.values.get("reason")
        if isinstance(reason, IllegalAction):  # with its values left out, and without the action: both can be secret
            return f"refused now: “{reason.template}”", [event.get("kind", "") for event in entry.events]
        return str(error), []
    before, after = (Counter(map(_text, events_)) for events_ in (entry.events, now))
    kinds = [msgspec.json.decode(text)["kind"] for text in [*(before - after), *(after - before)]]
    then, today = (" ".join(event["kind"] for event in events_) for events_ in (entry.events, now))
    if then != today:
        return f"the log has “{then}”, and now it is “{today}”.", kinds
    return f"the log has another “{'”, “'.join(dict.fromkeys(kinds)) or then}”.", kinds


def _text(event: dict[str, Any]) -> bytes:
    return msgspec.json.encode(event, order="sorted")


def _rulings(rules: Ruleset, record: Record, kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the rulings named where these kinds of events are described, of those that the versions between changed.

    The result of a game follows from everything else, so it counts only if nothing else differs.
    """
    described = {kind.__struct_config__.tag: kind.__doc__ or "" for kind in get_args(rules.event_type)}
    telling = [kind for kind in kinds if kind != "result"] or kinds
    named = dict.fromkeys(ruling for kind in telling for ruling in RULING.findall(described.get(kind, "")))
    changed = _between(record, rules.version)
    return tuple(ruling for ruling in named if ruling in changed) or changed or tuple(named)


def _between(record: Record, version: int) -> tuple[str, ...]:
    """Return the rulings changed by the versions after the game's own, up to this one."""
    later = [rules for rules in VERSIONS[record.ruleset] if record.version < rules.version <= version]
    return tuple(dict.fromkeys(ruling for rules in later for ruling in rules.changed))


def _where(error: Exception) -> str:
    """Return the kind of an exception and the line that raised it, without its message, which can contain secrets."""
    last = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"
