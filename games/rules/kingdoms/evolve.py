"""`evolve`: the only code that changes a position. It applies each kind of event, and refuses none.

Comparing types is faster than matching, so the most frequent events of each group come first.
"""

from bisect import insort
from collections.abc import Callable
from typing import Any, get_args

from msgspec.structs import replace

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import COMMANDING, card, deck_index, in_order
from games.rules.kingdoms.options import FLOP, HAND
from games.rules.kingdoms.scoring import final
from games.rules.kingdoms.state import EVERYONE, FRESH, NOBODY, Battle, Laid, State, Wave, all_cards
from games.rules.protocol import Event

Cards = tuple[str, ...]


def evolve(state: State, event: Event) -> None:
    WRITERS[type(event)](state, event)


def stop(state: State) -> None:
    """End the game at the staff's request; places are decided as they are after a winner (K95)."""
    state.result, state.won_by = final(state, ()), "staff"


def _write_round(state: State, event: e.RoundEvent) -> None:
    """Apply the deal, the start or end of a turn, or the end of the game."""
    if type(event) is e.TurnBegun:
        state.active, state.round = event.seat, event.round
        state.flags, state.passing = FRESH, False
        state.truces[event.seat] = False
    elif type(event) is e.TurnEnded:
        state.passing = True
    elif type(event) is e.Dealt:
        # A new deal resets everything, whatever the position was (K91).
        n, dealt = state.players, {card_id for cards in (*event.hands, event.flop) for card_id in cards}
        state.deck = [card_id for card_id in all_cards(state.options, n) if card_id not in dealt]
        state.flop, state.burn, state.out = event.flop, (), ()
        state.hands = [in_order(hand) for hand in event.hands]
        state.shown, state.towers = [()] * n, [()] * n
        state.bands, state.truces, state.attacked = [0] * n, [False] * n, [False] * n
        state.rulers, state.traced = (None,) * n, [{} for _ in range(n)]
        state.queue, state.owed, state.flags = (), 0, FRESH
        state.battle, state.passing, state.showdown = None, True, False
        state.deal, state.shuffle = event.deal, state.shuffle + 1
        state.round, state.first, state.active = 1, event.first, event.first
    elif type(event) is e.ShowdownBegun:
        state.showdown, state.truces = True, [False] * state.players
    elif type(event) is e.ShowdownTurn:
        state.active, state.flags, state.passing = event.seat, FRESH, False
    elif type(event) is e.GameEnded:
        state.result, state.won_by = event.scoresheet, event.won_by


def _write_cards(state: State, event: e.CardEvent) -> None:
    """Move cards between the Draw deck, the Flop, the Burn pile and the active player's hand."""
    if type(event) is e.Bought:
        _exchange(state, event.seat, event.give, event.take, EVERYONE)
        state.flop = _without(state.flop, event.take)
        if state.options.pay_to == FLOP:  # K11
            state.flop += event.give
        else:
            state.burn += event.give
        if not state.flags.bought:
            state.flags = replace(state.flags, bought=True)
    elif type(event) is e.FlopTurned:
        _leave_deck(state, event.card)
        state.flop += (event.card,)
    elif type(event) is e.CardDrawn or type(event) is e.HeroTurned:
        _leave_deck(state, event.card)
        is_epic = event.card in COMMANDING and card(event.card).kind == "epic"
        is_public = is_epic or isinstance(event, e.HeroTurned)
        _gain(state, event.seat, (event.card,), EVERYONE if is_public else 0)
        if is_epic:
            state.queue += (event.card,)  # it waits for its move (K49)
    elif type(event) is e.DrawBegun:
        state.flags = replace(state.flags, drawn=True)
    elif type(event) is e.CardBurned:
        state.flop = _without(state.flop, (event.card,))
        state.burn += (event.card,)
        state.flags = replace(state.flags, burned=True)
    elif type(event) is e.Reshuffled:
        state.deck, state.burn = [*in_order(state.burn)], ()
        state.shuffle += 1
    elif type(event) is e.FlopOwed:
        state.owed = event.count
    elif type(event) is e.FlopDrawn:
        state.flop = _without(state.flop, (event.card,))
        _gain(state, event.seat, (event.card,))
        state.owed -= 1


