"""The middle of the table: the Flop with its prices, the Draw deck, and the open Burn pile (K65).

Battles are here too, as small scenes: the current one, or the last one, rebuilt from the log.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.boards.kingdoms.battle import battle_scene
from games.boards.kingdoms.changes import Changes
from games.boards.themes import mark
from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import card
from games.rules.kingdoms.say import say
from games.rules.kingdoms.values import value
from games.rules.kingdoms.view import BattleView, LaidView, View, WaveView
from games.tables.pages.kingdoms import pictures
from games.tables.pages.kingdoms.cards import group_of, order_in_group
from games.tables.pages.kingdoms.offers import Choice
from games.tables.pages.kingdoms.pictures import sprite_url
from games.tables.pages.kingdoms.words import dots_count, hero, named
from games.tables.selectors.lines import LogLine


@dataclass(frozen=True)
class Ware:
    """A card of the Flop: its price, and what a tap does if taking it is the only action."""

    id: str
    price: str
    is_picked: bool
    choice: Choice | None
    is_new: bool = False

    @property
    def picture(self) -> SafeString:
        return pictures.picture(self.id)


@dataclass(frozen=True)
class Heap:
    """Cards of a class in the Burn pile."""

    name: str
    count: int
    cards: str


@dataclass(frozen=True)
class Taken:
    """A card of the Flop that a player took."""

    seat: int
    name: str
    card: str

    @property
    def mark(self) -> SafeString:
        return mark_safe(mark(self.seat))


@dataclass(frozen=True)
class Middle:
    """The middle of the table. `is_asked`: the reader has to choose a card of the Flop. `taken` recently left it."""

    wares: tuple[Ware, ...]
    deck: int
    burn: int
    heaps: tuple[Heap, ...]
    out: int
    can_pick: bool
    taken: tuple[Taken, ...] = ()

    @property
    def is_asked(self) -> bool:
        return any(ware.choice for ware in self.wares)

    @property
    def awning(self) -> SafeString:
        return pictures.awning()

    @property
    def deck_picture(self) -> SafeString:
        return pictures.deck_pile(self.deck)

    @property
    def burn_picture(self) -> SafeString:
        return pictures.ember_pile(self.burn)


def middle(
    view: View,
    picked: frozenset[str],
    choices: Mapping[str, Choice],
    can_pick: bool,
    changes: Changes,
    names: Sequence[str],
) -> Middle:
    wares = tuple(
        Ware(card_id, dots_count(card(card_id).dots), card_id in picked, choices.get(card_id), card_id in changes.came)
        for card_id in view.flop
    )
    taken = tuple(Taken(seat, names[seat], hero(card_id)) for seat, card_id in changes.taken)
    heaps = []  # of the Burn pile by classes, as in a hand
    burnt = sorted(map(card, view.burn), key=lambda card: (group_of(card), *order_in_group(card)))
    for (_place, name), members in groupby(burnt, group_of):
        cards = [card.id for card in members]
        heaps.append(Heap(_(name), len(cards), named(cards)))
    return Middle(wares, view.deck, len(view.burn), tuple(heaps), len(view.out), can_pick, taken)


Names = Sequence[str]
OUTCOMES = (e.BattleEnded, e.TowerLost, e.CastleFallen, e.RulerChanged)


@dataclass(frozen=True)
class Scene:
    """A battle as a picture. `outcome` are sentences about the result; `is_new`: the page shows it as new."""

    title: str
    picture: SafeString
    is_over: bool
    is_new: bool
    outcome: tuple[str, ...] = ()


def scene(view: View, log: Sequence[LogLine], names: Names, shown_as_new: Container[int]) -> Scene | None:
    """Return the current battle, else the last one in this part of the log.

    `shown_as_new`: the entries that the page shows as new.
    """
    if view.battle is not None:
        return _scene(view, view.battle, view.players[view.battle.target].towers, names, is_over=False, is_new=True)

    events_by_line = [(line, event) for line in log for event in line.events]
    begins = [at for at, (_line, event) in enumerate(events_by_line) if isinstance(event, e.AttackDeclared)]
    if not begins:
        return None
    events_by_line = events_by_line[begins[-1] :]
    events = [event for _line, event in events_by_line]
    ends = next((at for at, event in enumerate(events) if isinstance(event, e.BattleEnded)), None)
    battle = _battle(events)
    if ends is None or not battle.waves:
        return None
    after = events[ends:]
    outcome = []
    for event in after:
        if isinstance(event, e.TurnEnded | e.TurnBegun | e.GameEnded):
            break
        if isinstance(event, OUTCOMES):
            outcome.append(say(event, names, _))
    towers = towers_before(view.players[battle.target].towers, battle.target, after)
    is_new = any(line.seq in shown_as_new for line, event in events_by_line if isinstance(event, e.BattleEnded))
    return _scene(view, battle, towers, names, is_over=True, is_new=is_new, outcome=tuple(outcome))


def _scene(
    view: View,
    battle: BattleView,
    towers: Sequence[str],
    names: Names,
    *,
    is_over: bool,
    is_new: bool,
    outcome: tuple[str, ...] = (),
) -> Scene:
    title = _("{attacker} attacks {target}").format(attacker=names[battle.attacker], target=names[battle.target])
    wall = view.options.wall
    drawn = battle_scene(battle, towers=towers, wall=wall, names=names, sprite=sprite_url(), translate=_)
    return Scene(title, mark_safe(drawn), is_over, is_new, outcome)


def _battle(events: Sequence[Any]) -> BattleView:
    """Return the battle that starts with the first of these events."""
    declared, protector, mode, waves = events[0], None, None, []
    for event in events:
        match event:
            case e.ProtectionChosen():
                protector, mode = event.seat, event.mode
            case e.TroopsRevealed():
                hands = zip(event.seats, event.hands, strict=True)
                laid = tuple(LaidView(seat, len(cards), cards, value(cards), revealed=True) for seat, cards in hands)
                waves.append(WaveView(laid, event.attack, event.defence))
    return BattleView(declared.seat, declared.other, protector, mode, tuple(waves))


def towers_before(towers: tuple[str, ...], seat: int, events: Sequence[Any]) -> tuple[str, ...]:
    """Return the Towers of a seat before these events, by reverting them."""
    for event in reversed(events):
        match event:
            case e.TowerBuilt(owner, _card) if owner == seat:
                towers = towers[:-1]
            case e.TowerPickedUp(owner, tower) | e.TowerLost(owner, tower) if owner == seat:
                towers = (*towers, tower)
            case e.TowerStolen(other=owner, tower=tower, broken=broken) if owner == seat:
                towers = (*towers, tower, *broken)
            case e.EpicMoved(others=(owner,), taken=tower) if owner == seat and tower:
                towers = (*towers, tower)
    return towers
