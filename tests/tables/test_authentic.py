"""Records can't be changed unnoticed, ended games are signed, and names can be deleted without breaking the chain."""

import base64
import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management import CommandError, call_command
from django.db import connection

from accounts import services as accounts
from accounts.models import User
from empire import insert_only
from empire.environment import new_signing_key
from games.rules import log
from games.rules import record as records
from games.rules.record import Record
from games.tables.models import Entry, Game, Seat, SeatName, Seed
from games.tables.services import handover
from games.tables.services import interventions as intervene
from games.tables.services import records as services
from games.tables.services.people import rename_seats
from tests.cast import again, in_turns, play_out, play_turns, seats_of, table_of
from tests.tables.refusal import refused, with_new_digests

ROOT = Path(__file__).parents[2]
KEYS = "/.well-known/record-keys.json"

pytestmark = pytest.mark.django_db


def exported(game: Game) -> bytes:
    return services.export_for(game=again(game), seats=seats_of(game), seat=None)


def read(game: Game) -> Record:
    return records.decode(exported(game))


def is_authentic(data: bytes) -> bool:
    proof = services.proof_of_file(data)
    assert proof.problems == ()
    return proof.is_authentic


# The header


def other_ties(plain: dict[str, Any]) -> None:
    plain["options"]["ties"] = "die" if plain["options"].get("ties", "age") == "age" else "age"


def other_dragon(plain: dict[str, Any]) -> None:
    plain["options"]["dragon"] = "off"


def a_default_option(plain: dict[str, Any]) -> None:
    plain["options"]["explore"] = False


def other_name(plain: dict[str, Any]) -> None:
    plain["seats"][0]["name"] = "Mallory"


def other_bot(plain: dict[str, Any]) -> None:
    plain["seats"][0]["bot"] = "greedy"


def other_rank(plain: dict[str, Any]) -> None:
    plain["seats"][0]["joined"] = 1


def other_id(plain: dict[str, Any]) -> None:
    plain["game"] = "bcdfghjk"


@pytest.mark.parametrize(
    "change", [other_ties, other_dragon, a_default_option, other_name, other_bot, other_rank, other_id]
)
def test_changes_to_the_header_that_no_entry_shows_are_found(finished, change: Callable[[dict[str, Any]], None]):
    plain = msgspec.json.decode(exported(finished))
    change(plain)
    changed = msgspec.convert(plain, Record)
    assert records.verify(changed)
    refused(msgspec.json.encode(plain), "")


def test_the_first_digest_is_computed_as_documented(finished):
    record, entry = read(finished), read(finished).entries[0]
    pairs = [[seat.commitment, seat.bot] for seat in record.seats]
    header = [record.format, record.game, record.ruleset, record.version, record.options, pairs, record.seed_hash]
    opening = hashlib.sha256(json.dumps(header, separators=(",", ":"), sort_keys=True).encode()).hexdigest()
    assert log.link(opening, entry, bytes.fromhex(record.seed)) == entry.digest
    for seat in record.seats:
        assert hashlib.sha256(bytes.fromhex(seat.salt) + seat.name.encode()).hexdigest() == seat.commitment


def test_a_changed_row_of_the_header_is_found(finished):
    for change in (
        lambda: Game.objects.filter(pk=finished.pk).update(options={"ties": "age"}),
        lambda: SeatName.objects.filter(seat__game=finished, name="Alice").update(name="Mallory"),
        lambda: Seat.objects.filter(game=finished, number=0).update(commitment="0" * 64),
    ):
        assert services.verify(game=again(finished)) == []
        before = [list(model.objects.filter(**of)) for model, of in rows(finished)]
        change()
        assert services.verify(game=again(finished))
        for (model, _of), those in zip(rows(finished), before, strict=True):
            model.objects.bulk_update(those, FIELDS[model])


FIELDS: dict[Any, list[str]] = {Game: ["options"], Seat: ["commitment"], SeatName: ["name"]}


def rows(game: Game) -> list[tuple[Any, dict[str, object]]]:
    return [(Game, {"pk": game.pk}), (Seat, {"game": game}), (SeatName, {"seat__game": game})]


@pytest.mark.parametrize("place", ["entries", "seats", "scoresheet", "signature", "events", "points"])
def test_an_unknown_field_is_refused_in_every_part(finished, place: str):
    plain = msgspec.json.decode(exported(finished))
    inside = {
        "entries": plain["entries"][1], "seats": plain["seats"][0], "scoresheet": plain["scoresheet"],
        "signature": plain["signature"], "events": plain["entries"][1]["events"][0],
        "points": plain["scoresheet"]["seats"][0],
    }  # fmt: skip
    inside[place]["comment"] = "Played in a dream"
    refused(msgspec.json.encode(plain), "")


