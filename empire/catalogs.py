"""Catalogs of translations: reading `.po` files, and compiling them to the `.mo` files that programs load.

A site compiles its catalogs when it starts, as Python compiles modules: a clone needs neither gettext nor another step.
"""

import ast
import os
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MAGIC = 0x950412DE  # of a `.mo` file, little-endian (GNU gettext manual, "The Format of GNU MO Files")
IN_CONTEXT = "\x04"  # between context and text in a compiled key
WORDS = {"msgctxt", "msgid", "msgid_plural", "msgstr"}


class CatalogEntry(NamedTuple):
    """An entry of a catalog, with one translation, or one for each plural form if there is a `plural`.

    `where` are the places in the sources, `line` that of the entry in the file.
    """

    context: str | None
    text: str
    plural: str | None
    translations: tuple[str, ...]
    where: tuple[str, ...]
    flags: frozenset[str]
    line: int

    @property
    def key(self) -> tuple[str | None, str]:
        return self.context, self.text

    @property
    def is_fuzzy(self) -> bool:
        return "fuzzy" in self.flags

    @property
    def is_whole(self) -> bool:
        """Whether it is translated, in all plural forms."""
        return bool(self.translations) and all(self.translations) and not self.is_fuzzy


class BadCatalog(Exception):  # noqa: N818 - a refusal
    """A `.po` file that cannot be read, with the line."""


def read(path: Path) -> Iterator[CatalogEntry]:
    """Yield the entries of a `.po` file without its header and obsolete entries. Raises `BadCatalog`."""
    for entry in _entries(path):
        if entry.text:
            yield entry


def header(path: Path) -> str:
    """Return the header of a `.po` file. Raises `BadCatalog` if it has none."""
    entry = next((entry for entry in _entries(path) if not entry.text and entry.context is None), None)
    if entry is None:
        raise BadCatalog(f"{path} has no header.")
    return entry.translations[0]


def _entries(path: Path) -> Iterator[CatalogEntry]:
    parts: dict[str, str] = {}
    where: list[str] = []
    flags: set[str] = set()
    now, began = "", 0
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], start=1):
        word, _blank, rest = line.strip().partition(" ")
        if line.startswith("#~"):
            continue
        if parts and (not line.strip() or line.startswith("#") or (word in ("msgctxt", "msgid") and "msgstr" in now)):
            yield _entry(path, parts, where, flags, began)
            parts, where, flags, now = {}, [], set(), ""
        if line.startswith("#:"):
            where += rest.split()
        elif line.startswith("#,"):
            flags |= {flag.strip() for flag in rest.split(",")}
        elif line.startswith("#") or not line.strip():
            continue
        elif word.partition("[")[0] in WORDS:
            now, began = word, began if parts else number
            parts[now] = _quoted(path, number, rest)
        elif line.startswith('"') and now:
            parts[now] += _quoted(path, number, line)
        else:
            raise BadCatalog(f"{path}, line {number}: this is not part of a catalog: {line[:60]}")


def _quoted(path: Path, number: int, text: str) -> str:
    try:
        literal = ast.literal_eval(text.strip())
    except (SyntaxError, ValueError):
        literal = None
    if not isinstance(literal, str):
        raise BadCatalog(f"{path}, line {number}: a text in quotes is expected here: {text[:60]}")
    return literal


def _entry(path: Path, parts: dict[str, str], where: list[str], flags: set[str], line: int) -> CatalogEntry:
    if "msgid" not in parts or not any(name.startswith("msgstr") for name in parts):
        raise BadCatalog(f"{path}, line {line}: an entry needs msgid and msgstr.")
    plural = parts.get("msgid_plural")
    names = sorted(name for name in parts if name.startswith("msgstr"))
    translations = tuple(parts[name] for name in names)
    return CatalogEntry(
        parts.get("msgctxt"), parts["msgid"], plural, translations, tuple(where), frozenset(flags), line
    )


def compile_catalog(source: Path, target: Path) -> None:
    """Write the translated entries of a `.po` file as a `.mo` file. Raises `BadCatalog` or `OSError`."""
    texts = {b"": header(source).encode()}
    for entry in read(source):
        if entry.is_whole:
            key = entry.text if entry.context is None else f"{entry.context}{IN_CONTEXT}{entry.text}"
            if entry.plural is not None:
                # The gettext() of Python 3.11.2 does not find a singular in an entry with a plural
                texts[key.encode()] = entry.translations[0].encode()
                key += f"\0{entry.plural}"
            texts[key.encode()] = "\0".join(entry.translations).encode()
    # Two tables of lengths and offsets, sorted by key, then the keys and the translations, each ending with a null
    keys, start = sorted(texts), 7 * 4 + 16 * len(texts)
    tables, strings = [], b""
    for column in (keys, [texts[key] for key in keys]):
        for text in column:
            tables += [len(text), start + len(strings)]
            strings += text + b"\0"
    head = (MAGIC, 0, len(keys), 7 * 4, 7 * 4 + 8 * len(keys), 0, 0)
    content = struct.pack(f"<7I{len(tables)}I", *head, *tables) + strings
    # Several processes may do this at once, and others load the file at that moment
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    os.chmod(name, 0o644)
    os.replace(name, target)


def compile_all(folder: Path) -> None:
    """Compile the catalogs that have changed since they were compiled. Raises `BadCatalog` or `OSError`."""
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            compile_catalog(source, target)
