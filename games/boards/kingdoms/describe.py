"""Kingdoms in words: for screen readers, for text emails, and for the title of everything drawn."""

from collections.abc import Sequence

from games.boards.kingdoms.seats import banners
from games.rules.kingdoms.deck import RANK_NAMES, card
from games.rules.kingdoms.view import PlayerView, View
from games.rules.words import Translate, gettext_noop, untranslated

_CARDS = (gettext_noop("1 card"), gettext_noop("{n} cards"))
_TOWERS = (gettext_noop("no Tower"), gettext_noop("Towers {towers}"))
_BANDS = {100: gettext_noop("worth 100 or more"), 200: gettext_noop("worth 200 or more")}


def person(seat: int, names: Sequence[str], translate: Translate = untranslated) -> str:
    """Return a player as `Alice (red circle)`, or only the colour if nobody plays it."""
    colour = translate(banners()[seat].name)
    return f"{names[seat]} ({colour})" if seat < len(names) else colour


def called(seat: int, names: Sequence[str], translate: Translate = untranslated) -> str:
    """Return only the player's name."""
    return names[seat] if seat < len(names) else translate(banners()[seat].name)


def shortened(name: str, longest: int) -> str:
    """Return the name, shortened to fit."""
    return name if len(name) <= longest else f"{name[: max(1, longest - 1)]}…"


def listed(words: Sequence[str], translate: Translate = untranslated) -> str:
    """Join words as `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    last = translate(gettext_noop("{several} and {last}"))
    return last.format(several=", ".join(words[:-1]), last=words[-1])


def counted(n: int, words: tuple[str, str], translate: Translate = untranslated) -> str:
    return translate(words[n != 1]).format(n=n)


def kingdom_words(view: View, seat: int, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """Describe a kingdom in one line: Towers, ruler, sub-kingdoms, and what is publicly known of its hand."""
    player = view.players[seat]
    parts = [
        _towers(player, translate),
        _ruler(player, names, translate),
        *_below(view, seat, names, translate),
        counted(player.cards, _CARDS, translate),
        *([translate(_BANDS[player.band])] if player.band else ()),
        *([translate(gettext_noop("under a Truce"))] if player.truce else ()),
    ]
    return f"{person(seat, names, translate)}: {'; '.join(parts)}."


def realm_words(view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """Describe all kingdoms, one per line, in seat order."""
    return "\n".join(kingdom_words(view, player.seat, names, translate) for player in view.players)


def _towers(player: PlayerView, translate: Translate) -> str:
    if not player.towers:
        return translate(_TOWERS[0])
    ranks = [translate(RANK_NAMES[rank_of(tower)]) for tower in player.towers]
    return translate(_TOWERS[1]).format(towers=listed(ranks, translate))


def rank_of(tower: str) -> str:
    """Return the rank of a card built as a Tower."""
    return card(tower).rank or ""


def _ruler(player: PlayerView, names: Sequence[str], translate: Translate) -> str:
    if player.ruler is None:
        return translate(gettext_noop("free"))
    return translate(gettext_noop("ruled by {player}")).format(player=called(player.ruler, names, translate))


def _below(view: View, seat: int, names: Sequence[str], translate: Translate) -> list[str]:
    ruled = [called(player.seat, names, translate) for player in view.players if player.ruler == seat]
    return [translate(gettext_noop("rules {players}")).format(players=listed(ruled, translate))] if ruled else []
