"""docs/architecture.md: the modules and functions that it names exist."""

import re
from importlib import import_module
from pathlib import Path

PAGE = Path("docs/architecture.md").read_text()
ROOTS = ("", "games/notices", "games/contests", "games/notices/delivery/channels", "empire/static/js")
FILES = (".py", ".md", ".toml", ".svg", ".js")
PACKAGES = (
    "", "games.tables.services.", "games.notices.outbox.", "games.notices.delivery.", "games.contests.",
    "games.contests.leagues.", "games.contests.terms.", "games.tables.", "games.rules.",
)  # fmt: skip


def test_every_dotted_name_on_the_page_exists() -> None:
    names = re.findall(r"`((?:\w+\.)+\w+)`", PAGE)
    assert len(names) > 40
    assert [name for name in names if not name.endswith(FILES) and not exists(name)] == []


def test_every_path_on_the_page_exists() -> None:
    paths = re.findall(r"`((?:\w+/)+[\w.]+)`", PAGE)
    assert [path for path in paths if not any(Path(root, path).exists() for root in ROOTS)] == []


def exists(name: str) -> bool:
    return any(_resolves(prefix + name) for prefix in PACKAGES)


def _resolves(name: str) -> bool:
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            value = import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            if not hasattr(value, part):
                return False
            value = getattr(value, part)
        return True
    return False
