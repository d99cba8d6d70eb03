"""Run the whole site on this machine: web server, worker and schedule, until Ctrl-C or until one of them dies."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from contextlib import closing, suppress
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address
from types import FrameType
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

from empire import private
from empire.web.unavailable import is_temporary

LABORIOUS = ("thinking", "luck", "reviews")  # queues whose tasks use the processor for long
PATIENCE = 10  # seconds for a child process to stop
QUIET = ("-W", "ignore::UserWarning:celery.platforms")  # Celery warns about running as root, as in a container
NEXT_LOOK = 5.0  # seconds before an unavailable database is tried again
LOCALHOST = IPv4Address("127.0.0.1")
ELSEWHERE = ("192.0.2.1", 9)  # a documentation address (RFC 5737), routed out of this machine
PR_SET_PDEATHSIG = 1  # from Linux' prctl.h
libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class BindAddress(NamedTuple):
    """The address and port that the site listens on."""

    ip: IPv4Address | IPv6Address
    port: int
    known_as: IPv4Address | IPv6Address  # `ip`, or one address of this machine if `ip` means all

    @property
    def host(self) -> str:
        """The host for ALLOWED_HOSTS and URLs."""
        if self.known_as == LOCALHOST:
            return "localhost"
        return f"[{self.known_as}]" if self.known_as.version == 6 else str(self.known_as)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def answers(self) -> bool:
        """Return whether the web process answers at its own address, which need not be localhost."""
        here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(str(self.ip), str(self.ip))
        with closing(HTTPConnection(here, self.port, timeout=5)) as web, suppress(OSError, HTTPException):
            web.request("GET", "/livez")
            return web.getresponse().status == HTTPStatus.OK
        return False


def die_with_parent(parent: int) -> None:
    """Make Linux stop this child process even if the parent is killed. Runs in the child."""
    if libc is not None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []  # the web process is waited for; `make check` checks

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host", help="the address to listen on (default: 127.0.0.1; with --lan, this machine's address)"
        )
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--lan", action="store_true", help="also serve devices on the same network, without /mail/")

    def handle(self, *, host: str | None, port: int, lan: bool, **options: Any) -> None:
        bind = bind_address(host or (own_address() if lan else "127.0.0.1"), port, lan)
        if settings.DEBUG and not bind.ip.is_loopback:
            refuse_public_address(bind, lan)
        refuse_taken_port(bind)
        prepare_folders()
        if settings.DEBUG and bind.ip.is_loopback:
            os.environ["DEBUG"] = "1"  # ALLOWED_HOSTS would turn it off
            os.environ["ALLOWED_HOSTS"] = ",".join([*settings.ALLOWED_HOSTS, bind.host])
            os.environ.setdefault("SITE_URL", bind.url)
        elif settings.DEBUG:
            prepare_for_the_network(bind)
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.is_stopping = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.stop)
        is_migrated = self.migrate()
        web, *others = commands(bind).items()
        self.start(dict([web]))  # first alone, so that the page is available sooner
        self.announce(bind)
        while not (is_migrated or self.is_stopping or self.exited()):
            time.sleep(NEXT_LOOK)
            is_migrated = self.migrate()
        self.start(dict(others))
        self.wait()

    def migrate(self) -> bool:
        """Bring the database up to date. Return False while it cannot be opened; pages say so until then."""
        try:
            call_command("migrate", verbosity=0)
        except DatabaseError as error:
            if not is_temporary(error):
                raise
            connection.close()
            sentence = _("Cannot open the database: %(reason)s. If the disk is full, free some space.")
            self.stderr.write(sentence % {"reason": error})
            return False
        return True

    def start(self, children: dict[str, list[str]]) -> None:
        tied = partial(die_with_parent, os.getpid())
        for name, arguments in children.items():
            if not self.is_stopping:
                # in its own process group, so that Ctrl-C reaches only us and we stop the children in order
                command = [sys.executable, *QUIET, "-m", *arguments]
                self.children[name] = subprocess.Popen(command, preexec_fn=tied, process_group=0)  # noqa: PLW1509 no threads

    def announce(self, bind: BindAddress) -> None:
        while not self.exited() and not self.is_stopping:
            if bind.answers():
                self.stdout.write(_("Running at %(address)s (press Ctrl-C to stop)") % {"address": bind.url})
                self.stdout.flush()
                return
            time.sleep(0.05)

    def wait(self) -> None:
        while not self.is_stopping and not self.exited():
            time.sleep(0.2)
        exited = {} if self.is_stopping else self.exited()
        self.stop()
        for child in self.children.values():
            end(child)
        if exited:
            names = ", ".join(f"{name} ({code})" for name, code in exited.items())
            raise CommandError(
                _("Stopped unexpectedly: %(names)s. Everything else was stopped too.") % {"names": names}
            )

    def exited(self) -> dict[str, int]:
        return {name: code for name, child in self.children.items() if (code := child.poll()) is not None}

    def stop(self, signal_number: int = 0, frame: FrameType | None = None) -> None:
        if self.is_stopping:
            return  # a second signal would make the worker drop its tasks
        self.is_stopping = True
        for child in self.children.values():
            if child.poll() is None:
                child.terminate()


def commands(bind: BindAddress) -> dict[str, list[str]]:
    """Return the command of each process of the site, by its name."""
    level = settings.LOG_LEVEL.lower()
    celery = ["celery", "--quiet", "-A", "empire"]
    return {
        "web": ["uvicorn", "empire.asgi:application", "--host", str(bind.ip), "--port", str(bind.port), "--log-level",
                level, "--lifespan", "off", "--timeout-graceful-shutdown", "2", "--no-server-header",
                "--no-proxy-headers"],
        # Bots that think, luck and reviews have a process of their own, so that nothing else waits for them. Reviews
        # are worked on one at a time in a process (`services.reviews.work_through`), so threads are left for the rest.
        "worker": [*celery, "worker", "-Q", ",".join(name for name in settings.QUEUES if name not in LABORIOUS),
                   "-n", "worker@%h", "--pool", "threads", "--concurrency", "4", "--loglevel", level,
                   "--without-mingle", "--without-gossip"],
        "thinker": [*celery, "worker", "-Q", ",".join(LABORIOUS), "-n", "thinker@%h", "--pool", "threads",
                    "--concurrency", "3", "--loglevel", level, "--without-mingle", "--without-gossip"],
        "beat": [*celery, "beat", "--loglevel", level, "--pidfile", ""],
    }  # fmt: skip


def own_address() -> str:
    """Return the address by which others on the network reach this machine. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError as error:
            raise CommandError(
                _("This machine is not on a network. Connect it, or give its address with --host.")
            ) from error
        return str(probe.getsockname()[0])


