"""Battles: declaration, protection, defense, waves and result (section 8)."""

from games.rules.kingdoms import actions as a
from games.rules.kingdoms import events as e
from games.rules.kingdoms.course import Course, after_step
from games.rules.kingdoms.legal import can_lay, is_opening_truce, is_target, may_attack_again
from games.rules.kingdoms.options import FLOP, STOP, TROOPS
from games.rules.kingdoms.realm import above, after_castle, after_tower
from games.rules.kingdoms.state import LEAVE, NOBODY, Battle, State
from games.rules.kingdoms.troops import classify
from games.rules.kingdoms.turn import end_turn, next_challenge
from games.rules.kingdoms.values import value_of
from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

Cards = tuple[str, ...]


def attack(course: Course, seat: int, action: a.Attack) -> None:
    """Declare a battle with a face-down hand (K25)."""
    state, other = course.state, action.seat
    if not state.showdown:
        if not state.flags.drawn:
            raise IllegalAction(gettext_noop("Draw first."))
        if state.flags.battles >= state.flags.battles_allowed:
            raise IllegalAction(gettext_noop("You have already fought your battle this turn."))
        if is_opening_truce(state):
            raise IllegalAction(gettext_noop("Nobody can attack yet: the opening truce is still on."))
    if other not in range(state.players):
        raise IllegalAction(gettext_noop("There is no seat {seat} in this game."), seat=other)
    if other == seat:
        raise IllegalAction(gettext_noop("You can’t attack yourself. Choose another player."))
    if not is_target(state, seat, other):
        if above(state.rulers, seat, other):
            raise IllegalAction(gettext_noop("You can’t attack your own sub-kingdom. Choose another player."))
        raise IllegalAction(gettext_noop("That player is under a Truce. Choose another player."))
    _check_troops(state, seat, action.cards)
    course.add(e.AttackDeclared(seat, other, len(action.cards), _open(state, seat, action.cards), action.cards))
    go_on(course)


def protect(course: Course, seat: int, action: a.Protect) -> None:
    course.add(e.ProtectionChosen(seat, _battle(course).target, action.mode))
    go_on(course)


def defend(course: Course, seat: int, action: a.Defend) -> None:
    """Lay a hand to defend; no cards are allowed (K23, K85)."""
    if action.cards:
        _check_troops(course.state, seat, action.cards)
    _lay(course, seat, action.cards)


def wave(course: Course, seat: int, action: a.Wave) -> None:
    """Continue after a tie with a new hand (K26, K87)."""
    _check_troops(course.state, seat, action.cards)
    _lay(course, seat, action.cards)


def stop(course: Course, seat: int, action: a.Stop) -> None:
    """Stop after a tie: nobody takes the Flop, and no Tower is lost (K29)."""
    course.add(e.BattleStopped(seat))
    if course.chance is not None:
        _result(course)


def _check_troops(state: State, seat: int, cards: Cards) -> None:
    if not set(state.hands[seat]).issuperset(cards):
        raise IllegalAction(gettext_noop("You can only play cards from your hand."))
    classify(cards)


def _open(state: State, seat: int, cards: Cards) -> Cards:
    """Return the cards that are laid face up, because they were face up in the hand (K78)."""
    shown = state.shown[seat]
    return tuple([card_id for card_id in cards if card_id in shown]) if shown else ()


def _lay(course: Course, seat: int, cards: Cards) -> None:
    course.add(e.TroopsLaid(seat, len(cards), _open(course.state, seat, cards), cards))
    go_on(course)


def _battle(course: Course) -> Battle:
    assert course.state.battle is not None
    return course.state.battle


# What follows without a decision


def go_on(course: Course) -> None:
    """Continue the battle to the next decision or to its result. A draft stops before troops are revealed."""
    state, battle = course.state, _battle(course)
    if battle.protector != NOBODY and not battle.mode:
        if can_lay(state, battle.protector):
            return
        course.add(e.ProtectionChosen(battle.protector, battle.target, LEAVE))  # K83
        battle = _battle(course)
    is_waiting = False
    for seat in battle.waiting:
        if can_lay(state, seat):
            is_waiting = True
        else:
            course.add(e.TroopsLaid(seat, 0))  # K84
    if course.chance is None or is_waiting:
        return

    # Reveal the hands: the best defending hand counts, plus the wall if there is no Tower (K24, K35).
    hands = _battle(course).wave.hands
    wall = 0 if state.towers[battle.target] else state.options.wall
    attack, *defences = [sum(map(value_of, hand.cards)) for hand in hands]
    defence = max(defences) + wall
    seats, cards = tuple([hand.seat for hand in hands]), tuple([hand.cards for hand in hands])
    course.add(e.TroopsRevealed(seats, cards, attack, defence, wall))
    if attack == defence and not battle.stopped:
        if state.options.ties != STOP and state.hands[battle.attacker]:
            return
        course.add(e.BattleStopped(battle.attacker))  # K87
    _result(course)


def _result(course: Course) -> None:
    """Settle troops, Flop, Towers and rulers, then victories. The turn ends unless Second Strike allows a battle."""
    state, battle = course.state, _battle(course)
    attacker, last = battle.attacker, battle.wave
    if last.attack > last.defence:
        winner = attacker
    elif last.attack < last.defence:
        # The owner of the higher hand; the target, if both are equal (K35).
        winner = max(last.hands[1:], key=lambda hand: (sum(map(value_of, hand.cards)), hand.seat == battle.target)).seat
    else:
        winner = NOBODY

    # Spoils are the Flop (K27) or, by option, troops (K86); the other troops are burned (K28).
    attackers, defenders, spoils = Cards(), Cards(), Cards()
    for wave in battle.waves:
        for hand in wave.hands:
            if hand.seat == attacker:
                attackers += hand.cards
            else:
                defenders += hand.cards
    burned = attackers + defenders
    if winner != NOBODY and not state.showdown:
        if state.options.spoils == FLOP:
            spoils = state.flop
        elif state.options.spoils == TROOPS:
            spoils, burned = burned, ()
        else:
            spoils, burned = (defenders, attackers) if winner == attacker else (attackers, defenders)
    course.add(e.BattleEnded(attacker, battle.target, winner, spoils, burned))

    if winner == attacker:
        _defeat(course, attacker, battle.target)
    # In a battle of one wave, only those who laid troops have other hands than before, unless cards were picked (K39).
    is_simple = len(battle.waves) == 1 and not battle.picked
    if after_step(course, sorted([hand.seat for hand in last.hands]) if is_simple else None):
        return
    if state.showdown:
        next_challenge(course)
    elif not may_attack_again(state):
        end_turn(course)


def _defeat(course: Course, attacker: int, target: int) -> None:
    """Remove the top Tower, or the Castle if there is none, and change rulers (K30-K32, section 8.1)."""
    state = course.state
    if state.towers[target]:
        course.add(e.TowerLost(target, state.towers[target][-1]))
        rulers = after_tower(state.rulers, attacker, target)
    else:
        course.add(e.CastleFallen(target, attacker))
        rulers = after_castle(state.rulers, attacker, target)
    changes = [(seat, ruler) for seat, ruler in enumerate(rulers) if ruler != state.rulers[seat]]
    # Freed players come first, so that the rulers form a forest after every event.
    for seat, ruler in sorted(changes, key=lambda change: change[1] is not None):
        course.add(e.RulerChanged(seat, NOBODY if ruler is None else ruler))
