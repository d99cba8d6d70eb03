"""Short descriptions of positions and actions, with the short names of cards from heroes.py.

Alice, Bob, Carol and Dan have seats 0 to 3. All cards that are not placed are in the Draw deck or out of the game.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.state import FRESH, State, all_cards, empty
from games.rules.kingdoms.values import band, default_shown, value
from games.rules.protocol import Event, IllegalAction, NeedsChance, SeatInfo
from games.rules.registry import get
from tests.rules.kingdoms.heroes import KINDS, RANK_OF

KINGDOMS = get("kingdoms")
ALICE, BOB, CAROL, DAN = range(4)
NAMES = ["Alice", "Bob", "Carol", "Dan", "Erin", "Frank", "Grace", "Heidi"]
BOSSES = ("warmaster", "spymaster", "builder", "peacekeeper")
LONE = "|".join(("dragon", "oracle", "fox", "carp", *BOSSES))
SHORT = re.compile(rf"(?:(sun|wave|pine|plum)-)?([ACS]\d+|[EQPX]|{LONE})")


class Stacked:
    """Chance that draws the named cards first, then ordinary ones, and makes the given picks, then 0."""

    def __init__(self, cards: str = "", picks: Sequence[int] = ()) -> None:
        self.cards, self.picks = cards.split(), list(picks)

    def draw(self, deck: str, cards: Sequence[str]) -> str:
        if self.cards:
            word = self.cards.pop(0)
            return next(card_id for card_id in cards if fits(card_id, word))
        return next((card_id for card_id in cards if not card(card_id).commands), cards[0])

    def below(self, n: int) -> int:
        return self.picks.pop(0) if self.picks else 0


def fits(card_id: str, word: str) -> bool:
    """Return whether the short name means this card."""
    match = SHORT.fullmatch(word)
    assert match, word
    suit, name = match.groups()
    hero = card(card_id)
    if suit and hero.suit != suit:
        return False
    if name in RANK_OF:
        return hero.rank == RANK_OF[name]
    if name[0] in KINDS and name[1:].isdigit():
        return (hero.kind, str(hero.value)) == (KINDS[name[0]], name[1:])
    return card_id.endswith(f"-{name}")


def position(
    players: int = 3,
    *,
    hands: Mapping[int, str] = {},
    towers: Mapping[int, str] = {},
    flop: str = "A4 A5 A6",
    burn: str = "",
    deck: str | None = None,
    rulers: str = "",
    shown: Mapping[int, str] = {},
    truces: Sequence[int] = (),
    attacked: Sequence[int] = (),
    active: int = ALICE,
    first: int = ALICE,
    round: int = 4,
    options: Mapping[str, Any] = {},
    showdown: bool = False,
    **flags: Any,
) -> State:
    """Return a position in Alice's turn; by default she has drawn.

    If given, `deck` is the whole Draw deck. `rulers` is written as in the specification: `- 0 -`.
    """
    state = empty(KINGDOMS.options(options, players), (SeatInfo(),) * players)
    left = list(all_cards(state.options, players))
    state.hands = [in_order(_dealt(left, hands.get(seat, ""))) for seat in range(players)]
    state.towers = [_dealt(left, towers.get(seat, "")) for seat in range(players)]
    state.flop, state.burn = _dealt(left, flop), _dealt(left, burn)
    state.deck = [*in_order(left if deck is None else _dealt(left, deck))]
    state.out = () if deck is None else tuple(left)
    state.bands = [band(value(hand)) for hand in state.hands]
    state.shown = [_shown(hand, shown.get(seat)) for seat, hand in enumerate(state.hands)]
    state.truces = [seat in truces for seat in range(players)]
    state.attacked = [seat in attacked for seat in range(players)]
    if rulers:
        state.rulers = tuple(None if word == "-" else int(word) for word in rulers.split())
    state.flags = msgspec.structs.replace(FRESH, **{"drawn": True, **flags})
    state.active, state.first, state.round, state.deal, state.shuffle = active, first, round, 0, 1
    state.showdown = showdown
    return state


def _dealt(left: list[str], words: str) -> tuple[str, ...]:
    dealt = []
    for word in words.split():
        dealt.append(next(card_id for card_id in left if fits(card_id, word)))
        left.remove(dealt[-1])
    return tuple(dealt)


def _shown(hand: tuple[str, ...], words: str | None) -> tuple[str, ...]:
    return default_shown(hand) if words is None else in_order(_dealt(list(hand), words))


# Acting


def spelt(state: State, seat: int, text: str) -> str:
    """Replace short names by ids of the hand, of the Flop after `for`, or of the zone that the verb uses."""
    zone: tuple[str, ...] = _zone(state, seat, text)
    used: list[str] = []
    words = []
    for word in text.split():
        zone = state.flop if word == "for" and text.startswith("buy") else zone
        words.append("+".join(_spelt(part, zone, used) for part in word.split("+")))
    return " ".join(words)


def _zone(state: State, seat: int, text: str) -> tuple[str, ...]:
    verb = text.split(maxsplit=1)[0]
    if verb in ("draw-from-flop", "burn", "market"):
        return state.flop
    if verb == "take":
        return state.hands[state.look]
    return state.burn if text.startswith("boss builder") else state.hands[seat]


def _spelt(word: str, zone: tuple[str, ...], used: list[str]) -> str:
    if not SHORT.fullmatch(word) or word in BOSSES:  # Bosses have the same name in the text of the action
        return word
    used.append(next(card_id for card_id in zone if card_id not in used and fits(card_id, word)))
    return used[-1]


def events(state: State, text: str, seat: int | None = None, chance: Any = None) -> list[Event]:
    """Return the events of an action. By default the first seat to act makes it."""
    actor = KINGDOMS.to_act(state)[0] if seat is None else seat
    return KINGDOMS.decide(state, actor, KINGDOMS.parse(spelt(state, actor, text)), chance or Stacked())


def applied(state: State, facts: Sequence[Event]) -> State:
    """Return the position after these events."""
    copy = state.copy()
    for event in facts:
        KINGDOMS.evolve(copy, event)
    return copy


def after(state: State, *texts: str, draws: str = "", picks: Sequence[int] = ()) -> State:
    """Return the position after these actions, each of the first seat to act."""
    chance = Stacked(draws, picks)
    for text in texts:
        state = applied(state, events(state, text, chance=chance))
    return state


def refusal(state: State, text: str, seat: int | None = None) -> str:
    """Return the error message that refuses the action."""
    with pytest.raises(IllegalAction) as refused:
        events(state, text, seat)
    return str(refused.value)


def is_refused_as_draft(state: State, text: str) -> bool:
    """Return whether a draft cannot contain the action because it needs chance or reveals something."""
    actor = KINGDOMS.to_act(state)[0]
    try:
        KINGDOMS.decide(state, actor, KINGDOMS.parse(spelt(state, actor, text)), None)
    except NeedsChance:
        return True
    return False


def offers(state: State, verb: str = "", seat: int | None = None) -> list[str]:
    """Return the legal texts, optionally only those of one verb."""
    actor = KINGDOMS.to_act(state)[0] if seat is None else seat
    return [text for text in map(KINGDOMS.text, KINGDOMS.legal(state, actor)) if text.split()[0].startswith(verb)]


def verbs(state: State) -> list[str]:
    """Return the distinct verbs of the legal actions."""
    return list(dict.fromkeys(text.split()[0] for text in offers(state)))


# Reading


def short(cards: Sequence[str]) -> str:
    """Return the short names of cards, in the given order."""
    return " ".join(_short(card(card_id)) for card_id in cards)


def _short(hero: Any) -> str:
    letters = {kind: letter for letter, kind in KINDS.items()} | {rank: letter for letter, rank in RANK_OF.items()}
    if hero.rank:
        return letters[hero.rank]
    return f"{letters[hero.kind]}{hero.value}" if hero.kind in letters else hero.id.partition("-")[2]


def hand(state: State, seat: int = ALICE) -> str:
    """Return the short names of a hand in alphabetical order."""
    return " ".join(sorted(short(state.hands[seat]).split()))


def rulers(state: State) -> str:
    return " ".join("-" if ruler is None else str(ruler) for ruler in state.rulers)


def kinds_of(facts: Sequence[Event]) -> list[str]:
    """Return the kinds of the events, as in the log."""
    return [type(event).__struct_config__.tag for event in facts]
