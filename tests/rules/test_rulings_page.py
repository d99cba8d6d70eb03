"""What docs/rulings.md and the rules page say of the rulings is what the tests prove."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPAN = re.compile(r"R(\d+)(?: to R(\d+))?")


def proven() -> set[int]:
    """The rulings that tests are named after."""
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {int(number) for source in sources for number in re.findall(r"def test_r(\d+)_", source)}


def said_to_be_tested() -> set[int]:
    opening = (ROOT / "docs/rulings.md").read_text(encoding="utf-8").split("\n## ")[0]
    return {n for first, last in SPAN.findall(opening) for n in range(int(first), int(last or first) + 1)}


def test_the_page_names_just_the_rulings_that_have_tests() -> None:
    assert said_to_be_tested() == proven()


def test_the_fine_print_of_the_rules_page_is_tested_too() -> None:
    fine_print = (ROOT / "templates/rules/_legends_rulings.html").read_text(encoding="utf-8")
    shown = {int(number) for number in re.findall(r'<li id="r(\d+)">', fine_print)}
    assert shown and shown <= proven()
