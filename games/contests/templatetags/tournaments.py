"""Pairings, standings and brackets of tournaments. These are tags, because a page shows hundreds of them."""

from collections.abc import Sequence
from urllib.parse import quote

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from empire.web.languages import display_name
from games.contests.pairing.crosstable import TIE_BREAKS
from games.contests.pairing.formats import KINDS
from games.contests.templatetags.leagues import halves
from games.contests.tournaments.rounds import RELATIVE
from games.contests.tournaments.selectors import (
    BracketRound,
    BracketTable,
    OwnPart,
    Player,
    ShownMatch,
    ShownSeat,
    ShownStandings,
)
from games.notices.outbox.words import enumerated
from games.tables.templatetags.seats import seat_mark

register = template.Library()
register.filter(halves)


@register.simple_tag
def said(text: str) -> str:
    """Translate a text of the pure packages."""
    return gettext(text)


@register.simple_tag
def format_word(slug: str) -> str:
    return gettext(KINDS[slug].word)


@register.simple_tag
def entrant(one: Player) -> SafeString:
    """Render a name, with a link if there is a player page, and whether the player dropped out."""
    return mark_safe(_entrant(one, _cards()))


@register.simple_tag
def against(mine: OwnPart) -> str:
    """Name the reader's opponents in this round."""
    assert mine.contest is not None
    others = [player.name for player, _sat in mine.contest.seats if player.pk != mine.entrant.pk]
    return gettext("Round {round}, with {names}.").format(round=mine.contest.round, names=enumerated(others))


# The following functions join plain strings, of which only names come from people; these are escaped in `_entrant` and
# `_seeded`. With templates, a field of 256 would take three times as long.


def _cards() -> str:
    """Return the URL of a player's page, with a placeholder for the name."""
    return reverse("player", args=["NAME"])


def _entrant(one: Player, cards: str) -> str:
    name = escape(display_name(one.name))
    shown = f'<a href="{cards.replace("NAME", quote(one.name))}">{name}</a>' if one.user else name
    if one.bot:
        shown += _badge(gettext("bot"))
    return shown + _badge(gettext("dropped out")) if one.has_left else shown


def _badge(text: str, good: bool = False) -> str:
    return f' <span class="badge{" good" if good else ""}">{escape(text)}</span>'


# Pairings


@register.simple_tag
def contest_lines(contests: Sequence[ShownMatch], names_group: bool = False) -> SafeString:
    """Render each match with its players, link and state."""
    group, plain = gettext("Group {group}, table {number}"), gettext("Table {number}")
    place, links = gettext("place {place}"), _links()
    lines = []
    for one in contests:
        label = group if names_group and one.stage == 1 else plain
        head = _linked(one, label.format(group=one.pool, number=one.number), links) + _state(one)
        seats = ""
        for player, sat in one.seats:
            got = ""
            if one.is_over:
                said = escape(place.format(place=sat.place))
                points = f" · </span><b>{_points(sat.score)}</b>" if sat.score is not None else "</span>"
                got = f'<span class="number got"><span class="soft small">{said}{points}</span>'
            who = f'<span class="who">{seat_mark(sat.seat)} {escape(display_name(player.name))}</span>'
            seats += f'<li class="person">{who}{got}</li>'
        lines.append(f'<li class="panel cup-contest"><p class="head">{head}</p><ul class="plain">{seats}</ul></li>')
    return mark_safe("".join(lines))


def _points(score: int) -> str:
    return escape(ngettext("{n} point", "{n} points", score).format(n=score))


def _links() -> dict[str, str]:
    """Return the URLs of contests, with placeholders for the ids."""
    return {"table": reverse("table", args=["NAME"]), "full_game": reverse("full_game", args=[0]).replace("0", "NAME")}


def _linked(one: ShownMatch, label: str, links: dict[str, str]) -> str:
    if one.url is None:
        return f'<span class="small">{escape(label)}</span>'
    return f'<a class="small" href="{links[one.url[0]].replace("NAME", one.url[1])}">{escape(label)}</a>'


def _state(one: ShownMatch) -> str:
    if one.is_void:
        return _badge(gettext("annulled"))
    return "" if one.is_over else _badge(gettext("playing"), good=True)


# Standings


