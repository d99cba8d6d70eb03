"""Knockout tournaments: who advances from a table, however its contest ends."""

import pytest
from django.utils import timezone

from games.contests.models import Badge, Entrant, Intervention, Match, Score
from games.contests.tournaments import services as tournaments
from games.contests.tournaments import sweep as tournament_steps
from games.errors import Over
from games.notices.models import Notice
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


def table(tournament, name):
    """Return a player's match in the current round."""
    return Match.objects.get(pool__tournament=tournament, round=tournament.round, appearances__entrant__name=name)


def test_winners_advance_until_one_is_left(olga):
    tournament = knockout(olga, crowd(4))
    assert sorted(tables(tournament, 1)) == [["Aa", "Da"], ["Ba", "Ca"]]
    tournament = play_round(tournament)
    assert tables(tournament, 2) == [["Aa", "Ba"]]
    tournament = play_round(tournament)
    assert tournament.has_ended and places(tournament) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 3}


@pytest.mark.long
def test_the_best_seeds_have_a_bye_in_the_first_round(olga):
    people = crowd(6)
    tournament = knockout(olga, people)
    assert sorted(tables(tournament, 1)) == [["Ca", "Fa"], ["Da", "Ea"]]
    assert titles(people[0]) == ["Harbour Cup has started", "Harbour Cup: you have a bye in round 1"]
    bye = Notice.objects.filter(user=people[0], channel="email").latest("pk")
    assert bye.lead.endswith("This doesn’t count against you. You advance to the next round without playing.")
    tournament = play_round(tournament)
    assert sorted(tables(tournament, 2)) == [["Aa", "Da"], ["Ba", "Ca"]]
    assert places(play_out(tournament)) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 3, "Ea": 5, "Fa": 5}


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
    tournament = knockout(olga, crowd(8), players=4)
    assert [len(names) for names in tables(tournament, 1)] == [4, 4]
    tournament = play_round(tournament)
    assert len(tables(tournament, 2)) == 1 and len(tables(tournament, 2)[0]) == 4
    tournament = play_round(tournament)
    assert tournament.has_ended and list(places(tournament).values()) == [1, 2, 3, 4, 5, 5, 7, 7]


def test_a_short_table_is_played_by_two(olga):
    tournament = knockout(olga, crowd(8), players=3)
    assert sorted(len(names) for names in tables(tournament, 1)) == [2, 3, 3]
    assert places(play_out(tournament))["Aa"] == 1


def test_points_in_the_games_decide_a_tied_place(olga):
    tournament = knockout(olga, crowd(4))
    match = table(tournament, "Aa")
    play(match, 1, 1)
    Score.objects.filter(game=match.game, name="Da").update(points=12)
    play(table(tournament, "Ba"))
    assert tables(sweep(tournament), 2) == [["Ba", "Da"]]


def test_the_better_seed_advances_if_points_are_equal_too(olga):
    tournament = knockout(olga, crowd(4))
    for match in running(tournament):
        play(match, 1, 1)
    assert tables(sweep(tournament), 2) == [["Aa", "Ba"]]


def test_a_tie_in_the_final_stays_a_tie(olga):
    tournament = play_round(knockout(olga, crowd(4)))
    play(running(tournament)[0], 1, 1)
    tournament = sweep(tournament)
    assert places(tournament) == {"Aa": 1, "Ba": 1, "Ca": 3, "Da": 3}
    assert Badge.objects.filter(honor="tournament").count() == 2


def test_the_better_seed_advances_from_an_annulled_contest(olga):
    tournament = knockout(olga, crowd(4))
    tournaments.annul(tournament=tournament, match=table(tournament, "Aa").pk, by=olga, reason="Nobody came.")
    play(table(tournament, "Ba"))
    assert tables(sweep(tournament), 2) == [["Aa", "Ba"]]


def test_contests_of_earlier_rounds_cannot_be_annulled(olga):
    tournament = knockout(olga, crowd(4))
    first = table(tournament, "Aa").pk
    tournament = play_round(tournament)
    with pytest.raises(Over, match="so it is final"):
        tournaments.annul(tournament=tournament, match=first, by=olga, reason="Too late.")


