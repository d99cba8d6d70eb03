"""Pictures of cards, and the SVG sprite that they use."""

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from games.boards.kingdoms import market
from games.boards.kingdoms.cards import card_picture, sprite, version

A_YEAR = 365 * 24 * 3600


def sprite_url() -> str:
    """Return the URL of the sprite, which changes when the drawings do."""
    return reverse("kingdoms_cards", args=[version()])


def picture(card: str) -> SafeString:
    """Return the face of a card, in the reader's language."""
    return _picture(card, get_language() or "")


@lru_cache(maxsize=2048)
def _picture(card: str, language: str) -> SafeString:
    return mark_safe(card_picture(card, sprite_url(), translate=gettext))


def awning() -> SafeString:
    return mark_safe(market.awning())


def deck_pile(n: int) -> SafeString:
    return mark_safe(market.deck_pile(n, sprite_url(), gettext))


def ember_pile(n: int) -> SafeString:
    return mark_safe(market.ember_pile(n, gettext))


@require_safe
@condition(etag_func=lambda request, drawing: f'"{version()}"')
@cache_control(public=True, immutable=True, max_age=A_YEAR)
def cards(request: HttpRequest, drawing: str) -> HttpResponse:
    """Return the sprite. Old URLs, on pages that stayed open, get the current one."""
    return HttpResponse(sprite(), content_type="image/svg+xml")
