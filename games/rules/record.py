"""Game records: everything needed to replay a game, and the proof that nothing was changed.

In old formats the digest chain covers only the entries. Since `WITH_HEADER` it also covers the header.

docs/record.md explains the format; docs/record.schema.json describes it for programs.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from inspect import cleandoc
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from games.rules import log, play, staff
from games.rules.fairness import Fair, seed_hash
from games.rules.protocol import IllegalAction, Ruleset, Scoresheet, SeatInfo, State
from games.rules.registry import RULESETS, VERSIONS, get
from games.rules.words import Translate, gettext_noop, untranslated

OLDEST = "eight-minutes-record/1"
WITH_UNDONE_TURNS = "eight-minutes-record/2"  # readers of format 1 alone would count undone turns
WITH_INTERVENTIONS = "eight-minutes-record/3"  # readers of older formats don't know staff interventions
WITH_HEADER = "eight-minutes-record/4"  # the first digest covers the header; orders stay secret
OLD = (OLDEST, WITH_UNDONE_TURNS, WITH_INTERVENTIONS)  # for games that began before format 4
HEADER_FROM = 4  # the first format whose digests cover the header; it also has signatures and secret orders
FORMAT_NOW = 4  # stored with new games; those that have begun keep theirs
NUMBERS = {WITH_HEADER: 4}  # of the formats from `HEADER_FROM` on, which are stored with games
FORMER_PLAYER = gettext_noop("Former player")  # the name of a seat whose account was deleted
NO_RANK = SeatInfo()
LARGEST = 5_000_000  # maximum size of an imported file, in bytes
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
BY = ("seat", "orders", "clock", "late", "stand-in")
HEX = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class RecordSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat. `born` and `joined` are ranks that only repeat what the log says about a tied highest bid.

    `name` is the name of the player who began, and `commitment` is `committed(name, salt)`. When the account is
    deleted, the name and salt are removed and the commitment stays. Old formats have neither.
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
    """An Ed25519 signature of `signed` by one of the site's keys. `key` is the id of that key."""

    key: Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
    value: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as recorded in its log. While it runs, `seed` and `scoresheet` are null and hidden facts are left out.

    A canceled game has no scoresheet either. Records in old formats, of running games, and of games played elsewhere
    without a signature have no signature.
    """

    format: Annotated[str, Meta(extra_json_schema={"enum": [*OLD, *NUMBERS]})]
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
    def rules(self) -> Ruleset:
        """The rules in the version by which the game was played. Raises `KeyError`."""
        return get(self.ruleset, self.version)

    @property
    def is_old(self) -> bool:
        """Whether the chain covers only the entries."""
        return self.format in OLD

    @property
    def number(self) -> int:
        """The format number stored with its game. A format that does not exist has the current one."""
        return 1 if self.is_old else NUMBERS.get(self.format, FORMAT_NOW)


def format_of(entries: Iterable[log.Entry], number: int = 1) -> str:
    """Return the format of a record of these entries. `number` is the format number stored when the game began."""
    if number >= HEADER_FROM:
        return f"eight-minutes-record/{number}"
    read = list(entries)
    if any(log.intervention(entry) for entry in read):
        return WITH_INTERVENTIONS
    return WITH_UNDONE_TURNS if log.undone(read) else OLDEST


def committed(name: str, salt: str) -> str:
    """Return the commitment of a seat's name: SHA-256 of the salt (32 bytes, given in hexadecimal) and the name."""
    return hashlib.sha256(bytes.fromhex(salt) + name.encode()).hexdigest()


