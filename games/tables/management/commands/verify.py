"""`manage.py verify GAME|FILE|--all`: check that games follow from their rules, seeds and decisions."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games.errors import RecordError
from games.rules.record import LARGEST
from games.tables.models import Game
from games.tables.services import records


class PublicKey(msgspec.Struct):
    """A public key of a site, as listed in `/.well-known/record-keys.json`."""

    public_key: Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{43}$")]


class PublicKeys(msgspec.Struct):
    keys: list[PublicKey]


class Command(BaseCommand):
    help = (
        "Check the hash chain, the seed, every draw and decision, the score and the signature. A valid record is"
        " consistent, and authentic if the site also signed it. The exit code is 1 if anything is wrong. An existing"
        " path is read as a record file, without a database; anything else is a game ID."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("names", nargs="*", metavar="GAME|FILE", help="game IDs or record files")
        parser.add_argument("--all", action="store_true", help="every started game")
        parser.add_argument(
            "--keys", metavar="FILE", help="public keys of another site, from its /.well-known/record-keys.json"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["names"]) == options["all"]:
            raise CommandError("Name games or record files, or use --all.")
        keys = keys_in(options["keys"]) if options["keys"] else None
        try:
            if options["all"]:
                started = Game.objects.filter(seq__gte=0).order_by("pk")
                if not started.exists():
                    self.stdout.write("No game has started yet.")
                verdicts = (verdict_of(game) for game in started.iterator())
            else:
                verdicts = (verified(name, keys) for name in options["names"])
            bad = sum(self.tell(*verdict) for verdict in verdicts)
        except DatabaseError:
            raise CommandError(
                "There is no such file, and the database cannot be read. Name an existing record file, or check"
                " DATABASE_URL and run manage.py migrate."
            ) from None
        if bad:
            raise CommandError(f"Failed verification: {bad}.")

    def tell(self, name: str, problems: Iterable[str], is_authentic: bool) -> bool:
        problems = list(problems)
        printable = name.encode(errors="backslashreplace").decode()
        self.stdout.write(f"{printable}: {' '.join(problems) or ('authentic' if is_authentic else 'consistent')}")
        return bool(problems)


Verdict = tuple[str, list[str], bool]


def verdict_of(game: Game) -> Verdict:
    proof = records.proof_of_game(game=game)
    return game.public_id, list(proof.problems), proof.is_authentic


def verified(name: str, keys: Mapping[str, bytes] | None) -> Verdict:
    """Check a record file if the path exists, else the game with this id."""
    path = Path(name)
    try:
        if path.exists():
            proof = records.proof_of_file(content(path), keys)
            return name, list(proof.problems), proof.is_authentic
    except RecordError as problem:
        return name, [str(problem)], False
    except (OSError, ValueError):  # not a valid file name
        pass
    game = Game.objects.filter(public_id=name, seq__gte=0).first() if name.isprintable() else None
    return verdict_of(game) if game else (name, ["There is no such file, and no started game with this ID."], False)


def content(path: Path) -> bytes:
    """Return the bytes of a file, up to just over the maximum size of a record. Raises `RecordError`."""
    try:
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as problem:
        raise RecordError(f"Cannot read the file: {problem.strerror}.") from None


def keys_in(name: str) -> dict[str, bytes]:
    """Return the public keys in a file, by id. Raises `CommandError`."""
    try:
        listed = msgspec.json.decode(content(Path(name)), type=PublicKeys).keys
        return {records.key_id(key): key for key in (records.decoded(key.public_key) for key in listed)}
    except RecordError as problem:
        raise CommandError(str(problem)) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise CommandError("There are no public keys in that file. Download /.well-known/record-keys.json.") from None
