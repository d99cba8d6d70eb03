"""SQLite: a backup taken while people play comes back whole, or not at all. PostgreSQL is in test_upkeep.py."""

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from io import StringIO
from pathlib import Path
from threading import Event, Thread

import pytest
import time_machine
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection

from empire.celery import app
from empire.models import Heartbeat
from games.leagues.models import Challenge
from games.models import Entry, Game, Notice, Seat, Seed
from games.notices import deliver
from games.notices.models import OPEN, Fate, Why
from games.rules import house
from games.selectors.table import table
from games.services import putting_back
from games.services.bell import without_bells
from tests.cast import in_turns, person, play_out, play_turns, submit, table_of
from tests.leagues.ladders import challenges, ladder_of
from tests.running import ROOT
from tests.services.restoring import (
    backup,
    changed,
    database_at,
    files,
    nothing_written,
    refusal,
    restore,
    said,
    told,
)

MONDAY = datetime(2027, 3, 1, 8, tzinfo=UTC)
AGES = timedelta(hours=23, minutes=30)
DYING = """
import os, signal, sys
def at_the_door(event, what):
    if event == "os.rename" and ".backup-part" in str(what[0]):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(at_the_door)
import manage
manage.main()
"""

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="It is about files of SQLite.")


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture(autouse=True)
def nobody_hears_bells(transactional_db) -> Iterator[None]:
    app.conf.task_always_eager = False
    with without_bells():
        yield


@cache
def a_backup() -> bytes:
    """With a table at which it is Alice's turn, and one that has been played to its end."""
    people = person("Alice"), person("Bob")
    in_turns(*people)
    play_out(table_of(*people))
    with tempfile.TemporaryDirectory() as folder:
        backup(Path(folder) / "kept.zip")
        return (Path(folder) / "kept.zip").read_bytes()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "kept.zip"
    path.write_bytes(a_backup())
    return path


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder / "db.sqlite3"


def everything() -> dict[str, list[tuple]]:
    models = [model for model in apps.get_models() if model._meta.managed]
    return {model._meta.label: list(model._base_manager.order_by("pk").values_list()) for model in models}


# What comes back


def test_while_people_play_all_that_is_there_at_one_moment_is_kept_and_every_log_of_it_verifies(
    alice, bob, carol, dan, tmp_path, elsewhere
):
    finished, games = play_out(table_of(alice, bob)), [in_turns(carol, dan), table_of(alice, bob, carol, dan)]
    with playing(games[0]) as turn:
        turn.wait()
        words = backup(tmp_path / "kept.zip")
    about, before = told(tmp_path / "kept.zip"), everything()
    assert (about["games"], about["accounts"]) == (3, 4) and words.startswith(f"{tmp_path / 'kept.zip'}: 3 games with ")
    with database_at(elsewhere):
        words = restore(tmp_path / "kept.zip")
        assert "3 games verified in " in words and "none differ" in words
        kept = Entry.objects.exclude(events__0__kind="give-time").order_by("pk").values_list()
        assert len(kept) == about["entries"] < len(before["games.Entry"])
        assert all(entry in before["games.Entry"] for entry in kept)
        for model in ("games.Seed", "account.EmailAddress", "contenttypes.ContentType"):
            assert everything()[model] == before[model]
        assert Game.objects.get(pk=finished.pk).result == finished.result
    assert everything() == before


class playing:  # noqa: N801 - used as a function
    """Somebody takes turns at the table all the time; the event is set when the first has been taken."""

    def __init__(self, game: Game) -> None:
        self.turn, self.enough = Event(), Event()
        self.thread = Thread(target=self.play, args=(game,))

    def play(self, game: Game) -> None:
        while not (self.enough.is_set() and self.turn.is_set()):
            play_turns(game, 1)
            self.turn.set()
        play_turns(game, 1)
        connection.close()

    def __enter__(self) -> Event:
        self.thread.start()
        return self.turn

    def __exit__(self, *how: object) -> None:
        self.enough.set()
        self.thread.join()


