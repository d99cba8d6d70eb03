"""What a seat, or a spectator, may know of positions and events. Pages, emails, bots and the API only get views."""

from collections.abc import Iterator
from functools import cached_property

import msgspec
from msgspec.structs import replace

from games.rules.kingdoms import events as e
from games.rules.kingdoms.actions import text
from games.rules.kingdoms.deck import card, castle, decks_for, in_order
from games.rules.kingdoms.legal import legal
from games.rules.kingdoms.options import Options
from games.rules.kingdoms.scoring import score
from games.rules.kingdoms.state import (
    CLOSED,
    EPIC,
    NOBODY,
    SPECTATOR,
    TURN,
    UNKNOWN,
    Battle,
    Flags,
    Laid,
    State,
    Wave,
    to_act,
)
from games.rules.kingdoms.values import value
from games.rules.protocol import Event, Scoresheet, SeatInfo

Cards = tuple[str, ...]
SLUG = "kingdoms"


class PlayerView(msgspec.Struct, frozen=True):
    """What a player has in front of them. `towers` from the ground up; `cards` counts the whole hand.

    Only the owner sees `hand` and `value` until the game is over (K103). `band`: 0, 100 or 200 (K54).
    """

    seat: int
    castle: str
    towers: tuple[str, ...]
    ruler: int | None
    cards: int
    hand: tuple[str, ...]
    shown: tuple[str, ...]
    band: int
    value: int | None
    truce: bool
    attacked: bool


class LaidView(msgspec.Struct, frozen=True):
    """A troop hand on the table. `cards` are those the viewer knows; `total` is their sum if that is all of them."""

    seat: int
    count: int
    cards: tuple[str, ...]
    total: int | None
    revealed: bool


class WaveView(msgspec.Struct, frozen=True):
    """A wave, the attacker's hand first. `defence` includes the Castle's wall, once revealed."""

    hands: tuple[LaidView, ...]
    attack: int | None = None
    defence: int | None = None


class BattleView(msgspec.Struct, frozen=True):
    """A battle. `mode`: leave, with or for, as chosen by the target's ruler; null if not chosen or without a ruler."""

    attacker: int
    target: int
    protector: int | None
    mode: str | None
    waves: tuple[WaveView, ...]


class View(msgspec.Struct, frozen=True, dict=True):
    """A position as one viewer knows it. `seat` is null for a spectator.

    `phase`: turn, flopdraw, epic, infiltrate, protect, defend, tie, showdown or over. `deck` counts its cards; `epic`
    must move; `looked` is the hand a spy looks at. `owed`: cards still to be taken from the Flop. `hidden` is the
    position without anything the viewer may not know; `sample` fills it in. `won_by`: empire, conquest, value,
    showdown, quickplay, or staff.
    """

    ruleset: str
    seat: int | None
    options: Options
    phase: str
    round: int
    first: int
    active: int
    to_act: tuple[int, ...]
    flop: tuple[str, ...]
    burn: tuple[str, ...]
    out: tuple[str, ...]
    deck: int
    players: tuple[PlayerView, ...]
    battle: BattleView | None
    epic: str | None
    looked_at: int | None
    looked: tuple[str, ...]
    owed: int
    flags: Flags
    showdown: bool
    deal: int
    scoresheet: Scoresheet
    over: bool
    won_by: str | None
    hidden: State

    @cached_property
    def legal(self) -> tuple[str, ...]:
        """The action texts of the viewing seat. There are often thousands, so they are listed only on demand."""
        return () if self.seat is None else tuple(map(text, legal(self.hidden, self.seat)))


def view(state: State, seat: int | None) -> View:
    """Return the position as `seat` may know it."""
    phase, battle = state.phase, state.battle
    decks, is_over = decks_for(state.players), state.result is not None
    players = tuple(
        PlayerView(
            seat=player, castle=castle(player, decks), towers=state.towers[player], ruler=state.rulers[player],
            cards=len(hand), hand=hand if player == seat or is_over else (), shown=state.shown[player],
            band=state.bands[player], value=value(hand) if player == seat or is_over else None,
            truce=state.truces[player], attacked=state.attacked[player],
        )
        for player, hand in enumerate(state.hands)
    )  # fmt: skip
    return View(
        ruleset=SLUG, seat=seat, options=state.options, phase=TURN if phase == CLOSED else phase, round=state.round,
        first=state.first, active=state.active, to_act=to_act(state), flop=state.flop, burn=state.burn,
        out=state.out, deck=len(state.deck), players=players,
        battle=None if battle is None else _battle_view(state, battle, seat),
        epic=state.queue[0] if phase == EPIC else None, looked_at=None if state.look == NOBODY else state.look,
        looked=state.hands[state.look] if state.look != NOBODY and seat == state.active else (), owed=state.owed,
        flags=state.flags, showdown=state.showdown, deal=state.deal, scoresheet=score(state), over=is_over,
        won_by=state.won_by, hidden=masked(state, seat),
    )  # fmt: skip


