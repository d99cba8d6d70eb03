"""`manage.py replay`, which decides stored games again before a deploy; and games that keep their rules."""

import gzip
import json
import os
import signal
import subprocess
import sys
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection

from games.contests.duplicates import services as duplicates
from games.rules import record as records
from games.rules.eight_minute.actions import First
from games.rules.eight_minute.events import FirstNamed
from games.rules.registry import VERSIONS
from games.tables.models import Game, Seat, Snapshot, Status
from games.tables.models.game import new_game
from games.tables.services import full_games, lobby, replay
from games.tables.services import records as stored
from tests.cast import again, bid, in_turns, play_turns, seats_of, state_of, submit, table_of
from tests.rules.test_gate import TOUCHED, UNTOUCHED, Careless, mended_in_place, played
from tests.running import ROOT
from tests.services.restoring import database_at, everything, output_of, restore

pytestmark = pytest.mark.usefixtures("no_tasks")

DYING = """
import os, signal, sys
saved = 0
def at_the_door(event, what):
    global saved
    if event == "os.rename" and str(what[1]).endswith("replay.json"):
        saved += 1
        if saved == 4:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(at_the_door)
import manage
from django.apps import apps
import django
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")
django.setup()
from games.tables.services import replay
replay.EACH = 0
manage.main()
"""


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    """A folder of this test's own for the state of the pass."""
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    return settings.VAR_DIR


def imported(*numbers: int) -> dict[int, Game]:
    return {number: stored.take_in(data=records.encode(played(number))) for number in numbers}


def before_the_last_entry(number: int, version: int = 1) -> Game:
    """Return a running game of a record, in which only the last entry is still to come."""
    whole = played(number, version)
    cut = msgspec.structs.replace(whole, entries=whole.entries[:-1], scoresheet=None)
    last, moments = cut.entries[-1], [datetime.fromisoformat(entry.at) for entry in cut.entries]
    game = new_game(
        ruleset="legends", rules_version=version, options=cut.options, status=Status.RUNNING, players=4, seq=last.seq,
        head=last.digest, seed_hash=cut.seed_hash, version=1, record_format=records.FORMAT_NOW, origin=cut.game,
        opened_at=moments[0], started_at=moments[0],
    )  # fmt: skip
    stored._write_rows(game, cut, moments)
    Seat.objects.filter(game=game, number__in=game.rules.to_act(state_of(game))).update(owes=True)
    return again(game)


def under_version_1(game: Game) -> Game:
    """Turn a game that has just begun into one that began in the release before. The set-up is the same in both."""
    snapshot = Snapshot.objects.get(game=game)
    state = snapshot.state.replace('"edition":"legends/2"', '"edition":"legends"')
    Snapshot.objects.filter(game=game).update(rules_version=1, state=state)
    Game.objects.filter(pk=game.pk).update(rules_version=1)
    return again(game)


# Games keep their version


def test_new_games_have_the_newest_version_and_a_full_game_keeps_that_of_its_first(db, alice, bob):
    game = table_of(alice, bob, full=True)
    assert game.rules_version == state_of(game).rules.version == 2
    older = under_version_1(game)
    assert older.rules.version == state_of(older).rules.version == 1
    following = full_games.open_next(older.full_game, older, older.started_at)
    assert (following.rules_version, state_of(following).rules.version) == (1, 1)


def test_a_table_that_was_open_during_the_deploy_begins_with_the_newest_version(db, alice, bob):
    game = lobby.open_table(user=alice, players=2, listed=True)
    Game.objects.filter(pk=game.pk).update(rules_version=1)
    lobby.join_table(game=again(game), user=bob)
    assert again(game).is_running and again(game).rules_version == state_of(game).rules.version == 2
    assert stored.verify(game=again(game)) == []


def test_all_tables_of_a_duplicate_have_the_version_in_which_it_was_opened(db, alice, bob, carol, dan):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    Game.objects.filter(duplicate=row).update(rules_version=1)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    games = list(Game.objects.filter(duplicate=row))
    assert [(game.status, game.rules_version, state_of(game).rules.version) for game in games] == [
        ("running", 1, 1)
    ] * 2


