"""The table pages by family: rulesets of a family share drawings and pages. A new family is one line here."""

from collections.abc import Callable

from games.tables.pages.eight_minute.page import page as eight_minute
from games.tables.pages.frame import Frame
from games.tables.pages.kingdoms.page import page as kingdoms

PAGES: dict[str, Callable[..., Frame]] = {"eight_minute": eight_minute, "kingdoms": kingdoms}
