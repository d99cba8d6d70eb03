"""Names of cards, in the reader's language."""

from collections.abc import Iterable
from functools import lru_cache

from django.utils.translation import get_language, gettext

from games.boards.kingdoms import faces


def hero(card: str) -> str:
    """Return the card's name with its suit: `Sun Archer`."""
    return _hero(card, get_language() or "")


def short(card: str) -> str:
    """Return the card's name with its value, without suit: `Archer 4`."""
    return _short(card, get_language() or "")


def named(cards: Iterable[str]) -> str:
    """List the cards by name, with equal names counted: `Sun Archer ×2, Wave Healer`."""
    counted: dict[str, int] = {}
    for name in map(hero, cards):
        counted[name] = counted.get(name, 0) + 1
    return ", ".join(name if n == 1 else f"{name} ×{n}" for name, n in counted.items())


@lru_cache(maxsize=2048)
def _hero(card: str, language: str) -> str:
    return faces.hero(card, gettext)


@lru_cache(maxsize=2048)
def _short(card: str, language: str) -> str:
    shown = faces.face(card, gettext)
    return f"{shown.name} {shown.value}"
