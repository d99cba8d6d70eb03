"""Clocks take the time as an argument, and the page about clocks has their numbers."""

import ast
from datetime import timedelta
from pathlib import Path

from games.clocks.clock import HOURS_A_DAY, LAST_TURNS, LONGEST
from games.clocks.nights import AWAKE, LONGEST_NIGHT, WORKING
from games.clocks.vacations import DAYS_A_YEAR
from tests.each import for_each

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "games/clocks").glob("*.py"))
ASKING = {"now", "utcnow", "today", "time_ns", "monotonic"}
HOUR = timedelta(hours=1)


@for_each("source", SOURCES)
def test_no_clock_reads_the_current_time(source: Path) -> None:
    calls = [node.func for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.Call)]
    assert ASKING.isdisjoint(call.attr for call in calls if isinstance(call, ast.Attribute))


@for_each(
    "words",
    [
        f"from 1 hour to {LONGEST // HOURS_A_DAY} days",
        f"at most {LONGEST_NIGHT // HOUR} hours",
        f"at least {AWAKE // HOUR} hours",
        f"{WORKING.days} days",
        f"{DAYS_A_YEAR} vacation days",
        f"last {LAST_TURNS} turns",
    ],
)
def test_the_page_for_players_has_the_numbers_of_the_code(words: str) -> None:
    assert words in (ROOT / "docs/clocks.md").read_text(encoding="utf-8")