def test_the_opponent_of_a_drop_out_advances_immediately(olga):
    people = crowd(4)
    tournament = knockout(olga, people)
    game = table(tournament, "Aa").game
    play(table(tournament, "Ba"))
    tournaments.leave(tournament=tournament, user=people[0])
    tournament = sweep(tournament)
    assert tables(tournament, 2) == [["Ba", "Da"]]
    assert next(seat for seat in seats_of(game) if seat.name == "Aa").has_given_up
    assert "already decided" in Intervention.objects.first().reason + Intervention.objects.last().reason
    assert places(play_out(tournament)) == {"Ba": 1, "Da": 2, "Aa": 3, "Ca": 3}


def test_two_players_of_a_table_of_three_play_on_after_a_drop_out(olga):
    people = crowd(3)
    tournament = knockout(olga, people, players=3, seats=3, fewest=3)
    tournaments.leave(tournament=tournament, user=people[0])
    tournament = sweep(tournament)
    assert tournament.is_running and len(running(tournament)) == 1
    play(running(tournament)[0])
    assert places(sweep(tournament)) == {"Ba": 1, "Ca": 2, "Aa": 3}


def test_the_opponent_advances_if_the_winner_leaves_before_the_round_is_over(olga):
    people = crowd(4)
    tournament = knockout(olga, people)
    play(table(tournament, "Aa"))
    tournament = sweep(tournament)
    tournaments.leave(tournament=tournament, user=people[0])
    play(table(tournament, "Ba"))
    assert tables(sweep(tournament), 2) == [["Ba", "Da"]]


def test_a_substitute_advances_in_place_of_the_replaced_player(olga):
    people = crowd(5)
    tournament = knockout(olga, people[:4])
    tournaments.replace(
        tournament=tournament, entrant=entrant(tournament, "Aa").pk, by=olga, name="Ea", reason="Aa is ill."
    )
    accept(people[4])
    play(table(tournament, "Ea"), *(1 if name == "Ea" else 2 for name in names(table(tournament, "Ea"))))
    play(table(tournament, "Ba"))
    assert tables(sweep(tournament), 2) == [["Ba", "Ea"]]


def test_an_eliminated_player_can_neither_be_replaced_nor_lose_the_place_by_leaving(olga):
    people = crowd(5)
    tournament = play_round(knockout(olga, people[:4]))
    with pytest.raises(Over, match="Da has been eliminated"):
        tournaments.replace(
            tournament=tournament, entrant=entrant(tournament, "Da").pk, by=olga, name="Ea", reason="Another try."
        )
    before = everything()
    with pytest.raises(Over, match="You have been eliminated"):
        tournaments.leave(tournament=tournament, user=people[3])
    assert everything() == before and places(play_out(tournament))["Aa"] == 1


def test_a_player_eliminated_before_the_final_keeps_the_badge_for_third_place(olga):
    people = crowd(6)
    tournament = play_round(play_round(knockout(olga, people)))
    with pytest.raises(Over, match="You keep your place"):
        tournaments.leave(tournament=tournament, user=people[2])
    play_out(tournament)
    assert Badge.objects.filter(user=people[2], honor="third").exists()


@pytest.mark.postgresql
def test_the_sweep_finds_drop_outs_whose_task_was_lost(olga):
    people = crowd(4)
    tournament = knockout(olga, people)
    for name in ("Ca", "Da"):
        tournaments.leave(tournament=tournament, user=Entrant.objects.get(name=name).user)
    type(tournament).objects.update(look_at=None)
    tournament_steps.sweep(timezone.now())
    assert again(tournament).round == 2


@pytest.mark.long
def test_a_second_look_changes_nothing_in_a_knockout(olga):
    tournament = knockout(olga, crowd(6))
    while tournament.is_running:
        play(running(tournament)[0])
        tournament = sweep(tournament)
        before = everything()
        tournament_steps.take_due_steps(tournament.pk, timezone.now())
        sweep(tournament)
        assert everything() == before


def test_a_knockout_ends_when_all_players_have_dropped_out(olga):
    people = crowd(4)
    tournament = knockout(olga, people)
    for user in people:
        tournaments.leave(tournament=tournament, user=user)
    tournament = sweep(tournament)
    assert tournament.has_ended and not Badge.objects.exists()


@pytest.mark.long
@pytest.mark.postgresql
def test_a_knockout_of_thirteen_players_ends(olga):
    tournament = play_out(knockout(olga, crowd(13), seats=16))
    assert list(places(tournament).values()) == [1, 2, 3, 3, *[5] * 4, *[9] * 5]
