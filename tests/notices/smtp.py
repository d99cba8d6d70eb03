"""A tiny SMTP server that keeps the emails it receives, and refuses or delays them on request."""

import math
import socketserver
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Self


class Talk(socketserver.StreamRequestHandler):
    server: "MailServer"
    began = 0.0

    def handle(self) -> None:
        with suppress(ConnectionError):  # the client may have been killed
            self.server.lines += 1
            self.say("220 here")
            while line := self.rfile.readline().decode().strip():
                line = line.upper()  # Python 3.13 sends its commands in lower case, earlier ones in upper case
                word = line.split()[0]
                self.say(self.server.refusals.get(word) or self.server.refusals.get(line) or self.answer(word))
                if word == "QUIT":
                    return

    def answer(self, word: str) -> str:
        if word == "MAIL":
            self.began = time.time()
        if word != "DATA":
            return "221 bye" if word == "QUIT" else "250 well"
        self.server.wait_at_the_door()
        self.say("354 go on")
        return self.keep()

    def keep(self) -> str:
        if len(self.server.kept) >= self.server.room:
            raise ConnectionError("The mailbox is full.")
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                raise ConnectionError("The client hung up in the middle of an email.")
            lines.append(line)
        self.server.take(self.began, b"".join(lines))
        return "250 kept"

    def say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


class MailServer(socketserver.ThreadingTCPServer):
    """`kept` holds the emails, `began` their starting times in seconds since 1970; `lines` counts connections.

    `refusals` maps SMTP commands or whole lines, in capitals, to answers: `{"RCPT": "550 no such mailbox"}`. While
    `door` is not set, emails wait before a byte of their content is accepted; `waiting` counts them. After `room`
    emails the server hangs up.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, port: int = 0, host: str = "127.0.0.1") -> None:
        super().__init__((host, port), Talk)
        self.kept: list[bytes] = []
        self.began: list[float] = []
        self.refusals: dict[str, str] = {}
        self.door = threading.Event()
        self.door.set()
        self.waiting = self.lines = 0
        self.room = math.inf
        self.lock = threading.Lock()

    def take(self, began: float, email: bytes) -> None:
        with self.lock:
            self.began.append(began)
            self.kept.append(email)

    def wait_at_the_door(self) -> None:
        with self.lock:
            self.waiting += 1
        self.door.wait()
        with self.lock:
            self.waiting -= 1

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop the server and free its port."""
        self.door.set()
        self.shutdown()
        self.server_close()
