"""The page about clocks: it and docs/clocks.md have the limits of the code, and its example is calculated."""

import re
from pathlib import Path

import pytest

from games.clocks.clock import LAST_TURNS, LONGEST
from games.clocks.nights import AWAKE, LONGEST_NIGHT, WORKING
from games.clocks.vacations import DAYS_A_YEAR
from games.help.timeline import RUNS, timeline
from tests.web.reading import main, text

pytestmark = pytest.mark.django_db

HOUR = LONGEST_NIGHT / 10
LIMITS = {
    "from 1 hour to {} days": LONGEST // 24,
    "of at most {} hours": LONGEST_NIGHT // HOUR,
    "at least {} hours between two of your nights": AWAKE // HOUR,
    "at least {} days after it ends": WORKING // (24 * HOUR),
    "{} vacation days a year": DAYS_A_YEAR,
    "of your last {} turns": LAST_TURNS,
}


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>|\*\*", "", page))


def test_the_page_and_the_document_state_the_limits_of_the_code(come):
    page, document = words(text(come().get("/rules/clocks/"))), words(Path("docs/clocks.md").read_text())
    for sentence, limit in LIMITS.items():
        assert sentence.format(limit) in page, sentence
        assert sentence.format(limit) in document, sentence


def test_the_page_and_the_document_say_that_a_turn_counts_until_the_site_acts_on_its_time_out(come):
    """See `test_a_late_turn_counts_if_it_is_quicker_than_the_site`."""
    page, document = words(text(come().get("/rules/clocks/"))), words(Path("docs/clocks.md").read_text())
    sentence = "The site acts on this within a minute; a turn that arrives before then still counts."
    assert sentence in page and sentence in document


def test_the_example_counts_exactly_the_hours_of_the_time():
    shown = timeline()
    assert [row.hours for row in shown.rows] == [5, 21, 21, 21, 37, 37, 48]
    assert [{bar.kind for bar in row.bars} >= {RUNS} for row in shown.rows] == [True] * 7
    assert shown.why.deadline.isoformat() == "2026-11-25T17:00:00+00:00"


def test_the_page_is_linked_from_where_it_is_needed(come, alice):
    for address in ("/rules/", "/lobby/open/", "/accounts/time-off/"):
        assert 'href="/rules/clocks/"' in main(come(alice).get(address)), address
    assert 'href="/accounts/time-off/"' in main(come(alice).get("/accounts/preferences/"))
