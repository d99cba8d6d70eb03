"""Deciding stored games again on the code of this release, before it goes live. Nothing is written to the database.

Running games are all decided again. Finished ones are too many for a deploy, so they take a pass that can be
interrupted: a file keeps how far it is and what it has found, for as long as the code of the rules is the same.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import msgspec
from django.conf import settings
from django.db import connection

from games import rules
from games.errors import GameError
from games.rules import gate
from games.rules.gate import Difference
from games.tables.models import Game, Seat, Status
from games.tables.selectors import position
from games.tables.services import records

RULES = Path(rules.__file__).parent
EACH = 2.0  # seconds between two times that the pass is saved
CHUNK = 200  # games read at once: a single query would hold back the database's housekeeping for hours
TRIES = 5


class Replayed(msgspec.Struct):
    """The differences in a game: by its `own` version, `played`, which stop a deploy, and by a `newer` one."""

    game: str
    played: str
    own: list[Difference] = []
    newer: list[Difference] = []


class Pass(msgspec.Struct):
    """A pass over finished games: `after` is the last one decided again, `games` how many were, on the code `code`."""

    code: str
    after: int = 0
    games: int = 0
    found: list[Replayed] = []


@contextmanager
def read_only() -> Iterator[None]:
    """Make the database refuse to be written to through this connection."""
    on, off = {
        "sqlite": ("PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
        "postgresql": ("SET default_transaction_read_only = on", "SET default_transaction_read_only = off"),
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(on)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(off)


def replay_running() -> Iterator[Replayed]:
    """Decide each running game again, in the version it began with and in the newest one."""
    for pk in list(Game.objects.filter(status=Status.RUNNING).order_by("pk").values_list("pk", flat=True)):
        yield replay_game(pk)


def replay_game(pk: int) -> Replayed:
    """Decide a game again; if it was played on in the meantime, rows of different moments seem to differ, so repeat."""
    for _try in range(TRIES):
        game = Game.objects.get(pk=pk)
        result = decided_again(game)
        if not result.own or Game.objects.filter(pk=pk, version=game.version).exists():
            break
    return result


def decided_again(game: Game) -> Replayed:
    """Return what differs in a game that has begun."""
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    whole = msgspec.structs.replace(records.record(game=game, seats=seats), game=game.public_id)
    result = Replayed(game.public_id, f"{game.ruleset}/{game.rules_version}", own=list(gate.differences(whole)))
    if not result.own:
        # The decisions are the same. Is the position that the next one starts from?
        last = whole.entries[-1].seq
        state = position.folded(game, seats)
        result.own += [
            Difference(game.public_id, last, None, game.rules_version, (), problem)
            for problem in records.rows_that_differ(game, seats, whole, state)
        ]
    newest = gate.newer(whole)
    if newest is not None and not result.own:
        result.newer += gate.differences(whole, newest)
    return result


# The pass over finished games


def fingerprint() -> str:
    """Return a digest of the code and the data of the rules, and of where the database is."""
    digest = hashlib.sha256()
    for path in sorted(RULES.rglob("*")):
        if path.suffix in (".py", ".toml", ".json"):
            digest.update(f"{path.relative_to(RULES)}\n".encode() + path.read_bytes())
    place = {name: str(connection.settings_dict[name]) for name in ("ENGINE", "HOST", "PORT", "NAME")}
    digest.update(msgspec.json.encode(place, order="sorted"))
    return digest.hexdigest()


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Let only one pass at a time use the file. Raises `GameError`."""
    descriptor = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise GameError("Another pass over the finished games is under way.") from None
    finally:
        os.close(descriptor)


def progress_file() -> Path:
    return settings.VAR_DIR / "replay.json"


def load_progress(path: Path, *, restart: bool = False) -> Pass:
    """Return the pass in the file if it was on this code, or else a new one."""
    code = fingerprint()
    try:
        saved = msgspec.json.decode(path.read_bytes(), type=Pass)
    except (FileNotFoundError, msgspec.DecodeError):
        return Pass(code)
    return Pass(code) if restart or saved.code != code else saved


def replay_finished(path: Path, progress: Pass) -> Iterator[Replayed]:
    """Continue a pass over games that have ended, and yield what is found in each.

    If it is killed, the next one continues from the file. Games that end later, but began earlier than the last one
    decided again, were running then.
    """
    ended = Game.objects.filter(status__in=(Status.FINISHED, Status.VOID), seq__gte=0).order_by("pk")
    last = monotonic()
    try:
        while games := list(ended.filter(pk__gt=progress.after)[:CHUNK]):
            for game in games:
                result = decided_again(game)
                progress.after, progress.games = game.pk, progress.games + 1
                if result.own or result.newer:
                    progress.found.append(result)
                if monotonic() - last > EACH:
                    save(path, progress)
                    last = monotonic()
                yield result
    finally:
        save(path, progress)


def save(path: Path, progress: Pass) -> None:
    part = path.with_suffix(".part")
    part.write_bytes(msgspec.json.encode(progress))
    part.replace(path)
