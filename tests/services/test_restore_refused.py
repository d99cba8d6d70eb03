"""Refused restores on SQLite: invalid backups and databases in use. A backup file is complete or does not exist."""

import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest
import time_machine
from django.apps import apps
from django.db import connection

from empire.backups import file
from games.tables.models import Game
from tests.running import ROOT
from tests.services.restoring import (
    backup,
    changed,
    database_at,
    everything,
    files,
    manifest,
    nothing_written,
    output_of,
    refusal,
    restore,
)

DYING = """
import os, signal, sys
def at_the_door(event, what):
    if event == "os.rename" and ".backup-part" in str(what[0]):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(at_the_door)
import manage
manage.main()
"""


pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="It is about files of SQLite."),
    pytest.mark.usefixtures("no_tasks"),
]


# Refusals, which write nothing


def test_a_database_with_anything_in_it_is_refused(kept, elsewhere):
    with database_at(elsewhere):
        restore(kept)
        before = everything()
        sentence = refusal("restore", kept)
        assert sentence.startswith("This database is not empty: it holds 2 accounts and 2 games.")
        assert "DATABASE_URL" in sentence
        assert everything() == before


def test_a_database_that_is_in_use_is_refused(kept, elsewhere):
    with closing(sqlite3.connect(elsewhere)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("SELECT * FROM sqlite_master")
        with database_at(elsewhere):
            assert refusal("restore", kept).startswith("Another process has this database open. Stop the site")
    with database_at(elsewhere):
        restore(kept)


def in_the_middle_of_data(backup: Path) -> int:
    """Return an offset inside the largest file of the archive; elsewhere a changed bit may have no effect."""
    with ZipFile(backup) as archive:
        largest = max(archive.infolist(), key=lambda file: file.compress_size)
    return largest.header_offset + len(largest.FileHeader()) + largest.compress_size // 2


def test_an_incomplete_or_damaged_backup_is_refused(kept, elsewhere):
    whole = kept.read_bytes()
    with database_at(elsewhere):
        for length in (0, 3, 100, len(whole) // 2, len(whole) - 1):
            (kept.parent / "part.zip").write_bytes(whole[:length])
            nothing_written(elsewhere.parent, lambda: need_refusal(kept.parent / "part.zip"))
        damaged = bytearray(whole)
        damaged[in_the_middle_of_data(kept)] ^= 1
        (kept.parent / "part.zip").write_bytes(damaged)
        assert "is an incomplete or damaged backup" in refusal("restore", kept.parent / "part.zip")
        assert refusal("restore", ROOT / "README.md").endswith("README.md is not a backup.")
        assert refusal("restore", kept.parent / "none.zip").endswith("none.zip: No such file or directory.")


def need_refusal(path: Path) -> None:
    assert "backup" in refusal("restore", path)


UNFIT = [
    ({"kind": "postgresql", "server": 18}, "This is a backup of PostgreSQL, but this database is SQLite"),
    ({"migrations": ["tables.0001_initial", "tables.9999_later"]}, "newer release: tables.9999_later is unknown here"),
    ({"entries": 1}, "The contents of the dump do not match the manifest of the backup."),
    (
        {"release": "0.2.0", "digests": {"tables.0001_initial": "another"}},
        "newer release: tables.0001_initial is unknown",
    ),
    ({"format": "empire-backup/3"}, "is an incomplete or damaged backup"),
    ({"release": "latest"}, "is an incomplete or damaged backup"),
]
BEFORE_A_SQUASH = [
    {"digests": {"tables.0001_initial": "another"}},  # squashed into a migration of the same name
    {"release": "0.0.9", "migrations": ["tables.0001_initial", "tables.0007_gone"]},  # into one of another name
    {"format": "empire-backup/1"},  # whose manifests do not say what was in the migrations
]


def test_an_incompatible_backup_is_refused(kept, elsewhere):
    with database_at(elsewhere):
        for about, sentence in UNFIT:
            assert sentence in refusal("restore", changed(kept, **about))
            assert connection.introspection.table_names() == []


@pytest.mark.parametrize("about", BEFORE_A_SQUASH)
def test_a_backup_from_before_a_squash_of_migrations_is_refused_and_told_which_version_reads_it(about, kept, elsewhere):
    old = changed(kept, taken_at="2026-10-03T08:00:00Z", **about)
    with database_at(elsewhere):
        sentence = refusal("restore", old)
        assert sentence.startswith("This backup is from before migrations were squashed")
        release = about.get("release", "0.1.0")
        assert f"Version {release} reads it, with the code of 2026-10-03, when it was written." in sentence
        assert connection.introspection.table_names() == []


def test_a_backup_says_which_release_wrote_it_and_what_its_migrations_were(kept):
    about = manifest(kept)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert about["release"] == file.RELEASE == project["version"]
    own = {name for name in about["migrations"] if name.partition(".")[0] in file_apps()}
    assert set(about["digests"]) == own and len(own) > 4


def file_apps() -> set[str]:
    return {config.label for config in apps.get_app_configs() if config.name.partition(".")[0] in file.OURS}


def test_comments_and_layout_do_not_change_what_a_migration_is(tmp_path, monkeypatch, settings):
    before, path = file.digests(), ROOT / "games/notices/migrations/0001_initial.py"
    source, copy = path.read_text(), tmp_path / "rewritten" / path.name
    copy.parent.mkdir()
    (copy.parent / "__init__.py").touch()
    copy.write_text(f"# A comment\n\n{source}")
    monkeypatch.syspath_prepend(tmp_path)
    settings.MIGRATION_MODULES = {"notices": "rewritten"}
    assert file.digests() == before
    copy.write_text(source.replace("initial = True", "initial = False"))
    changed = file.digests()
    assert [name for name, digest in changed.items() if before[name] != digest] == ["notices.0001_initial"]


def test_a_backup_of_an_older_release_is_migrated(kept, elsewhere):
    older = [name for name in manifest(kept)["migrations"] if name != "tables.0003_place_replacements"]
    with database_at(elsewhere):
        assert "The backup is from an older release" in restore(changed(kept, migrations=older))


# Backup files


def test_a_backup_is_readable_only_by_its_owner_and_never_overwrites_a_file(tmp_path):
    kept = tmp_path / "kept.zip"
    backup(kept)
    assert kept.stat().st_mode & 0o777 == 0o600
    assert refusal("backup", kept) == f"The file {kept} already exists."
    assert refusal("backup", kept.parent / "none" / "kept.zip") == f"There is no folder {kept.parent / 'none'}."


def test_the_newest_backups_of_a_folder_are_kept_and_other_files_are_ignored(tmp_path):
    for name in ("holiday.zip", "empire-before-the-move.zip"):
        (tmp_path / name).touch()
    for day in (2, 3, 4):
        with time_machine.travel(f"2027-03-0{day}T08:00Z", tick=False):
            output_of("backup", tmp_path, "--keep", "2")
    assert sorted(files(tmp_path)) == [
        "deletions.txt",
        "empire-2027-03-03-080000.zip",
        "empire-2027-03-04-080000.zip",
        "empire-before-the-move.zip",
        "holiday.zip",
    ]


def test_a_full_disk_leaves_no_backup_file(kept, elsewhere, tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    connection.close()
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    try:
        assert refusal("backup", tmp_path / "new.zip").startswith(f"Cannot write the backup to {tmp_path}: ")
        with database_at(elsewhere):
            assert refusal("restore", kept).startswith("Nothing was restored: ")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(files(tmp_path)) == ["kept.zip"] and list(files(elsewhere.parent)) == ["db.sqlite3"]
    with database_at(elsewhere):
        restore(kept)


@pytest.mark.long
@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_backup_killed_at_the_last_moment_leaves_no_complete_looking_file(command, kept, tmp_path):
    folder = tmp_path / "var"
    environment = os.environ | {"VAR_DIR": str(folder)}
    source = connection.settings_dict["NAME"] if command == "backup" else folder / "db.sqlite3"
    words = {"backup": [folder / "new.zip"], "restore": [kept, "--without-deletions"]}
    folder.mkdir()
    process = subprocess.run(
        [sys.executable, "-c", DYING, command, *map(str, words[command])],
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
