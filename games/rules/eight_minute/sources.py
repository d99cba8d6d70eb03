"""Names of the sources of points: parts of the map, cards, tokens, goods, leaders."""

from games.rules.eight_minute.edition import Edition
from games.rules.eight_minute.tokens import gifts
from games.rules.words import gettext_noop

PARTS = {
    "regions": gettext_noop("Regions"),
    "islands": gettext_noop("Islands"),
    "continents": gettext_noop("Continents"),
    "elixirs": gettext_noop("Elixirs"),
    "citadels": gettext_noop("Citadels"),
}


def named(rules: Edition, source: str) -> tuple[str, str]:
    """Return the kind of a source of the scoresheet and its name, not yet translated."""
    if source in PARTS:
        return source, PARTS[source]
    if source in rules.cards:
        return "card", rules.cards[source].name
    of, _colon, gift = source.rpartition(":")
    return {"tokens": "token", "goods": "good"}.get(of, "leader"), gifts()[gift].name
