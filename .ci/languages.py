"""Check the catalogs of translations: that they are complete, fit the sources, and keep what programs replace.

Extracting the texts needs Debian's gettext. Without it that part is left out and said so, unless EMPIRE_TEST_ALL is 1.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from empire import catalogs  # noqa: E402
from empire.catalogs import IN_CONTEXT, BadCatalog, CatalogEntry  # noqa: E402
from games.boards.eight_minute.geometry import drawn  # noqa: E402
from games.rules.eight_minute.edition import edition  # noqa: E402
from games.rules.kingdoms.deck import CARDS, card_name  # noqa: E402
from games.rules.registry import RULESETS  # noqa: E402
from games.rules.words import Translate  # noqa: E402

FOLDER = ROOT / "empire" / "locale"
SOURCES = ("accounts", "empire", "games", "templates")
PLACEHOLDER = re.compile(r"%\(\w+\)[-\d.]*[a-z]|%%|%[a-z]|\{[\w.!:+]*\}")
TAG = re.compile(r"</?[a-z][^>]*>")
BLANKS = {" ", "\n", "\t"}
ENGLISH = "en"


def languages() -> list[str]:
    """Return the codes of the site's languages other than English, from the settings, without loading them."""
    source = (ROOT / "empire" / "settings.py").read_text(encoding="utf-8")
    listed = re.search(r"^LANGUAGES = \[.*\]", source, re.MULTILINE)
    if listed is None:
        raise SystemExit("empire/settings.py has no line “LANGUAGES = [...]”.")
    return [code for code in re.findall(r'\("(\w+)"', listed[0]) if code != ENGLISH]


def catalog_of(code: str) -> Path:
    return FOLDER / code / "LC_MESSAGES" / "django.po"


# What is wrong with an entry


def edges(text: str) -> tuple[bool, bool]:
    """Return whether a text starts and ends with a blank or a line break. Languages may add no-break spaces."""
    return text[:1] in BLANKS, text[-1:] in BLANKS


def complaints(entry: CatalogEntry) -> Iterator[str]:
    """Yield what is wrong with an entry."""
    if "\\u" in entry.text:
        yield "has an escape, which the extraction doesn’t decode: pass the character in through a placeholder"
    if entry.is_fuzzy:
        yield "is fuzzy: check the translation and remove the flag"
    if not entry.translations or not all(entry.translations):
        yield "is not translated" if not any(entry.translations) else "lacks a plural form"
        return
    originals = [entry.text] if entry.plural is None else [entry.text, entry.plural]
    for translation in entry.translations:
        for pattern, what in ((PLACEHOLDER, "placeholders"), (TAG, "HTML tags")):
            allowed = [Counter(pattern.findall(text)) for text in originals]
            found = Counter(pattern.findall(translation))
            if found not in allowed:
                yield f"has other {what} than the text: {', '.join(sorted(found)) or 'none'}"
        if edges(translation) != edges(entry.text):
            yield "starts or ends with other blanks than the text"


def in_catalog(code: str) -> Iterator[str]:
    """Yield what is wrong with the entries of a language."""
    path = catalog_of(code)
    seen: set[tuple[str | None, str]] = set()
    for entry in catalogs.read(path):
        where = f"{path.relative_to(ROOT)}:{entry.line}: “{entry.text[:60]}”"
        if entry.key in seen:
            yield f"{where} is there twice"
        seen.add(entry.key)
        yield from (f"{where} {what}" for what in complaints(entry))


# Names that must tell cards and regions apart


def translator(entries: Iterable[CatalogEntry]) -> Translate:
    translations = {
        entry.text if entry.context is None else f"{entry.context}{IN_CONTEXT}{entry.text}": entry.translations[0]
        for entry in entries
        if entry.translations and entry.translations[0]
    }
    return lambda text: translations.get(text, text)


def names_of(ruleset: str) -> Iterator[tuple[str, Callable[[Translate], str]]]:
    """Yield the cards and the regions of a game, as their English name and what translates it."""
    if RULESETS[ruleset].family == "kingdoms":
        for one in CARDS:
            yield card_name(one), lambda translate, one=one: card_name(one, translate)
        return
    rules = edition(ruleset)
    regions = [region.name for side in rules.sides for region in drawn(side).regions]
    for name in [*(card.name for card in rules.cards.values()), *regions]:
        yield name, lambda translate, name=name: translate(name)


def in_names(code: str) -> Iterator[str]:
    """Yield names of cards or regions of a game that differ in English but not in this language."""
    translate = translator(catalogs.read(catalog_of(code)))
    for ruleset in RULESETS:
        meant: dict[str, set[str]] = defaultdict(set)
        for english, in_language in names_of(ruleset):
            meant[in_language(translate)].add(english)
        for name, several in meant.items():
            if len(several) > 1:
                yield f"{code}: in {ruleset}, “{name}” is the name of {' and of '.join(sorted(several))}"


# The texts of the sources


def extracted() -> set[tuple[str | None, str, str | None]] | None:
    """Return all texts of the sources; None if this machine has no gettext."""
    if shutil.which("xgettext") is None:
        return None
    with tempfile.TemporaryDirectory(prefix="languages-") as folder:
        copy = Path(folder)
        leave = shutil.ignore_patterns("__pycache__", "static", "locale", "*.mo")
        for name in SOURCES:
            shutil.copytree(ROOT / name, copy / name, ignore=leave)
        shutil.copy(ROOT / "manage.py", copy)
        (copy / "docs").mkdir()
        for name in ("privacy", "terms", "conduct", "accessibility"):  # pages of the site too
            shutil.copy(ROOT / "docs" / f"{name}.md", copy / "docs")
        (copy / "empire" / "locale").mkdir()
        command = [sys.executable, "manage.py", "makemessages", "--locale", "xx"]
        environment = {**os.environ, "VAR_DIR": str(copy / "var"), "DEBUG": "1"}
        subprocess.run(command, cwd=copy, check=True, capture_output=True, env=environment)
        found = catalogs.read(copy / "empire" / "locale" / "xx" / "LC_MESSAGES" / "django.po")
        return {(entry.context, entry.text, entry.plural) for entry in found}


def in_sources(code: str, texts: set[tuple[str | None, str, str | None]]) -> Iterator[str]:
    """Yield texts that only the sources have, or only the catalog."""
    there = {(entry.context, entry.text, entry.plural) for entry in catalogs.read(catalog_of(code))}
    for _context, text, _plural in sorted(texts - there, key=str):
        yield f"{code}: “{text[:60]}” is not in the catalog: run `make messages` and translate it"
    for _context, text, _plural in sorted(there - texts, key=str):
        yield f"{code}: “{text[:60]}” is in no source any more: run `make messages`"


def main() -> int:
    found: list[str] = []
    texts = extracted()
    if texts is None:
        print("Missing: xgettext, so the catalogs are not compared with the sources. apt-get install -y gettext")
        if os.environ.get("EMPIRE_TEST_ALL") == "1":
            return 1
    for code in languages():
        try:
            found += [*in_catalog(code), *in_names(code), *(in_sources(code, texts) if texts is not None else ())]
        except (BadCatalog, OSError) as trouble:
            found.append(str(trouble))
    print("\n".join(found) if found else f"The catalogs are complete: {', '.join(languages())}.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
