"""Random bytes for a web server: mutated requests, and bytes that are no request at all."""

import socket
from collections.abc import Iterator
from random import Random

LONGEST = 60  # seconds to wait for an answer
HEAD = b"Host: localhost\r\nConnection: close\r\n"
FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\nnext=%2F"
WHOLE = (
    b"GET / HTTP/1.1\r\n" + HEAD + b"\r\n", b"GET /lobby/?page=2 HTTP/1.1\r\n" + HEAD + b"Accept: */*\r\n\r\n",
    b"POST /accounts/guest/ HTTP/1.1\r\n" + HEAD + FORM, b"HEAD /rules/legends/ HTTP/1.1\r\n" + HEAD + b"\r\n",
    b"POST /verify/ HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    b"GET /live/x:y:z?now HTTP/1.1\r\n" + HEAD + b"\r\n", b"GET /metrics HTTP/1.1\r\n" + HEAD + b"\r\n",
    b"GET /desk/ HTTP/1.1\r\n" + HEAD + b"Cookie: sessionid=\xff\xfe; csrftoken=x\r\n\r\n",
)  # fmt: skip
PIECES = (
    b"\0", b"\xff", b"\r\n", b"\n", b"\r", b" ", b"%", b"%ff", b"%00", b"HTTP/0.9", b"HTTP/2.0", b"PRI * ", b"CONNECT ",
    b"http://evil.example/", b"/../", b"//", b"Host: evil\r\n", b"Content-Length: -1\r\n", b"Content-Length: 99\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Upgrade: websocket\r\nConnection: Upgrade\r\n", b"Expect: 100-continue\r\n",
    b"fffffffffffffffff\r\n", b"X" * 70_000, b"X: " + b"y" * 70_000 + b"\r\n", b"\x16\x03\x01\x02\0", b"A: b\r\n" * 500,
)  # fmt: skip


def requests(number: int, seed: int) -> Iterator[bytes]:
    chance = Random(seed)
    for _request in range(number):
        yield chance.randbytes(200) if chance.random() < 0.1 else mutated(chance, chance.choice(WHOLE))


def mutated(chance: Random, request: bytes) -> bytes:
    for _change in range(chance.randint(1, 4)):
        at, end = sorted(chance.randrange(len(request) + 1) for _end in "ab")
        if chance.random() < 0.5:
            end = at
        request = request[:at] + chance.choice(PIECES) + request[end:]
    return request


def answer(port: int, request: bytes) -> bytes:
    """Return everything the server sends until it closes the connection, which may be nothing."""
    with socket.create_connection(("127.0.0.1", port), LONGEST) as line:
        try:
            line.sendall(request)
            line.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: line.recv(65536), b""))
        except OSError:  # the server closed the connection early
            return b""
