"""Run the whole site on this machine: web server, worker and schedule, until Ctrl-C or until one of them dies."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from functools import partial
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

PATIENCE = 10  # seconds that a child gets to end by itself
QUIET = ("-W", "ignore::UserWarning:celery.platforms")  # that we run as root, in a container
PR_SET_PDEATHSIG = 1  # from Linux' prctl.h
libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent(parent: int) -> None:
    """Runs in the child: even when we are killed outright, Linux ends it too."""
    if libc is not None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []  # the first page is waited for; `make check` checks

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        address = f"http://localhost:{port}"
        refuse_taken_port(host, port)
        prepare_environment(address)
        call_command("migrate", verbosity=0)
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.is_stopping = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.stop)
        web, *others = commands(host, port).items()
        self.start(dict([web]))  # alone on the machine until it answers, for the sake of who waits for the page
        self.announce(address)
        self.start(dict(others))
        self.wait()

    def start(self, children: dict[str, list[str]]) -> None:
        tied = partial(die_with_parent, os.getpid())
        for name, arguments in children.items():
            if not self.is_stopping:
                # a group of its own: Ctrl-C reaches only us, and we end the children in order
                command = [sys.executable, *QUIET, "-m", *arguments]
                self.children[name] = subprocess.Popen(command, preexec_fn=tied, process_group=0)  # noqa: PLW1509 no threads

    def announce(self, address: str) -> None:
        while not self.fallen() and not self.is_stopping:
            if answers(address):
                self.stdout.write(_("Playing at %(address)s (Ctrl-C ends it)") % {"address": address})
                self.stdout.flush()
                return
            time.sleep(0.05)

    def wait(self) -> None:
        while not self.is_stopping and not self.fallen():
            time.sleep(0.2)
        fallen = {} if self.is_stopping else self.fallen()
        self.stop()
        for child in self.children.values():
            end(child)
        if fallen:
            names = ", ".join(f"{name} ({code})" for name, code in fallen.items())
            raise CommandError(_("Ended by itself: %(names)s. The rest was stopped.") % {"names": names})

    def fallen(self) -> dict[str, int]:
        return {name: code for name, child in self.children.items() if (code := child.poll()) is not None}

    def stop(self, signal_number: int = 0, frame: FrameType | None = None) -> None:
        if self.is_stopping:
            return  # a second word would make the worker drop what it has in hand
        self.is_stopping = True
        for child in self.children.values():
            if child.poll() is None:
                child.terminate()


def commands(host: str, port: int) -> dict[str, list[str]]:
    level = settings.LOG_LEVEL.lower()
    celery = ["celery", "--quiet", "-A", "empire"]
    return {
        "web": ["uvicorn", "empire.asgi:application", "--host", host, "--port", str(port), "--log-level", level,
                "--lifespan", "off", "--timeout-graceful-shutdown", "2", "--no-server-header", "--no-proxy-headers"],
        "worker": [*celery, "worker", "--pool", "threads", "--concurrency", "4", "--loglevel", level,
                   "--without-mingle", "--without-gossip"],
        "beat": [*celery, "beat", "--loglevel", level, "--pidfile", ""],
    }  # fmt: skip


def prepare_environment(address: str) -> None:
    """The children's links lead here, and the queue's files are moved on one disk."""
    os.environ.setdefault("SITE_URL", address)
    temporary = settings.VAR_DIR / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    os.environ["TMPDIR"] = str(temporary)


def refuse_taken_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = {"port": port, "reason": error.strerror}
            raise CommandError(_("Port %(port)s cannot be used (%(reason)s). Choose another one.") % reason) from error


def answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=5).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def end(child: subprocess.Popen[bytes]) -> None:
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
