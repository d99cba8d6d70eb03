"""A running `manage.py up` for tests of the whole site: web, worker and beat, with their own port and folder."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import ConnectionError as NoRedis
from redis import Redis

ROOT = Path(__file__).resolve().parents[1]
# The command can write no files; its output still reaches the log, through a pipe
FULL_DISK = 'exec > >(exec cat) 2>&1; ulimit -S -f 0; exec "$0" "$@"'
PATIENCE = 120  # seconds, for a busy machine; checked ten times a second


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# The name of each child, by a word of its command
CHILDREN = {"uvicorn": "web", "beat": "beat", "worker@%h": "worker", "thinker@%h": "thinker"}


class Site:
    """A running `manage.py up` with its own state. Its output goes into a file, because a full pipe would block it."""

    def __init__(
        self, folder: Path, *words: str, host: str = "localhost", on_a_full_disk: bool = False, **environment: str
    ) -> None:
        self.port, self.host = free_port(), host
        clean = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}}
        self.environment = clean | {"VAR_DIR": str(folder), "DEBUG": "1"} | environment
        self.folder = folder
        self.log = folder / "site.log"
        up = [sys.executable, "manage.py", "up", "--port", str(self.port), *words]
        command = ["bash", "-c", FULL_DISK, *up] if on_a_full_disk else up
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )  # fmt: skip

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def output(self) -> str:
        """The output so far."""
        return self.log.read_text()

    def wait_until_it_says(self, text: str) -> None:
        assert until(lambda: text in self.output or self.process.poll() is not None)
        assert text in self.output, f"the process ended without printing {text!r}. Its output:\n{self.output}"

    def children(self) -> dict[str, int]:
        """Return the process ids of its children: web, worker, thinker and beat."""
        pids = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        pids_by_name = {}
        for pid in pids:
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
            pids_by_name |= {name: int(pid) for word, name in CHILDREN.items() if word in words}
        return pids_by_name

    def stop(self) -> str:
        """Make sure that it has ended. Return its output if it had already ended."""
        if self.process.poll() is not None:
            return self.output
        self.end(signal.SIGTERM)
        return ""

    def end(self, with_signal: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(with_signal)
        return self.wait()

    def wait(self) -> tuple[int, str]:
        """Wait until it has ended; return its exit code and its output."""
        return self.process.wait(timeout=PATIENCE), self.output


def make_room(pid: int) -> None:
    """Let this process write files again."""
    _soft, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))


def answer(address: str) -> bytes:
    """Return the body of the page at this address, also of an error page."""
    try:
        return urllib.request.urlopen(address, timeout=PATIENCE).read()
    except urllib.error.HTTPError as error:
        return error.read()


def until(true: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Wait until the function returns something true, at most so many seconds. Return whether it did."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.1)
    return False


@contextmanager
def running_redis(program: str) -> Iterator[tuple[subprocess.Popen, Redis]]:
    """Run a Redis of its own that writes nothing to disk, and yield the process and a client."""
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def is_up() -> bool:
        try:
            return bool(client.ping())
        except NoRedis:
            return False

    try:
        with Redis(port=port) as client:
            assert until(is_up)
            yield process, client
    finally:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait()


def is_alive(pid: int) -> bool:
    """Return whether the process runs. A zombie, which has ended but was not waited for, does not."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return False
