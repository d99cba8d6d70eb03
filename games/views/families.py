"""The table pages, by family: rulesets of a family share drawings and pages. A new family is one line here."""

from collections.abc import Callable

from games.views.eight_minute.page import page as eight_minute
from games.views.frame import Frame
from games.views.kingdoms.page import page as kingdoms

PAGES: dict[str, Callable[..., Frame]] = {"eight_minute": eight_minute, "kingdoms": kingdoms}