# Names


def test_a_deleted_account_leaves_a_commitment_and_a_valid_record(finished, alice):
    before = read(finished)
    accounts.delete_account(alice)
    after = read(finished)
    assert [seat.name for seat in after.seats] == ["Former player", "Bob"]
    assert after.seats[0].salt is None and after.seats[0].commitment == before.seats[0].commitment
    assert "Alice" not in exported(finished).decode()
    assert not SeatName.objects.filter(name="Alice").exists()
    assert is_authentic(exported(finished)) and services.verify(game=again(finished)) == []
    assert is_authentic(records.encode(before)), "a record saved before can still be proven"


def test_a_running_game_continues_when_an_account_is_deleted(alice, bob):
    game = play_turns(in_turns(alice, bob), 2)
    accounts.delete_account(alice)
    assert services.verify(game=again(game)) == []
    assert [seat.name for seat in read(game).seats] == ["Former player", "Bob"]


def test_a_player_who_was_replaced_can_still_be_forgotten(alice, bob, carol):
    game = play_turns(in_turns(alice, bob), 1)
    handover.transfer(seat=seats_of(game)[0], to=carol)
    assert [seat.name for seat in read(game).seats] == ["Alice", "Bob"]
    accounts.delete_account(alice)
    assert [seat.name for seat in read(game).seats] == ["Former player", "Bob"]
    assert is_authentic(exported(play_out(game)))


def test_a_new_name_leaves_no_trace_of_the_earlier_one_in_records_and_they_stay_valid(finished, alice, bob):
    before, running = exported(finished), play_turns(in_turns(alice, bob), 1)
    alice.username = "Fox"
    alice.save()
    rename_seats(alice)
    for game in (finished, running):
        assert [seat.name for seat in read(game).seats] == ["Former player", "Bob"]
        assert "Alice" not in exported(game).decode() and services.verify(game=again(game)) == []
    assert is_authentic(exported(finished)) and is_authentic(before)
    alice.username = "Alice"
    alice.save()
    assert exported(finished) == before


def test_the_name_of_a_guest_is_forgotten_with_the_account_that_took_the_seat(alice, bob):
    guest = User.objects.create(username="Guest 7", is_guest=True)
    game = play_turns(in_turns(guest, bob), 1)
    accounts.bring_games(guest=guest, user=alice)
    guest.delete()
    assert read(game).seats[0].name == "Former player"  # nobody learns from it that Alice was this guest
    accounts.delete_account(alice)
    assert not SeatName.objects.filter(name="Guest 7").exists()


def test_a_forgotten_name_cannot_be_replaced_by_another(finished, alice):
    accounts.delete_account(alice)
    record = read(finished)
    seats = (msgspec.structs.replace(record.seats[0], name="Mallory"), record.seats[1])
    assert records.verify(msgspec.structs.replace(record, seats=seats)) == [
        "Seat 0: the name is not the one the game began with."
    ]


# The signature


def test_the_signature_can_be_checked_with_the_published_key_alone(finished, client):
    answer = client.get(KEYS)
    keys = {key["id"]: key for key in answer.json()["keys"]}
    record = msgspec.json.decode(exported(finished))
    key = keys[record["signature"]["key"]]
    raw = base64.urlsafe_b64decode(key["public_key"] + "=")
    assert (len(raw), key["algorithm"], key["id"]) == (32, "Ed25519", hashlib.sha256(raw).hexdigest()[:16])
    message = f"{record['format']}\n{record['entries'][-1]['digest']}".encode()
    Ed25519PublicKey.from_public_bytes(raw).verify(bytes.fromhex(record["signature"]["value"]), message)


def test_a_canceled_game_is_signed_and_a_running_game_is_not(alice, bob):
    game = play_turns(in_turns(alice, bob), 1)
    assert read(game).signature is None
    intervene.void(game=game, reason="It was a test.", expected_seq=again(game).seq, by=None)
    assert is_authentic(exported(game))


def test_a_changed_record_with_new_digests_is_not_authentic(finished):
    record = read(finished)
    forged = with_new_digests(msgspec.structs.replace(record, game="bcdfghjk"))
    assert services.proof_of_file(records.encode(forged)).problems == (
        "The signature does not match: this is not the record that the site signed.",
    )
    refused(records.encode(forged), "signature")
    unsigned = records.encode(msgspec.structs.replace(forged, signature=None))
    assert not is_authentic(unsigned)


