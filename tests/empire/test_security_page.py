"""docs/security.md, whose named tests exist, and `/.well-known/security.txt`."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.test import Client

from tests.running import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_test_that_the_security_page_names_exists() -> None:
    paths = set(re.findall(r"`(tests/[\w/.]+)`", PAGE))
    names = {name.removesuffix("…") for name in re.findall(r"`(test_\w+…?)`", PAGE)}
    sources = "\n".join(path.read_text(encoding="utf-8") for path in Path(ROOT, "tests").rglob("test_*.py"))
    assert {path for path in paths if not Path(ROOT, path).exists()} == set()
    assert {name for name in names if f"def {name}" not in sources} == set()
    assert len(paths) > 20


def test_security_txt_names_a_contact_and_expires_within_a_year(db) -> None:
    answer = Client().get("/.well-known/security.txt")
    lines = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert lines["Contact"] == settings.SECURITY_CONTACT
    assert lines["Contact"].startswith(("mailto:", "https://"))
    assert lines["Canonical"] == f"{settings.SITE_URL}/.well-known/security.txt"
    expires = datetime.fromisoformat(lines["Expires"])
    assert timedelta(days=30) < expires - datetime.now(UTC) < timedelta(days=365)
