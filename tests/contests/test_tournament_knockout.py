"""Knockout tournaments: who advances from a table, however its contest ends."""

import pytest
from django.utils import timezone

from games.contests.models import Badge, Entrant, Intervention, Match, Score
from games.contests.tournaments import services as tournaments
from games.contests.tournaments import sweep as tournament_steps
from games.errors import Over
from tests.cast import seats_of
from tests.contests.cups import (
    again,
    begun,
    crowd,
    entrant,
    everything,
    names,
    places,
    play,
    play_out,
    play_round,
    running,
    sweep,
    tables,
    titles,
)
from tests.contests.leagues import accept

pytestmark = pytest.mark.django_db


def knockout(olga, people, **terms):
    """Start a knockout seeded in alphabetical order."""
    return begun(olga, people, **{"format": "knockout", **terms})


def table(row, name):
    """Return a player's match in the current round."""
    return Match.objects.get(pool__tournament=row, round=row.round, appearances__entrant__name=name)


def test_winners_advance_until_one_is_left(olga):
    row = knockout(olga, crowd(4))
    assert sorted(tables(row, 1)) == [["Aa", "Da"], ["Ba", "Ca"]]
    row = play_round(row)
    assert tables(row, 2) == [["Aa", "Ba"]]
    row = play_round(row)
    assert row.has_ended and places(row) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 3}


@pytest.mark.long
def test_the_best_seeds_have_a_bye_in_the_first_round(olga):
    people = crowd(6)
    row = knockout(olga, people)
    assert sorted(tables(row, 1)) == [["Ca", "Fa"], ["Da", "Ea"]]
    assert titles(people[0]) == ["Harbour Cup has started", "Harbour Cup: you have a bye in round 1"]
    row = play_round(row)
    assert sorted(tables(row, 2)) == [["Aa", "Da"], ["Ba", "Ca"]]
    assert places(play_out(row)) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 3, "Ea": 5, "Fa": 5}


def test_players_are_notified_when_they_advance_or_are_eliminated(olga):
    people = crowd(4)
    play_out(knockout(olga, people))
    begins, ended = "Harbour Cup has started", "Harbour Cup has ended"
    assert titles(people[0]) == [begins, "Harbour Cup: you advance", "You won Harbour Cup"]
    assert titles(people[3]) == [begins, "Harbour Cup: you have been eliminated", ended]


def test_first_second_and_third_places_earn_badges(olga):
    play_out(knockout(olga, crowd(6)))
    assert sorted(Badge.objects.values_list("user__username", "honor")) == [
        ("Aa", "tournament"), ("Ba", "second"), ("Ca", "third"), ("Da", "third"),
    ]  # fmt: skip


@pytest.mark.long
def test_two_players_of_a_table_of_four_advance(olga):
    row = knockout(olga, crowd(8), players=4)
    assert [len(names) for names in tables(row, 1)] == [4, 4]
    row = play_round(row)
    assert len(tables(row, 2)) == 1 and len(tables(row, 2)[0]) == 4
    row = play_round(row)
    assert row.has_ended and list(places(row).values()) == [1, 2, 3, 4, 5, 5, 7, 7]


def test_a_short_table_is_played_by_two(olga):
    row = knockout(olga, crowd(8), players=3)
    assert sorted(len(names) for names in tables(row, 1)) == [2, 3, 3]
    assert places(play_out(row))["Aa"] == 1


def test_points_in_the_games_decide_a_tied_place(olga):
    row = knockout(olga, crowd(4))
    match = table(row, "Aa")
    play(match, 1, 1)
    Score.objects.filter(game=match.game, name="Da").update(points=12)
    play(table(row, "Ba"))
    assert tables(sweep(row), 2) == [["Ba", "Da"]]


def test_the_better_seed_advances_if_points_are_equal_too(olga):
    row = knockout(olga, crowd(4))
    for match in running(row):
        play(match, 1, 1)
    assert tables(sweep(row), 2) == [["Aa", "Ba"]]


def test_a_tie_in_the_final_stays_a_tie(olga):
    row = play_round(knockout(olga, crowd(4)))
    play(running(row)[0], 1, 1)
    row = sweep(row)
    assert places(row) == {"Aa": 1, "Ba": 1, "Ca": 3, "Da": 3}
    assert Badge.objects.filter(honor="tournament").count() == 2