def test_the_log_is_insert_only_again_and_it_is_said_that_the_keys_are_others(kept, elsewhere, settings):
    settings.SECRET_KEY = "another text of which nobody knows anything at all"
    with database_at(elsewhere):
        assert "SECRET_KEY is another one" in restore(kept)
        for change in ("UPDATE games_entry SET digest = ''", "DELETE FROM games_entry"):
            with pytest.raises(DatabaseError, match="only ever added to"):
                connection.cursor().execute(change)


def test_clocks_get_the_time_back_that_has_passed_and_the_table_reads_why(clock, alice, bob, tmp_path, elsewhere):
    game = in_turns(alice, bob, clock="move 1d")
    backup(tmp_path / "kept.zip")
    clock.shift(AGES)
    with database_at(elsewhere):
        words = restore(tmp_path / "kept.zip")
        assert "Tables given 24 h more: 1." in words
        seat = Seat.objects.get(game=game, owes=True)
        assert seat.deadline == MONDAY + timedelta(days=2)
        (line,) = [line.sentences[0] for line in table(public_id=game.public_id, user=None).log if line.by_house]
        assert line == (
            "The house has given 1 day more to Alice. The reason: The site was put back to how it stood on "
            "1 March 2027, 08:00 UTC. What came after that is lost."
        )


def test_what_was_due_is_not_said_again_and_what_is_still_to_come_is(clock, alice, bob, tmp_path, elsewhere):
    game = in_turns(alice, bob, clock="move 2d")
    waiting = set(Notice.objects.filter(state__in=OPEN, due_at__lte=MONDAY).values_list("pk", flat=True))
    assert waiting
    backup(tmp_path / "kept.zip")
    clock.shift(AGES)
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        dropped = Notice.objects.filter(state=Fate.DROPPED, why=Why.RESTORED)
        assert set(dropped.values_list("pk", flat=True)) == waiting
        open_now = Notice.objects.filter(state__in=OPEN)
        assert {(one.kind, one.user) for one in open_now.filter(due_at__lte=clock_now())} == {
            ("decision", alice),
            ("decision", bob),
        }
        (reminder,) = open_now.filter(kind="time", seq=game.seq + 1)
        assert reminder.due_at > clock_now() + timedelta(days=1)
        assert deliver.sweep() == 2


def clock_now() -> datetime:
    return MONDAY + AGES


def test_mails_about_what_comes_once_more_have_other_names(clock, alice, bob, tmp_path, elsewhere):
    game = in_turns(alice, bob)
    backup(tmp_path / "kept.zip")

    def names_of_mails() -> set[tuple[int, str]]:
        for _turn in range(4):
            play_turns(game, 1)
            deliver.sweep()
        return set(Notice.objects.filter(kind="turn", state=Fate.SENT).values_list("seq", "message_id"))

    before = names_of_mails()
    clock.shift(AGES)
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        after = names_of_mails()
    assert {seq for seq, _name in before} & {seq for seq, _name in after}
    assert not {name for _seq, name in before} & {name for _seq, name in after}


def test_nobody_loses_a_rung_for_not_answering_while_there_was_no_site(clock, alice, bob, tmp_path, elsewhere):
    ladder_of(alice, bob)
    until = challenges(bob, alice).answer_by
    backup(tmp_path / "kept.zip")
    clock.shift(AGES)
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        assert Challenge.objects.get().answer_by == until + timedelta(hours=24)


def test_a_table_of_sealed_bids_does_not_tell_who_has_bid(clock, alice, bob, tmp_path, elsewhere):
    game = table_of(alice, bob, clock="move 1d")
    submit(game, 0, "bid 0")
    backup(tmp_path / "kept.zip")
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        last = Entry.objects.filter(game=game).latest("seq")
        assert last.events[0]["kind"] == "give-time" and last.events[0]["seats"] == [0, 1]


