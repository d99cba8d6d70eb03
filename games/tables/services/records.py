"""Records of games: export, verification and import, and signatures, which prove that this site wrote them.

Verification also checks that database rows agree with the log. The seed is published at the end, so anyone can
recompute the digests of a changed record, but only the site's key can sign them. `RECORD_KEY` is the private key
(Ed25519), `RECORD_KEYS_RETIRED` are public keys of earlier ones.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils.translation import gettext

from accounts.models import User
from games.errors import GameError, NotFound, RecordError
from games.rules import log
from games.rules import record as records
from games.rules.protocol import Scoresheet, State
from games.rules.record import Record, RecordSeat, Signature
from games.tables.models import Entry, Game, Seat, SeatName, Seed, Snapshot, Status
from games.tables.models.game import new_game
from games.tables.selectors import position, rights

ALGORITHM = "Ed25519"  # of signatures


def export(*, public_id: str, user: rights.Reader) -> bytes:
    """Return the game's record for the user: complete if the game is over, else without what is hidden from them."""
    game, seats = rights.visible(public_id=public_id, user=user)
    seat = rights.seat_of(user, seats)
    return export_for(game=game, seats=seats, seat=seat.number if seat else None)


def export_for(*, game: Game, seats: Sequence[Seat], seat: int | None) -> bytes:
    """Return the record for one seat, or with None for a spectator. Raises `NotFound` if the game has not started."""
    if game.seq < 0:
        raise NotFound
    whole = without_earlier_names(record(game=game, seats=seats), seats)
    return records.encode(public(whole) if game.is_open_book else records.seen_by(whole, seat))


def of_person(user: User) -> Iterator[tuple[str, bytes]]:
    """Yield the records of all games that the person has a part in, for the archive of their data.

    Each holds what they may know: of a game that is still being played, what their own seat shows them.
    """
    seats = rights.ever_sat(user, Q(game__seq__gte=0, game__lesson=""))
    for public_id in seats.order_by("game").values_list("game__public_id", flat=True).distinct():
        try:
            content = export(public_id=public_id, user=user)
        except GameError:  # they no longer play there, and may no longer see it
            continue
        yield f"games/records/{public_id}.json", content


def header(*, game: Game, seats: Sequence[Seat]) -> Record:
    """Return the record of a game before entry 0, with all ranks by age. The names are those it began with."""
    names = {
        seat_name.seat_id: seat_name for seat_name in SeatName.objects.filter(seat__in=[seat.pk for seat in seats])
    }
    record_seats = []
    for seat in seats:
        if seat.commitment:
            seat_name = names.get(seat.pk)
            name, salt = (seat_name.name, seat_name.salt) if seat_name else (records.FORMER_PLAYER, None)
            record_seats.append(RecordSeat(name, seat.own_bot, seat.born, seat.joined, seat.commitment, salt))
        else:  # an old format
            record_seats.append(RecordSeat(seat.name, seat.own_bot, seat.born, seat.joined))
    return Record(
        format=records.format_of((), game.record_format), game=game.origin or game.public_id, ruleset=game.ruleset,
        version=game.rules_version, options=game.options, seed_hash=game.seed_hash, entries=(),
        seats=tuple(record_seats),
    )  # fmt: skip


def record(*, game: Game, seats: Sequence[Seat]) -> Record:
    """Return the complete record, including seed and ages, for verification and as the source of exports."""
    entries = position.entries(game)
    whole = header(game=game, seats=seats)
    return msgspec.structs.replace(
        whole, format=records.format_of(entries, game.record_format),
        entries=tuple(entries if whole.is_old else map(log.as_by_hand, entries)),
        seed=bytes(Seed.objects.get(game=game).secret).hex(),
        scoresheet=msgspec.convert(game.result, Scoresheet) if game.result else None,
        signature=msgspec.convert(game.signature, Signature) if game.signature else None,
    )  # fmt: skip


def without_earlier_names(whole: Record, seats: Sequence[Seat]) -> Record:
    """Return the record without names that their players no longer have, as if the accounts had been deleted.

    Such a name may be a real one, that of a guest, or one that a moderator has replaced.
    """
    seat_names = SeatName.objects.filter(seat__in=[seat.pk for seat in seats], user__isnull=False)
    renamed = set(seat_names.exclude(name=F("user__username")).values_list("seat__number", flat=True))
    record_seats = [
        msgspec.structs.replace(seat, name=records.FORMER_PLAYER, salt=None) if number in renamed else seat
        for number, seat in enumerate(whole.seats)
    ]
    return msgspec.structs.replace(whole, seats=tuple(record_seats))