@register.simple_tag
def standing_rows(standings: ShownStandings, me: Player | None = None) -> SafeString:
    of, cards, rows = gettext("of %(n)s"), _cards(), []
    for row, player, figures in standings.lines:
        mine = ' class="me" id="me"' if me and player.pk == me.pk else ""
        shown = decided = ""
        for (name, _tie_break), thousandths in zip(standings.columns, figures, strict=True):
            percent = f"{thousandths / 10:.1f}%"
            shown += f'<td class="number from-tablet">{f"<b>{percent}</b>" if name == row.tie_break else percent}</td>'
        if row.tie_break:  # put the player below the line above; if figures are shown, it is the bold one
            has_figure = "" if row.tie_break in RELATIVE else " has-figure"
            said = gettext("tie-break: {tie_break}").format(tie_break=gettext(TIE_BREAKS[row.tie_break].label))
            decided = f'<span class="soft small decided{has_figure}">{escape(said)}</span>'
        rows.append(
            f'<tr{mine}><td class="number">{row.place}</td>'
            f'<th scope="row">{_entrant(player, cards)}{decided}</th>'
            f'<td class="number"><b>{halves(row.points)}</b> <span class="soft small">'
            f'{escape(of % {"n": halves(row.possible)})}</span></td><td class="number">{row.played}</td>{shown}</tr>'
        )
    return mark_safe("".join(rows))


# Brackets


@register.simple_tag
def bracket_round(one: BracketRound, me: Player | None = None) -> SafeString:
    title = gettext("Round {round}").format(round=one.number)
    if one.is_last:
        title = gettext("Final")
    now = _badge(gettext("now"), good=True) if one.is_now else ""
    draw = _Drawing(one, me.pk if me else 0)
    tables = "".join(draw.table(table) for table in one.tables)
    return mark_safe(f'<h3>{escape(title)}{now}</h3><ol class="plain bracket-tables">{tables}</ol>')


class _Drawing:
    """The words of a round's tables, translated once."""

    def __init__(self, of: BracketRound, me: int) -> None:
        self.me, self.links = me, _links()
        self.label, self.bye, self.gone = gettext("Table {number}"), escape(gettext("bye")), gettext("dropped out")
        word, sign = (escape(gettext("won")), "★") if of.is_last else (escape(gettext("advances")), "›")
        heard = f'<span class="visually-hidden"> {word}</span>'
        self.sign = f'<span class="sign" title="{word}">{sign}{heard}</span>'
        self.seed = escape(gettext("seed"))
        self.heard_seed = f'<span class="visually-hidden">{self.seed} </span>'
        self.empty = f'<li><span class="soft">{escape(gettext("to be decided"))}</span></li>'

    def table(self, table: BracketTable) -> str:
        lines = [self.line(player, sat, is_through) for player, sat, is_through in table.lines]
        lines += [self.bye_line(player) for player in table.byes]
        lines = lines or [self.empty] * table.seats
        head = ""
        if table.contest:
            linked = _linked(table.contest, self.label.format(number=table.number), self.links)
            head = f'<p class="head">{linked}{_state(table.contest)}</p>'
        return f'<li class="bracket-table">{head}<ul class="plain">{"".join(lines)}</ul></li>'

    def line(self, player: Player, sat: ShownSeat, is_through: bool) -> str:
        classes = f"{'through' if is_through else ''}{' me' if player.pk == self.me else ''}"
        score = ""
        if sat.score is not None:  # there is no room for more than the number, so its words are for screen readers
            points = _points(sat.score)
            heard = f'<b class="visually-hidden">{points}</b>'
            score = f'<b class="number" title="{points}" aria-hidden="true">{sat.score}</b>{heard}'
        return f'<li class="{classes}">{self.seeded(player)}{score}{self.sign if is_through else ""}</li>'

    def bye_line(self, player: Player) -> str:
        mine = " me" if player.pk == self.me else ""
        return f'<li class="bye{mine}">{self.seeded(player)}<span class="soft small">{self.bye}</span></li>'

    def seeded(self, player: Player) -> str:
        gone = f' <span class="small">{escape(self.gone)}</span>' if player.has_left else ""
        seed = f'<span class="seed number" title="{self.seed} {player.seed}">{self.heard_seed}{player.seed}</span>'
        return f'<span class="who">{seed} {escape(display_name(player.name))}{gone}</span>'
