"""A mail server of a few lines: keeps what it is sent, and refuses when told to."""

import socketserver
import threading
from types import TracebackType
from typing import Self


class Talk(socketserver.StreamRequestHandler):
    server: "MailServer"

    def handle(self) -> None:
        self.say("220 here")
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            self.say(self.server.refusals.get(word) or self.answer(word))
            if word == "QUIT":
                return

    def answer(self, word: str) -> str:
        if word != "DATA":
            return "221 bye" if word == "QUIT" else "250 well"
        self.say("354 go on")
        return self.keep()

    def keep(self) -> str:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line)
        self.server.kept.append(b"".join(lines))
        return "250 kept"

    def say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


class MailServer(socketserver.ThreadingTCPServer):
    """`kept` are the mails; `refusals` answers to SMTP words, such as `{"RCPT": "550 no such mailbox"}`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Talk)
        self.kept: list[bytes] = []
        self.refusals: dict[str, str] = {}

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.shutdown()
        self.server_close()
