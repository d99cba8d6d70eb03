"""Records: export for a reader, verification of every draw, import, and the commands for them."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from django.core.management import CommandError, call_command

from games.errors import NotFound, RecordError
from games.rules import record as records
from games.rules.eight_minute.decide import ranks_told, win_bid
from games.rules.eight_minute.events import BidsRevealed
from games.rules.protocol import SeatInfo
from games.rules.record import Record
from games.rules.registry import RULESETS
from games.tables.models import Game, Seat, Seed, Snapshot
from games.tables.selectors.table import table
from games.tables.services import records as services
from tests.cast import again, bid, born, in_turns, play_out, play_turns, seats_of, submit, table_of
from tests.kept import kept
from tests.rules.tables import plain_and_full
from tests.tables.refusal import refused

pytestmark = pytest.mark.django_db

SCHEMA = Path("docs/record.schema.json")


def exported(game: Game, reader: Any = None) -> Record:
    return records.decode(services.export(public_id=game.public_id, user=reader))


# Export


def test_the_record_of_a_finished_game_is_complete_and_valid(finished):
    record = exported(finished)
    assert record.seed and record.scoresheet and len(record.entries) == finished.seq + 1
    assert records.verify(record) == []


def test_the_record_of_a_running_game_has_no_seed_no_hidden_events_and_no_ages(alice, bob, eve):
    born(alice, 1980)
    born(bob, 2001)
    game = bid(table_of(alice, bob, options={"ties": "age"}), 2, 2)
    record = exported(game, eve)
    assert (record.seed, record.scoresheet) == (None, None)
    assert [seat for seat in record.seats if seat.born is not None or seat.joined] == []
    assert [entry.events for entry in record.entries[1:2]] == [()] and record.entries[1].actions == ()
    assert record.entries[2].events[-1]["kind"] == "bids"


def test_players_find_their_own_bids_in_the_record_of_a_running_game(alice, bob):
    game = bid(table_of(alice, bob), 2, 3)
    assert exported(game, alice).entries[1].actions == ("bid 2",)


def test_the_record_ends_with_the_setup_while_bids_are_sealed(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 2")
    assert len(exported(game, alice).entries) == 1


def test_a_stranger_gets_no_record_of_a_private_game(alice, bob, eve):
    game = table_of(alice, bob, listed=False)
    with pytest.raises(NotFound):
        services.export(public_id=game.public_id, user=eve)


def test_records_reveal_ages_only_in_a_tie_that_age_decided(alice, bob, carol):
    for person, year in ((alice, 1970), (bob, 1990), (carol, 1960)):
        born(person, year)
    game = bid(table_of(alice, bob, carol, options={"ties": "age"}), 3, 3, 1)
    record = exported(play_out(game))
    assert [(seat.born, seat.joined) for seat in record.seats] == [(0, 0), (1, 0), (None, 0)]
    assert records.verify(record) == []


def test_the_revealed_ages_decide_every_tie_in_the_same_way():
    """Try all combinations of bids and ages of three seats."""
    kinds = [SeatInfo(bot=True), *(SeatInfo(born=b, joined=j) for b, j in product((None, 0, 1), (0, 1)))]
    for infos, bids in product(product(kinds, repeat=3), [(1, 1, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0), (0, 0, 2)]):
        winner, decided = win_bid(_Bidders(infos), list(bids))
        revealed = ranks_told(BidsRevealed(bids, winner, decided), infos)
        assert win_bid(_Bidders(revealed), list(bids)) == (winner, decided)


class _Bidders(msgspec.Struct):
    """The part of a position that `win_bid` reads."""

    seats: tuple[SeatInfo, ...]


def test_records_in_format_4_stay_valid_when_new_games_get_another_format(monkeypatch, finished):
    record = exported(finished)
    monkeypatch.setattr(records, "FORMAT_NOW", 5)
    assert (record.format, record.number) == ("eight-minutes-record/4", 4)
    assert records.verify(record) == services.verify(game=finished) == []
    assert services.sign(4, finished.head) == msgspec.to_builtins(record.signature)


# The schema


def test_the_schema_in_the_docs_matches_the_code(tmp_path):
    wanted, file = records.schema(), tmp_path / SCHEMA.name
    file.write_bytes(msgspec.json.format(msgspec.json.encode(wanted), indent=2) + b"\n")
    is_current = msgspec.json.decode(SCHEMA.read_bytes()) == msgspec.json.decode(file.read_bytes())
    assert is_current, f"the schema has changed; copy {file} to {SCHEMA}"


def test_the_schema_lists_exactly_the_options_that_a_game_can_have():
    by_ruleset = {part["if"]["properties"]["ruleset"]["const"]: part["then"] for part in records.schema()["allOf"]}
    for slug, rules in RULESETS.items():
        listed = by_ruleset[slug]["properties"]["options"]["properties"]
        assert set(listed) - {"setter"} == {field.name for field in rules.option_fields()}
        assert ("setter" in listed) == (rules.family == "eight_minute")  # Kingdoms has no setup and refuses it


def test_records_of_running_and_finished_games_fit_the_schema(alice, bob, finished):
    running = play_turns(in_turns(alice, bob), 3)
    schema = msgspec.json.decode(SCHEMA.read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    for game in (running, finished):
        jsonschema.validate(msgspec.json.decode(services.export(public_id=game.public_id, user=None)), schema)


def test_a_file_that_does_not_fit_the_schema_is_refused(finished):
    plain = msgspec.json.decode(services.export(public_id=finished.public_id, user=None))
    plain["seed"] = 7
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, msgspec.json.decode(SCHEMA.read_bytes()))
    with pytest.raises(RecordError):
        services.read(msgspec.json.encode(plain))


# Import


def test_a_record_survives_import_and_export_unchanged(finished, alice):
    data = services.export(public_id=finished.public_id, user=None)
    game = services.take_in(data=data, user=alice)
    assert (game.head, game.seq, game.imported, game.listed) == (finished.head, finished.seq, True, False)
    assert table(public_id=game.public_id, user=alice).view == table(public_id=finished.public_id, user=None).view
    assert services.export(public_id=game.public_id, user=alice) == data
    assert services.verify(game=game) == []


def test_an_imported_game_is_private(finished, alice, eve):
    game = services.take_in(data=services.export(public_id=finished.public_id, user=None), user=alice)
    with pytest.raises(NotFound):
        table(public_id=game.public_id, user=eve)


def test_a_record_can_be_imported_only_once(finished):
    data = services.export(public_id=finished.public_id, user=None)
    services.take_in(data=data)
    refused(data, "already")


def test_the_record_of_a_running_game_cannot_be_imported(alice, bob):
    game = in_turns(alice, bob)
    whole = services.record(game=game, seats=seats_of(game))
    refused(records.encode(services.public(whole)), "not finished")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": "eight-minutes-record/1"}',
        b"x" * (records.LARGEST + 1),
    ],
    ids=["empty", "object", "list", "no text", "deep", "head alone", "large"],
)
def test_other_files_are_refused_in_a_sentence(data):
    refused(data, "")


# manage.py verify, export, import


def test_verifying_all_games_says_if_there_are_none(capsys):
    call_command("verify", "--all")
    assert capsys.readouterr().out == "No game has started yet.\n"


def test_verify_accepts_games_of_all_kinds(alice, bob, finished, capsys):
    play_turns(in_turns(alice, bob), 3)
    table_of(alice, bob)
    call_command("verify", "--all")
    output = capsys.readouterr().out
    assert (output.count(": authentic"), output.count(": consistent")) == (1, 2)


@pytest.mark.parametrize(
    "damage",
    [
        lambda game: Game.objects.filter(pk=game.pk).update(head="0" * 64),
        lambda game: Game.objects.filter(pk=game.pk).update(seed_hash="0" * 64),
        lambda game: Game.objects.filter(pk=game.pk).update(status="running"),
        lambda game: Seat.objects.filter(game=game, number=0).update(total=99),
        lambda game: Seat.objects.filter(game=game, number=0).update(owes=True),
        lambda game: Snapshot.objects.filter(game=game).update(state=spoilt(game)),
        lambda game: Seed.objects.filter(game=game).update(secret=b"x" * 32),
    ],
    ids=["head", "seed hash", "status", "result", "owes", "snapshot", "seed"],
)
def test_verify_finds_a_row_that_differs_from_the_log(finished, damage, capsys):
    damage(finished)
    with pytest.raises(CommandError):
        call_command("verify", finished.public_id)
    output = capsys.readouterr().out
    assert ": authentic" not in output and ": consistent" not in output


def spoilt(game: Game) -> str:
    state = msgspec.json.decode(Snapshot.objects.get(game=game).state)
    state["coins"][0] += 1
    return msgspec.json.encode(state).decode()


def test_verify_reads_files_and_names_the_ones_that_fail(finished, tmp_path, capsys):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(services.export(public_id=finished.public_id, user=None))
    bad.write_bytes(good.read_bytes().replace(b'"by": "seat"', b'"by": "clock"', 1))
    call_command("verify", str(good))
    with pytest.raises(CommandError, match="1"):
        call_command("verify", str(good), str(bad))
    output = capsys.readouterr().out.splitlines()
    assert output[0].endswith(": authentic") and "Entry 0" in output[2]


def test_verify_needs_valid_arguments(db):
    for arguments in ([], ["--all", "x"], ["nosuchid"]):
        with pytest.raises(CommandError):
            call_command("verify", *arguments)


def test_export_and_import_on_the_command_line(finished, tmp_path, capsys):
    call_command("export", finished.public_id)
    file = tmp_path / "game.json"
    file.write_text(capsys.readouterr().out)
    call_command("import", str(file), "--user", "Alice")
    game = Game.objects.get(public_id=capsys.readouterr().out.strip())
    assert game.imported and game.opener.username == "Alice" and again(game).head == finished.head


def test_the_commands_refuse_in_a_sentence(tmp_path, alice):
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    for arguments in (["export", "nosuchid"], ["import", str(broken)], ["import", str(tmp_path / "none.json")],
                      ["import", str(broken), "--user", "Eve"]):  # fmt: skip
        with pytest.raises(CommandError):
            call_command(*arguments)


# All options


@pytest.fixture(params=[("legends", 3), ("prototype", 2), ("classic", 2)], ids=lambda table: f"{table[0]} {table[1]}")
def with_everything(request, alice, bob, carol) -> Game:
    """A finished game with setup by hand and all options."""
    ruleset, players = request.param
    wanted = next(table for table in reversed(plain_and_full()) if (table.slug, table.players) == (ruleset, players))
    people, options = (alice, bob, carol)[:players], json.loads(wanted.options)
    return kept(wanted, *(person.pk for person in people),
                play=lambda: play_out(table_of(*people, ruleset=ruleset, options=options)))  # fmt: skip


def test_a_record_with_all_options_is_valid_fits_the_schema_and_can_be_imported(with_everything, alice):
    data = services.export(public_id=with_everything.public_id, user=alice)
    assert records.verify(records.decode(data)) == []
    jsonschema.validate(msgspec.json.decode(data), msgspec.json.decode(SCHEMA.read_bytes()))
    game = services.take_in(data=data, user=alice)
    assert (game.options, game.head, game.ruleset) == (
        with_everything.options, with_everything.head, with_everything.ruleset,
    )  # fmt: skip
    assert services.verify(game=game) == []
    refused(data, "already")


def test_a_record_that_lacks_one_of_its_options_is_invalid(with_everything):
    whole = exported(with_everything)
    for name in whole.options:
        less = {other: value for other, value in whole.options.items() if other != name}
        assert records.verify(msgspec.structs.replace(whole, options=less)), name


@pytest.mark.parametrize("slug", RULESETS)
def test_the_documentation_of_records_names_every_option_with_its_values(slug):
    rows = [line for line in Path("docs/record.md").read_text(encoding="utf-8").splitlines() if slug in line]
    for field in RULESETS[slug].option_fields():
        row = next((line for line in rows if f"`{field.name}`" in line), "")
        assert row, f"docs/record.md has no row for the option {field.name} of {slug}"
        for choice in field.choices:
            assert f"`{str(choice.value).lower()}`" in row, (field.name, choice.value)


@pytest.mark.parametrize(
    "options", [{"dragon": "8"}, {"explore": "yes"}, {"layout": "circle"}, {"setter": -1}, {"setup": "by-magic"}]
)
def test_an_invalid_option_does_not_fit_the_schema(options, finished):
    plain = msgspec.json.decode(services.export(public_id=finished.public_id, user=None))
    plain["options"] = options
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, msgspec.json.decode(SCHEMA.read_bytes()))
    refused(msgspec.json.encode(plain), "")