def public(whole: Record) -> Record:
    """Return the record with only those ranks by age that may be published."""
    return msgspec.structs.replace(whole, seats=records.seats_with_known_ranks(whole))


# Checking


@dataclass(frozen=True)
class Proof:
    """The result of replaying a record: `problems` as sentences, empty if it is valid.

    `record` is None while its game runs, because the seed is secret and nothing can be checked. `is_authentic`: the
    record carries the site's valid signature.
    """

    record: Record | None
    problems: tuple[str, ...] = ()
    game: Game | None = None
    is_authentic: bool = False

    @property
    def decisions(self) -> int:
        return sum(len(entry.actions) for entry in self.record.entries) if self.record else 0


def proof(*, public_id: str, user: rights.Reader) -> Proof:
    """Verify a game for a user who may see it. Raises `NotFound`, also if the game has not started."""
    game, _seats = rights.visible(public_id=public_id, user=user)
    if game.seq < 0:
        raise NotFound
    if not game.is_open_book:
        return Proof(None, game=game)
    return proof_of_game(game=game)


def proof_of_file(data: bytes, keys: Mapping[str, bytes] | None = None) -> Proof:
    """Verify a record file with these public keys, by default this site's. Raises `RecordError`. No database needed."""
    whole = read(data)
    is_signed = holds(whole, public_keys() if keys is None else keys)
    problems = (*records.verify(whole, gettext), *_forged(is_signed))
    return Proof(whole, problems, is_authentic=not problems and bool(is_signed))


def _forged(is_signed: bool | None) -> list[str]:
    if is_signed is not False:
        return []
    return [gettext("The signature does not match: this is not the record that the site signed.")]


def verify(*, game: Game) -> list[str]:
    """Return the problems of a started game as sentences: in its log, or in its rows."""
    return list(proof_of_game(game=game).problems)


def proof_of_game(*, game: Game) -> Proof:
    """Verify the log and the rows of a started game, running or finished."""
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    whole = record(game=game, seats=seats)
    is_signed = holds(whole, public_keys())
    problems = [*records.verify(whole if whole.is_old else public(whole), gettext), *_forged(is_signed)]
    if not problems:
        try:  # with all ranks by age
            problems = list(rows_that_differ(game, seats, whole, records.replay(whole)))
        except records.Flaw as flaw:
            problems = [flaw.say(gettext)]
    return Proof(whole, tuple(problems), game, not problems and bool(is_signed))


def rows_that_differ(game: Game, seats: Sequence[Seat], whole: Record, state: State) -> Iterator[str]:
    """Yield differences between the rows and the position in the log."""
    last = whole.entries[-1]
    if (game.seq, game.head) != (last.seq, last.digest):
        yield gettext("The game’s row and its log end at different entries.")
    if game.has_ended != game.rules.is_over(state) or game.is_void != records.is_void(whole.entries):
        yield gettext("The game’s row and its log disagree about whether the game is over.")
    snapshot = Snapshot.objects.filter(game=game, seq=game.seq, rules_version=game.rules.version).first()
    if snapshot and msgspec.json.decode(snapshot.state, type=game.rules.state_type) != state:
        yield gettext("The snapshot differs from the position in the log.")
    if not game.sealed and {seat.number for seat in seats if seat.owes} != set(game.rules.to_act(state)):
        yield gettext("The seats marked as having to act are not those whose turn it is.")
    for seat, score in zip(seats, whole.scoresheet.seats if whole.scoresheet else (), strict=False):
        if (seat.total, seat.place) != (score.total, score.place):
            yield gettext("The result of seat %(seat)d differs from the scoresheet.") % {"seat": seat.number}


# Importing


def read(data: bytes) -> Record:
    """Decode a record and check its format. Raises `RecordError`."""
    if len(data) > records.LARGEST:
        raise RecordError(gettext("This file is too large to be a record."))
    try:
        return records.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as problem:
        raise RecordError(gettext("This file is not a valid record: %(reason)s") % {"reason": problem}) from None