@pytest.mark.parametrize("version", [1, 2])
def test_a_finished_game_of_each_version_is_imported_exported_and_verified(db, version):
    whole = played(TOUCHED, version)
    game = stored.take_in(data=records.encode(whole))
    assert any(event["kind"] == "look" for event in game.entries.last().events) == (version == 1)
    assert again(game).rules_version == version and stored.verify(game=game) == []
    exported = stored.export_for(game=game, seats=seats_of(game), seat=None)
    assert exported == records.encode(stored.public(whole))


@pytest.mark.parametrize("version", [1, 2])
def test_a_running_game_is_played_on_to_its_end_by_the_version_it_began_with(db, version):
    whole, game = played(TOUCHED, version), before_the_last_entry(TOUCHED, version)
    end = whole.entries[-1]
    submit(game, end.seat, *end.actions)
    assert again(game).entries.last().events == msgspec.json.decode(msgspec.json.encode(end.events))
    assert sum(event["kind"] == "look" for event in end.events) == (2 if version == 1 else 0)
    assert again(game).is_finished and stored.verify(game=again(game)) == []


# The gate


def test_the_gate_names_exactly_the_finished_games_that_a_new_version_touches_and_lets_the_deploy_pass(db):
    games = imported(*UNTOUCHED, TOUCHED)
    lines = output_of("replay").splitlines()
    touched = games[TOUCHED]
    assert lines == [
        "Games running: 0 replayed in 0.0 seconds. None come out differently; none would in a newer version and "
        "keep theirs.",
        f"{touched}, entry {touched.seq} of seat {played(TOUCHED).entries[-1].seat} (R50): the log has “take end look "
        "look result”, and now it is “take end result”. That is legends/2; the game continues with legends/1.",
        lines[-1],
    ]
    assert lines[-1].startswith("Games finished: 4 replayed")
    assert lines[-1].endswith("None come out differently; 1 would in a newer version and keep theirs.")


def test_the_same_change_without_a_new_version_stops_the_deploy_at_exactly_that_game(db, monkeypatch):
    games = imported(*UNTOUCHED, TOUCHED)
    with mended_in_place(monkeypatch):
        the_deploy_stops_at(games[TOUCHED])


def the_deploy_stops_at(touched: Game) -> None:
    lines, sentence = refused("replay")
    assert [line.partition(",")[0] for line in lines if "entry" in line] == [touched.public_id]
    assert "(R26, R52, R50)" in "".join(lines) and "Played by legends/1." in "".join(lines)
    assert sentence.startswith("Games that come out differently: 1.") and "keep the old rules of legends/1" in sentence
    assert "differ.\n" in output_of("replay", "--except", touched.public_id)  # found by the pass before
    assert refused("replay")[1] == sentence


def test_a_careless_change_is_found_in_exactly_the_running_games_that_it_touches(db, monkeypatch, alice, bob, carol):
    touched = in_turns(alice, bob, options={})
    untouched = bid(table_of(alice, carol), 0, 1)
    submit(untouched, 1, "first 1")
    play_turns(touched, 3)

    def change(seat: int, action: Any, events: list[Any]) -> list[Any]:
        is_other = isinstance(action, First) and action.seat != seat
        return [FirstNamed(seat, seat)] if is_other else events

    careless = Careless(change)
    careless.rules, careless.version = VERSIONS["legends"][1].rules, 2
    monkeypatch.setitem(VERSIONS, "legends", (*VERSIONS["legends"][:1], careless))
    lines, sentence = refused("replay", "--running")
    assert [line for line in lines if "entry" in line] == [
        f"{touched}, entry 3 of seat 1 (no ruling named): the log has another “first”. Played by legends/2."
    ]
    assert sentence.startswith("Games that come out differently: 1.")
    monkeypatch.undo()
    assert "2 replayed" in output_of("replay", "--running")


def test_a_position_that_new_code_reads_differently_from_the_log_stops_the_deploy(db, alice, bob):
    game = in_turns(alice, bob)
    snapshot = Snapshot.objects.get(game=game)
    Snapshot.objects.filter(game=game).update(state=snapshot.state.replace('"coins":[', '"coins":[1', 1))
    assert "The snapshot differs from the position in the log." in "".join(refused("replay", "--running")[0])


