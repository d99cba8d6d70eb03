"""Web push: short messages, encrypted for one browser (RFC 8291) and signed (RFC 8292), sent to its push service.

A newer message about a game replaces an older one that the service has not delivered yet.
"""

import hashlib
import json
import os
from base64 import b64decode
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from accounts.models import User
from games.notices.delivery.channels import outgoing
from games.notices.delivery.channels.brief import Brief, private
from games.notices.delivery.channels.outgoing import Answer, hand_over
from games.notices.delivery.messages import Message
from games.notices.models import LONGEST_FAILURE, Device, Notice, NoticeReason
from games.notices.outlets import Outlet, Refused, Targets, Unsent

DEVICES = Targets(Device.objects.filter)
GOOD_FOR = 12 * 60 * 60  # seconds a signature is valid; services allow a day at most
LONGEST_TEXT = 600  # characters; the encrypted message must stay within 4096 bytes
RECORD_SIZE = 4096  # bytes; a message is one record
LAST_RECORD = b"\2"  # the delimiter after the text of the last record (RFC 8188, section 2)


class Push(Outlet):
    """The push channel. A browser that its push service no longer knows is removed."""

    def targets(self, users: Collection[User]) -> Mapping[int, Sequence[int]]:
        return DEVICES.by_user(users) if is_possible() else {}

    def why_not(self, notice: Notice) -> str:
        return "" if is_possible() and _target(notice).exists() else NoticeReason.GONE

    def send(self, notice: Notice, message: Message) -> None:
        device = _target(notice).first()
        if device is None:
            raise Refused(NoticeReason.GONE)
        owner = f"devices of {notice.user_id}"
        outgoing.need_quick(owner)
        try:
            hand_over(device.endpoint, lambda: push(device, private(message)), owner=owner)
        except Unsent as trouble:
            _target(notice).update(failure=trouble.reason[:LONGEST_FAILURE])
            raise
        _target(notice).update(failure="", used_at=timezone.now())

    def take_off(self, notice: Notice, reason: str) -> None:
        _target(notice).delete()


def _target(notice: Notice) -> QuerySet[Device]:
    return Device.objects.filter(pk=notice.target, user=notice.user_id)


def is_possible() -> bool:
    """Return whether this site has a key to sign push messages."""
    return bool(settings.VAPID_PRIVATE_KEY)


def public_key() -> str:
    """Return the public key that browsers need to subscribe."""
    return str(b64urlencode(_point(_signer().public_key)))


def push(device: Device, brief: Brief) -> Answer:
    """Push the message and return the push service's response. Raises `NotTaken`."""
    # The game's id, so that a newer message replaces an older one, else the message's own key, as short as services ask
    topic = (brief.topic or hashlib.sha256(brief.key.encode()).hexdigest())[:32]
    # The link is a path, which the browser opens on the site it subscribed to
    path = urlsplit(brief.url).path
    notification = {"title": brief.title, "body": brief.text[:LONGEST_TEXT], "url": path, "tag": topic}
    service = urlsplit(device.endpoint)
    claims = {
        "aud": f"{service.scheme}://{service.netloc}",
        "exp": int(timezone.now().timestamp()) + GOOD_FOR,
        "sub": settings.VAPID_CONTACT,
    }
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(brief.until.total_seconds())),
        "Topic": topic,
        "Urgency": "high" if brief.is_urgent else "normal",
        **_signer().sign(claims),
    }
    key, salt = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    body = encrypted(json.dumps(notification).encode(), unpadded(device.p256dh), unpadded(device.auth), key, salt)
    return outgoing.post(device.endpoint, body, headers)


def encrypted(payload: bytes, p256dh: bytes, auth: bytes, key: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Return the body of a push message that only the browser with the keys `p256dh` and `auth` can read (RFC 8291).

    `key` and `salt` (16 bytes) are ours and new for each message. Raises `ValueError` if `p256dh` is no point of P-256.
    """
    # 1. A secret that both sides can compute (RFC 8291, section 3.4)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), p256dh))
    ours = _point(key.public_key())
    secret = _derived(auth, shared, b"WebPush: info\0" + p256dh + ours, 32)
    # 2. The key and the nonce of the only record (RFC 8188, section 2)
    content_key = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    # 3. The header, then the record
    header = salt + RECORD_SIZE.to_bytes(4) + len(ours).to_bytes(1) + ours
    return header + AESGCM(content_key).encrypt(nonce, payload + LAST_RECORD, None)


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _signer() -> Vapid02:
    return Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode())


def unpadded(text: str) -> bytes:
    """Decode base64url without padding. Raises `ValueError`."""
    return b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)


def is_key(p256dh: str, auth: str) -> bool:
    """Return whether these are valid keys of a browser: a point on the curve P-256 and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpadded(p256dh))
        return len(unpadded(auth)) == 16
    except ValueError:
        return False
