"""The record of a game: all that it takes to play it again, and the proof that nothing in it was changed.

docs/record.md explains the format, docs/record.schema.json describes it to programs.
"""

import re
from collections.abc import Iterable, Sequence
from inspect import cleandoc
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from games.rules import house, log, takeback
from games.rules.fairness import Fair, seed_hash
from games.rules.protocol import IllegalAction, Ruleset, Scoresheet, SeatInfo, State
from games.rules.registry import RULESETS
from games.rules.words import Translate, gettext_noop, untranslated

FORMAT = "eight-minutes-record/1"
WITH_TAKE_BACKS = "eight-minutes-record/2"  # what reads the first alone would take the turns for ones that count
WITH_THE_HOUSE = "eight-minutes-record/3"  # and would not know what the house decided
LARGEST = 5_000_000  # bytes of a file that is taken in
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
BY = ("seat", "orders", "clock", "late", "stand-in")
HEX = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class RecordSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat. `born` and `joined` are ranks that repeat what the log says of a tie for the highest bid; see `told`."""

    name: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f]+$")]
    bot: Annotated[str, Meta(max_length=20, pattern="^[a-z0-9-]*$")] = ""
    born: Annotated[int, Meta(ge=0, le=9)] | None = None
    joined: Annotated[int, Meta(ge=0, le=9)] = 0

    @property
    def info(self) -> SeatInfo:
        return SeatInfo(bot=bool(self.bot), born=self.born, joined=self.joined)


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as its log has it. While it runs `seed` and `scoresheet` are null, and what is hidden is left out.

    A game that was called off has no scoresheet either.
    """

    format: Annotated[str, Meta(extra_json_schema={"enum": [FORMAT, WITH_TAKE_BACKS, WITH_THE_HOUSE]})]
    game: Annotated[str, Meta(max_length=40)]
    ruleset: Annotated[str, Meta(max_length=40)]
    version: Annotated[int, Meta(ge=1)]
    options: dict[str, Any]
    seats: Annotated[tuple[RecordSeat, ...], Meta(min_length=1, max_length=9)]
    seed_hash: HEX
    entries: tuple[log.Entry, ...]
    seed: HEX | None = None
    scoresheet: Scoresheet | None = None


def form(entries: Iterable[log.Entry]) -> str:
    """The format that a record of these entries has."""
    read = list(entries)
    if any(log.deed(entry) for entry in read):
        return WITH_THE_HOUSE
    return WITH_TAKE_BACKS if log.taken_back(read) else FORMAT


def is_void(entries: Sequence[log.Entry]) -> bool:
    """Whether the game was called off."""
    return bool(entries) and isinstance(log.deed(entries[-1]), house.Voided)


def encode(record: Record) -> bytes:
    """The record as a file: JSON, indented for people."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def decode(data: bytes) -> Record:
    """The record of a file. Raises `msgspec.DecodeError` for a file that is none."""
    return msgspec.json.decode(data, type=Record)


def schema() -> dict[str, Any]:
    """The JSON Schema of records; docs/record.schema.json is this."""
    described = msgspec.json.schema(Record)
    for part in described["$defs"].values():
        if "description" in part:  # a docstring, which Python 3.13 no longer indents
            part["description"] = cleandoc(part["description"])
    whose = [
        {"if": {"properties": {"ruleset": {"const": slug}}}, "then": {"properties": {"options": _options(rules)}}}
        for slug, rules in RULESETS.items()
    ]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Record of a game", "allOf": whose}
    return head | described


def _options(rules: Ruleset) -> dict[str, Any]:
    """What the options of a game may be: the table's choices, and who sets up."""
    choices = {
        field.name: {
            "description": f"{field.label}. {field.sentence}",
            "enum": list(dict.fromkeys((field.default, *(choice.value for choice in field.choices)))),
            "default": field.default,
        }
        for field in rules.option_fields()
    }
    setter = {"description": "The seat that sets up; drawn when null.", "type": ["integer", "null"], "minimum": 0}
    return {"properties": {"setter": setter, **choices}}


def told(seats: Sequence[RecordSeat], entries: Iterable[log.Entry]) -> tuple[RecordSeat, ...]:
    """The seats with what may be told of their ages: where a tie was broken, just what its event says anyway."""
    for entry in entries:
        for event in entry.events:
            if event["kind"] == "bids":
                return tuple(_told(seat, n, event) for n, seat in enumerate(seats))
    return tuple(RecordSeat(seat.name, seat.bot) for seat in seats)


