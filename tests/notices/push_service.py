"""A browser as push services and we know it: its keys, and how it reads what it is sent."""

import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import jwt

from tests.notices.tls import Post


@dataclass
class Browser:
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"0123456789abcdef"

    def subscription(self, endpoint: str) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": endpoint, "p256dh": text(point), "auth": text(self.secret)}

    def read(self, post: Post) -> dict[str, Any]:
        """What it shows."""
        assert post.headers["Content-Encoding"] == "aes128gcm"
        return json.loads(http_ece.decrypt(post.body, private_key=self.key, auth_secret=self.secret))


def text(some: bytes) -> str:
    return urlsafe_b64encode(some).decode().rstrip("=")


def claims(post: Post, public_key: str) -> dict[str, Any]:
    """What the sender says of itself. Raises `InvalidSignature`, as a push service refuses."""
    scheme, _space, parts = post.headers["Authorization"].partition(" ")
    said = dict(part.split("=", 1) for part in parts.split(","))
    assert scheme == "vapid" and said["k"] == public_key
    return jwt.decode(said["t"], public_key)
