"""What a seat, or a spectator, may know of a position. Pages, emails, bots and the API only get views."""

from functools import cached_property

import msgspec

from games.rules.kingdoms.actions import text
from games.rules.kingdoms.deck import castle, decks_for
from games.rules.kingdoms.legal import legal
from games.rules.kingdoms.masked import knows_laid, masked
from games.rules.kingdoms.options import Options
from games.rules.kingdoms.scoring import score
from games.rules.kingdoms.state import CLOSED, EPIC, NOBODY, TURN, Battle, Laid, State, Wave, to_act
from games.rules.kingdoms.worth import value
from games.rules.protocol import Scoresheet

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


class TurnView(msgspec.Struct, frozen=True):
    """What has been done in this turn."""

    drawn: bool
    burned: bool
    bought: bool
    builds: int
    builds_allowed: int
    picked_up: bool
    battles: int
    battles_allowed: int
    not_so_secret: bool
    picked_from: tuple[int, ...]


class View(msgspec.Struct, frozen=True, dict=True):
    """A position as one viewer knows it. `seat` is null for a spectator.

    `phase`: turn, flopdraw, epic, infiltrate, protect, defend, tie, showdown or over. `deck` counts its cards; `epic`
    must move; `looked` is the hand a spy looks at. `owed`: cards still to be taken from the Flop. `hidden` is the
    position without anything the viewer may not know; `sample` fills it in. `won_by`: empire, conquest, value,
    showdown, quickplay, or house.
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
    flags: TurnView
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
    phase, spies = state.phase, state.look != NOBODY and seat == state.active
    return View(
        ruleset=SLUG,
        seat=seat,
        options=state.options,
        phase=TURN if phase == CLOSED else phase,
        round=state.round,
        first=state.first,
        active=state.active,
        to_act=to_act(state),
        flop=state.flop,
        burn=state.burn,
        out=state.out,
        deck=len(state.deck),
        players=tuple(_player(state, player, seat) for player in range(state.players)),
        battle=None if state.battle is None else _battle(state, state.battle, seat),
        epic=state.queue[0] if phase == EPIC else None,
        looked_at=None if state.look == NOBODY else state.look,
        looked=state.hands[state.look] if spies else (),
        owed=state.owed,
        flags=_flags(state),
        showdown=state.showdown,
        deal=state.deal,
        scoresheet=score(state),
        over=state.result is not None,
        won_by=state.won_by,
        hidden=masked(state, seat),
    )


def _player(state: State, player: int, viewer: int | None) -> PlayerView:
    hand, known = state.hands[player], player == viewer or state.result is not None
    return PlayerView(
        seat=player,
        castle=castle(player, decks_for(state.players)),
        towers=state.towers[player],
        ruler=state.rulers[player],
        cards=len(hand),
        hand=hand if known else (),
        shown=state.shown[player],
        band=state.bands[player],
        value=value(hand) if known else None,
        truce=state.truces[player],
        attacked=state.attacked[player],
    )


def _battle(state: State, battle: Battle, viewer: int | None) -> BattleView:
    return BattleView(
        attacker=battle.attacker,
        target=battle.target,
        protector=None if battle.protector == NOBODY else battle.protector,
        mode=battle.mode or None,
        waves=tuple(_wave(state, wave, viewer) for wave in battle.waves),
    )


def _wave(state: State, wave: Wave, viewer: int | None) -> WaveView:
    hands = tuple(_laid(state, wave, hand, viewer) for hand in wave.hands)
    return WaveView(hands, wave.attack, wave.defence) if wave.revealed else WaveView(hands)


def _laid(state: State, wave: Wave, hand: Laid, viewer: int | None) -> LaidView:
    known = knows_laid(state, wave, hand, viewer)
    cards = hand.cards if known else hand.open
    return LaidView(hand.seat, len(hand.cards), cards, value(hand.cards) if known else None, wave.revealed)


def _flags(state: State) -> TurnView:
    flags = state.flags
    return TurnView(
        drawn=flags.drawn,
        burned=flags.burned,
        bought=flags.bought,
        builds=flags.builds,
        builds_allowed=flags.builds_allowed,
        picked_up=flags.picked_up,
        battles=flags.battles,
        battles_allowed=flags.battles_allowed,
        not_so_secret=flags.not_so_secret,
        picked_from=flags.picked_from,
    )