def _told(seat: RecordSeat, number: int, event: dict[str, Any]) -> RecordSeat:
    """For people in the tie ranks that let it come out the same way; nothing for seats that were not in it."""
    is_tied, winner = event["bids"][number] == max(event["bids"]), event["winner"]
    if seat.bot or not is_tied or event["decided"] in ("highest", "die"):
        return RecordSeat(seat.name, seat.bot)
    if event["decided"] == "age":
        return RecordSeat(seat.name, seat.bot, born=int(number == winner))
    same_as_winner = number >= winner if event["decided"] == "seat" else number == winner
    return RecordSeat(seat.name, seat.bot, joined=int(same_as_winner))


def seen_by(record: Record, seat: int | None) -> Record:
    """A running game's record as far as that seat, or a watcher, may know it."""
    rules = RULESETS[record.ruleset]
    entries = tuple(log.seen_by(rules, entry, seat) for entry in record.entries)
    seats = tuple(RecordSeat(one.name, one.bot) for one in record.seats)
    return msgspec.structs.replace(record, entries=entries, seats=seats, seed=None, scoresheet=None)


# Checking


class Flaw(Exception):  # noqa: N818 - what is wrong with a record, not with us
    """What is wrong with a record and where, in a sentence."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template = template
        self.values = values


def verify(record: Record, translate: Translate = untranslated) -> list[str]:
    """What is wrong with the record, in sentences; nothing for a faithful one.

    The chain of digests, the seed, every draw and every decision are worked out again. A record without a
    scoresheet is of a game that has not ended; it needs its seed all the same.
    """
    problems = []
    for check in (_check_head, _check_chain, _check_play):
        try:
            check(record)
        except Flaw as flaw:
            problems.append(translate(flaw.template).format(**flaw.values))
            if check is _check_head:
                break
    return problems


def replay(record: Record) -> State:
    """Decide every entry again and compare. Returns the last position; raises `Flaw` at the first difference."""
    rules, infos = RULESETS[record.ruleset], [seat.info for seat in record.seats]
    try:
        options = rules.options(record.options, len(record.seats))
    except IllegalAction as refusal:
        raise Flaw(gettext_noop("The options do not fit: {reason}"), reason=refusal) from None
    chance, state = Fair(_seed(record)), rules.initial(options, infos)
    before = state
    for number, entry in enumerate(record.entries):
        chance.at(entry.seq)
        if number and entry.actions == (log.TAKE_BACK,):
            events, state = _take_back(rules, before, record.entries[:number], state, entry), before
        elif number and log.deed(entry):
            events = _step_in(rules, state, entry, len(infos))
        else:
            before = state.copy()
            events = _decide(rules, state, entry, chance) if number else _start(rules, options, infos, entry, chance)
        if _text(events) != _text(entry.events):
            raise Flaw(
                gettext_noop("Entry {seq}: the events are not those that follow from its actions."), seq=entry.seq
            )
        for event in [] if number else events:
            rules.evolve(state, event)
    return state


def _check_head(record: Record) -> None:
    """What has to hold before anything else can be looked at."""
    if record.format != form(record.entries):
        raise Flaw(gettext_noop("This is no record in the format {format}."), format=form(record.entries))
    rules = RULESETS.get(record.ruleset)
    if rules is None:
        raise Flaw(gettext_noop("We do not know the game “{game}”."), game=record.ruleset[:40])
    if record.version != rules.version:
        raise Flaw(
            gettext_noop("It was played by version {version} of the rules; here is version {ours}."),
            version=record.version,
            ours=rules.version,
        )
    if record.seed is None:
        raise Flaw(gettext_noop("Without its seed a record cannot be checked."))
    if seed_hash(_seed(record)) != record.seed_hash:
        raise Flaw(gettext_noop("The seed is not the one that was promised before the game."))


def _check_chain(record: Record) -> None:
    """Numbers without gaps, moments that do not run backwards, each digest resting on the one before."""
    head, at, seed = log.GENESIS, "", _seed(record)
    for number, entry in enumerate(record.entries):
        if entry.seq != number:
            raise Flaw(gettext_noop("Entry {seq} stands where entry {number} belongs."), seq=entry.seq, number=number)
        head = log.link(head, entry, seed)
        if entry.digest != head:
            raise Flaw(
                gettext_noop("Entry {seq}: the digest does not fit; it, or one before it, was changed."), seq=number
            )
        if not MOMENT.fullmatch(entry.at) or entry.at < at:
            raise Flaw(gettext_noop("Entry {seq}: its moment is none, or before that of the entry before."), seq=number)
        at = entry.at


def _check_play(record: Record) -> None:
    rules, state = RULESETS[record.ruleset], replay(record)
    if not record.entries:
        raise Flaw(gettext_noop("There are no entries."))
    if (rules.is_over(state) and not is_void(record.entries)) != (record.scoresheet is not None):
        raise Flaw(gettext_noop("The entries and the scoresheet do not agree on whether the game has ended."))
    if record.scoresheet is not None and rules.score(state) != record.scoresheet:
        raise Flaw(gettext_noop("The scoresheet is not what the last position scores."))


def _seed(record: Record) -> bytes:
    return bytes.fromhex(record.seed or "")


def _text(events: Sequence[Any]) -> bytes:
    return msgspec.json.encode(events, order="sorted")


def _start(rules: Ruleset, options: Any, infos: Sequence[SeatInfo], entry: log.Entry, chance: Fair) -> list[Any]:
    """The set-up, which is the house's. Raises `Flaw` where somebody else claims it."""
    if entry.seat is not None or entry.actions or entry.by != BY[0]:
        raise Flaw(gettext_noop("Entry {seq}: the set-up is the house's alone."), seq=entry.seq)
    return rules.start(options, infos, chance)


