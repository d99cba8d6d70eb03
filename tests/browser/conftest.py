"""A whole site for the browser: web, worker and beat as `make play` runs them, with state of its own."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.evening import Evening
from tests.running import Site

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    running = Site(tmp_path_factory.mktemp("site"))
    running.wait_until_it_says(running.address)
    yield running
    assert running.stop() == "", "the site ended by itself"


@pytest.fixture
def sit_down(browser: Browser, site: Site) -> Iterator[Callable[..., Evening]]:
    """A browser of somebody's own, a phone unless said otherwise. A script's error fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def come(**options: object) -> Evening:
        context = browser.new_context(base_url=site.address, **{"viewport": PHONE, **options})
        contexts.append(context)
        page: Page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        return Evening(page)

    yield come
    for context in contexts:
        context.close()
    assert [text for text in complaints if "409" not in text] == []
