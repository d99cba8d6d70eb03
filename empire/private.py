"""Files and folders accessible only to the account that runs the site: modes 0600 and 0700."""

import os
import stat
from contextlib import suppress
from pathlib import Path

OTHERS = 0o077  # permissions of group and others


def make_folder(path: Path) -> None:
    """Create the folder if missing. Raises `OSError`."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def write(path: Path, content: bytes) -> None:
    """Write a new file. Raises `OSError` and leaves no partial file."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
    except OSError:
        path.unlink(missing_ok=True)
        raise


def close_folder(path: Path) -> None:
    """Remove access by other accounts from the folder and its contents, which earlier releases left open."""
    for folder, _names, files in os.walk(path.resolve()):
        for name in (".", *files):
            close(Path(folder, name))


def close(path: Path) -> None:
    """Remove access by other accounts from a file or folder. Skip links, and files not ours or just deleted."""
    with suppress(OSError):
        if path.lstat().st_mode & OTHERS and not path.is_symlink():
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                os.fchmod(descriptor, stat.S_IMODE(os.fstat(descriptor).st_mode) & ~OTHERS)
            finally:
                os.close(descriptor)


def close_database(path: Path) -> None:
    """Close a SQLite file, creating it if missing. Its WAL and shared-memory files inherit the mode."""
    with suppress(OSError):  # opening the database will report it
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    for suffix in ("", "-wal", "-shm"):
        close(path.with_name(f"{path.name}{suffix}"))