@transaction.atomic
def take_in(*, data: bytes, user: User | None = None) -> Game:
    """Import the finished game of a record file, unlisted. Raises `RecordError` with nothing written."""
    whole = read(data)
    problems = records.verify(whole, gettext)
    if problems:
        raise RecordError(problems[0])
    if _forged(holds(whole, public_keys())):
        raise RecordError(_forged(is_signed=False)[0])
    if whole.scoresheet is None and not records.is_void(whole.entries):
        raise RecordError(gettext("This game is not finished. Only finished games can be imported."))
    try:
        moments = [datetime.fromisoformat(entry.at) for entry in whole.entries]
    except ValueError:
        raise RecordError(gettext("This record contains an invalid date.")) from None
    last, sheet = whole.entries[-1], whole.scoresheet
    try:
        with transaction.atomic():
            game = new_game(
                ruleset=whole.ruleset, rules_version=whole.version, options=whole.options,
                status=Status.FINISHED if sheet else Status.VOID, players=len(whole.seats), listed=False,
                imported=True, opener=user, seq=last.seq, head=last.digest, imported_head=last.digest,
                seed_hash=whole.seed_hash, version=1,
                result=msgspec.to_builtins(sheet), origin="" if whole.is_old else whole.game,
                record_format=whole.number, signature=msgspec.to_builtins(whole.signature),
                opened_at=moments[0], started_at=moments[0], ended_at=moments[-1],
            )  # fmt: skip
    except IntegrityError:
        raise RecordError(gettext("This game has already been imported.")) from None
    _write_rows(game, whole, moments)
    return game


def _write_rows(game: Game, whole: Record, moments: Sequence[datetime]) -> None:
    state, sheet = records.replay(whole), whole.scoresheet
    Seed.objects.create(game=game, secret=bytes.fromhex(whole.seed or ""))
    encoded = msgspec.json.encode(state).decode()
    Snapshot.objects.create(game=game, seq=game.seq, rules_version=game.rules_version, state=encoded)
    seats = [
        Seat(
            game=game, number=number, name=seat.name, bot=seat.bot, born=seat.born, joined=seat.joined,
            commitment=seat.commitment or "",
        )
        for number, seat in enumerate(whole.seats)
    ]  # fmt: skip
    counted = game.rules.counted(state)
    for seat, score in zip(seats, sheet.seats if sheet else (), strict=False):
        seat.place, seat.total, seat.left = score.place, score.total, game.rules.left_over(state)[seat.number]
        seat.counted = sum(line.points for line in counted[seat.number])
    Seat.objects.bulk_create(seats)
    SeatName.objects.bulk_create(
        SeatName(seat=seat, name=record_seat.name, salt=record_seat.salt)
        for seat, record_seat in zip(seats, whole.seats, strict=True)
        if record_seat.salt
    )
    Entry.objects.bulk_create(
        Entry(
            game=game, seq=entry.seq, at=at, seat=entry.seat, by=entry.by, actions=entry.actions, events=entry.events,
            digest=entry.digest,
        )
        for entry, at in zip(whole.entries, moments, strict=True)
    )  # fmt: skip


# Signatures


def sign(number: int, head: str) -> dict[str, str] | None:
    """Return the signature of the last digest of a game with that format number, or None for an old format."""
    if number < records.HEADER_FROM:
        return None
    key = _private_key()
    value = key.sign(records.signed(records.format_of((), number), head)).hex()
    return {"key": key_id(key.public_key().public_bytes_raw()), "value": value}


def _private_key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(decoded(settings.RECORD_KEY))


def key_id(public_key: bytes) -> str:
    """Return the id of a key: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes."""
    return hashlib.sha256(public_key).hexdigest()[:16]


def public_keys() -> dict[str, bytes]:
    """Return the public keys of this site by id, the current one first."""
    keys = [_private_key().public_key().public_bytes_raw(), *map(decoded, settings.RECORD_KEYS_RETIRED)]
    return {key_id(key): key for key in keys}


def published() -> list[dict[str, str]]:
    """Return the public keys as the site publishes them."""
    return [{"id": name, "algorithm": ALGORITHM, "public_key": encoded(key)} for name, key in public_keys().items()]


def holds(record: Record, keys: Mapping[str, bytes]) -> bool | None:
    """Return whether the record's signature is valid; None if it has none or its key is not among these."""
    if record.signature is None or record.signature.key not in keys or not record.entries:
        return None
    key = Ed25519PublicKey.from_public_bytes(keys[record.signature.key])
    try:
        key.verify(bytes.fromhex(record.signature.value), records.signed(record.format, record.entries[-1].digest))
    except InvalidSignature:
        return False
    return True


def decoded(key: str) -> bytes:
    """Return the bytes of a key in base64url without padding."""
    return base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))


def encoded(key: bytes) -> str:
    """Return a key in base64url without padding; the inverse of `decoded`."""
    return base64.urlsafe_b64encode(key).decode().rstrip("=")
