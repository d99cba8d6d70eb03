"""Games of the family with its options, played up to the moment that a test needs."""

import secrets
from collections.abc import Iterator

import pytest

from accounts.models import User
from games.rules.eight_minute.options import PRESETS
from games.rules.eight_minute.tokens import FACE_DOWN
from games.rules.protocol import State
from games.tables.models import Game
from tests.cast import again, bid, seats_of, state_of, submit, table_of
from tests.kept import copied

SWAMP = {"explore": True, "poison_swamp": True}
BY_HAND = {"setup": "by-hand", "setter": 0}
EVERYTHING = {**PRESETS["everything"].options, "ties": "die"}


def seeded(monkeypatch: pytest.MonkeyPatch, number: int = 0) -> None:
    """Derive the seeds of new games from this number, so that every run draws the same cards."""
    monkeypatch.setattr(secrets, "token_bytes", number.to_bytes)


def acting(game: Game) -> int:
    """Return the first seat that owes a decision."""
    return next(seat.number for seat in seats_of(game) if seat.owes)


def set_up(game: Game, *, token_at_the_outpost: bool = True) -> Game:
    """Finish the setup by hand: seat 0 first, then all seats for the third color, if any. Bids are due after this."""
    submit(game, 0, *choices(game, 0, token_at_the_outpost))
    while not again(game).sealed:
        seat = acting(game)
        submit(game, seat, *choices(game, seat))
    return again(game)


def choices(game: Game, seat: int, token_at_the_outpost: bool = False) -> list[str]:
    """Return the choices of the seat until another seat must choose: always the first legal one.

    With `token_at_the_outpost` the first face-down token goes to the outpost instead.
    """
    return list(_chosen(game, state_of(game), seat, token_at_the_outpost))


def _chosen(game: Game, state: State, seat: int, token_at_the_outpost: bool) -> Iterator[str]:
    rules = game.rules
    while seat in rules.to_act(state):
        legal = [rules.text(action) for action in rules.legal(state, seat)]
        text = legal[0]
        if token_at_the_outpost and FACE_DOWN in state.unlaid and state.outpost >= 0:
            there = f"token {FACE_DOWN} {state.map.regions[state.outpost]}"
            text = there if there in legal else text
        yield text
        for event in rules.decide(state, seat, rules.parse(text), None):
            rules.evolve(state, event)


def before_a_find(*people: User, **more: object) -> tuple[Game, int, list[str]]:
    """Return a game set up by hand in which the seat to act can take Ancient Woods and turn up the outpost's token.

    Also return that seat and the two actions. One more step is possible after them.
    """

    def play() -> Game:
        game = set_up(table_of(*people, options={**BY_HAND, **SWAMP}, **more))
        bid(game, *[0] * len(people))
        submit(game, acting(game), "first 0")
        while not can_take(game, "ancient-woods"):
            submit(game, acting(game), *cheapest(game))
        return game

    game = copied("before a find", people, repr(more), play=play)
    outpost = state_of(game).outpost
    return again(game), acting(game), ["take ancient-woods", f"build {state_of(game).map.regions[outpost]}"]


def can_take(game: Game, card: str) -> bool:
    state = state_of(game)
    return f"take {card}" in map(game.rules.text, game.rules.legal(state, state.turn))


def cheapest(game: Game) -> list[str]:
    """Return a turn that takes the free card and does nothing with it."""
    state = state_of(game)
    take = game.rules.legal(state, state.turn)[0]
    after = state.copy()
    for event in game.rules.decide(state, state.turn, take, None):
        game.rules.evolve(after, event)
    return [game.rules.text(take), *(["done"] if after.taken else [])]


def before_an_extra_card(*people: User, **more: object) -> Game:
    """Return a game in which Fairy Queen may take one more card, or in which the last regular turn is hers and due."""

    def play() -> Game:
        game = bid(table_of(*people, options={"leaders": True}, **more), *[0] * len(people))
        submit(game, acting(game), "first 0")
        while not is_last_turn(state_of(game)):
            submit(game, acting(game), *cheapest(game))
        if state_of(game).leaders[-1] != "fairy-queen":
            submit(game, acting(game), *cheapest(game))
        return again(game)

    return copied("before an extra card", people, repr(more), play=play)


def is_last_turn(state: State) -> bool:
    """Return whether all seats but one own their last card."""
    return sum(map(len, state.owned)) == state.cards_owned * state.players - 1
