"""The site as in docs/operations.md on this machine: its processes, and the processor time of each kind."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import perf_counter, sleep
from typing import NamedTuple

from django.conf import settings
from django.db import connection

from tests.bench import HOST, free_port
from tests.bench.live import TICK

WEB = 2
WORKERS = {
    "notices": 8,
    "clocks,default": 4,
    "bots": 1,
    "thinking": 1,
    "luck,reviews": 2,
}  # threads, by queues, as in docker-compose.yml
OTHERS = "other programs"  # and the kernel
PATIENCE = 60.0
PYTHON = [sys.executable, "-m"]
CELERY = [*PYTHON, "celery", "--quiet", "-A", "empire"]

Costs = Mapping[str, float]  # seconds of processor time, by kind of process


class Site(NamedTuple):
    """Running processes by kind, and the ports of the web processes."""

    ports: list[int]
    processes: dict[str, list[int]]
    logs: Path

    def costs(self) -> dict[str, float]:
        """Return the processor time of each kind so far. This process counts as the load generator."""
        costs = {kind: sum(map(spent, pids)) for kind, pids in self.processes.items()}
        costs["PostgreSQL"] = with_children(self.processes["PostgreSQL"][0])
        return {**costs, OTHERS: all_spent() - sum(costs.values())}

    def complaints(self) -> list[str]:
        """Return log lines that indicate problems, except health reports while the site was starting."""
        lines = (line for log in sorted(self.logs.glob("*.log")) for line in log.read_text().splitlines())
        bad = (line for line in lines if any(word in line for word in (" ERROR ", "Traceback", " CRITICAL ")))
        return [line for line in bad if "The schedule has never run" not in line]


@contextmanager
def running(folder: Path) -> Iterator[Site]:
    """Run web processes, workers and beat on the database, queue and email server of the settings."""
    ports = [free_port() for _process in range(WEB)]
    commands = {f"web {n}": web(port) for n, port in enumerate(ports, start=1)}
    commands |= {f"worker {queues}": worker(queues, threads) for queues, threads in WORKERS.items()}
    commands["beat"] = [*CELERY, "beat", "-l", "info", "--pidfile", ""]
    folder.mkdir()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that terminating the benchmark ends these too
    started = {name: start(command, folder / f"{name}.log") for name, command in commands.items()}
    try:
        for port in ports:
            wait_until(lambda port=port: answers(port))  # type: ignore[misc]
        yield Site(ports, {**kinds(started), "PostgreSQL": [postmaster()], "Redis": redis()}, folder)
    finally:
        for process in started.values():
            process.terminate()
        for process in started.values():
            process.wait(timeout=PATIENCE)


def web(port: int) -> list[str]:
    return [
        *PYTHON,
        "uvicorn",
        "empire.asgi:application",
        "--lifespan",
        "off",
        "--no-server-header",
        "--port",
        str(port),
    ]


def worker(queues: str, threads: int) -> list[str]:
    name = queues.partition(",")[0]
    options = ["-c", str(threads), "-n", f"{name}@%h", "-l", "info", "--without-mingle", "--without-gossip"]
    return [*CELERY, "worker", "-Q", queues, *options]


def start(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as out:
        environment = os.environ | {"LOG_LEVEL": "INFO", "BEHIND_PROXY": "1"}  # each player has an address
        return subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment, stdout=out, stderr=subprocess.STDOUT)


def kinds(started: Mapping[str, subprocess.Popen[bytes]]) -> dict[str, list[int]]:
    together: dict[str, list[int]] = {}
    for name, process in started.items():
        kind = "web" if name.startswith("web") else name
        together.setdefault(kind, []).append(process.pid)
    return together


def answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with suppress(OSError, HTTPException):
        connection.request("GET", "/rules/", headers={"Host": HOST})
        return connection.getresponse().status == 200
    return False


def wait_until(condition: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Wait for the condition, and return whether it was met in time."""
    end = perf_counter() + patience
    while not condition():
        if perf_counter() > end:
            return False
        sleep(0.1)
    return True


# Processor time


def postmaster() -> int:
    """Return the main process of the database server."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = int(cursor.fetchone()[0])
    return int(fields(backend)[1])


def redis() -> list[int]:
    """Return the Redis process if it is a child of our parent process, as in the benchmark."""
    beside = Path(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read_text().split()
    return [int(pid) for pid in beside if Path(f"/proc/{pid}/comm").read_text().startswith("redis")]


def fields(pid: int) -> list[str]:
    """Return the fields of `/proc/PID/stat` after the command name: state, parent …"""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def all_spent() -> float:
    """Return the processor seconds of the whole machine."""
    user, nice, system, _idle, _waiting, *interrupts = map(int, Path("/proc/stat").read_text().split()[1:8])
    return (user + nice + system + sum(interrupts)) / TICK


def spent(pid: int) -> float:
    with suppress(OSError):  # it has ended in the meantime
        return sum(map(int, fields(pid)[11:13])) / TICK
    return 0.0


def with_children(pid: int) -> float:
    """Return the processor seconds of a process and its children, including ended ones."""
    alive = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(map(int, fields(pid)[11:15])) / TICK + sum(spent(int(child)) for child in alive)
