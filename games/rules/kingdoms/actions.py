"""Player actions, as values and as short texts that round-trip: `attack 1 with sun-attack-4-1`, `end`.

Several cards are joined by `+` in deck order, and seats in ascending order; `parse` sorts them.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from games.rules.kingdoms.deck import RANKS, card, in_order
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

Cards = tuple[str, ...]
BOSS = "boss-"
NOTHING = "nothing"
Word = TypeVar("Word", str, int)
MODES = ("leave", "with", "for")


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
    Draw
    | DrawFromFlop
    | Burn
    | Buy
    | Build
    | PickUp
    | BlindPick
    | NotSoSecret
    | Boss
    | Show
    | Gift
    | Attack
    | End
    | Storm
    | Tribute
    | Market
    | Take
    | Protect
    | Defend
    | Stop
    | Wave
)
Epic = Storm | Tribute | Market


def text(action: Action) -> str:
    """Return the text of an action."""
    return _TEXTS[type(action)](action)


def _joined(words: Iterable[object]) -> str:
    return "+".join(map(str, words))


def _boss(action: Boss) -> str:
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
    Boss: _boss,
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
    verb, *rest = words.split(" ")
    try:
        return _FORMS[verb](*rest)
    except (KeyError, TypeError, ValueError):
        raise IllegalAction(gettext_noop("“{text}” is not something you can do here."), text=words[:40]) from None


def _seat(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) == 1):
        raise ValueError
    return int(word)


def _seats(words: str) -> tuple[int, ...]:
    seats = [_seat(word) for word in words.split("+")]
    return tuple(sorted(_once(seats)))


def _card(word: str) -> str:
    return card(word).id


def _cards(words: str) -> Cards:
    return in_order(_once([_card(word) for word in words.split("+")]))


def _once(found: list[Word]) -> list[Word]:
    """Return the list. Raises `ValueError` if anything is in it twice."""
    if len(set(found)) < len(found):
        raise ValueError
    return found


def _among(word: str, words: tuple[str, ...]) -> str:
    if word not in words:
        raise ValueError
    return word


def _parse_buy(give: str, joint: str, take: str) -> Buy:
    _among(joint, ("for",))
    return Buy(_cards(give), _cards(take))


def _parse_secret(cards: str, joint: str, seat: str, rank: str) -> NotSoSecret:
    _among(joint, ("of",))
    return NotSoSecret(_cards(cards), _seat(seat), _among(rank, RANKS))


def _parse_attack(seat: str, joint: str, cards: str) -> Attack:
    _among(joint, ("with",))
    return Attack(_seat(seat), _cards(cards))


def _parse_boss(name: str, *rest: str) -> Boss:
    deck, colon, short = name.rpartition(":")
    hero = card(f"{deck}{colon}{BOSS}{short}")
    if len(rest) > (hero.power in _BOSS_ASKS):
        raise ValueError
    if hero.power == "infiltrate":
        return Boss(hero.id, seat=_seat(rest[0] if rest else ""))
    return Boss(hero.id, taken=_card(rest[0]) if rest else None)


_BOSS_ASKS = ("infiltrate", "walls")
_FORMS: dict[str, Callable[..., Action]] = {
    "draw": Draw,
    "draw-from-flop": lambda one: DrawFromFlop(_card(one)),
    "burn": lambda one: Burn(_card(one)),
    "buy": _parse_buy,
    "build": lambda one: Build(_card(one)),
    "pick-up": PickUp,
    "blind-pick": lambda seat: BlindPick(_seat(seat)),
    "not-so-secret": _parse_secret,
    "boss": _parse_boss,
    "show": lambda cards: Show(_cards(cards)),
    "gift": lambda seat, cards: Gift(_seat(seat), _cards(cards)),
    "attack": _parse_attack,
    "end": End,
    "storm": lambda seat: Storm(_seat(seat)),
    "tribute": lambda seats: Tribute(_seats(seats)),
    "market": lambda one: Market(_card(one)),
    "take": lambda one: Take(_card(one)),
    "protect": lambda mode: Protect(_among(mode, MODES)),
    "defend": lambda cards: Defend(() if cards == NOTHING else _cards(cards)),
    "stop": Stop,
    "wave": lambda cards: Wave(_cards(cards)),
}
