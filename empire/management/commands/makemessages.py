"""Extract the translatable texts of the site, including those in the data files of the rules, the maps and the help."""

import ast
import json
import tomllib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

from empire.web import documents

# In data files: the keys of texts for people, in TOML and in the JSON of maps; the keys whose texts need a context; and
# files without texts
TEXTS = {"label", "more", "name", "one", "sentence", "short", "text", "title"}
ON_MAPS = {"name", "names", "title"}
CONTEXTS = {"suits": "suit"}
DRAWINGS = ["*/build/*", "*/geometry/_*", "*/drawings/*", "docs/*", "*/positions.json", "*/weights.json"]
DATA = (".toml", ".json")
CALLS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "npgettext", "pgettext"}


class SourceFile(makemessages.BuildFile):
    """A source file; one with data is given to xgettext as calls of `gettext_noop` and `pgettext`.

    Calls in f-strings are repeated at the end of a file, because xgettext doesn't look there before its version 0.22.
    """

    @cached_property
    def is_templatized(self) -> bool:
        """Whether xgettext reads another file in place of this one."""
        if self.path.endswith(".py"):
            return bool(in_f_strings(Path(self.path).read_text()))
        return super().is_templatized

    def preprocess(self) -> None:
        if self.path.endswith(".py"):
            if self.is_templatized:
                source = Path(self.path).read_text()
                Path(self.work_path).write_text("\n".join([source, *in_f_strings(source)]))
            return None
        if self.path.endswith(".md"):
            texts_of = documents.texts(Path(self.path).stem)
            calls = [f"gettext_noop({json.dumps(text, ensure_ascii=False)})\n" for text in texts_of]
            Path(self.work_path).write_text("".join(calls))
            return None
        if not self.path.endswith(DATA):
            return super().preprocess()
        calls = []
        for context, text in texts(self.path):
            quoted = json.dumps(text, ensure_ascii=False)
            calls.append(f'pgettext("{context}", {quoted})\n' if context else f"gettext_noop({quoted})\n")
        Path(self.work_path).write_text("".join(calls))


class Command(makemessages.Command):
    help = __doc__ or ""
    build_file_class = SourceFile

    def find_files(self, root: str) -> Any:
        """Find the files, and the documents that are pages of the site too."""
        pages = [
            self.translatable_file_class("docs", f"{name}.md", self.default_locale_path) for name in documents.DOCUMENTS
        ]
        return sorted([*super().find_files(root), *pages])

    def handle(self, *args: Any, **options: Any) -> None:
        options["extensions"] = options["extensions"] or ["html", "txt", "py", "toml", "json"]
        options["add_location"] = options["add_location"] or "file"  # lines would change with every edit
        options["ignore_patterns"] += ["tests/*", "var/*", *DRAWINGS, "*.venv/*", "pyproject.toml"]
        super().handle(*args, **options)


def in_f_strings(source: str) -> list[str]:
    """Return the calls of gettext in the f-strings of a Python file."""
    f_strings = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.JoinedStr)]
    calls = [node for f_string in f_strings for node in ast.walk(f_string) if isinstance(node, ast.Call)]
    return [ast.unparse(call) for call in calls if isinstance(call.func, ast.Name) and call.func.id in CALLS]


def texts(path: str) -> Iterator[tuple[str, str]]:
    """Yield the texts for people in a data file, the strings under the keys for them, each after its context."""
    keys = ON_MAPS if path.endswith(".json") else TEXTS

    def strings(value: Any, key: str = "", context: str = "") -> Iterator[tuple[str, str]]:
        if isinstance(value, dict):
            for inner, item in value.items():
                yield from strings(item, inner, CONTEXTS.get(inner, context))
        elif isinstance(value, list):
            for item in value:
                yield from strings(item, key, context)
        elif isinstance(value, str) and key in keys:
            yield context, value

    source = Path(path).read_text()
    yield from strings(tomllib.loads(source) if path.endswith(".toml") else json.loads(source))
