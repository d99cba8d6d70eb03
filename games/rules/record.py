"""The record of a game: all that it takes to play it again, and the proof that nothing in it was changed.

In old formats the chain of digests covers the entries alone. Since `WITH_THE_HEADER` it begins with the header.

docs/record.md explains the format, docs/record.schema.json describes it to programs.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from inspect import cleandoc
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from games.rules import house, log, play, takeback
from games.rules.fairness import Fair, seed_hash
from games.rules.protocol import IllegalAction, Ruleset, Scoresheet, SeatInfo, State
from games.rules.registry import RULESETS
from games.rules.words import Translate, gettext_noop, untranslated

FORMAT = "eight-minutes-record/1"
WITH_TAKE_BACKS = "eight-minutes-record/2"  # what reads the first alone would take the turns for ones that count
WITH_THE_HOUSE = "eight-minutes-record/3"  # and would not know what the house decided
WITH_THE_HEADER = "eight-minutes-record/4"  # the first digest covers the header; nothing tells of standing orders
OLD = (FORMAT, WITH_TAKE_BACKS, WITH_THE_HOUSE)  # of games that began before
FORMAT_NOW = 4  # the number that new games keep
FORMER_PLAYER = "Former player"  # the name of a seat whose account was deleted
NO_RANK = SeatInfo()
LARGEST = 5_000_000  # bytes of a file that is taken in
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
BY = ("seat", "orders", "clock", "late", "stand-in")
HEX = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class RecordSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat. `born` and `joined` are ranks that repeat what the log says of a tie for the highest bid; see `told`.

    `name` is that of the player who began, and `commitment` is `committed(name, salt)`. When the account is deleted,
    the name and the salt go, and the commitment stays. Old formats have neither.
    """

    name: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[^\x00-\x1f\x7f]+$")]
    bot: Annotated[str, Meta(max_length=20, pattern="^[a-z0-9-]*$")] = ""
    born: Annotated[int, Meta(ge=0, le=9)] | None = None
    joined: Annotated[int, Meta(ge=0, le=9)] = 0
    commitment: HEX | None = None
    salt: HEX | None = None

    @property
    def info(self) -> SeatInfo:
        return SeatInfo(bot=bool(self.bot), born=self.born, joined=self.joined)


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An Ed25519 signature of `signed` by a key of the site. `key` is the id of that key."""

    key: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
    value: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as its log has it. While it runs `seed` and `scoresheet` are null, and what is hidden is left out.

    A game that was called off has no scoresheet either. Records of old formats, of running games, and of games that
    were played elsewhere and never signed have no signature.
    """

    format: Annotated[str, Meta(extra_json_schema={"enum": [*OLD, WITH_THE_HEADER]})]
    game: Annotated[str, Meta(max_length=40)]
    ruleset: Annotated[str, Meta(max_length=40)]
    version: Annotated[int, Meta(ge=1)]
    options: dict[str, Any]
    seats: Annotated[tuple[RecordSeat, ...], Meta(min_length=1, max_length=9)]
    seed_hash: HEX
    entries: tuple[log.Entry, ...]
    seed: HEX | None = None
    scoresheet: Scoresheet | None = None
    signature: Signature | None = None

    @property
    def is_old(self) -> bool:
        """Whether the chain covers the entries alone."""
        return self.format in OLD


def form(entries: Iterable[log.Entry], number: int = 1) -> str:
    """Return the format of a record of these entries. `number` is the one that the game keeps since it began."""
    if number >= FORMAT_NOW:
        return f"eight-minutes-record/{number}"
    read = list(entries)
    if any(log.intervention(entry) for entry in read):
        return WITH_THE_HOUSE
    return WITH_TAKE_BACKS if log.taken_back(read) else FORMAT


def committed(name: str, salt: str) -> str:
    """Return the commitment of a seat's name: SHA-256 of the salt, 32 bytes as hexadecimal digits, and the name."""
    return hashlib.sha256(bytes.fromhex(salt) + name.encode()).hexdigest()


def opening(record: Record) -> str:
    """Return the digest before entry 0. It covers the header; in old formats it is always the same.

    Ranks by age are not in it: they stay secret, and `told` derives what a record says of them from the entries.
    """
    if record.is_old:
        return log.GENESIS
    seats = [[seat.commitment, seat.bot] for seat in record.seats]
    header = [record.format, record.game, record.ruleset, record.version, record.options, seats, record.seed_hash]
    return hashlib.sha256(msgspec.json.encode(header, order="sorted")).hexdigest()


def signed(name: str, head: str) -> bytes:
    """Return what a site signs at the end of a game: the name of the format and the last digest, a line each."""
    return f"{name}\n{head}".encode()


