"""Player actions, as values and as short texts that round-trip: `attack 1 with sun-attack-4-1`, `end`.

Several cards are joined by `+` in deck order, and seats in ascending order; `parse` sorts them.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from games.rules.kingdoms.deck import RANKS, card, in_order
from games.rules.kingdoms.state import FOR, LEAVE, WITH
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

Cards = tuple[str, ...]
BOSS = "boss-"
NOTHING = "nothing"
Word = TypeVar("Word", str, int)
MODES = (LEAVE, WITH, FOR)


class Draw(msgspec.Struct, frozen=True):
    pass


class DrawFromFlop(msgspec.Struct, frozen=True):
    card: str


class Burn(msgspec.Struct, frozen=True):
    card: str


class Buy(msgspec.Struct, frozen=True):
    give: Cards
    take: Cards


class Build(msgspec.Struct, frozen=True):
    card: str


class PickUp(msgspec.Struct, frozen=True):
    pass


class BlindPick(msgspec.Struct, frozen=True):
    seat: int


class NotSoSecret(msgspec.Struct, frozen=True):
    cards: Cards
    seat: int
    rank: str


class Boss(msgspec.Struct, frozen=True):
    """`seat` is for the Spymaster; `taken` for the Builder: a Kingdom Hero of the Burn pile, null if there is none."""

    card: str
    seat: int | None = None
    taken: str | None = None


class Show(msgspec.Struct, frozen=True):
    cards: Cards


class Gift(msgspec.Struct, frozen=True):
    seat: int
    cards: Cards


class Attack(msgspec.Struct, frozen=True):
    seat: int
    cards: Cards


class End(msgspec.Struct, frozen=True):
    pass


class Storm(msgspec.Struct, frozen=True):
    seat: int


class Tribute(msgspec.Struct, frozen=True):
    seats: tuple[int, ...]


class Market(msgspec.Struct, frozen=True):
    card: str


class Take(msgspec.Struct, frozen=True):
    card: str


class Protect(msgspec.Struct, frozen=True):
    mode: str


class Defend(msgspec.Struct, frozen=True):
    """Defend; no cards means nothing (K23)."""

    cards: Cards


class Stop(msgspec.Struct, frozen=True):
    pass


class Wave(msgspec.Struct, frozen=True):
    cards: Cards


Action = (
    Draw | DrawFromFlop | Burn | Buy | Build | PickUp | BlindPick | NotSoSecret | Boss | Show | Gift | Attack | End
    | Storm | Tribute | Market | Take | Protect | Defend | Stop | Wave
)  # fmt: skip
Epic = Storm | Tribute | Market


def text(action: Action) -> str:
    return _TEXTS[type(action)](action)


def _joined(words: Iterable[object]) -> str:
    return "+".join(map(str, words))


def _boss_text(action: Boss) -> str:
    deck, colon, name = action.card.rpartition(":")
    words = [f"boss {deck}{colon}{name.removeprefix(BOSS)}"]
    words += [] if action.seat is None else [str(action.seat)]
    words += [] if action.taken is None else [action.taken]
    return " ".join(words)


_TEXTS: dict[type, Callable[..., str]] = {
    Draw: lambda a: "draw",
    DrawFromFlop: lambda a: f"draw-from-flop {a.card}",
    Burn: lambda a: f"burn {a.card}",
    Buy: lambda a: f"buy {_joined(a.give)} for {_joined(a.take)}",
    Build: lambda a: f"build {a.card}",
    PickUp: lambda a: "pick-up",
    BlindPick: lambda a: f"blind-pick {a.seat}",
    NotSoSecret: lambda a: f"not-so-secret {_joined(a.cards)} of {a.seat} {a.rank}",
    Boss: _boss_text,
    Show: lambda a: f"show {_joined(a.cards)}",
    Gift: lambda a: f"gift {a.seat} {_joined(a.cards)}",
    Attack: lambda a: f"attack {a.seat} with {_joined(a.cards)}",
    End: lambda a: "end",
    Storm: lambda a: f"storm {a.seat}",
    Tribute: lambda a: f"tribute {_joined(a.seats)}",
    Market: lambda a: f"market {a.card}",
    Take: lambda a: f"take {a.card}",
    Protect: lambda a: f"protect {a.mode}",
    Defend: lambda a: f"defend {_joined(a.cards) or NOTHING}",
    Stop: lambda a: "stop",
    Wave: lambda a: f"wave {_joined(a.cards)}",
}


def parse(words: str) -> Action:
    """Return the action of a text; cards and seats may be in any order. Raises `IllegalAction` for an invalid text."""
    verb, *arguments = words.split(" ")
    try:
        if verb == "boss":
            return _parse_boss(arguments)
        kind, form = _FORMS[verb]
        values = []
        for word, wanted in zip(arguments, form.split(), strict=True):
            if wanted in _PARSERS:
                values.append(_PARSERS[wanted](word))
            elif word != wanted:
                raise ValueError
        return kind(*values)
    except (KeyError, ValueError):
        raise IllegalAction(gettext_noop("“{text}” is not something you can do here."), text=words[:40]) from None


def _parse_boss(words: list[str]) -> Boss:
    """Return a Boss's move: the Spymaster needs a seat, and the Builder may have a card."""
    name, *rest = words
    deck, colon, short = name.rpartition(":")
    hero = card(f"{deck}{colon}{BOSS}{short}")
    if hero.power == "infiltrate":
        (seat,) = rest
        return Boss(hero.id, seat=_seat(seat))
    if hero.power == "walls" and rest:
        (taken,) = rest
        return Boss(hero.id, taken=_card(taken))
    if rest:
        raise ValueError
    return Boss(hero.id)


