"""What docs/operations.md says of the settings is what the settings read."""

import re

from django.conf import settings

NAMED = re.compile(r'environment\.(?!is_set)\w+\(\s*"([A-Z_]+)"')
DESCRIBED = re.compile(r"^\| `([A-Z_]+)` \|", re.MULTILINE)


def test_the_page_describes_every_setting_and_no_other() -> None:
    read = set(NAMED.findall((settings.BASE_DIR / "empire/settings.py").read_text()))
    described = DESCRIBED.findall((settings.BASE_DIR / "docs/operations.md").read_text())
    assert len(described) == len(set(described))
    assert set(described) == read
