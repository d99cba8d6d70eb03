"""Pairings, standings and brackets of tournaments. These are tags, because a page shows hundreds of them."""

from collections.abc import Sequence
from urllib.parse import quote

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from empire.web.languages import display_name
from games.contests.pairing.crosstable import TIE_BREAKS, halves
from games.contests.pairing.formats import KINDS
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
def format_word(slug: str) -> str:
    return gettext(KINDS[slug].word)


@register.simple_tag
def entrant(player: Player) -> SafeString:
    """Render a name, with a link if there is a player page, and whether the player dropped out."""
    return mark_safe(_entrant(player, _player_url()))


@register.simple_tag
def against(part: OwnPart) -> str:
    """Name the reader's opponents in this round."""
    assert part.match is not None
    others = [player.name for player, _seat in part.match.seats if player.pk != part.entrant.pk]
    return gettext("Round {round}, with {names}.").format(round=part.match.round, names=enumerated(others))


# The following functions join plain strings, of which only names come from people; these are escaped in `_entrant` and
# `_seeded`. With templates, a field of 256 would take three times as long.


def _player_url() -> str:
    """Return the URL of a player's page, with a placeholder for the name."""
    return reverse("player", args=["NAME"])


def _entrant(player: Player, player_url: str) -> str:
    name = escape(display_name(player.name))
    shown = f'<a href="{player_url.replace("NAME", quote(player.name))}">{name}</a>' if player.user else name
    if player.bot:
        shown += _badge(gettext("bot"))
    return shown + _badge(gettext("dropped out")) if player.has_left else shown


def _badge(text: str, good: bool = False) -> str:
    return f' <span class="badge{" good" if good else ""}">{escape(text)}</span>'


# Pairings


@register.simple_tag
def match_lines(matches: Sequence[ShownMatch], names_group: bool = False) -> SafeString:
    """Render each match with its players, link and state."""
    group, plain = gettext("Group {group}, table {number}"), gettext("Table {number}")
    place, links = gettext("place {place}"), _links()
    lines = []
    for match in matches:
        label = group if names_group and match.stage == 1 else plain
        head = _linked(match, label.format(group=match.pool, number=match.number), links) + _state(match)
        seats = ""
        for player, seat in match.seats:
            result = ""
            if match.is_over:
                place_text = escape(place.format(place=seat.place))
                points = f" · </span><b>{_points(seat.score)}</b>" if seat.score is not None else "</span>"
                result = f'<span class="number got"><span class="soft small">{place_text}{points}</span>'
            who = f'<span class="who">{seat_mark(seat.seat)} {escape(display_name(player.name))}</span>'
            seats += f'<li class="person">{who}{result}</li>'
        lines.append(f'<li class="panel cup-contest"><p class="head">{head}</p><ul class="plain">{seats}</ul></li>')
    return mark_safe("".join(lines))


def _points(score: int) -> str:
    return escape(ngettext("{n} point", "{n} points", score).format(n=score))


def _links() -> dict[str, str]:
    """Return the URLs of matches, with placeholders for the ids."""
    return {"table": reverse("table", args=["NAME"]), "full_game": reverse("full_game", args=[0]).replace("0", "NAME")}


def _linked(match: ShownMatch, label: str, links: dict[str, str]) -> str:
    if match.url is None:
        return f'<span class="small">{escape(label)}</span>'
    return f'<a class="small" href="{links[match.url[0]].replace("NAME", match.url[1])}">{escape(label)}</a>'


def _state(match: ShownMatch) -> str:
    if match.is_void:
        return _badge(gettext("annulled"))
    return "" if match.is_over else _badge(gettext("playing"), good=True)


# Standings