def test_nothing_is_written_and_the_database_refuses_it_meanwhile(db, alice, bob, folder):
    in_turns(alice, bob)
    imported(TOUCHED)
    before = everything()
    output_of("replay")
    assert everything() == before and {path.name for path in folder.iterdir()} == {"replay.lock", "replay.json"}
    with replay.read_only(), pytest.raises(DatabaseError):
        Game.objects.update(version=7)
    Game.objects.update(version=7)


def test_the_pass_continues_after_the_last_game_and_begins_again_for_other_code(db, folder):
    imported(*UNTOUCHED)
    assert "Games finished: 3 replayed" in output_of("replay")
    game = imported(TOUCHED)[TOUCHED]
    later = output_of("replay")
    assert "Continuing after 3 finished games, of which 0 differ." in later
    assert "Games finished: 1 replayed" in later and f"{game}, entry" in later
    assert f"{game}, entry" in output_of("replay")  # a known difference is listed again
    assert "Games finished: 4 replayed" in output_of("replay", "--restart")
    kept = json.loads((folder / "replay.json").read_text())
    (folder / "replay.json").write_text(json.dumps(kept | {"code": "of another release"}))
    assert "Games finished: 4 replayed" in output_of("replay")
    (folder / "replay.json").write_text("{")
    assert "Games finished: 4 replayed" in output_of("replay")


def test_only_one_pass_runs_at_a_time(db, folder):
    with replay.alone(replay.progress_file()):
        assert refused("replay")[1] == "Another pass over the finished games is under way."
    assert "Games finished: 0" in output_of("replay")


def test_record_files_are_decided_again_without_a_database(tmp_path):
    (tmp_path / "touched.json").write_bytes(records.encode(played(TOUCHED)))
    (tmp_path / "bad.json").write_text("{}")
    out = output_of("replay", tmp_path / "touched.json")
    assert "(R50)" in out and "1 would in a newer version" in out
    assert refused("replay", tmp_path)[1].startswith(f"{tmp_path / 'bad.json'}: This file is not a valid record")
    missing = tmp_path / "missing.json"
    assert refused("replay", missing)[1] == f"{missing}: No such file or directory"
    damaged, packed = tmp_path / "damaged.json.gz", bytearray(gzip.compress(b"{}" * 500))
    packed[14] ^= 0xFF
    damaged.write_bytes(packed)
    assert refused("replay", damaged)[1].startswith(f"{damaged}: Error -3 while decompressing data")


def refused(*words: object) -> tuple[list[str], str]:
    """Return the lines printed by a command that fails, and its last sentence."""
    out = StringIO()
    with pytest.raises(CommandError) as refusal:
        call_command(*map(str, words), stdout=out)
    return out.getvalue().splitlines(), str(refusal.value)


@pytest.mark.long
@pytest.mark.skipif(connection.vendor != "sqlite", reason="It is about files of SQLite.")
def test_a_killed_pass_continues_where_it_was_and_finds_each_game_once(kept, elsewhere, tmp_path):
    numbers = (TOUCHED, *UNTOUCHED, 0, 1, 2)
    with database_at(elsewhere):
        restore(kept)
        touched = imported(*numbers)[TOUCHED]
    environment = os.environ | {"VAR_DIR": str(tmp_path / "var"), "DATABASE_URL": f"sqlite:///{elsewhere}"}

    def run(*command: str) -> tuple[int, str]:
        process = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environment, check=False, capture_output=True, text=True
        )
        return process.returncode, process.stdout + process.stderr

    code, _out = run("-c", DYING, "replay")
    assert code == -signal.SIGKILL
    state = json.loads((tmp_path / "var" / "replay.json").read_text())
    assert state["games"] == 3  # the fourth was not saved
    code, out = run("manage.py", "replay")
    assert code == 0, out
    assert f"Continuing after 3 finished games, of which {len(state['found'])} differ." in out
    assert f"Games finished: {len(numbers) + 1 - 3} replayed" in out
    assert out.count(f"{touched}, entry") == 1 and out.count("(R50)") == 1
    done = json.loads((tmp_path / "var" / "replay.json").read_text())
    assert done["games"] == len(numbers) + 1
    assert [difference["game"] for difference in done["found"]] == [touched.public_id]