def opening(record: Record) -> str:
    """Return the digest before entry 0. It covers the header; in old formats it is constant.

    Age ranks are not included: they stay secret. `seats_with_known_ranks` derives those in a record from its entries.
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
    """Return whether the game was canceled."""
    return bool(entries) and isinstance(log.intervention(entries[-1]), staff.Voided)


def encode(record: Record) -> bytes:
    """Encode the record as a file: JSON, indented for people."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def decode(data: bytes) -> Record:
    """Decode a record from a file. Raises `msgspec.DecodeError` for an invalid file."""
    return msgspec.json.decode(data, type=Record)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of records, which is stored in docs/record.schema.json."""
    described = msgspec.json.schema(Record)
    for part in described["$defs"].values():
        if "description" in part:  # a docstring, which Python 3.13 dedents
            part["description"] = cleandoc(part["description"])
    by_ruleset = []
    for slug, rules in RULESETS.items():
        options: dict[str, Any] = {}
        if "setter" in rules.options_type.__struct_fields__:  # not a choice in forms, and only where there is a setup
            options["setter"] = {
                "description": "The seat that sets up the game; drawn at random when null.",
                "type": ["integer", "null"],
                "minimum": 0,
            }
        for field in rules.option_fields():
            options[field.name] = {
                "description": f"{field.label}. {field.sentence}",
                "enum": list(dict.fromkeys((field.default, *(choice.value for choice in field.choices)))),
                "default": field.default,
            }
        versions = {"enum": [ruleset.version for ruleset in VERSIONS[slug]]}
        then = {"properties": {"version": versions, "options": {"properties": options}}}
        by_ruleset.append({"if": {"properties": {"ruleset": {"const": slug}}}, "then": then})
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Record of a game", "allOf": by_ruleset}
    return head | described


def seats_with_known_ranks(record: Record) -> tuple[RecordSeat, ...]:
    """Return the seats with only those age ranks that a broken tie has revealed."""
    rules, infos = record.rules, [seat.info for seat in record.seats]
    for entry in record.entries:
        for event in log.facts(rules, entry):
            if ranks := rules.ranks_told(event, infos):
                return tuple(_ranked(seat, rank) for seat, rank in zip(record.seats, ranks, strict=True))
    return tuple(_ranked(seat) for seat in record.seats)


def _ranked(seat: RecordSeat, rank: SeatInfo = NO_RANK) -> RecordSeat:
    return msgspec.structs.replace(seat, born=rank.born, joined=rank.joined)


def seen_by(record: Record, seat: int | None) -> Record:
    """Return a running game's record as a seat, or a spectator, may know it."""
    rules = record.rules
    entries = tuple(log.seen_by(rules, entry, seat) for entry in record.entries)
    seats = tuple(_ranked(record_seat) for record_seat in record.seats)
    return msgspec.structs.replace(record, entries=entries, seats=seats, seed=None, scoresheet=None)


# Checking


class Flaw(Exception):  # noqa: N818 - a fault of the record, not of the code
    """A problem in a record, in a sentence that says what and where. The `reason` may be a refusal by the rules."""

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values
        super().__init__(self.say())

    def say(self, translate: Translate = untranslated) -> str:
        """Return the sentence, and a refusal in it, translated by `translate`."""
        values = {
            name: value.say(translate) if isinstance(value, IllegalAction) else value
            for name, value in self.values.items()
        }
        return translate(self.template).format(**values)


def verify(record: Record, translate: Translate = untranslated) -> list[str]:
    """Return the problems of the record in sentences; an empty list if it is valid.

    Recomputes the digest chain, the seed, every draw and every decision. A record without a scoresheet is of a game
    that hasn't ended; it still needs its seed.
    """
    problems = []
    for check in (_check_head, _check_chain, _check_play):
        try:
            check(record)
        except Flaw as flaw:
            problems.append(flaw.say(translate))
            if check is _check_head:
                break
    return problems


def replay(record: Record) -> State:
    """Decide every entry again and compare. Return the last position; raise `Flaw` at the first difference."""
    again = Redecision(record, record.rules)
    for number in range(len(record.entries)):
        again.decide(number)
    return again.state


