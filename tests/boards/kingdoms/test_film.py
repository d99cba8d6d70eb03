"""The film of what happened: the realm is rewound, its steps lead to the current one, and it shows no hidden card."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice

import msgspec

from games.boards.kingdoms.film import MOST, film
from games.boards.kingdoms.realm import drawn_high, forest_of, pieces
from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import card, deck
from games.rules.words import untranslated
from tests.boards.kingdoms.views import NAMES
from tests.each import for_each
from tests.rules.kingdoms.play import game
from tests.rules.kingdoms.positions import KINGDOMS, events, position
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
    played_film = film(before, moments(played, seat, first, last), names=NAMES)
    if not played_film:
        return {}
    steps = [played_film["before"], *(step for by_entry in played_film["steps"].values() for step in by_entry)]
    assert steps[-1].get("counts") or len(steps) > 1
    for way, wide in WAYS.items():
        places = forest_of(after, NAMES, wide, untranslated)
        drawn = {}
        for step in steps:
            drawn |= step.get("realm", {}).get(way, {})
        old, new = (pieces(view, places, NAMES, wide=wide, translate=untranslated) for view in (before, after))
        assert {**new, **drawn} == new
        assert set(drawn) >= {key for key in new if old[key] != new[key]}
        assert all(played_film["before"]["realm"][way][key] == old[key] for key in drawn)
        tops = [spot.y - drawn_high(view.players[spot.seat]) for view in (before, after) for spot in places.spots]
        assert min(tops) >= -played_film["above"][way]
    counts: dict[str, int] = {}
    for step in steps:
        counts |= step.get("counts", {})
    assert counts == {"deck": after.deck, "burn": len(after.burn)}
    return played_film


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
        card_id
        for step in played.steps
        for event in step.events
        if (seen := KINGDOMS.seen(event, None)) is not None
        for value in (getattr(seen, name) for name in seen.__struct_fields__)
        for card_id in ([value] if isinstance(value, str) else value if isinstance(value, tuple) else [])
    }
    for seat in (None, 0, 3):
        played_film = check(played, seat, 0, last)
        steps = [step for by_entry in played_film["steps"].values() for step in by_entry]
        assert {"cards", "rise", "stir"} <= {step["do"] for step in steps}
        assert all(len(step["faces"]) <= step["n"] <= MOST for step in steps if "faces" in step)
        shown = {card_id for step in steps for card_id in step.get("faces", ())}
        own = {
            event.card
            for step in played.steps
            for event in step.events
            if isinstance(event, e.CardDrawn | e.CardPicked | e.TributeTaken | e.CardStolen)
            and seat in (event.seat, getattr(event, "other", event.seat))
        }
        assert shown and shown <= public | own


def test_a_film_tells_how_far_a_kingdom_that_loses_towers_rises_above_the_picture():
    state = position(towers={0: "E Q P"})
    before, lost = KINGDOMS.view(state, None), e.TowerLost(0, state.towers[0][-1])
    KINGDOMS.evolve(state, lost)
    after = KINGDOMS.view(state, None)
    played_film = film(before, [(1, lost, lambda: after)], names=NAMES)
    tower = drawn_high(before.players[0]) - drawn_high(after.players[0])
    assert played_film["above"] == {"narrow": tower - 10, "wide": tower - 4}  # less the room that is in each picture


@for_each("spoils, origin", [("flop", "flop"), ("troops", "battle")])
def test_spoils_come_from_where_they_lay(spoils, origin):
    """The spoils are the cards of the Flop by default (K27), and optionally the troops (K86)."""
    state = position(hands={0: "A8", 1: "A4"}, towers={1: "E"}, flop="A5 C9", options={"spoils": spoils})
    before, happened = KINGDOMS.view(state, None), []
    for text in ("attack 1 with A8", "defend A4"):
        for event in events(state, text):
            KINGDOMS.evolve(state, event)
            view = KINGDOMS.view(state, None)
            happened.append((1, KINGDOMS.seen(event, None), lambda view=view: view))
    steps = film(before, happened, names=NAMES)["steps"][1]
    [won] = [step for step in steps if step["do"] == "cards" and step["to"] == 0 and step["n"] == 2]
    assert won["from"] == origin and len(won["faces"]) == 2


def exchanged(value: object, first: str, second: str) -> object:
    """Return the position or event with two cards exchanged."""
    text = msgspec.json.encode(value).decode().replace(f'"{first}"', '"?"')
    return msgspec.json.decode(
        text.replace(f'"{second}"', f'"{first}"').replace('"?"', f'"{second}"'), type=type(value)
    )


def hidden_twins(seen: str, unknown: set[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of cards of equal value that the reader has not seen, of which at least one was moved."""
    unseen = sorted(card_id for card_id in deck(1) if f'"{card_id}"' not in seen and card(card_id).rank is None)
    for first, second in combinations(unseen, 2):
        if (
            card(first).value == card(second).value
            and card(first).kind == card(second).kind
            and unknown & {first, second}
        ):
            yield first, second


@for_each("seed", range(2))
def test_a_film_is_the_same_whatever_cards_the_reader_has_not_seen(seed):
    played, compared = game(3, seed), 0
    for first in range(2, len(played.steps) - 12, 12):
        window = range(first, first + 12)
        for seat in (None, 0, 1):
            shown_moments = [*moments(played, seat, window[0], window[-1])]
            views = [msgspec.structs.replace(KINGDOMS.view(played.steps[n].after, seat), hidden=None) for n in window]
            seen = msgspec.json.encode([[event for _seq, event, _view in shown_moments], *views]).decode()
            moved = {
                event.card for n in window[1:] for event in played.steps[n].events if isinstance(event, e.CardDrawn)
            }
            for card_a, card_b in islice(hidden_twins(seen, moved), 2):
                twin = replace(played, steps=[
                    replace(step, after=exchanged(step.after, card_a, card_b),
                            events=[exchanged(event, card_a, card_b) for event in step.events])
                    for step in played.steps[: window[-1] + 1]
                ])  # fmt: skip
                films = [
                    film(KINGDOMS.view(walk.steps[first].after, seat), moments(walk, seat, first, window[-1]))
                    for walk in (played, twin)
                ]
                assert films[0] == films[1], (card_a, card_b)
                compared += 1
    assert compared


def test_a_spectator_s_film_draws_the_same_realm_as_a_player_s():
    played = game(3, 5)
    films = [check(played, seat, 10, 60) for seat in (None, 0, 1)]
    realms = [
        [
            str(step["realm"]).replace(" mine", "")
            for steps in played_film["steps"].values()
            for step in steps
            if "realm" in step
        ]
        for played_film in films
    ]
    assert realms[0] and realms[1:] == [realms[0]] * 2


def test_nothing_of_an_earlier_deal_plays():
    played = game(2, 1)
    dealt = e.Dealt(deal=1, first=0, hands=(), flop=())
    view = KINGDOMS.view(played.steps[-1].after, None)
    shown_moments = [
        (1, e.CardDrawn(0, ""), lambda: view),
        (2, dealt, lambda: view),
        (3, e.CardDrawn(1, ""), lambda: view),
    ]
    assert set(film(view, shown_moments, names=NAMES)["steps"]) == {3}
    assert film(view, shown_moments[:2], names=NAMES) == {}
