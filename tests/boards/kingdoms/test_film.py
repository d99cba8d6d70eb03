"""The film of what happened: the realm is rewound, its steps lead to the current one, and it shows no hidden card."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice

import msgspec

from games.boards.kingdoms.film import MOST, film
from games.boards.kingdoms.realm import forest_of, pieces
from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import card, deck
from games.rules.words import untranslated
from tests.boards.kingdoms.views import NAMES
from tests.each import for_each
from tests.rules.kingdoms.play import game
from tests.rules.kingdoms.positions import KINGDOMS
from tests.rules.walk import Walk

WAYS = {"narrow": False, "wide": True}


def moments(played: Walk, seat: int | None, first: int, last: int) -> Iterator[tuple]:
    """The moments between two steps of a game, as `position.moments` yields them."""
    state = played.steps[first].after.copy()
    for seq, step in enumerate(played.steps[first + 1 : last + 1], first + 1):
        for event in step.events:
            KINGDOMS.evolve(state, event)
            yield seq, KINGDOMS.seen(event, seat), lambda: KINGDOMS.view(state, seat)


def check(played: Walk, seat: int | None, first: int, last: int) -> dict:
    """Check that playing the film ends with the realm and the piles of the last position."""
    before, after = (KINGDOMS.view(played.steps[n].after, seat) for n in (first, last))
    found = film(before, moments(played, seat, first, last), names=NAMES)
    if not found:
        return {}
    steps = [found["before"], *(step for by_entry in found["steps"].values() for step in by_entry)]
    assert steps[-1].get("counts") or len(steps) > 1
    for way, wide in WAYS.items():
        places = forest_of(after, NAMES, wide, untranslated)
        drawn = {}
        for step in steps:
            drawn |= step.get("realm", {}).get(way, {})
        old, new = (pieces(view, places, NAMES, wide=wide, translate=untranslated) for view in (before, after))
        assert {**new, **drawn} == new
        assert set(drawn) >= {key for key in new if old[key] != new[key]}
        assert all(found["before"]["realm"][way][key] == old[key] for key in drawn)
    counts: dict[str, int] = {}
    for step in steps:
        counts |= step.get("counts", {})
    assert counts == {"deck": after.deck, "burn": len(after.burn)}
    return found


@for_each("seed", range(6))
def test_playing_a_film_ends_with_the_current_realm(seed):
    played = game(2 + seed % 4, seed)
    last = len(played.steps) - 1
    for first in range(last % 7, last - 24, 24):
        check(played, (None, 0)[seed % 2], first, first + 24)


def test_towers_rise_and_cards_fly_face_up_only_if_the_reader_may_see_them():
    played = game(4, 3)
    last = len(played.steps) - 1
    public = {
        one
        for step in played.steps
        for event in step.events
        if (seen := KINGDOMS.seen(event, None)) is not None
        for value in (getattr(seen, name) for name in seen.__struct_fields__)
        for one in ([value] if isinstance(value, str) else value if isinstance(value, tuple) else [])
    }
    for seat in (None, 0, 3):
        found = check(played, seat, 0, last)
        steps = [step for by_entry in found["steps"].values() for step in by_entry]
        assert {"cards", "rise", "stir"} <= {step["do"] for step in steps}
        assert all(len(step["faces"]) <= step["n"] <= MOST for step in steps if "faces" in step)
        shown = {one for step in steps for one in step.get("faces", ())}
        own = {
            event.card
            for step in played.steps
            for event in step.events
            if isinstance(event, e.CardDrawn | e.CardPicked | e.TributeTaken | e.CardStolen)
            and seat in (event.seat, getattr(event, "other", event.seat))
        }
        assert shown and shown <= public | own


def exchanged(thing: object, one: str, other: str) -> object:
    """Return the position or event with two cards exchanged."""
    text = msgspec.json.encode(thing).decode().replace(f'"{one}"', '"?"')
    return msgspec.json.decode(text.replace(f'"{other}"', f'"{one}"').replace('"?"', f'"{other}"'), type=type(thing))


def hidden_twins(known: str, unknown: set[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of cards of equal value that the reader has not seen, of which at least one was moved."""
    unseen = sorted(one for one in deck(1) if f'"{one}"' not in known and card(one).rank is None)
    for one, other in combinations(unseen, 2):
        if card(one).value == card(other).value and card(one).kind == card(other).kind and unknown & {one, other}:
            yield one, other


@for_each("seed", range(2))
def test_a_film_is_the_same_whatever_cards_the_reader_has_not_seen(seed):
    played, compared = game(3, seed), 0
    for first in range(2, len(played.steps) - 12, 12):
        window = range(first, first + 12)
        for seat in (None, 0, 1):
            told = [*moments(played, seat, window[0], window[-1])]
            views = [msgspec.structs.replace(KINGDOMS.view(played.steps[n].after, seat), hidden=None) for n in window]
            known = msgspec.json.encode([[event for _seq, event, _view in told], *views]).decode()
            moved = {
                event.card for n in window[1:] for event in played.steps[n].events if isinstance(event, e.CardDrawn)
            }
            for one, other in islice(hidden_twins(known, moved), 2):
                twin = replace(played, steps=[
                    replace(step, after=exchanged(step.after, one, other),
                            events=[exchanged(event, one, other) for event in step.events])
                    for step in played.steps[: window[-1] + 1]
                ])  # fmt: skip
                films = [
                    film(KINGDOMS.view(walk.steps[first].after, seat), moments(walk, seat, first, window[-1]))
                    for walk in (played, twin)
                ]
                assert films[0] == films[1], (one, other)
                compared += 1
    assert compared


def test_a_spectator_s_film_draws_the_same_realm_as_a_player_s():
    played = game(3, 5)
    films = [check(played, seat, 10, 60) for seat in (None, 0, 1)]
    realms = [
        [
            str(step["realm"]).replace(" mine", "")
            for steps in one["steps"].values()
            for step in steps
            if "realm" in step
        ]
        for one in films
    ]
    assert realms[0] and realms[1:] == [realms[0]] * 2


def test_nothing_of_an_earlier_deal_plays():
    played = game(2, 1)
    dealt = e.Dealt(deal=1, first=0, hands=(), flop=())
    view = KINGDOMS.view(played.steps[-1].after, None)
    told = [(1, e.CardDrawn(0, ""), lambda: view), (2, dealt, lambda: view), (3, e.CardDrawn(1, ""), lambda: view)]
    assert set(film(view, told, names=NAMES)["steps"]) == {3}
    assert film(view, told[:2], names=NAMES) == {}