class Redecision:
    """The entries of a record, decided again in order by `rules`. `events` are the last entry's, as decided now.

    After a difference, `follow` continues from what the log says. Raises `Flaw` if the rules refuse the options.
    """

    def __init__(self, record: Record, rules: Ruleset) -> None:
        self.record, self.rules = record, rules
        self.infos = [seat.info for seat in record.seats]
        try:
            self.options = rules.options(record.options, len(record.seats))
        except IllegalAction as refusal:
            raise Flaw(gettext_noop("The options are not valid: {reason}"), reason=refusal) from None
        self.chance, self.state = Fair(_seed(record)), rules.initial(self.options, self.infos)
        self.before = self.state  # the position before the last turn, which undoing it restores
        self.events: Sequence[Any] = ()

    def decide(self, number: int) -> None:
        """Decide an entry again, from the position after the one before. Raises `Flaw` if its events are others."""
        record, rules, entry = self.record, self.rules, self.record.entries[number]
        self.events = ()
        if number and entry.actions == (log.UNDO,):
            again = self.chance.has_drawn and (not record.is_old or any(event.get("again") for event in entry.events))
            events = _undo(rules, self.before, record.entries[:number], self.state, entry, again=again)
            self.state = self.before
            if again:
                self.chance.undo()
        elif number and log.intervention(entry):
            events = _intervene(rules, self.state, entry, len(self.infos))
        else:
            self.chance.at(entry.seq, entry.seat)
            self.before = self.state.copy()
            if number:
                events = _decide(rules, self.state, entry, self.chance)
            elif entry.seat is not None or entry.actions or entry.by != log.SEAT:
                raise Flaw(gettext_noop("Entry {seq}: only the site can set up the game."), seq=entry.seq)
            else:
                events = rules.start(self.options, self.infos, self.chance)
        self.events = events
        if _text(events) != _text(entry.events):
            raise Flaw(gettext_noop("Entry {seq}: the events do not follow from its actions."), seq=entry.seq)
        for event in [] if number else events:
            rules.evolve(self.state, event)

    def follow(self, number: int) -> None:
        """Go to the position after an entry that was decided differently, by the events in the log."""
        entry = self.record.entries[number]
        if log.is_outside_rules(entry):
            self.state = self.before if log.undoes(entry) is not None else self.state
            return
        self.state = self.before.copy()
        for event in log.facts(self.rules, entry):
            self.rules.evolve(self.state, event)


def _check_head(record: Record) -> None:
    """Check what everything else depends on."""
    wanted = format_of(record.entries, record.number)
    if record.format != wanted:
        raise Flaw(gettext_noop("This is not a record in the format {format}."), format=wanted)
    versions = [rules.version for rules in VERSIONS.get(record.ruleset, ())]
    if not versions:
        raise Flaw(gettext_noop("There is no game called “{game}”."), game=record.ruleset[:40])
    if record.version not in versions:
        raise Flaw(
            gettext_noop("It was played with version {version} of the rules; this site has version {ours}."),
            version=record.version,
            ours=", ".join(map(str, versions)),
        )
    if record.seed is None:
        raise Flaw(gettext_noop("A record without its seed cannot be checked."))
    if seed_hash(_seed(record)) != record.seed_hash:
        raise Flaw(gettext_noop("The seed does not match the fingerprint from before the game."))
    if record.signature is not None and record.is_old:
        raise Flaw(gettext_noop("Records in this format have no signature."))
    for number, seat in enumerate(record.seats):
        # The name matches its commitment, or was removed with its account.
        if record.is_old:
            is_right = seat.commitment is None and seat.salt is None
        elif seat.salt is None:
            is_right = seat.commitment is not None and seat.name == FORMER_PLAYER
        else:
            is_right = seat.commitment == committed(seat.name, seat.salt)
        if not is_right:
            raise Flaw(gettext_noop("Seat {number}: the name is not the one the game began with."), number=number)


