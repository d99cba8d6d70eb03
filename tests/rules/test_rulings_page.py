"""docs/rulings.md and the rules pages agree with the tests about the rulings."""

import re
from pathlib import Path

import pytest

from games.help import ruling
from games.help.eight_minute.rulings import INITIALS, RULINGS
from games.help.kingdoms import rulings as kingdoms_rulings
from games.help.ruling import FINE_PRINT, FULL_GAME
from games.rules.registry import RULESETS

ROOT = Path(__file__).parents[2]
OPTIONS_OF_KINGDOMS = {field.name for field in RULESETS["kingdoms"].option_fields()}


def proven(letter: str = "r") -> set[int]:
    """Return the rulings that test names mention."""
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {int(number) for source in sources for number in re.findall(rf"def test_{letter}(\d+)_", source)}


def page() -> str:
    return (ROOT / "docs/rulings.md").read_text(encoding="utf-8")


def listed(series: str) -> list[int]:
    """Return the numbers of the rulings of a series, such as R, in the order of the page."""
    return [int(number) for number in re.findall(rf"^- {series}(\d+) ", page(), re.MULTILINE)]


def test_the_opening_of_the_page_says_which_rulings_follow() -> None:
    opening = page().partition("\n## ")[0]
    last = {series: int(number) for series, number in re.findall(r"\b([A-Z])1 to \1(\d+)", opening)}
    assert set(last) == set(re.findall(r"^- ([A-Z])\d+ ", page(), re.MULTILINE))
    for series, number in last.items():
        assert sorted(listed(series)) == list(range(1, number + 1)), f"the opening says {series}1 to {series}{number}"


@pytest.mark.parametrize("series", ["R", "S", "H", "L", "Q"])
def test_each_ruling_on_the_page_has_a_test_with_its_number_in_its_name(series: str) -> None:
    assert set(listed(series)) == proven(series.lower())


def test_rulings_on_tournaments_from_c16_on_have_such_tests() -> None:
    assert {number for number in listed("C") if number >= 16} <= proven("c")


def test_the_page_has_the_rulings_of_kingdoms_as_players_read_them() -> None:
    """Their tests are counted in tests/rules/kingdoms/test_rulings.py."""
    rulings = {ruling.number: str(ruling.text) for topic in kingdoms_rulings.RULINGS.values() for ruling in topic}
    lines = re.findall(r"^- K(\d+) (.+?)(?=\n- K|\n\n|\Z)", page(), re.MULTILINE | re.DOTALL)
    assert {int(number): " ".join(words.split()) for number, words in lines} == rulings


def test_every_topic_of_kingdoms_is_an_option_or_a_chapter() -> None:
    assert set(kingdoms_rulings.RULINGS) <= OPTIONS_OF_KINGDOMS | set(kingdoms_rulings.CHAPTERS)
    assert not OPTIONS_OF_KINGDOMS & set(kingdoms_rulings.CHAPTERS)


def test_rules_use_the_words_of_the_glossary_for_moves_powers_and_what_is_allowed() -> None:
    """“May come back” is possible, not allowed. One ruling quotes a rulebook."""
    texts = [page(), *(path.read_text() for path in (ROOT / "games" / "help").rglob("*.toml"))]
    for text in texts:
        without_quotes = re.sub(
            r"may come back|\"from regions, islands,\nand abilities\"|\"from regions, islands, and abilities\"",
            "",
            text,
        )
        assert re.findall(r"\b(?:movements?|abilit(?:y|ies)|may)\b", without_quotes, re.IGNORECASE) == []


def test_rulings_on_undo_are_tested_and_quoted_to_players() -> None:
    lines = re.findall(r"^- T(\d+) (.+?)(?=\n- T|\n\n|\Z)", page(), re.MULTILINE | re.DOTALL)
    rulings = {int(number): " ".join(words.split()) for number, words in lines}
    assert rulings == {ruling.number: str(ruling.text) for ruling in ruling.RULINGS}
    assert set(rulings) == proven("t")


def test_every_ruling_is_on_the_rules_page_of_a_game() -> None:
    on_pages = {ruling.number for topic in RULINGS.values() for ruling in topic}
    assert on_pages == proven()


def test_every_topic_of_rulings_is_an_option_of_its_games() -> None:
    for topic, decided in RULINGS.items():
        for slug, initial in INITIALS.items():
            if topic not in (FINE_PRINT, FULL_GAME) and any(initial in ruling.games for ruling in decided):
                assert topic in {field.name for field in RULESETS[slug].option_fields()}, (topic, slug)
