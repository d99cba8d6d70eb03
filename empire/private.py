"""Files and folders for the account that the site runs as, and for no other: 0600 in 0700."""

import os
import stat
from contextlib import suppress
from pathlib import Path

OTHERS = 0o077  # what group and others may do


def make_folder(path: Path) -> None:
    """Make the folder if it is not there yet. Raises `OSError`."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def write(path: Path, content: bytes) -> None:
    """Write a new file. Raises `OSError`, and leaves nothing behind where there was no room for all of it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
    except OSError:
        path.unlink(missing_ok=True)
        raise


def close_folder(path: Path) -> None:
    """Take the folder and all that is in it from other accounts, for earlier releases left much of it open to them."""
    for folder, _names, files in os.walk(path.resolve()):
        for name in (".", *files):
            close(Path(folder, name))


def close(path: Path) -> None:
    """Take a file or folder from other accounts. A link, and what is not ours or has just gone, is left as it is."""
    with suppress(OSError):
        if path.lstat().st_mode & OTHERS and not path.is_symlink():
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                os.fchmod(descriptor, stat.S_IMODE(os.fstat(descriptor).st_mode) & ~OTHERS)
            finally:
                os.close(descriptor)


def close_database(path: Path) -> None:
    """Do so with a file of SQLite, and make it if need be: its log and index get the mode that it has."""
    with suppress(OSError):  # whoever opens it will hear of that
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    for suffix in ("", "-wal", "-shm"):
        close(path.with_name(f"{path.name}{suffix}"))
