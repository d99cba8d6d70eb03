"""Positions that differ only in what a reader can't know look the same to them.

The tests compare pages, fragments, history, JSON, drafts, refusals and emails to the byte, with all options.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

import pytest
import time_machine

from accounts.models import User
from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.rules.fairness import Quick
from games.tables.models import Game
from games.tables.services import play
from tests.cast import again, person, seats_of, state_of, submit, table_of
from tests.rules.tables import FAMILY, at_random, seats
from tests.tables.family import EVERYTHING, SWAMP, acting, choices, seeded
from tests.tables.readings import change_secrets, differing, look, readings, secrets_of_others

pytestmark = [pytest.mark.django_db, pytest.mark.early]


class Played(NamedTuple):
    """A table, and the number of submissions after the setup and the bids."""

    ruleset: str
    players: int
    options: dict
    turns: int

    def __str__(self) -> str:
        return f"{self.ruleset} {self.players} {'+'.join(self.options)}"


def random_table(seed: int) -> Played:
    """Return a random table of the family, which has tokens and bids to hide."""
    tables = [(slug, players) for slug, players in seats() if slug in FAMILY]
    slug, players = tables[seed % len(tables)]
    options = json.loads(at_random(slug, players, seed).options) | {"opening": "bids"}
    return Played(slug, players, options, 4 + seed * 7 % 19)


NAMES = ("Alice", "Bob", "Carol", "Dan", "Erin")
TABLES = [
    Played("legends", 4, EVERYTHING, 23),
    *(
        pytest.param(played, marks=pytest.mark.long)
        for played in (
            Played("legends", 3, SWAMP | {"setup": "by-hand"}, 21),
            Played("classic", 5, {"goods_tokens": True, "side": "side-b"}, 8),
            Played("prototype", 3, {"explore": True, "citadels": True, "layout": "row"}, 9),
        )
    ),
]


@pytest.fixture(autouse=True)
def nine_o_clock():
    with time_machine.travel("2027-03-01T09:00Z", tick=False):
        yield


def go_on(game: Game, seat: int, chance: Quick) -> None:
    """Play a turn for the seat like a random bot."""
    view = game.rules.view(state_of(game), seat)
    submit(game, seat, *play_turn(game.rules, view, BOTS["random"], chance))


def is_same_to(game: Game, readers: Sequence[User | None]) -> list[bool]:
    """Check that each reader reads the same after everything that they can't know has changed.

    Return for each reader whether something of that was a film of what happened.
    """
    films: list[bool] = []
    for reader in readers:
        seat = next((seat.number for seat in seats_of(game) if reader and seat.user_id == reader.pk), None)
        look(game, reader)
        before = readings(game, reader)
        films.append(any('id="film"' in str(answer) for answer in before.values()))
        change_secrets(game, seat)
        assert differing(before, readings(game, reader)) == [], f"to seat {seat} at entry {again(game).seq}"
    return films


def readers(game: Game, people: Sequence[User]) -> tuple[User | None, ...]:
    """Return the player to act, the one who knows fewest tokens, and a spectator."""
    ignorant = max(range(len(people)), key=lambda seat: secrets_of_others(game, seat))
    return tuple(dict.fromkeys((people[acting(game)], people[ignorant], None)))


def play_and_compare(monkeypatch, played: Played, all_readers: bool = False) -> None:
    seeded(monkeypatch, played.turns)
    people = [person(name) for name in NAMES[: played.players]]
    game, chance = table_of(*people, ruleset=played.ruleset, options=played.options), Quick(played.turns)
    if not again(game).sealed:
        play.lay_out(game=game, who=acting(game), actions=choices(game, acting(game))[:3], expected_seq=again(game).seq)
        is_same_to(game, (people[acting(game) - 1], *([None] if all_readers else [])))
    while not again(game).sealed:
        go_on(game, acting(game), chance)
    submit(game, 1, "bid 0")
    is_same_to(game, people if all_readers else people[:1])
    while again(game).sealed:
        submit(game, acting(game), "bid 1")
    for _turn in range(played.turns):
        go_on(game, acting(game), chance)
    assert all_readers or not played.options.get("poison_swamp") or secrets_of_others(game, None)
    assert all(is_same_to(game, (*people, None) if all_readers else readers(game, people)))


@pytest.mark.parametrize("played", TABLES, ids=str)
def test_readers_cannot_tell_games_apart_that_differ_in_what_they_cannot_know(monkeypatch, played):
    play_and_compare(monkeypatch, played)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200, 230))
def test_no_reader_can_tell_games_apart_with_30_random_option_sets(monkeypatch, seed):
    play_and_compare(monkeypatch, random_table(seed), all_readers=True)


@pytest.mark.long
def test_a_reader_who_knows_a_secret_can_tell_the_games_apart(monkeypatch):
    """This shows that the comparison above compares the right things."""
    seeded(monkeypatch, 2)
    people = [person(name) for name in NAMES[:3]]
    game, chance = table_of(*people, options=SWAMP), Quick(3)
    while not secrets_of_others(game, None):
        go_on(game, acting(game), chance)
    knower = next(seat for seat in range(3) if secrets_of_others(game, seat) < secrets_of_others(game, None))
    look(game, people[knower])
    before = readings(game, people[knower])
    change_secrets(game, None)
    changed = differing(before, readings(game, people[knower]))
    url = game.get_absolute_url()
    assert {url, "fragment", f"{url}?at={again(game).seq}", f"{url}view.json", f"{url}record.json"} <= set(changed)
