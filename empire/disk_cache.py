"""A cache in a folder, shared by the processes of a machine, for small files that can be made again.

A file appears under its name only when it is complete. Nothing depends on a file: what cannot be read is made again,
and what cannot be written, on a read-only or full disk, is not kept.
"""

import logging
import os
import random
import secrets
import time
from contextlib import suppress
from pathlib import Path

from empire import private

logger = logging.getLogger(__name__)

BLOCK = 4096  # bytes that a file takes at least
DAY, HOUR = 86_400, 3600  # seconds
OFTEN = 500  # a process looks at the size of the folder after so many writes
SHARE = 0.8  # of the largest size is left after files have been deleted
PARTIAL = ".part"


class DiskCache:
    """Files in a folder, in folders by the first two letters of their names. The ones used last stay."""

    def __init__(self, folder: Path, most: int) -> None:
        """Keep up to about `most` bytes in the folder, which is created when it is needed."""
        self.folder, self.most = folder, most
        self._folder = str(folder)  # a picture needs many files, and `Path` would take most of the time
        self.until_sweep = random.randrange(OFTEN)  # so that processes that write little also look now and then
        self.is_writable = True

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, or None."""
        try:
            with open(f"{self._folder}/{name[:2]}/{name}", "rb", buffering=0) as file:
                if time.time() - os.fstat(file.fileno()).st_mtime > DAY:
                    with suppress(OSError):  # it may be ours to read only
                        os.utime(file.fileno())
                return file.read()
        except OSError:
            return None

    def write(self, name: str, content: bytes) -> bool:
        """Write a file, and return whether that was possible."""
        path = self.folder / name[:2] / name
        partial = path.with_name(f"{name}.{secrets.token_hex(8)}{PARTIAL}")
        try:
            private.make_folder(path.parent)
            private.write(partial, content)
            partial.replace(path)
        except OSError as error:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            if self.is_writable:
                logger.warning("Nothing is kept in %s: %s", self.folder, error.strerror)
                self.is_writable = False  # said once
            return False
        self.is_writable = True
        self.until_sweep -= 1
        if self.until_sweep < 0:
            self.until_sweep = OFTEN
            self.sweep()
        return True

    def sweep(self) -> int:
        """Delete the files used longest ago if there are too many, and parts of files that were never finished.

        Return the bytes that are left.
        """
        by_age: list[tuple[float, int, str]] = []
        used = 0
        for folder, _names, files in os.walk(self.folder):
            for name in files:
                path = os.path.join(folder, name)
                with suppress(OSError):  # another process deleted it
                    stat = os.stat(path)
                    if name.endswith(PARTIAL):
                        if time.time() - stat.st_mtime > HOUR:  # of a process that was killed
                            os.unlink(path)
                        continue
                    size = -(-stat.st_size // BLOCK) * BLOCK
                    by_age.append((stat.st_mtime, size, path))
                    used += size
        if used > self.most:
            by_age.sort(reverse=True)
            while by_age and used > SHARE * self.most:
                _, size, path = by_age.pop()
                with suppress(OSError):
                    os.unlink(path)
                    used -= size
        return used