@register.simple_tag
def standing_rows(standings: ShownStandings, me: Player | None = None) -> SafeString:
    out_of, player_url, rows = gettext("of %(n)s"), _player_url(), []
    for line, player, figures in standings.lines:
        attributes = ' class="me" id="me"' if me and player.pk == me.pk else ""
        shown = decided = ""
        for (name, _tie_break), thousandths in zip(standings.columns, figures, strict=True):
            percent = f"{thousandths / 10:.1f}%"
            shown += f'<td class="number from-tablet">{f"<b>{percent}</b>" if name == line.tie_break else percent}</td>'
        if line.tie_break:  # put the player below the line above; if figures are shown, it is the bold one
            has_figure = "" if line.tie_break in RELATIVE else " has-figure"
            sentence = gettext("tie-break: {tie_break}").format(tie_break=gettext(TIE_BREAKS[line.tie_break].label))
            decided = f'<span class="soft small decided{has_figure}">{escape(sentence)}</span>'
        rows.append(
            f'<tr{attributes}><td class="number">{line.place}</td>'
            f'<th scope="row">{_entrant(player, player_url)}{decided}</th>'
            f'<td class="number"><b>{halves(line.points)}</b> <span class="soft small">'
            f"{escape(out_of % {'n': halves(line.possible)})}</span></td>"
            f'<td class="number">{line.played}</td>{shown}</tr>'
        )
    return mark_safe("".join(rows))


# Brackets


@register.simple_tag
def bracket_round(bracket: BracketRound, me: Player | None = None) -> SafeString:
    title = gettext("Round {round}").format(round=bracket.number)
    if bracket.is_last:
        title = gettext("Final")
    now = _badge(gettext("now"), good=True) if bracket.is_now else ""
    draw = _Drawing(bracket, me.pk if me else 0)
    tables = "".join(draw.table(table) for table in bracket.tables)
    return mark_safe(f'<h3>{escape(title)}{now}</h3><ol class="plain bracket-tables">{tables}</ol>')


class _Drawing:
    """The words of a round's tables, translated once."""

    def __init__(self, bracket: BracketRound, me: int) -> None:
        self.me, self.links = me, _links()
        self.label, self.dropped_out = gettext("Table {number}"), gettext("dropped out")
        self.bye = escape(gettext("bye"))
        word, sign = (escape(gettext("won")), "★") if bracket.is_last else (escape(gettext("advances")), "›")
        hidden_word = f'<span class="visually-hidden"> {word}</span>'
        self.sign = f'<span class="sign" title="{word}">{sign}{hidden_word}</span>'
        self.seed = escape(gettext("seed"))
        self.hidden_seed = f'<span class="visually-hidden">{self.seed} </span>'
        self.empty = f'<li><span class="soft">{escape(gettext("to be decided"))}</span></li>'

    def table(self, table: BracketTable) -> str:
        lines = [self.line(player, seat, is_through) for player, seat, is_through in table.lines]
        lines += [self.bye_line(player) for player in table.byes]
        lines = lines or [self.empty] * table.seats
        head = ""
        if table.match:
            linked = _linked(table.match, self.label.format(number=table.number), self.links)
            head = f'<p class="head">{linked}{_state(table.match)}</p>'
        return f'<li class="bracket-table">{head}<ul class="plain">{"".join(lines)}</ul></li>'

    def line(self, player: Player, seat: ShownSeat, is_through: bool) -> str:
        classes = f"{'through' if is_through else ''}{' me' if player.pk == self.me else ''}"
        score = ""
        if seat.score is not None:  # there is no room for more than the number, so its words are for screen readers
            points = _points(seat.score)
            hidden_points = f'<b class="visually-hidden">{points}</b>'
            score = f'<b class="number" title="{points}" aria-hidden="true">{seat.score}</b>{hidden_points}'
        return f'<li class="{classes}">{self.seeded(player)}{score}{self.sign if is_through else ""}</li>'

    def bye_line(self, player: Player) -> str:
        me = " me" if player.pk == self.me else ""
        return f'<li class="bye{me}">{self.seeded(player)}<span class="soft small">{self.bye}</span></li>'

    def seeded(self, player: Player) -> str:
        dropped_out = f' <span class="small">{escape(self.dropped_out)}</span>' if player.has_left else ""
        seed = f'<span class="seed number" title="{self.seed} {player.seed}">{self.hidden_seed}{player.seed}</span>'
        return f'<span class="who">{seed} {escape(display_name(player.name))}{dropped_out}</span>'