def test_an_imported_forgery_is_not_signed(finished, alice):
    forged = with_new_digests(msgspec.structs.replace(read(finished), game="bcdfghjk", signature=None))
    game = services.take_in(data=records.encode(forged), user=alice)
    assert read(game) == forged and not is_authentic(exported(game))
    genuine = services.take_in(data=exported(finished), user=alice)
    assert is_authentic(exported(genuine)) and services.verify(game=genuine) == []


def test_a_record_in_an_old_format_cannot_pass_as_signed(finished):
    record = read(finished)
    seats = tuple(msgspec.structs.replace(seat, commitment=None, salt=None) for seat in record.seats)
    old = with_new_digests(msgspec.structs.replace(record, format=records.format_of(record.entries), seats=seats))
    assert records.verify(old) == ["Records in this format have no signature."]
    assert not is_authentic(records.encode(msgspec.structs.replace(old, signature=None)))


def test_a_retired_public_key_still_proves_what_it_signed(finished, settings, capsys):
    data = exported(finished)
    call_command("record_key")
    new, retired = (line.partition("=")[2] for line in capsys.readouterr().out.splitlines())
    settings.RECORD_KEY = new
    assert not is_authentic(data), "no known key signed it"
    settings.RECORD_KEYS_RETIRED = [retired]
    assert is_authentic(data)
    assert [key["public_key"] for key in services.published()][1] == retired


def test_the_page_says_whether_the_game_is_authentic(client, finished, settings):
    url = f"{finished.get_absolute_url()}verify/"
    assert "This game is authentic" in client.get(url).content.decode()
    settings.RECORD_KEY = new_signing_key()
    page = client.get(url).content.decode()
    assert "This game is consistent" in page and "authentic" not in page


# Old formats


def in_the_old_format(game: Game) -> Game:
    """Return this game after its setup as it was stored before the first digest covered the header."""
    entry, seed = Entry.objects.get(game=game), bytes(Seed.objects.get(game=game).secret)
    head = log.link(log.GENESIS, services.position.plain(entry), seed)
    insert_only.allow(connection)
    Entry.objects.filter(pk=entry.pk).update(digest=head)
    insert_only.forbid(connection)
    SeatName.objects.all().delete()
    Seat.objects.update(commitment="")
    Game.objects.filter(pk=game.pk).update(record_format=1, head=head)
    return again(game)


def test_a_game_that_began_in_an_old_format_ends_and_verifies_in_it(alice, bob):
    game = in_the_old_format(table_of(alice, bob))
    running = read(game)
    assert (running.format, running.seats[0].commitment) == ("eight-minutes-record/1", None)
    ended = play_out(game)
    record = read(ended)
    assert (record.format, record.signature) == ("eight-minutes-record/1", None)
    assert services.verify(game=ended) == [] and not is_authentic(exported(ended))


# manage.py verify


def manage(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py as on another machine, which has no database."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "RECORD_KEY")}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**environment, "VAR_DIR": str(folder / "var")},
    )  # fmt: skip


@pytest.mark.long
def test_a_file_is_verified_without_a_database(finished, tmp_path, client):
    file, keys = tmp_path / "game.json", tmp_path / "keys.json"
    file.write_bytes(exported(finished))
    keys.write_bytes(client.get(KEYS).content)
    there = manage(tmp_path, "verify", str(file), "--keys", str(keys))
    assert (there.returncode, there.stdout, there.stderr) == (0, f"{file}: authentic\n", "")
    nowhere = manage(tmp_path, "verify", "nosuchid")
    assert (nowhere.returncode, nowhere.stderr.count("\n")) == (1, 1) and "no such file" in nowhere.stderr


@pytest.mark.parametrize("argument", ["nosuchid", "\0", "x" * 5000, "\udcff", "../", "a/b\n", ""])
def test_verify_prints_a_sentence_for_an_argument_that_is_neither_file_nor_game(argument: str, capsys):
    with pytest.raises(CommandError):
        call_command("verify", argument, *["x"][: not argument])
    assert capsys.readouterr().out.strip().endswith(".")


def test_an_existing_path_is_preferred_to_a_game_with_that_id(finished, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path(finished.public_id).write_text("{}")
    with pytest.raises(CommandError):
        call_command("verify", finished.public_id)
    assert "This file is not a valid record:" in capsys.readouterr().out


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"keys": [{"public_key": "short"}]}', b"\xff"])
def test_invalid_public_keys_are_refused_in_a_sentence(content: bytes | None, tmp_path):
    file = tmp_path / "keys.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(CommandError, match=r"^[CT][^\n]*\.$"):
        call_command("verify", "x", "--keys", str(file))


def test_records_of_the_old_formats_are_consistent():
    for path in sorted((ROOT / "tests/records/legends").glob("*random*"))[:2]:
        assert not is_authentic(gzip.decompress(path.read_bytes()))
