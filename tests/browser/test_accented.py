"""Pages in an accented pseudo-language, 40% longer than English: every text is translatable and fits a phone."""

import re
import shutil
import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from secrets import randbelow

import pytest
from playwright.sync_api import Browser, expect

from tests.accented import accents, build_catalog
from tests.browser.conftest import PHONE
from tests.browser.evening import Evening
from tests.browser.test_kingdoms import do_the_usual
from tests.browser.test_kingdoms import wait_for_a_decision as wait_in_kingdoms
from tests.conftest import need
from tests.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

PAGES = (
    "/", "/lobby/", "/lobby/open/", "/lobby/open/?for=bot", "/desk/", "/notices/", "/history/", "/duplicates/",
    "/duplicates/open/", "/ratings/", "/ratings/legends/", "/ratings/legends/statistics/", "/ladder/",
    "/ladder/legends/", "/leagues/", "/leagues/create/", "/tournaments/", "/tournaments/open/", "/rules/",
    "/rules/legends/", "/rules/legends/cards/", "/rules/prototype/", "/rules/classic/", "/rules/kingdoms/",
    "/rules/kingdoms/cards/", "/rules/clocks/", "/rules/leagues/", "/about/", "/fair-play/", "/verify/",
    "/accounts/notices/",
    "/accounts/time-off/", "/accounts/preferences/", "/accounts/email/", "/accounts/sessions/", "/accounts/2fa/",
)  # fmt: skip
NAMES = {
    "Eight", "Minute", "Minutes", "Empire", "Legends", "Kingdoms", "prototype", "Eve", "eve", "example", "org",
    "Medium", "Random", "Ada", "Ben", "Cleo", "Dan", "UTC", "Chrome", "Linux", "kingdoms", "legends",
}  # fmt: skip
# All texts that a reader sees or hears, without what only programs read
TEXTS = r"""
() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest('script, noscript, style, code, kbd, pre, textarea'))
      texts.push(walker.currentNode.data);
  const spoken = ['aria-label', 'title', 'placeholder', 'alt'];
  for (const name of spoken)
    for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name));
  return [document.title, ...texts].map(text => text.replace(/\s+/g, ' ').trim()).filter(Boolean);
}
"""


@pytest.fixture(scope="module")
def accented_site(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Site]:
    need("xgettext")
    locale = build_catalog(tmp_path_factory.mktemp("accented"))
    running = Site(
        shutil.copytree(migrated, tmp_path_factory.mktemp("site"), dirs_exist_ok=True),
        DJANGO_SETTINGS_MODULE="tests.browser.accented_settings",
        ACCENTED_LOCALE=str(locale),
    )
    try:
        running.wait_until_it_says(running.address)
        yield running
    finally:
        output = running.stop()
    assert output == "", "the site ended unexpectedly"


@pytest.fixture
def eve(browser: Browser, accented_site: Site) -> Iterator[Evening]:
    context = browser.new_context(base_url=accented_site.address, viewport=PHONE)
    yield Evening(context.new_page())
    context.close()


@pytest.fixture
def rtl(browser: Browser, accented_site: Site) -> Iterator[Evening]:
    """A reader of the twin, from right to left."""
    context = browser.new_context(base_url=accented_site.address, viewport=PHONE)
    context.add_cookies([{"name": "language", "value": "xr", "url": accented_site.address}])
    yield Evening(context.new_page())
    context.close()


@pytest.fixture(scope="module")
def names() -> set[str]:
    """Return the words of proper names: games, people and time zones."""
    texts = zoneinfo.available_timezones()
    return NAMES.union(*(re.findall("[A-Za-z]{3,}", text) for text in texts))


def complaints(eve: Evening, names: set[str]) -> list[str]:
    """Return what is wrong with the open page: untranslated texts, and contents wider than the screen."""
    page = eve.page
    problems = [
        f"{page.url} is not translatable: {text[:200]}"
        for text in page.evaluate(TEXTS)
        if set(re.findall("[A-Za-z]{3,}", text)) - names
    ]
    wide = page.evaluate("document.documentElement.scrollWidth")
    return problems + [f"{page.url} is {wide} pixels wide"] * (wide > PHONE["width"])


