"""Backups in tests: of the test's database, modified, and restored into another one."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from io import StringIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from tests.cast import in_turns, person, play_out, table_of


@cache
def a_backup() -> bytes:
    """Return a backup with a table where it is Alice's turn, and a finished one."""
    people = person("Alice"), person("Bob")
    in_turns(*people)
    play_out(table_of(*people))
    with tempfile.TemporaryDirectory() as folder:
        backup(Path(folder) / "kept.zip")
        return (Path(folder) / "kept.zip").read_bytes()


def backup(path: Path) -> str:
    return output_of("backup", path)


def restore(path: Path) -> str:
    return output_of("restore", path)


def output_of(*words: object) -> str:
    """Run a management command and return its output."""
    out = StringIO()
    call_command(*map(str, words), stdout=out)
    return out.getvalue()


def refusal(*words: object) -> str:
    with pytest.raises(CommandError) as refused:
        output_of(*words)
    return str(refused.value)


def manifest(path: Path) -> dict:
    """Return the backup's description of itself."""
    with ZipFile(path) as archive:
        return json.loads(archive.read("manifest.json"))


def changed(path: Path, **about: object) -> Path:
    """Return the same backup with a different description."""
    other = path.with_name("changed.zip")
    with ZipFile(path) as archive, ZipFile(other, "w", ZIP_DEFLATED) as copy:
        copy.writestr("database.dump", archive.read("database.dump"))
        copy.writestr("manifest.json", json.dumps(manifest(path) | about))
    return other


@contextmanager
def database_at(path: Path) -> Iterator[None]:
    """Point Django's connection to this SQLite file."""
    here = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = str(path)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = here


def everything() -> dict[str, list[tuple]]:
    models = [model for model in apps.get_models() if model._meta.managed]
    return {model._meta.label: list(model._base_manager.order_by("pk").values_list()) for model in models}


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def nothing_written(folder: Path, doing: Callable[[], object]) -> None:
    before = files(folder)
    doing()
    assert files(folder) == before