def test_each_game_that_does_not_verify_is_named_and_the_others_are_looked_at(alice, bob, tmp_path, elsewhere):
    wrong, broken, _sound = [play_turns(table_of(alice, bob), 2) for _n in range(3)]
    Game.objects.filter(pk=wrong.pk).update(head="0" * 64)
    Seed.objects.filter(game=broken).delete()
    backup(tmp_path / "kept.zip")
    out = StringIO()
    with database_at(elsewhere), pytest.raises(CommandError, match="Not as they should be: 2 games"):
        call_command("restore", str(tmp_path / "kept.zip"), stdout=out)
    assert f"{wrong}: The row of the game does not end where its log ends." in out.getvalue()
    assert f"{broken}: It cannot be verified" in out.getvalue() and "Tables given 1 h more: 1." in out.getvalue()


def test_what_was_cut_off_behind_the_rows_goes_on_and_gives_nothing_twice(clock, alice, bob, tmp_path, elsewhere):
    games = [in_turns(alice, bob, clock="move 1d") for _n in range(2)]
    backup(tmp_path / "kept.zip")
    taken_at = datetime.fromisoformat(told(tmp_path / "kept.zip")["taken_at"])
    clock.shift(AGES)
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        Heartbeat.objects.create(name="restore", at=taken_at)
        words = restore(tmp_path / "kept.zip")
        assert "it goes on" in words and "Tables given 24 h more: 0." in words
        assert not Heartbeat.objects.exists()
        assert [Entry.objects.filter(game=game).count() for game in games] == [game.seq + 2 for game in games]
        assert Notice.objects.filter(kind="decision").exclude(state=Fate.DROPPED).count() == 4


def test_time_is_given_once_to_each_table_where_a_person_is_awaited(clock, alice, bob, carol):
    one, other = in_turns(alice, bob, clock="move 1d"), in_turns(bob, carol, clock="move 1d")
    play_out(in_turns(alice, carol))
    clock.shift(AGES)
    given = putting_back.give_time_back(taken_at=MONDAY)
    assert next(given) == one
    given.close()
    assert list(putting_back.give_time_back(taken_at=MONDAY)) == [other]
    assert list(putting_back.give_time_back(taken_at=MONDAY)) == []
    assert [last_deed(game).hours for game in (one, other)] == [24, 24]


def last_deed(game: Game) -> house.TimeGiven:
    deed = house.read(Entry.objects.filter(game=game).latest("seq").events[0])
    assert isinstance(deed, house.TimeGiven)
    return deed


# What is refused, with nothing written


def test_a_database_with_anything_in_it_is_refused(kept, elsewhere):
    with database_at(elsewhere):
        restore(kept)
        before = everything()
        sentence = refusal("restore", kept)
        assert sentence.startswith("This database is not empty: it holds 2 accounts and 2 games.")
        assert "DATABASE_URL" in sentence
        assert everything() == before


