"""A tiny HTTPS server that keeps the posts it receives and answers as configured, with its own certificate."""

import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

NAMES = ("localhost", "hooks.test", "push.test")


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Create a certificate authority, and a key with a certificate for NAMES. Return the paths of both files."""
    authority, own = (ec.generate_private_key(ec.SECP256R1()) for _key in range(2))
    issuer = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Tests")])
    names = x509.SubjectAlternativeName([x509.DNSName(name) for name in NAMES])
    trusted = _certificate(issuer, issuer, authority, authority).add_extension(x509.BasicConstraints(True, 0), True)
    served = _certificate(x509.Name([]), issuer, own, authority).add_extension(names, True)
    identifier = x509.SubjectKeyIdentifier.from_public_key(authority.public_key())
    trusted = trusted.add_extension(identifier, False).add_extension(_USAGE, True)
    served = served.add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), False)
    (folder / "ca.pem").write_bytes(trusted.sign(authority, hashes.SHA256()).public_bytes(_PEM))
    key = own.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "own.pem").write_bytes(key + served.sign(authority, hashes.SHA256()).public_bytes(_PEM))
    return folder / "ca.pem", folder / "own.pem"


_PEM = serialization.Encoding.PEM
_USAGE = x509.KeyUsage(False, False, False, False, False, True, True, False, False)  # to sign certificates


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, by: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    day = timedelta(days=1)
    now = datetime.fromtimestamp(time.clock_gettime(time.CLOCK_REALTIME), UTC)  # TLS uses the real clock
    blank = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
    return blank.serial_number(x509.random_serial_number()).not_valid_before(now - day).not_valid_after(now + day)


@dataclass
class Post:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Reply:
    """An answer. `drips`: seconds between the bytes of one that never ends. `pours`: additional bytes in its body."""

    status: int = 200
    body: bytes = b"ok"
    headers: dict[str, str] = field(default_factory=dict)
    drips: float = 0
    pours: int = 0


class Talk(BaseHTTPRequestHandler):
    server: "WebServer"

    def do_POST(self) -> None:
        self.server.calls += 1
        if self.server.hangs_up:
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posts.append(Post(self.path, dict(self.headers), body))
        reply = self.server.replies.pop(0) if self.server.replies else Reply()
        if reply.drips:
            self.drip(reply.drips)
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body) + reply.pours))
        self.end_headers()
        self.wfile.write(reply.body)
        self.pour(reply.pours)

    def drip(self, pause: float) -> None:
        try:
            for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"." * 1000:
                self.wfile.write(bytes([byte]))
                time.sleep(pause)
        except OSError:
            self.close_connection = True

    def pour(self, count: int) -> None:
        try:
            for _portion in range(count // 65536):
                self.wfile.write(b"x" * 65536)
                self.server.poured += 65536
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


class WebServer(ThreadingHTTPServer):
    """`posts` holds the received requests and `replies` the next answers; after those it answers `200 ok`."""

    daemon_threads = True

    def __init__(self, certificate: Path) -> None:
        super().__init__(("127.0.0.1", 0), Talk)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        context.sni_callback = lambda _socket, name, _context: self.asked_for.append(name)
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.posts: list[Post] = []
        self.replies: list[Reply] = []
        self.asked_for: list[str | None] = []
        self.poured = self.calls = 0
        self.hangs_up = False

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def url(self, path: str = "/", host: str = "localhost") -> str:
        return f"https://{host}:{self.port}{path}"

    def handle_error(self, request: socket.socket, client_address: object) -> None:
        """Ignore clients that hang up because they do not trust the certificate."""

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.shutdown()
        self.server_close()
