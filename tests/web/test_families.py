"""Every family of games has everything it needs, and only `games.families` and its own folders know it."""

import ast
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured
from django.template.loader import get_template

from games import families
from games.bots.greedy import KNOWLEDGE, PLANS
from games.help import families as helps
from games.notices.delivery import families as deliveries
from games.rules.registry import RULESETS
from games.tables import families as tables
from games.tables.pages import frame
from tests.each import for_each

ROOT = Path(__file__).parents[2]
NAMES = sorted({ruleset.family for ruleset in RULESETS.values()})
MAY_KNOW = {
    "games/families.py", "games/rules/registry.py", "games/bots/greedy.py", "games/bots/beginner.py",
    "games/bots/search.py",
}  # fmt: skip
GAME_TEMPLATES = {f"templates/help/{slug}.html" for slug in RULESETS} | {"templates/tables/home.html"}


def test_families_and_the_registry_of_rules_have_the_same_names():
    assert sorted(families.FAMILIES) == NAMES


@for_each("name", NAMES)
def test_each_package_gets_its_part_at_start_up(name):
    family = families.FAMILIES[name]
    assert tables.PARTS[name] is family.table
    assert deliveries.PARTS[name] is family.messages
    assert helps.PARTS[name] is family.help


def test_the_start_fails_if_a_family_has_no_entry(monkeypatch):
    monkeypatch.delitem(families.FAMILIES, "kingdoms")
    with pytest.raises(ImproperlyConfigured, match="no entry for: kingdoms"):
        families.register()


@for_each("name", NAMES)
def test_a_family_has_a_greedy_bot_and_the_files_of_its_pages_exist(name):
    assert name in KNOWLEDGE or name in PLANS
    pages = [page for page in frame.Frame.__subclasses__() if f".{name}." in page.__module__]
    assert len(pages) == 1
    assert get_template(pages[0].template) and get_template(pages[0].result_template)
    for sheet in (*pages[0].styles, *pages[0].scripts, *families.FAMILIES[name].help.styles):
        assert finders.find(sheet), sheet


@for_each("slug", RULESETS)
def test_a_ruleset_has_its_help_and_a_color_for_each_seat(slug):
    family = families.FAMILIES[RULESETS[slug].family]
    assert get_template(f"help/{slug}.html") and get_template(f"help/{slug}_brief.html")
    assert family.help.initials[slug]
    assert len(family.messages.paints) >= max(RULESETS[slug].seat_counts)


def test_shared_code_imports_no_family():
    imports = []
    for path in (ROOT / "games").rglob("*.py"):
        place = path.relative_to(ROOT).as_posix()
        source = path.read_text(encoding="utf-8")
        is_own = place in MAY_KNOW or set(path.with_suffix("").parts) & set(NAMES)
        if is_own or not any(name in source for name in NAMES):
            continue
        for node in ast.walk(ast.parse(source)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                modules.append(node.module or "")
            imports += [(place, module) for module in modules if set(module.split(".")) & set(NAMES)]
    assert not imports


def test_shared_templates_use_nothing_of_a_family():
    """Rules pages of a game, in its own words, and the home page, which shows a game, may."""
    names = "|".join(NAMES)
    uses = re.compile(rf"\{{% (?:include|static|load|extends) [^%]*\b(?:{names})\b|(?:css|js)/(?:{names})/")
    templates = []
    for path in (ROOT / "templates").rglob("*.html"):
        place = path.relative_to(ROOT).as_posix()
        if place not in GAME_TEMPLATES and not set(path.parts) & set(NAMES) and uses.search(path.read_text("utf-8")):
            templates.append(place)
    assert not templates
