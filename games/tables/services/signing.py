"""Signatures of finished games, which prove that a record was written by this site.

The seed is published at the end, so anyone can recompute the digests of a changed record, but only the site's key can
sign them. `RECORD_KEY` is the private key (Ed25519), `RECORD_KEYS_RETIRED` are public keys of earlier ones.
"""

import base64
import hashlib
from collections.abc import Mapping

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

from games.rules import record as records
from games.rules.record import Record, Signature

ALGORITHM = "Ed25519"


def sign(number: int, head: str) -> dict[str, str] | None:
    """Return the signature of the last digest of a game with that format number, or None for an old format."""
    if number < records.FORMAT_NOW:
        return None
    key = _private_key()
    value = key.sign(records.signed(records.form((), number), head)).hex()
    return {"key": key_id(key.public_key().public_bytes_raw()), "value": value}


def _private_key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(decoded(settings.RECORD_KEY))


def key_id(public_key: bytes) -> str:
    """Return the id of a key: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes."""
    return hashlib.sha256(public_key).hexdigest()[:16]


def public_keys() -> dict[str, bytes]:
    """Return the public keys of this site by id, the current one first."""
    keys = [_private_key().public_key().public_bytes_raw(), *map(decoded, settings.RECORD_KEYS_RETIRED)]
    return {key_id(key): key for key in keys}


def published() -> list[dict[str, str]]:
    """Return the public keys as the site publishes them."""
    return [{"id": name, "algorithm": ALGORITHM, "public_key": encoded(key)} for name, key in public_keys().items()]


def holds(record: Record, keys: Mapping[str, bytes]) -> bool | None:
    """Return whether the record's signature is valid; None if it has none or its key is not among these."""
    if record.signature is None or record.signature.key not in keys or not record.entries:
        return None
    key = Ed25519PublicKey.from_public_bytes(keys[record.signature.key])
    try:
        key.verify(bytes.fromhex(record.signature.value), records.signed(record.format, record.entries[-1].digest))
    except InvalidSignature:
        return False
    return True


def stored(signature: dict[str, str] | None) -> Signature | None:
    """Return the signature stored in a game's row."""
    return msgspec.convert(signature, Signature) if signature else None


def decoded(key: str) -> bytes:
    """Return the bytes of a key in base64url without padding."""
    return base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))


def encoded(key: bytes) -> str:
    """Return a key in base64url without padding; the inverse of `decoded`."""
    return base64.urlsafe_b64encode(key).decode().rstrip("=")
