"""Pairings, standings and brackets of tournaments. Tags and not templates, because a page shows hundreds of them."""

from collections.abc import Iterable

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy

from games.leagues.crosstable import TIE_BREAKS
from games.notices.words import enumerated
from games.selectors.tournament_bracket import BracketRound, BracketTable
from games.selectors.tournaments import Contest, Mine, Player, Sat, Standing
from games.templatetags.seats import seat_mark

register = template.Library()

WORDS = {
    "swiss": gettext_lazy("Swiss"),
    "round-robin": gettext_lazy("round robin"),
    "knockout": gettext_lazy("knockout"),
    "groups": gettext_lazy("groups and a final"),
}


@register.simple_tag
def said(text: str) -> str:
    """A text of the plain parts, in the reader's language."""
    return gettext(text)


@register.simple_tag
def format_word(slug: str) -> str:
    return str(WORDS.get(slug, slug))


@register.filter
def halves(number: int) -> str:
    """Points are counted in halves: 7 is “3½”, 1 is “½”."""
    whole, half = divmod(number, 2)
    return f"{whole or ''}½" if half else str(whole)


@register.simple_tag
def entrant(one: Player) -> SafeString:
    """The name, a link where there is a card, and whether they dropped out."""
    name = format_html('<a href="{}">{}</a>', reverse("player", args=[one.name]), one.name) if one.user else one.name
    marks = []
    if one.bot:
        marks.append(gettext("bot"))
    if one.has_left:
        marks.append(gettext("dropped out"))
    return format_html(
        "{}{}", name, format_html_join("", ' <span class="badge">{}</span>', ((mark,) for mark in marks))
    )


@register.simple_tag
def against(mine: Mine) -> str:
    """Whom the reader plays in this round."""
    assert mine.contest is not None
    others = [player.name for player, _sat in mine.contest.seats if player.pk != mine.entrant.pk]
    return gettext("Round {round}, with {names}.").format(round=mine.contest.round, names=enumerated(others))


# Pairings


@register.simple_tag
def contest_line(one: Contest, names_group: bool = False) -> SafeString:
    """Who sits at a table, with a link to it, and how it stands."""
    label = gettext("Group {group}, table {number}") if names_group and one.stage == 1 else gettext("Table {number}")
    return format_html(
        '<li class="panel cup-contest"><p class="head"><span class="small soft">{}</span> {}</p>{}</li>',
        _linked(one, label.format(group=one.pool, number=one.number)), _state(one), _seats(one.seats, one),
    )  # fmt: skip


def _linked(one: Contest, label: str) -> SafeString | str:
    return format_html('<a href="{}">{}</a>', reverse(one.url[0], args=[one.url[1]]), label) if one.url else label


def _state(one: Contest) -> SafeString | str:
    if one.is_void:
        return format_html('<span class="badge">{}</span>', gettext("annulled"))
    if one.is_over:
        return ""
    return format_html('<span class="badge good">{}</span>', gettext("playing"))


def _seats(seats: Iterable[tuple[Player, Sat]], one: Contest) -> SafeString:
    lines = ((seat_mark(sat.seat), player.name, _got(sat) if one.is_over else "") for player, sat in seats)
    return format_html(
        '<ul class="plain">{}</ul>',
        format_html_join("", '<li class="person"><span class="who">{} {}</span> {}</li>', lines),
    )


def _got(sat: Sat) -> SafeString:
    place = gettext("place {place}").format(place=sat.place)
    return format_html('<span class="number got"><span class="soft small">{}</span> <b>{}</b></span>', place, sat.score)


# Standings


@register.simple_tag
def standing_rows(standing: Standing, me: Player | None = None) -> SafeString:
    rows = (
        (
            mark_safe(' class="me" id="me"') if me and player.pk == me.pk else "",
            row.place, entrant(player), _decided(row.tie_break), halves(row.points), gettext("of"),
            halves(row.possible), row.played,
            format_html_join("", '<td class="number from-tablet">{}</td>', ((_figure(one),) for one in figures)),
        )
        for row, player, figures in standing.lines
    )  # fmt: skip
    return format_html_join(
        "",
        '<tr{}><td class="number">{}</td><th scope="row">{}{}</th><td class="number"><b>{}</b> '
        '<span class="soft small">{} {}</span></td><td class="number">{}</td>{}</tr>',
        rows,
    )


def _decided(tie_break: str | None) -> SafeString | str:
    """What put somebody behind the line above with the same share of the points."""
    if tie_break is None:
        return ""
    return format_html('<br><span class="soft small decided">{}</span>', gettext(TIE_BREAKS[tie_break].label))


def _figure(thousandths: int) -> str:
    return f"{thousandths / 10:.1f} %"


# Brackets


@register.simple_tag
def bracket_round(one: BracketRound, me: Player | None = None) -> SafeString:
    title = gettext("Last round") if one.is_last else gettext("Round {round}").format(round=one.number)
    if one.is_last and len(one.tables) == 1:
        title = gettext("Final")
    tables = format_html_join("", "{}", ((_table(table, one, me),) for table in one.tables))
    now = format_html(' <span class="badge good">{}</span>', gettext("now")) if one.is_now else ""
    return format_html('<h3>{}{}</h3><ol class="plain bracket-tables">{}</ol>', title, now, tables)


def _table(table: BracketTable, of: BracketRound, me: Player | None) -> SafeString:
    lines = [_line(player, sat, is_through, of, me) for player, sat, is_through in table.lines]
    lines += [_bye(player, me) for player in table.byes]
    lines += [_empty()] * (table.seats - len(lines) if not lines else 0)
    head: SafeString | str = ""
    if table.contest:
        label = gettext("Table {number}").format(number=table.number)
        head = format_html('<p class="small head">{} {}</p>', _linked(table.contest, label), _state(table.contest))
    return format_html(
        '<li class="bracket-table">{}<ul class="plain">{}</ul></li>',
        head, format_html_join("", "{}", ((line,) for line in lines)),
    )  # fmt: skip


def _line(player: Player, sat: Sat, is_through: bool, of: BracketRound, me: Player | None) -> SafeString:
    sign = ""
    if is_through:
        word = gettext("has won") if of.is_last else gettext("goes on")
        sign = format_html('<span class="sign" title="{}">{}<span class="visually-hidden"> {}</span></span>', word,
                           "★" if of.is_last else "›", word)  # fmt: skip
    score = "" if sat.score is None else format_html('<b class="number">{}</b>', sat.score)
    classes = f"{'through' if is_through else ''}{' me' if me and me.pk == player.pk else ''}".strip()
    return format_html('<li class="{}"><span class="who">{}</span> {} {}</li>', classes, _seeded(player), score, sign)


def _seeded(player: Player) -> SafeString:
    gone = format_html(' <span class="small">{}</span>', gettext("dropped out")) if player.has_left else ""
    seed = gettext("seed {number}").format(number=player.seed)
    return format_html('<span class="seed number" title="{}">{}</span> {}{}', seed, player.seed, player.name, gone)


def _bye(player: Player, me: Player | None) -> SafeString:
    mine = "bye me" if me and me.pk == player.pk else "bye"
    return format_html(
        '<li class="{}"><span class="who">{}</span> <span class="soft small">{}</span></li>',
        mine, _seeded(player), gettext("bye"),
    )  # fmt: skip


def _empty() -> SafeString:
    return format_html('<li class="empty-seat"><span class="soft">{}</span></li>', gettext("open"))