def _write_turn(state: State, event: e.TurnEvent) -> None:
    """Apply a free action of a turn, or what everyone learns about a hand."""
    if type(event) is e.BandReached:
        state.bands[event.seat] = event.band
    elif type(event) is e.TowerBuilt:
        _lose(state, event.seat, (event.card,))
        state.towers[event.seat] += (event.card,)
        state.flags = replace(state.flags, builds=state.flags.builds + 1)
    elif type(event) is e.TowerPickedUp:
        state.towers[event.seat] = state.towers[event.seat][:-1]
        _gain(state, event.seat, (event.card,))
        state.flags = replace(state.flags, picked_up=True)
    elif type(event) is e.CardPicked:
        _pass_on(state, event.other, event.seat, (event.card,))
        if state.battle is None:
            state.flags = replace(state.flags, picked_from=(*state.flags.picked_from, event.other))
        else:
            state.battle = replace(state.battle, picked=(*state.battle.picked, (event.seat, event.other)))
    elif type(event) is e.TowerStolen:
        _lose(state, event.seat, event.cards)
        state.burn += event.cards
        state.towers[event.other] = _without(state.towers[event.other], (event.tower, *event.broken))
        _gain(state, event.seat, (event.tower,))  # K45
        if event.broken_to == HAND:  # K46
            _gain(state, event.other, event.broken)
        else:
            state.burn += event.broken
        state.flags = replace(state.flags, not_so_secret=True)
    elif type(event) is e.Given:
        _pass_on(state, event.seat, event.other, event.cards)
    elif type(event) is e.HandShown:
        state.shown[event.seat] = event.cards
        state.traced[event.seat] |= dict.fromkeys(event.cards, EVERYONE)


def _write_power(state: State, event: e.PowerEvent) -> None:
    """Apply the move of an Epic or a Boss."""
    if type(event) is e.EpicMoved:
        state.queue = state.queue[1:]
        if event.taken and event.others:
            rival = event.others[0]
            state.towers[rival] = _without(state.towers[rival], (event.taken,))
            state.burn += (event.taken,)
        elif event.taken:
            state.flop = _without(state.flop, (event.taken,))
            _gain(state, event.seat, (event.taken,))
    elif type(event) is e.TributeTaken:
        _pass_on(state, event.other, event.seat, (event.card,))
    elif type(event) is e.BossPlayed:
        _lose(state, event.seat, (event.card,))
        state.burn += (event.card,)
        power = card(event.card).power
        if power == "strike":
            state.flags = replace(state.flags, battles_allowed=2)
        elif power == "walls":
            state.flags = replace(state.flags, builds_allowed=state.flags.builds_allowed + 1)
        elif power == "truce":
            state.truces[event.seat] = True
    elif type(event) is e.HandSeen:
        state.look = event.other
        traced, spy = state.traced[event.other], 1 << event.seat
        for card_id in state.hands[event.other]:
            traced[card_id] = traced.get(card_id, 0) | spy
    elif type(event) is e.CardStolen:
        _pass_on(state, event.other, event.seat, (event.card,))
        state.look = NOBODY
    elif type(event) is e.HeroRecovered:
        state.burn = _without(state.burn, (event.card,))
        _gain(state, event.seat, (event.card,))


def _write_troops(state: State, event: e.TroopEvent) -> None:
    """Apply what is laid and revealed in a battle."""
    battle = state.battle
    if type(event) is e.AttackDeclared:
        _lay(state, event.seat, event.cards)
        ruler = state.rulers[event.other]
        state.battle = Battle(
            attacker=event.seat,
            target=event.other,
            protector=NOBODY if ruler is None or ruler == event.seat else ruler,
            waves=(Wave((Laid(event.seat, event.cards, event.open),)),),
        )
        state.attacked[event.seat] = True
        state.flags = replace(state.flags, battles=state.flags.battles + 1)
        return
    assert battle is not None
    *before, wave = battle.waves
    if type(event) is e.TroopsLaid:
        _lay(state, event.seat, event.cards)
        laid = Laid(event.seat, event.cards, event.open)
        if event.seat == battle.attacker:
            # In the next wave, everyone may pick again (K39).
            state.battle = replace(battle, waves=(*battle.waves, Wave((laid,))), picked=())
        else:
            state.battle = replace(battle, waves=(*before, replace(wave, hands=(*wave.hands, laid))))
    elif type(event) is e.TroopsRevealed:
        for laid in wave.hands:
            _forget(state, laid.seat, laid.cards)
        wave = replace(wave, revealed=True, attack=event.attack, defence=event.defence)
        state.battle = replace(battle, waves=(*before, wave))
    elif type(event) is e.ProtectionChosen:
        state.battle = replace(battle, mode=event.mode)
    elif type(event) is e.BattleStopped:
        state.battle = replace(battle, stopped=True)