def is_void(entries: Sequence[log.Entry]) -> bool:
    """Whether the game was called off."""
    return bool(entries) and isinstance(log.intervention(entries[-1]), house.Voided)


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


def told(record: Record) -> tuple[RecordSeat, ...]:
    """The seats with what may be told of their ages: where a tie was broken, just what its event says anyway."""
    rules, infos = RULESETS[record.ruleset], [seat.info for seat in record.seats]
    for entry in record.entries:
        for event in log.facts(rules, entry):
            if ranks := rules.ranks_told(event, infos):
                return tuple(_ranked(seat, rank) for seat, rank in zip(record.seats, ranks, strict=True))
    return tuple(_ranked(seat) for seat in record.seats)


def _ranked(seat: RecordSeat, rank: SeatInfo = NO_RANK) -> RecordSeat:
    return msgspec.structs.replace(seat, born=rank.born, joined=rank.joined)


def seen_by(record: Record, seat: int | None) -> Record:
    """A running game's record as far as that seat, or a watcher, may know it."""
    rules = RULESETS[record.ruleset]
    entries = tuple(log.seen_by(rules, entry, seat) for entry in record.entries)
    seats = tuple(_ranked(one) for one in record.seats)
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
        if number and entry.actions == (log.TAKE_BACK,):
            again = chance.has_drawn and (not record.is_old or any(event.get("again") for event in entry.events))
            events = _take_back(rules, before, record.entries[:number], state, entry, again=again)
            state = before
            if again:
                chance.take_back()
        elif number and log.intervention(entry):
            events = _step_in(rules, state, entry, len(infos))
        else:
            chance.at(entry.seq, entry.seat)
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
    number = 1 if record.is_old else FORMAT_NOW
    if record.format != form(record.entries, number):
        raise Flaw(gettext_noop("This is no record in the format {format}."), format=form(record.entries, number))
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
    if record.signature is not None and record.is_old:
        raise Flaw(gettext_noop("Records of this format have no signature."))
    for number, seat in enumerate(record.seats):
        _check_name(record, number, seat)


def _check_name(record: Record, number: int, seat: RecordSeat) -> None:
    """Whether the seat's name is the one that was committed to, or is gone with its account."""
    if record.is_old:
        is_right = seat.commitment is None and seat.salt is None
    elif seat.salt is None:
        is_right = seat.commitment is not None and seat.name == FORMER_PLAYER
    else:
        is_right = seat.commitment == committed(seat.name, seat.salt)
    if not is_right:
        raise Flaw(gettext_noop("Seat {number}: the name is not the one that the game began with."), number=number)


def _check_chain(record: Record) -> None:
    """Numbers without gaps, moments that do not run backwards, each digest resting on the one before."""
    head, at, seed = opening(record), "", _seed(record)
    for number, entry in enumerate(record.entries):
        if entry.seq != number:
            raise Flaw(gettext_noop("Entry {seq} stands where entry {number} belongs."), seq=entry.seq, number=number)
        head = log.link(head, entry, seed)
        if entry.digest != head and number == 0 and not record.is_old:
            raise Flaw(gettext_noop("Entry 0: the digest does not fit; it, the options, a seat or the id was changed."))
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
    if not record.is_old and any(entry.by == log.ORDERS for entry in record.entries):
        raise Flaw(gettext_noop("This record tells of standing orders, which are their player’s secret."))
    if not record.is_old and told(record) != record.seats:
        raise Flaw(gettext_noop("The ranks by age are not those that the entries tell."))
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
        try:
            found += play.apply(rules, state, entry.seat, [rules.parse(text)], chance)
        except IllegalAction as refusal:
            raise _illegal(entry, text, refusal) from None
    return found


def _take_back(
    rules: Ruleset, before: State, entries: Sequence[log.Entry], state: State, entry: log.Entry, *, again: bool
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
    return takeback.taking_back(last, again=again)[1]


def _step_in(rules: Ruleset, state: State, entry: log.Entry, players: int) -> Sequence[Any]:
    """What the house's decision writes, made so. Raises `Flaw` where it could not decide that."""
    if entry.seat is not None or entry.by != BY[0] or len(entry.actions) != 1:
        raise Flaw(gettext_noop("Entry {seq}: it is the house's alone to step in."), seq=entry.seq)
    try:
        intervention = house.parse(entry.actions[0])
        house.check(rules, state, intervention, players)
    except IllegalAction as refusal:
        raise _illegal(entry, entry.actions[0], refusal) from None
    if house.stops(intervention):
        rules.stop(state)
    return [intervention]


def _illegal(entry: log.Entry, text: str, refusal: IllegalAction) -> Flaw:
    template = gettext_noop("Entry {seq}: “{action}” was not legal. {reason}")
    return Flaw(template, seq=entry.seq, action=text[:40], reason=refusal)
