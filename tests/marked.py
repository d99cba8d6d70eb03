"""Three pseudo-languages that put a mark before every text, to see which language each part of a page is in."""

from pathlib import Path

from empire import catalogs
from tests.running import ROOT

MARKS = {"xa": "①", "xb": "②", "xc": "③"}
HEADER = (
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
)


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def build_marked(folder: Path) -> Path:
    """Compile the three languages from the texts of a real catalog. Returns the folder for `LOCALE_PATHS`."""
    texts = list(catalogs.read(ROOT / "empire" / "locale" / "de" / "LC_MESSAGES" / "django.po"))
    for code, mark in MARKS.items():
        lines = [HEADER]
        for entry in texts:
            lines += [f"msgctxt {quoted(entry.context)}\n"] if entry.context else []
            lines.append(f"msgid {quoted(entry.text)}\n")
            if entry.plural is None:
                lines.append(f"msgstr {quoted(mark + entry.text)}\n\n")
            else:
                lines.append(f"msgid_plural {quoted(entry.plural)}\n")
                lines += [f"msgstr[0] {quoted(mark + entry.text)}\n", f"msgstr[1] {quoted(mark + entry.plural)}\n\n"]
        place = folder / code / "LC_MESSAGES"
        place.mkdir(parents=True)
        (place / "django.po").write_text("".join(lines), encoding="utf-8")
    catalogs.compile_all(folder)
    return folder
