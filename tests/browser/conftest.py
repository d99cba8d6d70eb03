"""A whole site for the browser: web, worker and beat as `make play` runs them, with separate state."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.browser.evening import Evening
from tests.notices.tls import WebServer, make_certificate
from tests.running import Site

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
# Harmless messages: htmx on refusals and on requests that the reader did not wait for, and broken streams
USUAL = ("409", "htmx:sendAbort", "htmx:afterRequest", "/live/")


@pytest.fixture(scope="session")
def push_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    """The push service of the browsers. The site trusts its certificate."""
    authority, own = make_certificate(tmp_path_factory.mktemp("certificate"))
    with WebServer(own) as server:
        server.authority = authority
        yield server


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, push_service: WebServer, migrated: Path) -> Iterator[Site]:
    trusted = {"OUTGOING_HOSTS": f"localhost:{push_service.port}", "OUTGOING_CA": str(push_service.authority)}
    folder = shutil.copytree(migrated, tmp_path_factory.mktemp("site"), dirs_exist_ok=True)
    running = Site(folder, DJANGO_SETTINGS_MODULE="tests.browser.settings", **trusted)
    try:
        running.wait_until_it_says(running.address)
        yield running
    finally:
        output = running.stop()
    assert output == "", "the site ended unexpectedly"


def described(message: ConsoleMessage) -> str:
    return f"{message.text} {message.location.get('url', '')}"


@pytest.fixture
def sit_down(browser: Browser, site: Site) -> Iterator[Callable[..., Evening]]:
    """Return a function that opens a separate browser, by default a phone. A script error fails the test.

    `failing` are parts of messages about requests that fail on purpose.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    usual = [*USUAL]

    def come(*, failing: tuple[str, ...] = (), **options: object) -> Evening:
        usual.extend(failing)
        context = browser.new_context(base_url=site.address, **{"viewport": PHONE, **options})
        contexts.append(context)
        page: Page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and complaints.append(described(message)))
        return Evening(page)

    yield come
    for context in contexts:
        context.close()
    assert [text for text in complaints if not any(part in text for part in usual)] == []