def _check_chain(record: Record) -> None:
    """Check that seqs have no gaps, times never go backwards, and each digest follows from the one before."""
    head, at, seed = opening(record), "", _seed(record)
    for number, entry in enumerate(record.entries):
        if entry.seq != number:
            raise Flaw(
                gettext_noop("Entry {number} is missing; entry {seq} is in its place."), seq=entry.seq, number=number
            )
        head = log.link(head, entry, seed)
        if entry.digest != head and number == 0 and not record.is_old:
            raise Flaw(
                gettext_noop(
                    "Entry 0: the digest does not match. The entry, the options, a seat or the id was changed."
                )
            )
        if entry.digest != head:
            raise Flaw(
                gettext_noop("Entry {seq}: the digest does not match. It or an earlier entry was changed."), seq=number
            )
        if not MOMENT.fullmatch(entry.at) or entry.at < at:
            raise Flaw(
                gettext_noop("Entry {seq}: its time is invalid, or earlier than that of the entry before."), seq=number
            )
        at = entry.at


def _check_play(record: Record) -> None:
    rules, state = record.rules, replay(record)
    if not record.entries:
        raise Flaw(gettext_noop("There are no entries."))
    if not record.is_old and any(entry.by == log.ORDERS for entry in record.entries):
        raise Flaw(gettext_noop("This record reveals standing orders, which are secret."))
    if not record.is_old and seats_with_known_ranks(record) != record.seats:
        raise Flaw(gettext_noop("The age ranks do not match the entries."))
    if (rules.is_over(state) and not is_void(record.entries)) != (record.scoresheet is not None):
        raise Flaw(gettext_noop("The entries and the scoresheet disagree on whether the game has ended."))
    if record.scoresheet is not None and rules.score(state) != record.scoresheet:
        raise Flaw(gettext_noop("The scoresheet does not match the score of the last position."))


def _seed(record: Record) -> bytes:
    return bytes.fromhex(record.seed or "")


def _text(events: Sequence[Any]) -> bytes:
    return msgspec.json.encode(events, order="sorted")


def _decide(rules: Ruleset, state: State, entry: log.Entry, chance: Fair) -> list[Any]:
    """Apply the entry's actions and return their events. Raises `Flaw` if its seat could not make them."""
    if entry.seat not in rules.to_act(state) or entry.by not in BY or not entry.actions:
        raise Flaw(gettext_noop("Entry {seq}: it was not that seat’s turn."), seq=entry.seq)
    events: list[Any] = []
    for text in entry.actions:
        try:
            events += play.apply(rules, state, entry.seat, [rules.parse(text)], chance)
        except IllegalAction as refusal:
            raise _illegal(entry, text, refusal) from None
    return events


def _undo(
    rules: Ruleset, before: State, entries: Sequence[log.Entry], state: State, entry: log.Entry, *, again: bool
) -> Sequence[Any]:
    """Return the events of undoing the last of these entries. Raises `Flaw` if its seat could not do so."""
    if entry.seat is None or entry.by != log.SEAT:
        raise Flaw(gettext_noop("Entry {seq}: only the player of a turn can undo it."), seq=entry.seq)
    earlier, last = (None, *entries)[-2:]
    assert last is not None
    try:
        log.check_undo(rules, before, last, state, entry.seat, earlier)
    except IllegalAction as refusal:
        raise _illegal(entry, log.UNDO, refusal) from None
    return log.undoing(last, again=again)[1]


def _intervene(rules: Ruleset, state: State, entry: log.Entry, players: int) -> Sequence[Any]:
    """Apply a staff intervention and return its events. Raises `Flaw` if staff could not decide it."""
    if entry.seat is not None or entry.by != log.SEAT or len(entry.actions) != 1:
        raise Flaw(gettext_noop("Entry {seq}: only staff can intervene."), seq=entry.seq)
    try:
        intervention = staff.parse(entry.actions[0])
        staff.check(rules, state, intervention, players)
    except IllegalAction as refusal:
        raise _illegal(entry, entry.actions[0], refusal) from None
    if staff.stops(intervention):
        rules.stop(state)
    return [intervention]


def _illegal(entry: log.Entry, text: str, refusal: IllegalAction) -> Flaw:
    template = gettext_noop("Entry {seq}: “{action}” was not legal. {reason}")
    return Flaw(template, seq=entry.seq, action=text[:40], reason=refusal)
