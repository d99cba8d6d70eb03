"""The site as an installed app: its manifest, icons and service worker."""

import json
import re

import pytest

from empire.management.commands.icons import ICONS, IMAGES, drawn


def test_the_service_worker_covers_all_pages_and_is_never_cached(client) -> None:
    answer = client.get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript") and answer["Service-Worker-Allowed"] == "/"
    assert answer["Cache-Control"] == "no-cache"
    assert client.get("/sw.js", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert "worker-src 'self'" in answer["Content-Security-Policy"]
    assert re.findall(r'const (?:ICON|BADGE|RENEW) = "(.+?)"', answer.content.decode()) == [
        "/static/img/app-192.png", "/static/img/badge-96.png", "/accounts/notices/devices/renew",
    ]  # fmt: skip


def test_a_phone_can_put_the_site_on_its_home_screen(client, db) -> None:
    home = client.get("/").content.decode()
    assert 'rel="manifest" href="/manifest.webmanifest"' in home and 'rel="apple-touch-icon"' in home
    answer = client.get("/manifest.webmanifest")
    manifest = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert (manifest["display"], manifest["scope"], manifest["id"]) == ("standalone", "/", "/")
    assert {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]} >= {
        ("192x192", "any"),
        ("512x512", "maskable"),
    }
    assert all((IMAGES / icon["src"].rpartition("/")[2]).is_file() for icon in manifest["icons"])


@pytest.mark.parametrize("name", ICONS)
def test_icons_are_up_to_date(name: str) -> None:
    assert (IMAGES / f"{name}.png").read_bytes() == drawn(name), "draw them again: python manage.py icons"
