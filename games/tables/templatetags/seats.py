"""Template tags for seat marks and people at a table. They are tags for speed: a desk shows hundreds of them."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from html import escape  # Django's takes thirty times as long

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from empire.web.languages import display_name
from games.bots.registry import LEVELS, ratings
from games.rules.registry import RULESETS
from games.tables.models import Seat
from games.tables.pages.frame import Frame

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=64)
def seat_mark(seat: int | str, label: str = "") -> SafeString:
    """Render the shape and color of a seat, 0 to 7 or "third". `label` describes it if no name is next to it."""
    return format_html(
        '<svg class="seat-mark" width="1.2em" height="1.2em" viewBox="0 0 28 28" {} focusable="false">'
        '<use href="{}#seat-{}"></use></svg>',
        format_html('role="img" aria-label="{}"', label) if label else format_html('aria-hidden="{}"', "true"),
        static("img/icons.svg"),
        seat,
    )


@register.simple_tag
def people(seats: Iterable[Seat], me: Seat | None = None, waiting_for: Collection[int] = ()) -> SafeString:
    """Render the players of a table, the reader as “You”, and mark those whose turn it is, also for screen readers."""
    persons, to_play = "", f' <span class="visually-hidden">{escape(gettext("(to play)"))}</span>'
    for seat in seats:
        name = gettext("You") if me and seat.number == me.number else display_name(seat.name)
        turn, suffix = (" on-turn", to_play) if seat.number in waiting_for else ("", "")
        persons += f'<span class="person{turn}">{seat_mark(seat.number)} {escape(name)}{suffix}</span> '
    return mark_safe(f'<span class="people">{persons}</span>')


@register.simple_tag
def marked_for_reader(page: Frame, sentences: Iterable[str]) -> list[SafeString]:
    """Return sentences in which the reader finds themselves, see `marked_for`.

    Everyone gets the same sentences, so that each is written and translated once for all readers of a game.
    """
    return marked_for(None if page.me is None else page.names[page.me], tuple(page.names), sentences)


def marked_for(own: str | None, names: tuple[str, ...], sentences: Iterable[str]) -> list[SafeString]:
    """Return sentences with the reader's `own` name in bold. The first sentence that it begins has “(you)” after it.

    Names that are written from right to left are isolated, so that they don't swap places with the numbers after them.
    """
    if own is None and all(name.isascii() for name in names):
        return [mark_safe(escape(sentence)) for sentence in sentences]
    html_by_name = {name: f"<bdi>{escape(name)}</bdi>" if is_leftward(name) else escape(name) for name in names}
    if own is not None:
        html_by_name[own] = f"<b>{html_by_name[own]}</b>"
    you, written = f' <span class="soft">{escape(gettext("(you)"))}</span>', []
    for sentence in sentences:
        parts = names_in(names).split(sentence)  # at odd places are the names
        marked = [html_by_name[part] if at % 2 else escape(part) for at, part in enumerate(parts)]
        if you and not parts[0] and parts[1] == own and not parts[2].startswith("’"):
            marked[1], you = f"{marked[1]}{you}", ""
        written.append(mark_safe("".join(marked)))
    return written


def is_leftward(name: str) -> bool:
    """Return whether a name has letters that are written from right to left."""
    return not name.isascii() and any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)


@lru_cache(maxsize=256)
def names_in(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for these names as words. Of two that begin alike, the longer one is meant."""
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(longest_first)})(?!\w)")


@register.simple_tag
def miniature(address: str) -> SafeString:
    """Render a board in miniature. Lists say the same in words, so screen readers skip it; browsers load it when seen.

    `address` is that of `Game.thumbnail`, empty before the start, or of an `emblem`. Nothing is rendered without one.
    """
    picture = f'<img class="thumbnail" src="{address}" alt="" width="96" height="72" loading="lazy" decoding="async">'
    return mark_safe(picture if address else "")


@register.simple_tag
def level_ratings() -> list[tuple[str, list[tuple[str, int | None]]]]:
    """Return the games whose bots were rated, by name, with the name and rating of each level."""
    return [
        (gettext(ruleset.name), [(gettext(bot.name), ratings()[slug].get(bot.slug)) for bot in LEVELS])
        for slug, ruleset in RULESETS.items()
        if slug in ratings()
    ]
