"""`/.well-known/security.txt` tells where to report a hole."""

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.test import Client


def test_security_txt_names_a_contact_and_expires_within_a_year(db) -> None:
    answer = Client().get("/.well-known/security.txt")
    lines = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert lines["Contact"] == settings.SECURITY_CONTACT
    assert lines["Contact"].startswith(("mailto:", "https://"))
    assert lines["Canonical"] == f"{settings.SITE_URL}/.well-known/security.txt"
    expires = datetime.fromisoformat(lines["Expires"])
    assert timedelta(days=30) < expires - datetime.now(UTC) < timedelta(days=365)
