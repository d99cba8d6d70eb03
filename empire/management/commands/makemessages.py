"""Extract the translatable texts of the site, including those in the data files of the rules and the help."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

from empire.web import privacy

# In TOML files: the keys of texts for people, and the folders of drawings, which have none
TEXTS = {"label", "more", "name", "one", "sentence", "short", "text", "title"}
DRAWINGS = ["*/build/*", "*/geometry/*", "*/drawings/*"]


class SourceFile(makemessages.BuildFile):
    """A source file; one in TOML is given to xgettext as calls of `gettext_noop`."""

    def preprocess(self) -> None:
        if self.path.endswith(".md"):
            calls = [f"gettext_noop({json.dumps(text, ensure_ascii=False)})\n" for text in privacy.texts()]
            Path(self.work_path).write_text("".join(calls))
            return None
        if not self.path.endswith(".toml"):
            return super().preprocess()
        calls = [f"gettext_noop({json.dumps(text, ensure_ascii=False)})\n" for text in texts(self.path)]
        Path(self.work_path).write_text("".join(calls))


class Command(makemessages.Command):
    help = __doc__ or ""
    build_file_class = SourceFile

    def find_files(self, root: str) -> Any:
        """Find the files, and docs/privacy.md, which is a page of the site too."""
        page = self.translatable_file_class("docs", "privacy.md", self.default_locale_path)
        return sorted([*super().find_files(root), page])

    def handle(self, *args: Any, **options: Any) -> None:
        options["extensions"] = options["extensions"] or ["html", "txt", "py", "toml"]
        options["ignore_patterns"] += ["tests/*", "var/*", *DRAWINGS, "*.venv/*", "pyproject.toml"]
        super().handle(*args, **options)


def texts(path: str) -> Iterator[str]:
    """Yield the texts for people in a TOML file: the strings under the keys in `TEXTS`."""

    def strings(value: Any, key: str = "") -> Iterator[str]:
        if isinstance(value, dict):
            for inner, one in value.items():
                yield from strings(one, inner)
        elif isinstance(value, list):
            for one in value:
                yield from strings(one, key)
        elif isinstance(value, str) and key in TEXTS:
            yield value

    yield from strings(tomllib.loads(Path(path).read_text()))
