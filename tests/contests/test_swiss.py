"""Swiss rounds: neighbors in the standings meet, rematches are avoided, and byes rotate from the bottom."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contests.pairing.protocol import Pairing
from games.contests.pairing.swiss import Standing, pair, rounds_for, seated
from games.rules.protocol import IllegalAction
from tests.contests.properties import fixed
from tests.each import for_each


def new(number: int) -> list[Standing]:
    return [Standing(one) for one in range(number)]


def sets(pairing: Pairing) -> list[set[int]]:
    return [set(table) for table in pairing.tables]


class Tournament:
    """A simulated tournament in which lower numbers are stronger, with some luck."""

    def __init__(self, entrants: int, players: int, seed: int = 1) -> None:
        self.players, self.dice = players, Random(seed)
        self.points, self.byes = Counter(dict.fromkeys(range(entrants), 0)), Counter[int]()
        self.met: dict[int, list[int]] = {one: [] for one in range(entrants)}
        self.seats = {one: [0] * players for one in range(entrants)}

    def standing(self) -> list[Standing]:
        order = sorted(self.points, key=lambda one: (-self.points[one], one))
        return [Standing(one, tuple(self.met[one]), self.byes[one], tuple(self.seats[one])) for one in order]

    def play(self, rounds: int) -> Iterator[Pairing]:
        for number in range(1, rounds + 1):
            pairing = pair(self.standing(), self.players, number)
            yield pairing
            self.byes.update(pairing.byes)
            for table in pairing.tables:
                self._play(table)

    def _play(self, table: tuple[int, ...]) -> None:
        for seat, one in enumerate(table):
            self.seats[one][seat] += 1
            self.met[one] += [other for other in table if other != one]
        for points, one in enumerate(sorted(table, key=lambda one: one + self.dice.gauss(0, 3), reverse=True)):
            self.points[one] += points

    def rematches(self) -> int:
        return sum(len(met) - len(set(met)) for met in self.met.values()) // 2


@for_each(
    "entrants, players, rounds",
    [(2, 2, 1), (3, 2, 2), (8, 2, 3), (9, 2, 4), (64, 2, 6), (3, 3, 1), (9, 3, 3), (27, 3, 4), (16, 4, 3), (5, 5, 1)],
)
def test_the_usual_number_of_rounds(entrants: int, players: int, rounds: int):
    assert rounds_for(entrants, players) == rounds


def test_in_the_first_round_the_best_of_each_part_of_the_field_meet():
    assert sets(pair(new(8), 2, 1)) == [{0, 4}, {1, 5}, {2, 6}, {3, 7}]
    assert sets(pair(new(9), 3, 1)) == [{0, 3, 6}, {1, 4, 7}, {2, 5, 8}]


def test_in_later_rounds_neighbors_in_the_standings_meet():
    assert sets(pair(new(8), 2, 2)) == [{0, 1}, {2, 3}, {4, 5}, {6, 7}]
    assert sets(pair(new(8), 4, 3)) == [{0, 1, 2, 3}, {4, 5, 6, 7}]


def test_entrants_who_have_met_are_paired_with_the_next():
    field = [Standing(0, met=(1,)), Standing(1, met=(0,)), *new(6)[2:]]
    assert sets(pair(field, 2, 2)) == [{0, 2}, {1, 3}, {4, 5}]


def test_a_dead_end_at_the_bottom_is_resolved_further_up():
    """The last two have met, so a greedy pairing would leave them for each other."""
    field = [*new(6)[:4], Standing(4, met=(5,)), Standing(5, met=(4,))]
    assert sets(pair(field, 2, 2)) == [{0, 1}, {2, 4}, {3, 5}]


def test_the_leaders_play_at_the_first_table():
    field = [Standing(one) for one in (5, 3, 1, 0, 2, 4)]
    assert sets(pair(field, 2, 2)) == [{5, 3}, {1, 0}, {2, 4}]
    assert sets(pair([Standing(5, met=(3, 1, 0, 2)), *field[1:]], 2, 5))[0] == {5, 4}


@pytest.mark.parametrize(("entrants", "players", "byes"), [(7, 2, 1), (8, 2, 0), (11, 3, 2), (13, 5, 3)])
def test_as_few_entrants_as_possible_have_a_bye(entrants: int, players: int, byes: int):
    pairing = pair(new(entrants), players, 2)
    assert len(pairing.byes) == byes
    assert sorted([*chain.from_iterable(pairing.tables), *pairing.byes]) == list(range(entrants))
    assert {len(table) for table in pairing.tables} == {players}


def test_byes_go_to_the_lowest_ranked_with_the_fewest_byes():
    assert pair(new(7), 2, 1).byes == (6,)
    assert pair([*new(7)[:6], Standing(6, byes=1)], 2, 2).byes == (5,)
    assert pair([Standing(one, byes=2 if one == 4 else 3) for one in range(7)], 2, 2).byes == (4,)


@pytest.mark.parametrize(("entrants", "players"), [(7, 2), (11, 3), (14, 5)])
def test_byes_rotate_over_a_tournament(entrants: int, players: int):
    tournament = Tournament(entrants, players)
    for _pairing in tournament.play(entrants):
        byes = [tournament.byes[one] for one in range(entrants)]
        assert max(byes) - min(byes) <= 1


@pytest.mark.long
@for_each(
    "entrants, players", [(8, 2), (16, 2), (33, 2), (64, 2), (18, 3), (27, 3), (16, 4), (32, 4), (25, 5), (512, 2)]
)
def test_no_pair_meets_twice_in_a_tournament_of_the_usual_length(entrants: int, players: int):
    tournament = Tournament(entrants, players)
    rounds = list(tournament.play(rounds_for(entrants, players)))
    assert len(rounds) == rounds_for(entrants, players) and tournament.rematches() == 0


def test_if_rematches_are_unavoidable_all_pairs_meet_equally_often():
    tournament = Tournament(6, 2)
    list(tournament.play(10))
    assert all(set(Counter(met).values()) == {2} for met in tournament.met.values())


@pytest.mark.long
@pytest.mark.parametrize(("entrants", "players"), [(16, 2), (18, 3), (16, 4), (25, 5)])
def test_seats_rotate_over_a_tournament(entrants: int, players: int):
    tournament = Tournament(entrants, players)
    list(tournament.play(2 * players))
    assert max(max(seats) for seats in tournament.seats.values()) <= 3


def test_entrants_get_the_seat_they_had_least_often():
    assert seated((7, 8, 9), {7: (2, 0, 1), 8: (0, 1, 1), 9: (1, 1, 0)}) == (8, 7, 9)
    assert seated((7, 8), {7: (), 8: ()}) == (7, 8)


def test_a_field_that_fills_no_table_is_refused():
    with pytest.raises(IllegalAction, match="needs at least 4 players"):
        pair(new(3), 4, 1)


@st.composite
def fields(draw: st.DrawFn) -> tuple[list[Standing], int]:
    """Draw small fields in which any pair may have met once or twice."""
    entrants, players = draw(st.sampled_from([(4, 2), (6, 2), (8, 2), (6, 3), (9, 3), (8, 4)]))
    met: dict[int, list[int]] = {one: [] for one in range(entrants)}
    for one, other in combinations(range(entrants), 2):
        for _time in range(draw(st.sampled_from([0, 1, 1, 2]))):
            met[one].append(other)
            met[other].append(one)
    order = draw(st.permutations(range(entrants)))
    return [Standing(one, tuple(met[one])) for one in order], players


def every_round(entrants: tuple[int, ...], players: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to seat these entrants."""
    if not entrants:
        yield []
        return
    for others in combinations(entrants[1:], players - 1):
        left = tuple(one for one in entrants[1:] if one not in others)
        yield from ([(entrants[0], *others), *tables] for tables in every_round(left, players))


@fixed
@given(fields(), st.integers(1, 3))
def test_in_a_small_field_no_other_pairing_has_fewer_rematches(field: tuple[list[Standing], int], number: int):
    standing, players = field
    met = {one.entrant: Counter(one.met) for one in standing}

    def cost(tables: list[tuple[int, ...]]) -> int:
        return sum(met[one][other] ** 2 for table in tables for one, other in combinations(table, 2))

    found = cost(list(pair(standing, players, number).tables))
    assert found == min(map(cost, every_round(tuple(met), players)))


@fixed
@given(fields())
def test_the_same_standings_give_the_same_pairing(field: tuple[list[Standing], int]):
    assert pair(*field, 2) == pair(*field, 2)
