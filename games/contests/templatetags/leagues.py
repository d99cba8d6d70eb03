"""Filters and tags for leagues. Points are counted in halves."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.contests.leagues.divisions import division_name
from games.contests.models import SeasonOutcome
from games.contests.pairing import round_robin
from games.contests.pairing.crosstable import TIE_BREAKS, TieBreak, halves

register = template.Library()
register.simple_tag(division_name)
register.filter(halves)

SIGNS = {SeasonOutcome.UP: "▲", SeasonOutcome.DOWN: "▼"}


@register.simple_tag
def zone_sign(zone: str) -> SafeString | str:
    """Return a sign for promotion or relegation, with text for screen readers."""
    if zone not in SIGNS:
        return ""
    words = gettext("promoted") if zone == SeasonOutcome.UP else gettext("relegated")
    sign = SIGNS[SeasonOutcome(zone)]
    return format_html(
        '<span class="zone {}"><span aria-hidden="true">{}</span><span class="visually-hidden"> {}</span></span>',
        zone, sign, words,
    )  # fmt: skip


@register.simple_tag
def matches_each(entrants: int, players: int) -> int:
    """Return how many matches each entrant of a division plays."""
    return round_robin.matches_each(entrants, players)


@register.filter
def in_hundred(share: float) -> int:
    return round(100 * share)


@register.filter
def times(number: int, by: int) -> int:
    return number * by


@register.filter
def tie_breaks(names: Sequence[str]) -> list[TieBreak]:
    """Return the tie-breaks with these names."""
    return [TIE_BREAKS[name] for name in names]
