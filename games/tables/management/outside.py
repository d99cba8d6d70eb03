"""Outside bots as processes: the text protocol of docs/bots.md over standard input and output, with its clock.

A process that is late, ends, or floods us is killed and started again for its next turn. Whatever it does costs only
its own time: its turn is then played at random, and standard error says why. It runs with the rights of the user who
started the arena.
"""

import os
import selectors
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, Self

import msgspec

from games.bots.bot import Bot, play_turn
from games.bots.outside import PROTOCOL, name_of, need_whole_turn, parsed, seat_document
from games.rules.protocol import Chance, IllegalAction, Ruleset, State, View

STARTS_WITHIN = 10.0  # seconds, until it says `ready`
ENDS_WITHIN = 1.0  # seconds, after `quit`
MOST_OUTPUT = 1 << 20  # bytes that it may print in one turn
LONGEST_LINE = 1 << 16
MOST_FAULTS = 3  # in a game, after which it isn’t asked again
FLOODED = f"printed more than {MOST_OUTPUT >> 20} MB in a turn, or a line of more than {LONGEST_LINE >> 10} KB."
ENDED = "ended, or closed its input or output."


class Fault(Exception):  # noqa: N818 - it is the bot's, not ours
    """The process has failed to give a turn, and why: a sentence for its author without its subject."""


class OutsideBot:
    """A bot of one game, in one or more of its seats. `spent` are the seconds that we have waited for it."""

    def __init__(self, command: str, ruleset: Ruleset, options: Mapping[str, Any], milliseconds: int) -> None:
        self.command, self.ruleset, self.options, self.limit = shlex.split(command), ruleset, options, milliseconds
        self.process: subprocess.Popen[bytes] | None = None
        self.faults: Counter[int] = Counter()  # by seat
        self.spent = 0.0
        self.lateness = ""  # what it has failed to do when its time is up

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process is not None:
            with suppress(Fault):
                self._send("quit", monotonic() + ENDS_WITHIN)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(ENDS_WITHIN)
            self._kill()

    def plan(self, ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
        """Return the turn that the process gives, or after a fault one at random."""
        state, seat = ruleset.sample(view, chance), view.seat
        if self.faults.total() < MOST_FAULTS:
            try:
                return self._turn(state, seat)
            except Fault as fault:
                self._kill()
                asked = "" if self.faults.total() + 1 < MOST_FAULTS else " It isn’t asked again in this game."
                print(f"{shlex.join(self.command)} (seat {seat}) {fault}{asked}", file=sys.stderr)
        self.faults[seat] += 1
        return play_turn(ruleset, view, AT_RANDOM, chance)

    def _turn(self, state: State, seat: int) -> list[str]:
        """Ask for the turn until it is whole and legal. Raises `Fault`, for example when the time is up."""
        if self.process is None:
            self._start()
        began = monotonic()
        until = began + self.limit / 1000
        self.lateness = f"gave no turn within {self.limit} ms."
        self._forget()
        try:
            self._tell(state, seat, [], until)
            self._send(f"go time {self.limit}", until)
            while True:
                word, _space, rest = self._line(until).partition(" ")
                try:
                    if word == "turn":
                        actions = parsed(rest)
                        need_whole_turn(self.ruleset, state, seat, actions)
                        return actions
                    if word == "try":
                        self._tell(state, seat, parsed(rest), until)
                except IllegalAction as refusal:
                    self.lateness = f"gave no legal turn within {self.limit} ms. Last refusal: {refusal}"
                    self._send(f"refused {refusal}", until)
        finally:
            self.spent += monotonic() - began

    def _tell(self, state: State, seat: int, laid: list[str], until: float) -> None:
        document = seat_document(self.ruleset, self.options, state, seat, laid)
        self._send(f"view {msgspec.json.encode(document).decode()}", until)

    def _start(self) -> None:
        try:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise Fault(f"can’t be started: {error}.") from None
        assert self.process.stdin and self.process.stdout
        for pipe in (self.process.stdin, self.process.stdout):
            os.set_blocking(pipe.fileno(), False)
        self.heard, self.output = b"", 0
        until = monotonic() + STARTS_WITHIN
        self.lateness = f"did not say `ready` within {STARTS_WITHIN:.0f} seconds."
        self._send(f"empire {PROTOCOL}", until)
        while self._line(until) != "ready":
            pass
        options = msgspec.json.encode(self.options).decode()
        self._send(f"ruleset {name_of(self.ruleset)}\noptions {options}", until)

    def _send(self, line: str, until: float) -> None:
        """Write a line, waiting for a process that is slow to read."""
        assert self.process and self.process.stdin
        unsent, pipe = f"{line}\n".encode(), self.process.stdin.fileno()
        while unsent:
            self._wait(pipe, selectors.EVENT_WRITE, until)
            try:
                unsent = unsent[os.write(pipe, unsent) :]
            except BlockingIOError:
                pass
            except OSError:
                raise Fault(ENDED) from None

    def _line(self, until: float) -> str:
        """Return the next line that it prints."""
        assert self.process and self.process.stdout
        pipe = self.process.stdout.fileno()
        while b"\n" not in self.heard:
            self._wait(pipe, selectors.EVENT_READ, until)
            with suppress(BlockingIOError):
                more = os.read(pipe, LONGEST_LINE)
                if not more:
                    raise Fault(ENDED)
                self.heard += more
                self.output += len(more)
            if self.output > MOST_OUTPUT or len(self.heard.partition(b"\n")[0]) > LONGEST_LINE:
                raise Fault(FLOODED)
        line, _newline, self.heard = self.heard.partition(b"\n")
        return line.decode(errors="replace").strip()

    def _forget(self) -> None:
        """Drop what it printed before it was asked, such as a second answer to the last turn."""
        assert self.process and self.process.stdout
        with suppress(BlockingIOError):
            for _part in range(MOST_OUTPUT // LONGEST_LINE):
                os.read(self.process.stdout.fileno(), LONGEST_LINE)
        self.heard, self.output = b"", 0

    def _wait(self, pipe: int, event: int, until: float) -> None:
        """Wait until the pipe can be read or written. Raises `Fault` when the time is up."""
        if (left := until - monotonic()) <= 0:
            raise Fault(self.lateness)
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, event)
            if not selector.select(left):
                raise Fault(self.lateness)

    def _kill(self) -> None:
        """End the process and those that it has started."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                assert pipe
                pipe.close()
            self.process = None


AT_RANDOM = Bot("", "", lambda ruleset, view, budget, chance: [view.legal[chance.below(len(view.legal))]])