def _battle_view(state: State, battle: Battle, viewer: int | None) -> BattleView:
    waves = []
    for wave in battle.waves:
        hands = []
        for laid in wave.hands:
            known = _knows_laid(state, wave, laid, viewer)
            cards, total = (laid.cards, value(laid.cards)) if known else (laid.open, None)
            hands.append(LaidView(laid.seat, len(laid.cards), cards, total, wave.revealed))
        totals = (wave.attack, wave.defence) if wave.revealed else ()
        waves.append(WaveView(tuple(hands), *totals))
    protector = None if battle.protector == NOBODY else battle.protector
    return BattleView(battle.attacker, battle.target, protector, battle.mode or None, tuple(waves))


def _knows_laid(state: State, wave: Wave, hand: Laid, viewer: int | None) -> bool:
    """Return whether the viewer sees that hand on the table: its own, and all once they are revealed (K82, K103)."""
    return wave.revealed or hand.seat == viewer or state.result is not None


# The same as a position: what the viewer does not know is masked


def masked(state: State, seat: int | None) -> State:
    """Return a copy in which unknown cards are `?`. The Draw deck lists them among its own.

    Cards that the viewer traced are known in the hands of others, but not while their owner has troops on the table
    face down, which these cards may be: then only `traced` lists them. Who else knows a card follows from what all saw:
    which cards were turned over, and who looked at a hand.
    """
    copy = state.copy()
    copy.seats = tuple(SeatInfo(bot=info.bot) for info in state.seats)
    if state.result is not None:
        return copy
    me, wave = SPECTATOR if seat is None else seat, state.battle.wave if state.battle else None
    has_troops = {laid.seat for laid in wave.hands} if wave and not wave.revealed else set()
    for owner, hand in enumerate(state.hands):
        traced = copy.traced[owner] = {
            card_id: seats for card_id, seats in state.traced[owner].items() if seats >> me & 1 or owner == seat
        }
        is_spied_on = state.look == owner and seat == state.active
        if owner != seat and not is_spied_on:
            shown = state.shown[owner]
            if owner not in has_troops and traced:
                shown = tuple([card_id for card_id in hand if card_id in traced or card_id in shown])
            copy.hands[owner] = _with_backs(shown, hand)
    if state.battle is not None:
        waves = []
        for wave in state.battle.waves:
            hands = tuple(
                laid
                if _knows_laid(state, wave, laid, seat)
                else replace(laid, cards=_with_backs(laid.open, laid.cards))
                for laid in wave.hands
            )
            waves.append(replace(wave, hands=hands))
        copy.battle = replace(state.battle, waves=tuple(waves))
    known = set(_held(copy))
    copy.deck = [*in_order((*state.deck, *(card_id for card_id in _held(state) if card_id not in known)))]
    return copy


def _with_backs(known: Cards, cards: Cards) -> Cards:
    """Return the known ones of these cards, and backs for the others."""
    return known + (UNKNOWN,) * (len(cards) - len(known))


def _held(state: State) -> Iterator[str]:
    """Yield the cards in hands and on the table."""
    for hand in state.hands:
        yield from hand
    if state.battle is not None:
        for wave in state.battle.waves:
            for laid in wave.hands:
                yield from laid.cards


# Events


def seen(event: Event, seat: int | None) -> Event:
    """Return the event without the cards the seat may not know (section 14). That it happened is always public."""
    match event:
        case e.Dealt():
            hands = tuple(hand if owner == seat else () for owner, hand in enumerate(event.hands))
            return replace(event, hands=hands)
        case e.CardDrawn(card=card_id) if event.seat != seat and card_id and card(card_id).kind != "epic":
            return e.CardDrawn(event.seat)
        case e.CardPicked() | e.TributeTaken() | e.CardStolen() if seat not in (event.seat, event.other):
            return replace(event, card="")
        case e.Given() if seat not in (event.seat, event.other):
            return replace(event, cards=())
        case e.HandSeen() | e.AttackDeclared() | e.TroopsLaid() if seat != event.seat:
            return replace(event, cards=())
    return event
