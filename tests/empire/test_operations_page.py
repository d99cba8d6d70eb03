"""docs/operations.md agrees with the settings that the site reads."""

import re

from django.conf import settings

NAMED = re.compile(r'environment\.(?!is_set)\w+\(\s*"([A-Z_]+)"')
LIMIT = re.compile(r"^\| `([a-z_]+)` \| `(\d[^`]*)` \|", re.MULTILINE)
DESCRIBED = re.compile(r"^\| `([A-Z_]+)` \|", re.MULTILINE)


def test_the_page_describes_exactly_the_existing_settings() -> None:
    read = set(NAMED.findall((settings.BASE_DIR / "empire/settings.py").read_text()))
    described = DESCRIBED.findall((settings.BASE_DIR / "docs/operations.md").read_text())
    assert len(described) == len(set(described))
    assert set(described) == read


def test_the_page_starts_a_worker_for_each_queue() -> None:
    page = (settings.BASE_DIR / "docs/operations.md").read_text()
    section = page.partition("### Workers and queues\n")[2].partition("\n### ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(settings.QUEUES)
    units = re.search(r"empire-worker@\{([\w,]+)\}", page)
    assert units and set(units[1].split(",")) == set(settings.QUEUES)


def test_the_page_gives_the_right_limits() -> None:
    limits = LIMIT.findall((settings.BASE_DIR / "docs/operations.md").read_text())
    assert dict(limits) == settings.ACCOUNT_RATE_LIMITS | settings.RATE_LIMITS
    assert len(limits) == len(settings.ACCOUNT_RATE_LIMITS) + len(settings.RATE_LIMITS)