def _seat(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) == 1):
        raise ValueError
    return int(word)


def _card(word: str) -> str:
    return card(word).id


def _several(words: str, parse_word: Callable[[str], Word]) -> list[Word]:
    """Return the words joined by `+`, each parsed. Raises `ValueError` if one occurs twice."""
    values = [parse_word(word) for word in words.split("+")]
    if len(set(values)) < len(values):
        raise ValueError
    return values


def _cards(words: str) -> Cards:
    return in_order(_several(words, _card))


def _among(word: str, words: tuple[str, ...]) -> str:
    if word not in words:
        raise ValueError
    return word


# Each verb with the words that follow it; the capitals are parsed by `_PARSERS`.
_FORMS: dict[str, tuple[Callable[..., Action], str]] = {
    "draw": (Draw, ""),
    "draw-from-flop": (DrawFromFlop, "CARD"),
    "burn": (Burn, "CARD"),
    "buy": (Buy, "CARDS for CARDS"),
    "build": (Build, "CARD"),
    "pick-up": (PickUp, ""),
    "blind-pick": (BlindPick, "SEAT"),
    "not-so-secret": (NotSoSecret, "CARDS of SEAT RANK"),
    "show": (Show, "CARDS"),
    "gift": (Gift, "SEAT CARDS"),
    "attack": (Attack, "SEAT with CARDS"),
    "end": (End, ""),
    "storm": (Storm, "SEAT"),
    "tribute": (Tribute, "SEATS"),
    "market": (Market, "CARD"),
    "take": (Take, "CARD"),
    "protect": (Protect, "MODE"),
    "defend": (Defend, "CARDS-OR-NOTHING"),
    "stop": (Stop, ""),
    "wave": (Wave, "CARDS"),
}
_PARSERS: dict[str, Callable[[str], object]] = {
    "CARD": _card,
    "CARDS": _cards,
    "CARDS-OR-NOTHING": lambda words: () if words == NOTHING else _cards(words),
    "SEAT": _seat,
    "SEATS": lambda words: tuple(sorted(_several(words, _seat))),
    "RANK": lambda word: _among(word, RANKS),
    "MODE": lambda word: _among(word, MODES),
}
