"""What a player can do, as values and as short texts that round-trip: `take night-hydra`, `move v3 v5`, `done`."""

from collections.abc import Callable
from functools import cache

import msgspec

from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

NOBODY = -1  # the third colour of a game with two players


class Bid(msgspec.Struct, frozen=True):
    coins: int


class First(msgspec.Struct, frozen=True):
    seat: int


class Take(msgspec.Struct, frozen=True):
    card: str


class Place(msgspec.Struct, frozen=True):
    region: str


class Move(msgspec.Struct, frozen=True):
    origin: str
    target: str


class Build(msgspec.Struct, frozen=True):
    region: str


class Destroy(msgspec.Struct, frozen=True):
    region: str
    owner: int


class Done(msgspec.Struct, frozen=True):
    pass


Action = Bid | First | Take | Place | Move | Build | Destroy | Done
Step = Place | Move | Build | Destroy


def text(action: Action) -> str:
    """The text of an action."""
    match action:
        case Bid(coins):
            return f"bid {coins}"
        case First(seat):
            return f"first {seat}"
        case Take(card):
            return f"take {card}"
        case Place(region):
            return f"place {region}"
        case Move(origin, target):
            return f"move {origin} {target}"
        case Build(region):
            return f"build {region}"
        case Destroy(region, owner):
            return f"destroy {region} {'-' if owner == NOBODY else owner}"
        case Done():
            return "done"


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 4 and str(int(word)) == word):
        raise ValueError
    return int(word)


def _owner(word: str) -> int:
    return NOBODY if word == "-" else _number(word)


_FORMS: dict[str, Callable[..., Action]] = {
    "bid": lambda coins: Bid(_number(coins)),
    "first": lambda seat: First(_number(seat)),
    "take": Take,
    "place": Place,
    "move": Move,
    "build": Build,
    "destroy": lambda region, owner: Destroy(region, _owner(owner)),
    "done": Done,
}


def parse(words: str) -> Action:
    """The action that a text means; exactly the texts that `text` makes are accepted."""
    verb, *rest = words.split(" ")
    try:
        return _FORMS[verb](*rest)
    except (KeyError, TypeError, ValueError):
        raise IllegalAction(gettext_noop("“{text}” is not something one can do here."), text=words[:40]) from None


@cache
def moves(origin: str, targets: tuple[str, ...]) -> tuple[Move, ...]:
    """The same move values for every position on a map, so that offering them costs nothing."""
    return tuple(Move(origin, target) for target in targets)