@pytest.mark.long
def test_pages_in_the_accented_language_are_translated_and_fit_a_phone(eve, names):
    page = eve.page
    eve.go("/accounts/signup/")
    problems = complaints(eve, names)
    page.locator("[name=username]").fill(f"Eve{randbelow(100_000)}")  # a different name in each attempt
    page.locator("[name=email]").fill(f"eve{randbelow(100_000)}@example.org")
    page.locator("[name=password1]").fill("a horse of four colours")
    page.locator("[name=accepts]").check()
    page.locator("main button[type=submit]").first.click()
    expect(page.get_by_role("banner")).to_contain_text("Eve")
    for address in PAGES:
        eve.go(address)
        problems += complaints(eve, names)
    assert not problems, "\n".join(sorted(set(problems)))


@pytest.mark.long
def test_a_turn_in_the_accented_language_is_translated_and_fits_a_phone(eve, names):
    page = eve.page
    eve.go("/")
    eve.button(accents("Play now")).click()
    expect(page.locator("#table")).to_be_visible()
    problems = []
    for _decision in range(4):
        decision = eve.wait_for_a_decision()
        problems += complaints(eve, names)
        if decision == "bid":
            page.locator("label:has(#bid-1)").click()
            page.locator("#hand button[type=submit]").last.click()
            expect(page.locator("#bid-1")).to_have_count(0)
        elif decision == "first":
            page.locator("#hand button").first.click()
            expect(page.locator(".table-first")).to_have_count(0)
        else:
            eve.take_a_card()
            problems += complaints(eve, names)
            eve.step_on_the_map()
            problems += complaints(eve, names)
            eve.confirm()
    assert not problems, "\n".join(sorted(set(problems)))


@pytest.mark.long
def test_kingdoms_in_the_accented_language_is_translated_and_fits_a_phone(eve, names):
    page = eve.page
    page.goto("/")
    page.locator("[name=ruleset]").select_option("kingdoms")
    eve.button(accents("Play now")).click()
    expect(page.locator("#table")).to_be_visible()
    problems = []
    for _action in range(12):
        if wait_in_kingdoms(eve) == "over":
            break
        problems += complaints(eve, names)
        do_the_usual(eve)
    assert not problems, "\n".join(sorted(set(problems)))


WIDE = {"width": 1280, "height": 900}
# What sticks out at the start of the page, where right-to-left layout with physical properties shows
STICKS_OUT = """
() => [...document.querySelectorAll('body *')].filter(element => {
  if (element.closest('.visually-hidden, svg, [hidden], dialog:not([open]), [popover]')) return false;
  if (element.closest('details:not([open]) > :not(summary)')) return false;
  const box = element.getBoundingClientRect();
  if (!box.width || !box.height || getComputedStyle(element).position === 'fixed') return false;
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (getComputedStyle(parent).overflowX !== 'visible') return false;
  return box.left < -1 || box.right > innerWidth + 1;
}).map(element => `${element.tagName} ${element.className}`.slice(0, 80)).slice(0, 5)
"""


def menus_that_stick_out(reader: Evening, width: int) -> list[str]:
    """Return the menus of the header that stick out when they are open."""
    wide_menus = []
    for number in range(reader.page.locator(".site-nav .menu").count()):
        menu = reader.page.locator(".site-nav .menu").nth(number)
        menu.locator("summary").click()
        box = menu.locator(".menu-list").bounding_box()
        if box["x"] < 0 or box["x"] + box["width"] > width:
            wide_menus.append(f"menu {number} at {width}: {box}")
        menu.locator("summary").click()
    return wide_menus


@pytest.mark.long
@pytest.mark.parametrize("language", ["xx", "xr"])
def test_menus_of_long_words_fit_a_phone(rtl, accented_site, language):
    rtl.page.context.add_cookies([{"name": "language", "value": language, "url": accented_site.address}])
    rtl.go("/")
    assert not menus_that_stick_out(rtl, PHONE["width"])


@pytest.mark.long
def test_pages_from_right_to_left_fit_a_phone_and_a_desk(rtl):
    page = rtl.page
    rtl.go("/")
    assert page.evaluate("document.documentElement.dir") == "rtl"
    rtl.button(accents("Play now")).click()
    expect(page.locator("#table")).to_be_visible()
    table, problems = page.url, []
    for address in (table, *PAGES):
        rtl.go(address)
        for size in (PHONE, WIDE):
            page.set_viewport_size(size)
            if address == table:
                problems += menus_that_stick_out(rtl, size["width"])
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > size["width"] or page.evaluate(STICKS_OUT):
                problems.append(f"{page.url} at {size['width']}: {wide} wide, {page.evaluate(STICKS_OUT)}")
    assert not problems, "\n".join(problems)
