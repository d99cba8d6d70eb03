"""Swiss rounds: the parts of a score group meet, rematches are avoided, seats balanced, and byes rotate."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contests.pairing.protocol import Pairing
from games.contests.pairing.swiss import SwissEntrant, pair, rounds_for, seated
from games.rules.protocol import IllegalAction
from tests.contests.properties import fixed
from tests.each import for_each


def new(number: int) -> list[SwissEntrant]:
    return [SwissEntrant(entrant) for entrant in range(number)]


def sets(pairing: Pairing) -> list[set[int]]:
    return [set(table) for table in pairing.tables]


class Tournament:
    """A simulated tournament in which lower numbers are stronger, with some luck."""

    def __init__(self, entrants: int, players: int, seed: int = 1) -> None:
        self.players, self.dice = players, Random(seed)
        self.points, self.byes = Counter(dict.fromkeys(range(entrants), 0)), Counter[int]()
        self.met: dict[int, list[int]] = {entrant: [] for entrant in range(entrants)}
        self.seats = {entrant: [0] * players for entrant in range(entrants)}

    def standing(self) -> list[SwissEntrant]:
        order = sorted(self.points, key=lambda entrant: (-self.points[entrant], entrant))
        return [
            SwissEntrant(
                entrant, tuple(self.met[entrant]), self.byes[entrant], tuple(self.seats[entrant]), self.points[entrant]
            )
            for entrant in order
        ]

    def play(self, rounds: int) -> Iterator[Pairing]:
        for number in range(1, rounds + 1):
            pairing = pair(self.standing(), self.players, number)
            yield pairing
            self.byes.update(pairing.byes)
            for table in pairing.tables:
                self._play(table)

    def _play(self, table: tuple[int, ...]) -> None:
        for seat, entrant in enumerate(table):
            self.seats[entrant][seat] += 1
            self.met[entrant] += [other for other in table if other != entrant]
        for points, entrant in enumerate(
            sorted(table, key=lambda entrant: entrant + self.dice.gauss(0, 3), reverse=True)
        ):
            self.points[entrant] += points

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


def scored(*scores: int) -> list[SwissEntrant]:
    return [SwissEntrant(entrant, score=score) for entrant, score in enumerate(scores)]


def test_in_later_rounds_the_parts_of_a_score_group_meet():
    assert sets(pair(scored(2, 2, 2, 2, 0, 0, 0, 0), 2, 2)) == [{0, 2}, {1, 3}, {4, 6}, {5, 7}]
    assert sets(pair(scored(3, 3, 3, 3, 3, 3, 1, 1, 1), 3, 2)) == [{0, 2, 4}, {1, 3, 5}, {6, 7, 8}]
    assert sets(pair(new(8), 4, 3)) == [{0, 2, 4, 6}, {1, 3, 5, 7}]


def test_entrants_left_over_in_a_score_group_move_down():
    assert sets(pair(scored(3, 3, 3, 2, 2, 2), 2, 2)) == [{0, 1}, {2, 4}, {3, 5}]
    assert sets(pair(scored(5, 4, 3, 2, 1, 0), 2, 2)) == [{0, 1}, {2, 3}, {4, 5}]


def test_entrants_who_have_met_are_paired_with_the_next():
    field = [SwissEntrant(0, met=(3,)), *new(3)[1:], SwissEntrant(3, met=(0,)), *new(6)[4:]]
    assert sets(pair(field, 2, 2)) == [{0, 4}, {1, 3}, {2, 5}]


def test_a_dead_end_at_the_bottom_is_resolved_further_up():
    """The last two have met, so a greedy pairing would leave them for each other."""
    field = [*scored(1, 1, 1, 1), SwissEntrant(4, met=(5,)), SwissEntrant(5, met=(4,))]
    assert sets(pair(field, 2, 2)) == [{0, 2}, {1, 4}, {3, 5}]


def test_the_leaders_play_at_the_first_table():
    field = [SwissEntrant(entrant, score=score) for entrant, score in ((5, 2), (3, 2), (1, 1), (0, 1), (2, 0), (4, 0))]
    assert sets(pair(field, 2, 2)) == [{5, 3}, {1, 0}, {2, 4}]
    assert sets(pair([SwissEntrant(5, met=(3, 1, 0, 2), score=2), *field[1:]], 2, 5))[0] == {5, 4}


@pytest.mark.parametrize(("entrants", "players", "byes"), [(7, 2, 1), (8, 2, 0), (11, 3, 2), (13, 5, 3)])
def test_as_few_entrants_as_possible_have_a_bye(entrants: int, players: int, byes: int):
    pairing = pair(new(entrants), players, 2)
    assert len(pairing.byes) == byes
    assert sorted([*chain.from_iterable(pairing.tables), *pairing.byes]) == list(range(entrants))
    assert {len(table) for table in pairing.tables} == {players}


def test_byes_go_to_the_lowest_ranked_with_the_fewest_byes():
    assert pair(new(7), 2, 1).byes == (6,)
    assert pair([*new(7)[:6], SwissEntrant(6, byes=1)], 2, 2).byes == (5,)
    assert pair([SwissEntrant(entrant, byes=2 if entrant == 4 else 3) for entrant in range(7)], 2, 2).byes == (4,)


@pytest.mark.parametrize(("entrants", "players"), [(7, 2), (11, 3), (14, 5)])
def test_byes_rotate_over_a_tournament(entrants: int, players: int):
    tournament = Tournament(entrants, players)
    for _pairing in tournament.play(entrants):
        byes = [tournament.byes[entrant] for entrant in range(entrants)]
        assert max(byes) - min(byes) <= 1


@pytest.mark.long
@for_each(
    "entrants, players", [(8, 2), (16, 2), (33, 2), (64, 2), (18, 3), (27, 3), (16, 4), (32, 4), (25, 5), (512, 2)]
)
def test_no_pair_meets_twice_in_a_tournament_of_the_usual_length(entrants: int, players: int):
    tournament = Tournament(entrants, players)
    rounds = list(tournament.play(rounds_for(entrants, players)))
    assert len(rounds) == rounds_for(entrants, players) and tournament.rematches() == 0


def test_if_rematches_are_unavoidable_they_are_spread():
    tournament = Tournament(6, 2)
    list(tournament.play(10))
    assert all(set(Counter(met).values()) <= {1, 2, 3} for met in tournament.met.values())


@st.composite
def results(draw: st.DrawFn) -> tuple[int, int, int]:
    """Draw entrants, players per table, and the seed of the luck, with few rounds for so many entrants."""
    players = draw(st.sampled_from([2, 2, 3, 4]))
    return draw(st.integers(players * (players + 2), 24)), players, draw(st.integers(0, 10**6))


@pytest.mark.long
@fixed
@given(results())
def test_with_two_per_table_nobody_has_a_seat_more_than_once_too_often(drawn: tuple[int, int, int]):
    """After each round. Larger tables may need one more, where nobody would have an opponent left to meet first."""
    entrants, players, luck = drawn
    tournament, number = Tournament(entrants, players, luck), rounds_for(entrants, players)
    for _pairing in tournament.play(number):
        assert max(max(seats) - min(seats) for seats in tournament.seats.values()) <= (1 if players == 2 else 2)
    assert players > 2 or tournament.rematches() == 0


@fixed
@given(st.integers(2, 5), st.data())
def test_no_other_order_of_a_table_balances_its_seats_better(players: int, data: st.DataObject):
    had = {
        entrant: tuple(data.draw(st.lists(st.integers(0, 3), min_size=players, max_size=players)))
        for entrant in range(players)
    }

    def cost(order: tuple[int, ...]) -> int:
        return sum((had[entrant][seat] - min(had[entrant])) ** 2 for seat, entrant in enumerate(order))

    assert cost(seated(tuple(had), had)) == min(map(cost, permutations(had)))


@pytest.mark.parametrize(("entrants", "players"), [(9, 2), (16, 2), (18, 3), (16, 4)])
def test_seats_differ_by_at_most_one_after_every_round(entrants: int, players: int):
    tournament = Tournament(entrants, players)
    for _pairing in tournament.play(rounds_for(entrants, players)):
        assert max(max(seats) - min(seats) for seats in tournament.seats.values()) <= 1


def test_entrants_get_the_seat_they_had_least_often():
    assert seated((7, 8, 9), {7: (2, 0, 1), 8: (0, 1, 1), 9: (1, 1, 0)}) == (8, 7, 9)
    assert seated((7, 8), {7: (), 8: ()}) == (7, 8)


def test_a_field_that_fills_no_table_is_refused():
    with pytest.raises(IllegalAction, match="needs at least 4 players"):
        pair(new(3), 4, 1)


@st.composite
def fields(draw: st.DrawFn) -> tuple[list[SwissEntrant], int]:
    """Draw small fields in which any pair may have met once or twice."""
    entrants, players = draw(st.sampled_from([(4, 2), (6, 2), (8, 2), (6, 3), (9, 3), (8, 4)]))
    met: dict[int, list[int]] = {entrant: [] for entrant in range(entrants)}
    for entrant, other in combinations(range(entrants), 2):
        for _time in range(draw(st.sampled_from([0, 1, 1, 2]))):
            met[entrant].append(other)
            met[other].append(entrant)
    order = draw(st.permutations(range(entrants)))
    return [SwissEntrant(entrant, tuple(met[entrant])) for entrant in order], players


def every_round(entrants: tuple[int, ...], players: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to seat these entrants."""
    if not entrants:
        yield []
        return
    for others in combinations(entrants[1:], players - 1):
        left = tuple(entrant for entrant in entrants[1:] if entrant not in others)
        yield from ([(entrants[0], *others), *tables] for tables in every_round(left, players))


@fixed
@given(fields(), st.integers(1, 3))
def test_in_a_small_field_no_other_pairing_has_fewer_rematches(field: tuple[list[SwissEntrant], int], number: int):
    standing, players = field
    met = {swiss_entrant.entrant: Counter(swiss_entrant.met) for swiss_entrant in standing}

    def cost(tables: list[tuple[int, ...]]) -> int:
        return sum(met[entrant][other] ** 2 for table in tables for entrant, other in combinations(table, 2))

    fewest = cost(list(pair(standing, players, number).tables))
    assert fewest == min(map(cost, every_round(tuple(met), players)))


@fixed
@given(fields())
def test_the_same_standings_give_the_same_pairing(field: tuple[list[SwissEntrant], int]):
    assert pair(*field, 2) == pair(*field, 2)