def test_a_database_that_somebody_has_open_is_refused(kept, elsewhere):
    with closing(sqlite3.connect(elsewhere)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("SELECT * FROM sqlite_master")
        with database_at(elsewhere):
            assert refusal("restore", kept).startswith("Somebody else has this database open: stop the site")
    with database_at(elsewhere):
        restore(kept)


def test_what_is_no_whole_backup_is_refused(kept, elsewhere):
    whole = kept.read_bytes()
    with database_at(elsewhere):
        for length in (0, 3, 100, len(whole) // 2, len(whole) - 1):
            (kept.parent / "part.zip").write_bytes(whole[:length])
            nothing_written(elsewhere.parent, lambda: need_refusal(kept.parent / "part.zip"))
        middle = bytearray(whole)
        middle[len(whole) // 2] ^= 1
        (kept.parent / "part.zip").write_bytes(middle)
        assert "was cut off, or damaged" in refusal("restore", kept.parent / "part.zip")
        assert refusal("restore", ROOT / "README.md").endswith("README.md is no backup.")
        assert refusal("restore", kept.parent / "none.zip").endswith("cannot be read: No such file or directory.")


def need_refusal(path: Path) -> None:
    assert "backup" in refusal("restore", path)


UNFIT = [
    ({"kind": "postgresql", "server": 18}, "The backup is of PostgreSQL, and this database is SQLite"),
    ({"migrations": ["games.0001_initial", "games.9999_later"]}, "newer release: there is no games.9999_later here"),
    ({"entries": 1}, "The dump does not hold what the backup says of itself."),
    ({"format": "empire-backup/2"}, "is no whole backup"),
]


def test_a_backup_that_does_not_fit_is_refused(kept, elsewhere):
    with database_at(elsewhere):
        for about, sentence in UNFIT:
            assert sentence in refusal("restore", changed(kept, **about))
            assert connection.introspection.table_names() == []


def test_a_backup_of_an_older_release_is_brought_up_to_date(kept, elsewhere):
    older = [name for name in told(kept)["migrations"] if name != "games.0002_insert_only"]
    with database_at(elsewhere):
        assert "It is of an older release" in restore(changed(kept, migrations=older))


# The files


def test_a_file_is_for_its_owner_and_takes_no_other_ones_place(tmp_path):
    kept = tmp_path / "kept.zip"
    backup(kept)
    assert kept.stat().st_mode & 0o777 == 0o600
    assert refusal("backup", kept) == f"There is a file {kept} already."
    assert refusal("backup", kept.parent / "none" / "kept.zip") == f"There is no folder {kept.parent / 'none'}."


def test_the_newest_of_a_folder_are_kept_and_other_files_are_let_alone(clock, tmp_path):
    for name in ("holiday.zip", "empire-before-the-move.zip"):
        (tmp_path / name).touch()
    for _day in range(3):
        clock.shift(timedelta(days=1))
        said("backup", tmp_path, "--keep", "2")
    assert sorted(files(tmp_path)) == [
        "empire-2027-03-03-080000.zip",
        "empire-2027-03-04-080000.zip",
        "empire-before-the-move.zip",
        "holiday.zip",
    ]


def test_a_full_disk_leaves_nothing_behind(kept, elsewhere, tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    connection.close()
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    try:
        assert refusal("backup", tmp_path / "new.zip").startswith(f"Nothing was written into {tmp_path}: ")
        with database_at(elsewhere):
            assert refusal("restore", kept).startswith("Nothing was put back: ")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(files(tmp_path)) == ["kept.zip"] and list(files(elsewhere.parent)) == ["db.sqlite3"]
    with database_at(elsewhere):
        restore(kept)


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_one_that_is_killed_at_the_last_moment_leaves_nothing_that_looks_whole(command, kept, tmp_path):
    folder = tmp_path / "var"
    environment = os.environ | {"VAR_DIR": str(folder)}
    source = connection.settings_dict["NAME"] if command == "backup" else folder / "db.sqlite3"
    words = {"backup": folder / "new.zip", "restore": kept}
    folder.mkdir()
    process = subprocess.run(
        [sys.executable, "-c", DYING, command, str(words[command])],
        cwd=ROOT, env=environment | {"DATABASE_URL": f"sqlite:///{source}"}, check=False,
    )  # fmt: skip
    assert process.returncode == -signal.SIGKILL
    left = [path.name for path in folder.iterdir() if path.is_file() and not path.name.startswith(".")]
    if command == "backup":
        assert list(folder.glob(".new*")) and "new.zip" not in left
        backup(folder / "new.zip")
        assert not list(folder.glob(".new*"))
    else:
        with database_at(folder / "db.sqlite3"):
            assert connection.introspection.table_names() == []
            restore(kept)
            assert Game.objects.count() == 2
