"""Filters and sorting of the desk and the lobby, as GET parameters. Unknown values count as none."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from html import escape  # Django's takes thirty times as long
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.http import QueryDict
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.home.desk import Desk
from games.rules.registry import RULESETS
from games.tables.models.game import parsed_clock
from games.tables.selectors.listed import DeskGame, LatestEntry, OpenTable
from games.tables.selectors.options import short_name

MANY = 5  # longer lists of games can be filtered
WITHIN = {"day": timedelta(days=1), "days": timedelta(days=3)}
WithNews = list[tuple[DeskGame, LatestEntry | None]]


class Choice(forms.ChoiceField):
    """A choice whose options are not drawn with a template each, which takes 0.8 ms for the four choices of a desk."""

    class Select(forms.Select):
        def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
            drawn, options = self.get_context(name, value, attrs)["widget"], ""
            for _group, (option,), _number in drawn["optgroups"]:
                words = escape(str(option["label"]))
                options += (
                    f'  <option value="{escape(str(option["value"]))}"{flatatt(option["attrs"])}>{words}</option>\n\n'
                )
            return mark_safe(f'<select name="{escape(name)}"{flatatt(drawn["attrs"])}>\n{options}</select>')

    widget = Select


class Filter(forms.Form):
    """A form whose fields are all optional. `NARROWING` names those that leave something out."""

    NARROWING: tuple[str, ...] = ()

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, auto_id="filter-%s")
        for field in self.fields.values():
            field.required = False
        self.fields["game"].choices = [("", _("all games")), *((slug, short_name(slug)) for slug in RULESETS)]  # type: ignore[attr-defined]
        self.full_clean()
        self.errors.clear()  # a link with an unknown value shows everything

    def chosen(self, name: str) -> str:
        return str(self.cleaned_data.get(name, ""))

    @property
    def is_narrow(self) -> bool:
        return any(map(self.chosen, self.NARROWING))

    @property
    def query(self) -> str:
        """Return the valid choices as a query string."""
        return urlencode([(name, self.chosen(name)) for name in self.fields if self.chosen(name)])


class DeskFilter(Filter):
    """The games that a desk shows, and their order: by default the most urgent first."""

    NARROWING = ("turn", "game", "due")

    turn = Choice(
        label=_("Whose turn"), choices=[("", _("anyone’s")), ("mine", _("mine")), ("others", _("someone else’s"))]
    )
    game = Choice(label=_("Game"))
    due = Choice(
        label=_("Deadline"), choices=[("", _("any time")), ("day", _("within a day")), ("days", _("within 3 days"))]
    )
    sort = Choice(
        label=_("Sort by"),
        choices=[("", _("deadline")), ("news", _("latest move")), ("game", pgettext_lazy("ruleset", "game"))],
    )

    def narrowed(self, desk: Desk, now: datetime) -> Desk:
        """Return the desk without games and sent challenges that were not asked for. Requests to the player stay."""
        turn, game, within = self.chosen("turn"), self.chosen("game"), WITHIN.get(self.chosen("due"))

        def is_kept(ruleset: str, deadline: datetime | None) -> bool:
            is_soon = within is None or (deadline is not None and deadline <= now + within)
            return game in ("", ruleset) and is_soon

        def kept(games: Iterable[DeskGame], is_running: bool = True) -> list[DeskGame]:
            if not is_running and (turn or within):
                return []
            return [desk_game for desk_game in games if is_kept(desk_game.game.ruleset, desk_game.deadline)]

        return replace(
            desk,
            mine=kept(desk.mine) if turn != "others" else [],
            others=kept(desk.others) if turn != "mine" else [],
            sent_challenges=[
                challenge for challenge in desk.sent_challenges
                if turn != "mine" and is_kept(challenge.ladder.ruleset, challenge.answer_by)
            ],
            open=kept(desk.open, is_running=False),
            finished=kept(desk.finished, is_running=False),
        )  # fmt: skip

    def ordered(self, games: WithNews) -> WithNews:
        """Sort games, which come with the most urgent first, by the chosen order."""
        match self.chosen("sort"):
            case "news":
                return sorted(games, key=lambda pair: pair[1].at.timestamp() if pair[1] else 0, reverse=True)
            case "game":
                return sorted(games, key=lambda pair: list(RULESETS).index(pair[0].game.ruleset))
        return games


class LobbyFilter(Filter):
    """The tables that the lobby shows, and their order: by default the newest first."""

    NARROWING = ("game",)

    game = Choice(label=_("Game"))
    sort = Choice(
        label=_("Sort by"),
        choices=[("", _("newest first")), ("free", _("fewest free seats")), ("pace", _("shortest turns"))],
    )

    def ordered(self, tables: list[OpenTable]) -> list[OpenTable]:
        match self.chosen("sort"):
            case "free":
                return sorted(tables, key=lambda table: table.free)
            case "pace":
                return sorted(tables, key=lambda table: parsed_clock(table.game.clock).at_start)
        return tables