def _write_result(state: State, event: e.ResultEvent) -> None:
    """Apply what is won or lost in a battle."""
    if type(event) is e.BattleEnded:
        # Nobody acts until the turn has passed, so the old Flop can't be used (K28, K29).
        state.battle = None
        state.flop = _without(state.flop, event.spoils)
        if event.winner != NOBODY:
            _gain(state, event.winner, event.spoils)
        _discard(state, event.burned)
    elif type(event) is e.RulerChanged:
        ruler = None if event.ruler == NOBODY else event.ruler
        state.rulers = (*state.rulers[: event.seat], ruler, *state.rulers[event.seat + 1 :])
    elif type(event) is e.TowerLost:
        state.towers[event.seat] = _without(state.towers[event.seat], (event.card,))
        _discard(state, (event.card,))
    elif type(event) is e.CastleFallen:
        pass  # the Castle is rebuilt at once (K32)


WRITERS: dict[type, Callable[[State, Any], None]] = {
    kind: writer
    for group, writer in (
        (e.RoundEvent, _write_round),
        (e.CardEvent, _write_cards),
        (e.TurnEvent, _write_turn),
        (e.PowerEvent, _write_power),
        (e.TroopEvent, _write_troops),
        (e.ResultEvent, _write_result),
    )
    for kind in get_args(group)
}


# Moving cards


def _without(cards: Cards, gone: Cards) -> Cards:
    """Return the cards without those that are gone, which need not be among them."""
    left = [*cards]  # removing from a list is much faster than choosing what stays
    for card_id in gone:
        if card_id in left:
            left.remove(card_id)
    return tuple(left)


def _leave_deck(state: State, card_id: str) -> None:
    if state.deck[-1] == card_id:  # as in the bots' search
        state.deck.pop()
    else:
        state.deck.remove(card_id)


def _exchange(state: State, seat: int, gone: Cards, new: Cards, known_to: int) -> None:
    """Remove cards from the hand, including face-up ones, and add others, face down.

    `known_to` is the set of seats that see which cards the new ones are.
    """
    hand, traced = [*state.hands[seat]], state.traced[seat]
    for card_id in gone:
        if card_id in hand:
            hand.remove(card_id)
        traced.pop(card_id, None)
    if gone and state.shown[seat]:
        state.shown[seat] = _without(state.shown[seat], gone)
    for card_id in new:
        insort(hand, card_id, key=deck_index)
        if known_to:
            traced[card_id] = known_to
    state.hands[seat] = tuple(hand)


def _gain(state: State, seat: int, cards: Cards, known_to: int = EVERYONE) -> None:
    """Add the cards to the hand, face down. `known_to` is the set of seats that see which cards these are."""
    if cards:
        _exchange(state, seat, (), cards, known_to)


def _lose(state: State, seat: int, cards: Cards) -> None:
    """Remove the cards from the hand, including face-up ones."""
    _exchange(state, seat, cards, (), 0)


def _lay(state: State, seat: int, cards: Cards) -> None:
    """Remove the cards from the hand. They stay traced, because nobody sees yet which of the seat's cards these are."""
    state.hands[seat] = _without(state.hands[seat], cards)
    if state.shown[seat]:
        state.shown[seat] = _without(state.shown[seat], cards)


def _forget(state: State, seat: int, cards: Cards) -> None:
    """Stop tracing cards that the seat no longer has."""
    traced = state.traced[seat]
    for card_id in cards:
        traced.pop(card_id, None)


def _pass_on(state: State, giver: int, taker: int, cards: Cards) -> None:
    """Move the cards from one hand to another. Only the two see which: for the others it may be any hidden card."""
    both = 1 << giver | 1 << taker
    _lose(state, giver, cards)
    shown, traced = state.shown[giver], state.traced[giver]
    state.traced[giver] = {
        card_id: seats if card_id in shown else seats & both
        for card_id, seats in traced.items()
        if seats & both or card_id in shown
    }
    _gain(state, taker, cards, both)


def _discard(state: State, cards: Cards) -> None:
    """Put the cards on the Burn pile or, in the Final Showdown, out of the game (K88)."""
    if state.showdown:
        state.out += cards
    else:
        state.burn += cards
