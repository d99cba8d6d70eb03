"""An accented pseudo-language, 40% longer than English, for finding text that is not translatable or does not fit.

`accented("Send")` returns "Şéñďẋẋ". Placeholders, markup and addresses stay as they are, and each letter has its own
accented letter, so that a part of a text is also a part of the accented text apart from the padding.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import allauth
import django
import polib

ROOT = Path(__file__).resolve().parents[1]
LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀçďéƒğĥíĵķļɱñóþɋřşţúṽŵẋýžÅƁÇĎÉƑĜĤÎĴĶĻṀÑÖÞɊŘŞŢÛṼŴẊÝŽ"
)  # fmt: skip
KEPT = re.compile(r"%\(\w+\)[-\d.]*[a-z]|%%|%[a-z]|\{[^{}]*\}|<[^<>]+>|&\w+;|https?://\S+")
PADDING = "ẋ"


def accents(text: str) -> str:
    """Return the text with accents and without padding."""
    kept = KEPT.findall(text)
    parts = [part.translate(LETTERS) for part in KEPT.split(text)]
    return "".join(part + (kept[place] if place < len(kept) else "") for place, part in enumerate(parts))


def accented(text: str) -> str:
    """Return the text in the pseudo-language."""
    letters = sum(map(str.isalpha, KEPT.sub("", text)))
    extra = round(letters * 0.4)
    if extra <= 4:
        padding = PADDING * extra
    else:
        padding = " " + " ".join(PADDING * min(7, extra - start) for start in range(0, extra, 7))
    body = text.rstrip()
    return accents(body) + padding + text[len(body) :]


def build_catalog(folder: Path, language: str = "xx", twin: str = "xr") -> Path:
    """Extract all texts of the site, and of the packages with pages of their own, and write their translation.

    The `twin` has the same texts; its pages run from right to left.
    Returns the folder for `LOCALE_PATHS`. The extraction runs in a copy, because it writes next to the templates.
    """
    copy = folder / "source"
    for name in ("accounts", "empire", "games", "templates"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "manage.py", copy)
    (copy / "docs").mkdir()
    for name in ("privacy", "terms", "conduct", "accessibility"):  # pages of the site too
        shutil.copy(ROOT / "docs" / f"{name}.md", copy / "docs")
    shutil.rmtree(copy / "empire" / "locale")
    (copy / "empire" / "locale").mkdir()
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "-l", language], cwd=copy, check=True, capture_output=True
    )  # fmt: skip
    own = copy / "empire" / "locale" / language / "LC_MESSAGES" / "django.po"
    places = [Path(django.__file__).parent / name for name in ("conf", "contrib/auth", "contrib/humanize")]
    places.append(Path(allauth.__file__).parent)
    packages = [place / "locale" / "de" / "LC_MESSAGES" / "django.po" for place in places]
    catalog = polib.POFile()
    catalog.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
        "Language": language,
    }
    seen = set()
    for entry in (entry for path in (own, *packages) for entry in polib.pofile(str(path))):
        key = (entry.msgid, entry.msgctxt)
        if entry.obsolete or key in seen:
            continue
        seen.add(key)
        entry.flags = []
        if entry.msgid_plural:
            entry.msgstr, entry.msgstr_plural = "", {0: accented(entry.msgid), 1: accented(entry.msgid_plural)}
        else:
            entry.msgstr = accented(entry.msgid)
        catalog.append(entry)
    for code in (language, twin):
        compiled = folder / "locale" / code / "LC_MESSAGES"
        compiled.mkdir(parents=True)
        catalog.save_as_mofile(str(compiled / "django.mo"))
    return folder / "locale"
