"""An email server in its own process that accepts all emails and records when each arrived."""

import asyncio
import multiprocessing
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

MESSAGE_ID = re.compile(rb"(?im)^Message-ID: *(\S+)")
LARGEST = 10_000_000  # bytes of an email
END = b"\r\n.\r\n"
ANSWERS = {b"DATA": b"354 go on", b"QUIT": b"221 bye"}

Taken = dict[str, list[datetime]]  # by Message-ID


@contextmanager
def post(host: str, port: int, book: Path) -> Iterator[int]:
    """Run the server, which records emails in `book`. Yield its process id."""
    book.touch()
    process = multiprocessing.get_context("fork").Process(target=serve, args=(host, port, book), daemon=True)
    process.start()
    try:
        assert process.pid is not None
        yield process.pid
    finally:
        process.terminate()
        process.join()


def taken(book: Path) -> Taken:
    times_by_name: Taken = defaultdict(list)
    for line in book.read_text().splitlines():
        at, name = line.split(" ", 1)
        times_by_name[name].append(datetime.fromisoformat(at))
    return times_by_name


def serve(host: str, port: int, book: Path) -> None:
    asyncio.run(take_all(host, port, book))


async def take_all(host: str, port: int, book: Path) -> None:
    with book.open("a", buffering=1) as lines:

        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 here\r\n")
            while line := await reader.readline():
                word = line[:4].strip().upper()
                writer.write(ANSWERS.get(word, b"250 well") + b"\r\n")
                if word == b"DATA":
                    lines.write(f"{datetime.now(UTC).isoformat()} {name(await reader.readuntil(END))}\n")
                    writer.write(b"250 kept\r\n")
            writer.close()

        server = await asyncio.start_server(talk, host, port, limit=LARGEST, backlog=500)
        await server.serve_forever()


def name(email: bytes) -> str:
    match = MESSAGE_ID.search(email[:10_000])
    return match[1].decode() if match else ""