def _decide(rules: Ruleset, state: State, entry: log.Entry, chance: Fair) -> list[Any]:
    """What follows from the entry's actions, made so. Raises `Flaw` for an entry that its seat could not make."""
    if entry.seat not in rules.to_act(state) or entry.by not in BY or not entry.actions:
        raise Flaw(gettext_noop("Entry {seq}: it was not that seat's turn."), seq=entry.seq)
    found: list[Any] = []
    for text in entry.actions:
        events = _step(rules, state, entry, text, chance)
        for event in events:
            rules.evolve(state, event)
        found += events
    return found


def _take_back(
    rules: Ruleset, before: State, entries: Sequence[log.Entry], state: State, entry: log.Entry
) -> Sequence[Any]:
    """What taking the last of these entries back writes. Raises `Flaw` where its seat could not do that."""
    if entry.seat is None or entry.by != takeback.OWN:
        raise Flaw(gettext_noop("Entry {seq}: a turn is taken back by its player alone."), seq=entry.seq)
    earlier, last = (None, *entries)[-2:]
    assert last is not None
    try:
        takeback.check(rules, before, last, state, entry.seat, earlier)
    except IllegalAction as refusal:
        raise _illegal(entry, log.TAKE_BACK, refusal) from None
    return takeback.taking_back(last)[1]


def _step_in(rules: Ruleset, state: State, entry: log.Entry, players: int) -> Sequence[Any]:
    """What the house's decision writes, made so. Raises `Flaw` where it could not decide that."""
    if entry.seat is not None or entry.by != BY[0] or len(entry.actions) != 1:
        raise Flaw(gettext_noop("Entry {seq}: it is the house's alone to step in."), seq=entry.seq)
    try:
        deed = house.parse(entry.actions[0])
        house.check(rules, state, deed, players)
    except IllegalAction as refusal:
        raise _illegal(entry, entry.actions[0], refusal) from None
    if house.stops(deed):
        rules.stop(state)
    return [deed]


def _step(rules: Ruleset, state: State, entry: log.Entry, text: str, chance: Fair) -> list[Any]:
    try:
        return rules.decide(state, entry.seat or 0, rules.parse(text), chance)
    except IllegalAction as refusal:
        raise _illegal(entry, text, refusal) from None


def _illegal(entry: log.Entry, text: str, refusal: IllegalAction) -> Flaw:
    template = gettext_noop("Entry {seq}: “{action}” was not legal. {reason}")
    return Flaw(template, seq=entry.seq, action=text[:40], reason=refusal)
