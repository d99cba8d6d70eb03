"""Find words that docs/glossary.md retires, and sentences that it asks to be written differently.

It reads docstrings, comments, texts for people and documentation. A name in code is checked if it defines something.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
READ = ("*.py", "*.html", "*.txt", "*.toml", "*.md", "*.js", "*.css", ".ci/*")
TEXT_CALLS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
TRANSLATED = re.compile(
    r'\{%\s*translate\s+"(?P<short>[^"]+)"|\{%\s*blocktranslate\b[^%]*%\}(?P<long>.*?)\{%\s*endblocktranslate', re.S
)
REMARK = re.compile(r"\{#(?P<short>.*?)#\}|\{%\s*comment\b[^%]*%\}(?P<long>.*?)\{%\s*endcomment", re.S)
SCRIPT = re.compile(r"(?:^|(?<=\s))//(?P<short>[^\n]*)|/\*(?P<long>.*?)\*/", re.S | re.M)
PATTERNS = {  # what people read in a file, by its suffix
    ".html": ((TRANSLATED, "page"), (REMARK, "comment")),
    ".txt": ((TRANSLATED, "page"), (REMARK, "comment")),
    ".js": ((SCRIPT, "comment"),),
    ".css": ((SCRIPT, "comment"),),
}

# In everything that people read: the word, and what to write instead
WORDS = {
    r"anew": "again, new",
    r"whoever|whomever": "anyone who, the player who",
    r"some(body)|any(body)|every(body)": "someone, anyone, everyone",
    r"thereof|therein|whereof|wherein|whereby|thence|hitherto|lest|whilst|amongst": "a plain word",
    r"likewise": "the same, also",
    r"beside": "next to, besides",
    r"of theirs|of yours|of its own accord": "their, your, automatically",
    r"organis\w+|recognis\w+|licence|favourite": "US spelling: organize, license, favorite, center",
}
# In everything but data
SPELLING = {
    r"cancell(ed|ing)": "US spelling: canceled, canceling",
    r"\w*(analys(e|ing)|colour|behaviour|neighbour|favour|honour|labell)\w*|cent(re[ds]?|ring)|grey\w*|catalogues?": (
        "US spelling: analyze, color, behavior, neighbor, favor, labeled, center, gray, catalog"
    ),
}
# In texts on pages and in emails only
ON_PAGES = {
    r"mails?|letters? to": "email",
    r"talk": "chat",
    r"deeds?": "decision",
    r"contest of yours": "your game",
}
# Names that are defined in code
NAMES = {
    r"Meeting|Sitting|Sitter|Climber": "Match, Appearance, Entrant",
    r"Deed|Act|Stepping|StepIn\w*": "Intervention",
    r"Happening": "Notice",
    r"\w*(Manager|Helper|Utils?)": "the name of what it does",
    r"test_\w*(colour|behaviour|neighbour|centre|grey_)\w*": "US spelling",
}
TERMS = re.compile(r"docs/languages/\w\w(-corrections)?\.md")  # terms and texts of other languages
HEADLESS = re.compile(r"(Who|Whom|Whose|By which|Of|As)\b(?! ?(rules whom|a |an |the game))")


class Passage(NamedTuple):
    line: int
    kind: str  # "docstring", "comment", "page", "data", "name" or "document"
    text: str


def passages(path: Path) -> Iterator[Passage]:
    """Yield what people read in a file."""
    source = path.read_text()
    if path.suffix == ".py":
        yield from of_python(source)
    elif path.suffix in PATTERNS:
        for pattern, kind in PATTERNS[path.suffix]:
            for found in pattern.finditer(source):
                yield Passage(source.count("\n", 0, found.start()) + 1, kind, found["short"] or found["long"] or "")
    elif path.suffix == ".toml" and path.is_relative_to(ROOT / "games") and path.name != "personal.toml":  # field names
        yield Passage(1, "data", source)
        for number, line in enumerate(source.splitlines(), start=1):
            if line.startswith("#"):
                yield Passage(number, "comment", line)
    elif path.suffix == ".md":
        yield Passage(1, "document", re.sub(r"`[^`\n]*`|https?://\S+", "", source))


def of_python(source: str) -> Iterator[Passage]:
    """Yield the docstrings, comments, translatable texts and new names of a module."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Passage(token.start[0], "comment", token.string)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (text := ast.get_docstring(node)):
            yield Passage(node.body[0].lineno, "docstring", text)
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield Passage(node.lineno, "name", node.name)
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            texts = [part for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            if called in TEXT_CALLS:
                yield from (Passage(part.lineno, "page", str(part.value)) for part in texts)


def complaints(passage: Passage) -> Iterator[tuple[int, str]]:
    """Yield the lines and sentences that say what is wrong with a passage."""
    if passage.kind == "name":
        for word, instead in NAMES.items():
            if re.fullmatch(word, passage.text):
                yield passage.line, f"the name {passage.text} is retired: {instead}"
        return
    tables = {"page": (WORDS, ON_PAGES, SPELLING), "data": (WORDS, ON_PAGES)}.get(passage.kind, (WORDS, SPELLING))
    text = re.sub(r"`[^`\n]*`", lambda name: " " * len(name[0]), passage.text)  # names of code and of data
    for word, instead in (pair for table in tables for pair in table.items()):
        for found in re.finditer(rf"\b({word})\b", text, re.I):
            line = passage.line + passage.text.count("\n", 0, found.start())
            yield line, f"“{found[0]}”: write {instead}"
    if passage.kind == "docstring" and HEADLESS.match(passage.text):
        yield passage.line, f"“{passage.text.split()[0]} …”: start with an imperative verb or a noun"


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z", *READ], cwd=ROOT, capture_output=True, text=True, check=True)
    found = [
        f"{name}:{line}: {sentence}"
        for name in listed.stdout.split("\0")
        if name and "/migrations/" not in name and name != ".ci/words.py" and not TERMS.fullmatch(name)
        for passage in passages(ROOT / name)
        for line, sentence in complaints(passage)
    ]
    print("\n".join(found) if found else "No retired word found.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
