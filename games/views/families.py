"""The table pages, by family: rulesets of a family share drawings and pages. A new family is one line here."""

from collections.abc import Callable

from games.views.empire.page import page as empire
from games.views.frame import Frame
from games.views.kingdoms.page import page as kingdoms

PAGES: dict[str, Callable[..., Frame]] = {"empire": empire, "kingdoms": kingdoms}