def test_the_better_seed_advances_from_an_annulled_contest(olga):
    row = knockout(olga, crowd(4))
    tournaments.annul(tournament=row, match=table(row, "Aa").pk, by=olga, reason="Nobody came.")
    play(table(row, "Ba"))
    assert tables(sweep(row), 2) == [["Aa", "Ba"]]


def test_contests_of_earlier_rounds_cannot_be_annulled(olga):
    row = knockout(olga, crowd(4))
    first = table(row, "Aa").pk
    row = play_round(row)
    with pytest.raises(Over, match="so it is final"):
        tournaments.annul(tournament=row, match=first, by=olga, reason="Too late.")


def test_the_opponent_of_a_drop_out_advances_immediately(olga):
    people = crowd(4)
    row = knockout(olga, people)
    game = table(row, "Aa").game
    play(table(row, "Ba"))
    tournaments.leave(tournament=row, user=people[0])
    row = sweep(row)
    assert tables(row, 2) == [["Ba", "Da"]]
    assert next(seat for seat in seats_of(game) if seat.name == "Aa").has_given_up
    assert "already decided" in Intervention.objects.first().reason + Intervention.objects.last().reason
    assert places(play_out(row)) == {"Ba": 1, "Da": 2, "Aa": 3, "Ca": 3}


def test_two_players_of_a_table_of_three_play_on_after_a_drop_out(olga):
    people = crowd(3)
    row = knockout(olga, people, players=3, seats=3, fewest=3)
    tournaments.leave(tournament=row, user=people[0])
    row = sweep(row)
    assert row.is_running and len(running(row)) == 1
    play(running(row)[0])
    assert places(sweep(row)) == {"Ba": 1, "Ca": 2, "Aa": 3}


def test_the_opponent_advances_if_the_winner_leaves_before_the_round_is_over(olga):
    people = crowd(4)
    row = knockout(olga, people)
    play(table(row, "Aa"))
    row = sweep(row)
    tournaments.leave(tournament=row, user=people[0])
    play(table(row, "Ba"))
    assert tables(sweep(row), 2) == [["Ba", "Da"]]


def test_a_substitute_advances_in_place_of_the_replaced_player(olga):
    people = crowd(5)
    row = knockout(olga, people[:4])
    tournaments.replace(tournament=row, entrant=entrant(row, "Aa").pk, by=olga, name="Ea", reason="Aa is ill.")
    accept(people[4])
    play(table(row, "Ea"), *(1 if name == "Ea" else 2 for name in names(table(row, "Ea"))))
    play(table(row, "Ba"))
    assert tables(sweep(row), 2) == [["Ba", "Ea"]]


def test_an_eliminated_player_cannot_be_replaced_and_leaving_changes_nothing(olga):
    people = crowd(5)
    row = play_round(knockout(olga, people[:4]))
    with pytest.raises(Over, match="Da has been eliminated"):
        tournaments.replace(tournament=row, entrant=entrant(row, "Da").pk, by=olga, name="Ea", reason="Another try.")
    tournaments.leave(tournament=row, user=people[3])
    assert places(play_out(row))["Aa"] == 1


@pytest.mark.postgresql
def test_the_sweep_finds_drop_outs_whose_task_was_lost(olga):
    people = crowd(4)
    row = knockout(olga, people)
    for name in ("Ca", "Da"):
        tournaments.leave(tournament=row, user=Entrant.objects.get(name=name).user)
    type(row).objects.update(look_at=None)
    tournament_steps.sweep(timezone.now())
    assert again(row).round == 2


@pytest.mark.long
def test_a_second_look_changes_nothing_in_a_knockout(olga):
    row = knockout(olga, crowd(6))
    while row.is_running:
        play(running(row)[0])
        row = sweep(row)
        before = everything()
        tournament_steps.take_due_steps(row.pk, timezone.now())
        sweep(row)
        assert everything() == before


def test_a_knockout_ends_when_all_players_have_dropped_out(olga):
    people = crowd(4)
    row = knockout(olga, people)
    for user in people:
        tournaments.leave(tournament=row, user=user)
    row = sweep(row)
    assert row.has_ended and not Badge.objects.exists()


@pytest.mark.long
@pytest.mark.postgresql
def test_a_knockout_of_thirteen_players_ends(olga):
    row = play_out(knockout(olga, crowd(13), seats=16))
    assert list(places(row).values()) == [1, 2, 3, 3, *[5] * 4, *[9] * 5]
