"""A browser as push services and the site know it: its keys, and how it decrypts messages."""

import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import jwt

from tests.notices.tls import Post


@dataclass
class Browser:
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"0123456789abcdef"

    def subscription(self, endpoint: str) -> dict[str, str]:
        return {"endpoint": endpoint, "p256dh": text(self.point), "auth": text(self.secret)}

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def read(self, post: Post) -> dict[str, Any]:
        """Return what the browser shows."""
        assert post.headers["Content-Encoding"] == "aes128gcm"
        return json.loads(self.decrypted(post.body))

    def decrypted(self, body: bytes) -> bytes:
        """Decrypt a push message as RFC 8291 tells browsers to. Raises `InvalidTag` for other browsers' messages."""
        salt, size, id_length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, record = body[21 : 21 + id_length], body[21 + id_length :]
        assert len(record) <= size, "there is more than one record"
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = derived(self.secret, shared, b"WebPush: info\0" + self.point + sender, 32)
        content_key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        text, delimiter, padding = AESGCM(content_key).decrypt(nonce, record, None).rpartition(b"\2")
        assert delimiter and not padding.strip(b"\0")
        return text


def derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def claims(post: Post, public_key: str) -> dict[str, Any]:
    """Return the sender's claims. Raises `InvalidSignature` where a push service would refuse the message."""
    scheme, _space, parts = post.headers["Authorization"].partition(" ")
    parts_by_name = dict(part.split("=", 1) for part in parts.split(","))
    assert scheme == "vapid" and parts_by_name["k"] == public_key
    return jwt.decode(parts_by_name["t"], public_key)