def bind_address(host: str, port: int, lan: bool) -> BindAddress:
    """Resolve the host. Raises `CommandError` if it is not an address of this machine."""
    try:
        resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        ip = ip_address(resolved[0][4][0])
    except (OSError, ValueError, OverflowError) as error:
        raise CommandError(
            _("%(host)s is not an address of this machine. Choose another one.") % {"host": host}
        ) from error
    if not ip.is_unspecified:
        return BindAddress(ip, port, ip)
    return BindAddress(ip, port, ip_address(own_address()) if lan else LOCALHOST)


def refuse_public_address(bind: BindAddress, lan: bool) -> None:
    """Raise `CommandError` unless --lan is used on a private network. DEBUG exposes emails and internals."""
    if not lan:
        sentence = _(
            "With DEBUG on, the site must only be reachable from this machine, but %(address)s is open to others. To "
            "run a server, set SECRET_KEY and ALLOWED_HOSTS and leave DEBUG unset. To play from a phone on the same "
            "network, add --lan."
        )
        raise CommandError(sentence % {"address": bind.ip})
    if bind.known_as.is_global:
        sentence = _(
            "%(address)s is a public address, but --lan is for private networks. To run a server, set SECRET_KEY and "
            "ALLOWED_HOSTS and leave DEBUG unset."
        )
        raise CommandError(sentence % {"address": bind.known_as})


def refuse_taken_port(bind: BindAddress) -> None:
    with socket.socket(socket.AF_INET6 if bind.ip.version == 6 else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((str(bind.ip), bind.port))
        except OSError as error:
            reason = {"port": bind.port, "reason": error.strerror}
            raise CommandError(_("Cannot use port %(port)s (%(reason)s). Choose another one.") % reason) from error


def prepare_folders() -> None:
    """Make files of the children private to this account, and keep those of the queue on one disk."""
    os.umask(private.OTHERS)
    temporary = settings.VAR_DIR / "tmp"
    private.make_folder(temporary)
    os.environ["TMPDIR"] = str(temporary)


def prepare_for_the_network(bind: BindAddress) -> None:
    """Set up the children's environment for a server without DEBUG: no emails, error details or open metrics.

    Keys and data are those of this machine. There is no certificate, so the site uses HTTP.
    """
    os.environ |= {
        "DEBUG": "0", "HTTPS": "0", "ALLOWED_HOSTS": ",".join([*settings.ALLOWED_HOSTS, bind.host]),
        "SECRET_KEY": settings.SECRET_KEY, "VAPID_PRIVATE_KEY": settings.VAPID_PRIVATE_KEY,
        "LOG_LEVEL": settings.LOG_LEVEL, "STATIC_ROOT": str(settings.VAR_DIR / "static"),
    }  # fmt: skip
    os.environ.setdefault("SITE_URL", bind.url)
    collect = [sys.executable, *QUIET, "-m", "django", "collectstatic", "--no-input", "--verbosity", "0"]
    if subprocess.run(collect, check=False).returncode:
        sentence = _("Cannot write style sheets and scripts to %(folder)s. Free some space there and start again.")
        raise CommandError(sentence % {"folder": settings.VAR_DIR})
    private.close_folder(settings.VAR_DIR / "static")


def end(child: subprocess.Popen[bytes]) -> None:
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
