"""Tokens in words: their names, what they give, and where they are on the map."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.boards.eight_minute.faces import gift_signs
from games.boards.eight_minute.geometry import region_name
from games.help.eight_minute.words import TOKENS, token_name
from games.help.glossary import find
from games.rules.eight_minute.tokens import CITADEL, DRAGON, FACE_DOWN, MERCHANTS, PORTAL, ROGUES, gifts
from games.rules.eight_minute.view import View


@dataclass(frozen=True)
class Trophy:
    """A token won by a player; `words` tell what it gives."""

    id: str
    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Find:
    """A token on the map: where it is, what it does, and for a face-down one what the reader knows."""

    id: str
    name: str
    where: str
    words: str
    face: str = ""
    lookers: tuple[str, ...] = ()


def trophy(token: str) -> Trophy:
    """Return a won token by its id."""
    return Trophy(token, token_name(token), tuple(sign.words for sign in gift_signs(gifts()[token], _)))


def effect(token: str, view: View) -> str:
    """Return how a token on the map is won and what it does, in the sentences of the help."""
    if token not in TOKENS:
        return _("The player who controls the region at the end gets one more {good}.").format(
            good=token_name(token).lower()
        )
    term = find(view.edition, "token", token)
    won = []
    if term.id == DRAGON:
        slain = _("The player who brings the {n}th army into the region slays it.")
        won.append(slain.format(n=view.hidden.options.dragon))
    elif term.part_of == "explore":
        won.append(_("The first player to build a city in the region takes it."))
    return " ".join([*won, *term.sentences])


def finds(view: View, names: Sequence[str]) -> list[Find]:
    """Return all tokens on the map, by kind, towns last."""
    lying, towns = [], []
    for region, here in view.regions.items():
        where = region_name(region)
        if here.token:
            face = _(gifts()[here.face].name) if here.face else ""
            lookers = tuple(names[seat] for seat in here.looked if seat != view.seat)
            lying.append(Find(here.token, token_name(here.token), where, effect(here.token, view), face, lookers))
        if here.town:
            towns.append(Find(MERCHANTS, token_name(MERCHANTS), where, effect(MERCHANTS, view)))
    kinds = list(dict.fromkeys((*view.hidden.rules.explore, FACE_DOWN, CITADEL, DRAGON, PORTAL, ROGUES)))
    lying.sort(key=lambda one: (kinds.index(one.id) if one.id in kinds else len(kinds), one.id))
    return [*lying, *towns]
