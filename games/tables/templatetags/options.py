"""Template tags for a game and its options with tips: `Legends · Dragon (7th army) · set up by hand`."""

from django import template
from django.template.context import Context
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.rules.registry import get
from games.tables.models import Game
from games.tables.selectors import options
from games.tables.templatetags import clock
from games.tables.templatetags.tips import tip

register = template.Library()
register.simple_tag(options.short_name, name="short_name")


def game_words(context: Context, game: Game) -> SafeString:
    """Render the game's name and its options. The ids of tips are unique even with many tables on a page."""
    name = format_html('<span class="game-name">{}</span>', options.short_name(game.ruleset))
    return name + format_html_join("", " · {}", ((word,) for word in _words(context, game)))


@register.simple_tag(takes_context=True)
def game_line(context: Context, game: Game) -> SafeString:
    """Render the game with its options, place in a full game and clock, and for open tables whom they admit."""
    parts: list[str] = [clock.a_turn(game.clock)]
    if game.full_game_id:
        parts.insert(0, gettext("game %(n)s of 3") % {"n": game.number})
    if game.admits_bots:
        parts.append(gettext("outside bots admitted"))
    if game.is_open:
        parts += filter(None, (clock.asks_for(game.reliability), clock.rating_range(game)))
    return game_words(context, game) + mark_safe("".join(f" · {escape(part)}" for part in parts))


@register.simple_tag(takes_context=True)
def option_words(context: Context, game: Game, at: str = "") -> SafeString:
    """Render only the options. `at` keeps the ids of tips unique if a page shows them twice."""
    return format_html_join(" · ", "{}", ((word,) for word in _words(context, game, at)))


@register.simple_tag
def plain_words(game: options.WithOptions) -> str:
    """Return the full name of the game and its options, without tips."""
    return " · ".join([gettext(get(game.ruleset).name), *(part.words for part in options.chosen(game))])


@register.simple_tag
def short_words(game: options.WithOptions) -> str:
    """Return the short name of the game and its options, without tips."""
    return " · ".join([options.short_name(game.ruleset), *(part.words for part in options.chosen(game))])


def _words(context: Context, game: Game, at: str = "") -> list[SafeString]:
    place = (game.public_id, at)
    return [tip(context, game.ruleset, part.kind, part.id, *place, label=part.words) for part in options.chosen(game)]
