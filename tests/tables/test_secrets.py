"""Positions that differ only in what somebody cannot know are one and the same to them.

Pages, fragments, history, programs' answers, drafts, refusals and mails are compared to the byte, with every option.
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
    """A table, and how far it has been played: so many submissions behind those of the set-up and the bids."""

    ruleset: str
    players: int
    options: dict
    turns: int

    def __str__(self) -> str:
        return f"{self.ruleset} {self.players} {'+'.join(self.options)}"


def of_chance(seed: int) -> Played:
    """A table of the family, which has tokens and bids to hide."""
    tables = [(slug, players) for slug, players in seats() if slug in FAMILY]
    slug, players = tables[seed % len(tables)]
    return Played(slug, players, json.loads(at_random(slug, players, seed).options), 4 + seed * 7 % 19)


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
    """The seat does something, as a random bot would."""
    view = game.rules.view(state_of(game), seat)
    submit(game, seat, *play_turn(game.rules, view, BOTS["random"], chance))


def is_same_to(game: Game, readers: Sequence[User | None]) -> None:
    """Everything that each of them can read stays as it is when what they cannot know becomes something else."""
    for reader in readers:
        seat = next((seat.number for seat in seats_of(game) if reader and seat.user_id == reader.pk), None)
        look(game, reader)
        before = readings(game, reader)
        change_secrets(game, seat)
        assert differing(before, readings(game, reader)) == [], f"to seat {seat} at entry {again(game).seq}"


def readers(game: Game, people: Sequence[User]) -> tuple[User | None, ...]:
    """Who is on, who knows least of what lies face down, and a watcher."""
    ignorant = max(range(len(people)), key=lambda seat: secrets_of_others(game, seat))
    return tuple(dict.fromkeys((people[acting(game)], people[ignorant], None)))


def play_and_compare(monkeypatch, played: Played, everybody: bool = False) -> None:
    seeded(monkeypatch, played.turns)
    people = [person(name) for name in NAMES[: played.players]]
    game, chance = table_of(*people, ruleset=played.ruleset, options=played.options), Quick(played.turns)
    if not again(game).sealed:
        play.lay_out(
            game=game, seat=acting(game), actions=choices(game, acting(game))[:3], expected_seq=again(game).seq
        )
        is_same_to(game, (people[acting(game) - 1], *([None] if everybody else [])))
    while not again(game).sealed:
        go_on(game, acting(game), chance)
    submit(game, 1, "bid 0")
    is_same_to(game, people if everybody else people[:1])
    while again(game).sealed:
        submit(game, acting(game), "bid 1")
    for _turn in range(played.turns):
        go_on(game, acting(game), chance)
    assert everybody or not played.options.get("poison_swamp") or secrets_of_others(game, None)
    is_same_to(game, (*people, None) if everybody else readers(game, people))


@pytest.mark.parametrize("played", TABLES, ids=str)
def test_nobody_can_tell_games_apart_that_differ_in_what_they_cannot_know(monkeypatch, played):
    play_and_compare(monkeypatch, played)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200, 230))
def test_nor_with_thirty_random_combinations_of_options_whoever_looks(monkeypatch, seed):
    play_and_compare(monkeypatch, of_chance(seed), everybody=True)


def test_who_knows_a_secret_would_tell_the_games_apart(monkeypatch):
    """So the comparison above does compare what it should."""
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
