"""The writers for battle events: what is laid, revealed, won and lost."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from games.rules.kingdoms import events as e
from games.rules.kingdoms.hands import burn, gain, lose, turn_towers
from games.rules.kingdoms.state import NOBODY, Battle, Laid, State, Wave


def _attack_declared(state: State, event: e.AttackDeclared) -> None:
    lose(state, event.seat, event.cards)
    ruler = state.rulers[event.other]
    state.battle = Battle(
        attacker=event.seat,
        target=event.other,
        protector=NOBODY if ruler is None or ruler == event.seat else ruler,
        waves=(Wave((Laid(event.seat, event.cards, event.open),)),),
    )
    state.attacked[event.seat] = True
    state.flags = replace(state.flags, battles=state.flags.battles + 1)


def _protection_chosen(state: State, event: e.ProtectionChosen) -> None:
    state.battle = replace(_battle(state), mode=event.mode)


def _troops_laid(state: State, event: e.TroopsLaid) -> None:
    """Add a defence, or the attacker's next wave, for which everyone may pick again (K39)."""
    lose(state, event.seat, event.cards)
    battle, laid = _battle(state), Laid(event.seat, event.cards, event.open)
    if event.seat == battle.attacker:
        state.battle = replace(battle, waves=(*battle.waves, Wave((laid,))), picked=())
    else:
        wave = replace(battle.wave, hands=(*battle.wave.hands, laid))
        state.battle = replace(battle, waves=(*battle.waves[:-1], wave))


def _troops_revealed(state: State, event: e.TroopsRevealed) -> None:
    battle = _battle(state)
    wave = replace(battle.wave, revealed=True, attack=event.attack, defence=event.defence)
    state.battle = replace(battle, waves=(*battle.waves[:-1], wave))


def _battle_stopped(state: State, event: e.BattleStopped) -> None:
    state.battle = replace(_battle(state), stopped=True)


def _battle_ended(state: State, event: e.BattleEnded) -> None:
    """Settle the battle. Nobody acts until the turn has passed, so the old Flop can't be used (K28, K29, K88)."""
    state.battle = None
    state.flop = tuple(one for one in state.flop if one not in event.spoils)
    if event.winner != NOBODY:
        gain(state, event.winner, event.spoils)
    _discard(state, event.burned)


def _tower_lost(state: State, event: e.TowerLost) -> None:
    turn_towers(state, event.seat, (event.card,))
    _discard(state, (event.card,))


def _discard(state: State, cards: tuple[str, ...]) -> None:
    """Put the cards on the Burn pile or, in the Final Showdown, out of the game (K88)."""
    if state.showdown:
        state.out += cards
    else:
        burn(state, cards)


def _castle_fallen(state: State, event: e.CastleFallen) -> None:
    """Do nothing: the Castle is rebuilt at once (K32)."""


def _ruler_changed(state: State, event: e.RulerChanged) -> None:
    ruler = None if event.ruler == NOBODY else event.ruler
    state.rulers = (*state.rulers[: event.seat], ruler, *state.rulers[event.seat + 1 :])


def _battle(state: State) -> Battle:
    assert state.battle is not None
    return state.battle


BATTLE_WRITERS: dict[type, Callable[[State, Any], None]] = {
    e.AttackDeclared: _attack_declared,
    e.ProtectionChosen: _protection_chosen,
    e.TroopsLaid: _troops_laid,
    e.TroopsRevealed: _troops_revealed,
    e.BattleStopped: _battle_stopped,
    e.BattleEnded: _battle_ended,
    e.TowerLost: _tower_lost,
    e.CastleFallen: _castle_fallen,
    e.RulerChanged: _ruler_changed,
}
