"""Rounds of tournaments: they follow automatically, whatever players and organizers do."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.contests import interventions as organizing
from games.contests import pools
from games.contests.models import Badge, Entrant, Intervention, Match, Pool, Tournament
from games.contests.tournaments import services as tournaments
from games.contests.tournaments import sweep as tournament_steps
from games.errors import GameError, NotYours, Over
from games.notices.models import Notice
from tests.cast import seats_of
from tests.contests.cups import (
    again,
    begun,
    crowd,
    cup,
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
from tests.contests.prepared import prepared

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db):
    return crowd(6)


def match_of(tournament, *of, number=None):
    """Return the latest match of these players."""
    rows = Match.objects.filter(pool__tournament=tournament).order_by("-round")
    return next(match for match in rows if set(of) <= set(names(match)) and number in (None, match.round))


# Round robin


def test_all_pairs_meet_and_the_best_player_wins(olga, people):
    tournament = play_out(begun(olga, people[:4], format="round-robin"))
    met = sorted(table for number in (1, 2, 3) for table in tables(tournament, number))
    assert met == [["Aa", "Ba"], ["Aa", "Ca"], ["Aa", "Da"], ["Ba", "Ca"], ["Ba", "Da"], ["Ca", "Da"]]
    assert places(tournament) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 4}
    assert tournament.has_ended and not tournament.look_at


def test_a_round_begins_when_the_last_contest_of_the_one_before_is_over(olga, people):
    tournament = begun(olga, people[:4], format="round-robin")
    first, last = running(tournament)
    play(first)
    assert sweep(tournament).round == 1
    play(last)
    assert sweep(tournament).round == 2


@pytest.mark.long
def test_an_ended_contest_queues_the_next_step_of_its_tournament(olga, people, django_capture_on_commit_callbacks):
    tournament = begun(olga, people[:2], format="round-robin", seats=2, fewest=2)
    (only,) = running(tournament)
    play(only)
    with django_capture_on_commit_callbacks(execute=True):
        pools.contest_ended(only.game_id, timezone.now())
    assert again(tournament).has_ended


@pytest.mark.long
def test_with_an_odd_number_one_player_has_a_bye_and_is_notified(olga, people):
    tournament = begun(olga, people[:5], format="round-robin", seats=5)
    (absent,) = set("ABCDE") - {name[0] for table in tables(tournament, 1) for name in table}
    assert [entrant.name for entrant in Entrant.objects.filter(byes=1)] == [f"{absent}a"]
    received = titles(next(user for user in people if user.username == f"{absent}a"))
    assert received == ["Harbour Cup has started", "Harbour Cup: you have a bye in round 1"]
    tournament = play_out(tournament)
    assert tournament.rounds == 5 and set(tournament.entrants.values_list("byes", "played")) == {(1, 4)}


def test_only_a_bye_before_the_last_round_promises_another_round(olga, people):
    play_out(begun(olga, people[:3], format="round-robin", seats=3, fewest=3))
    byes = Notice.objects.filter(channel="email", title__contains="you have a bye").order_by("pk")
    cost = "This doesn’t count against you."
    assert [notice.lead.partition(cost)[2] for notice in byes] == [
        " You play again in the next round.", " You play again in the next round.",
        " It is the last round, so you have no more matches.",
    ]  # fmt: skip


def test_a_bye_in_the_last_round_of_the_groups_promises_only_the_final(olga):
    tournament = begun(olga, crowd(10), format="groups", seats=10)
    while tournament.round < tournament.rounds - 1:
        tournament = play_round(tournament)
    last = Notice.objects.filter(channel="email", title__contains="bye in round 5")
    assert [notice.lead.rpartition(". ")[2] for notice in last] == [
        "It is the last round of the groups, so you play again only if you reach the final."
    ] * 2


def test_a_bot_finishes_the_contest_of_a_drop_out_and_later_opponents_have_a_bye(olga, people):
    tournament = begun(olga, people[:4], format="round-robin")
    tournaments.leave(tournament=tournament, user=people[1])
    game = match_of(tournament, "Ba").game
    assert next(seat for seat in seats_of(game) if seat.name == "Ba").has_given_up
    tournament = play_out(tournament)
    assert Match.objects.filter(appearances__entrant__name="Ba").count() == 1
    assert places(tournament) == {"Aa": 1, "Ca": 2, "Da": 3, "Ba": 4}
    assert "Harbour Cup has ended" not in titles(people[1])


def test_a_leader_who_drops_out_ranks_last(olga, people):
    tournament = play_round(begun(olga, people[:4], format="round-robin"))
    tournaments.leave(tournament=tournament, user=people[0])
    assert places(play_out(tournament))["Aa"] == 4


@pytest.mark.long
def test_two_players_of_three_play_on_after_a_drop_out(olga, people):
    tournament = begun(olga, people[:4], format="round-robin", players=3, seats=4)
    tournaments.leave(tournament=tournament, user=people[3])
    tournament = play_out(tournament)
    assert (
        sorted(len(table) for number in range(1, tournament.rounds + 1) for table in tables(tournament, number))[0] == 2
    )
    assert places(tournament) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 4}


def test_a_tournament_ends_when_all_players_have_dropped_out(olga, people):
    tournament = begun(olga, people[:3], format="round-robin", seats=3, fewest=3)
    for user in people[:3]:
        tournaments.leave(tournament=tournament, user=user)
    tournament = play_out(tournament)
    assert tournament.has_ended and not Badge.objects.exists()


# Swiss


def test_swiss_winners_meet_winners_and_no_pair_meets_twice(olga, people):
    tournament = play_out(begun(olga, people, format="swiss", rounds=3))
    met = [tuple(table) for number in (1, 2, 3) for table in tables(tournament, number)]
    assert len(set(met)) == len(met) == 9
    assert places(tournament)["Aa"] == 1 and tournament.rounds == 3


@pytest.mark.long
def test_a_swiss_bye_costs_nothing_and_comes_once(olga, people):
    tournament = play_out(begun(olga, people[:5], format="swiss", rounds=3))
    assert sorted(tournament.entrants.values_list("byes", flat=True)) == [0, 0, 1, 1, 1]
    assert places(tournament)["Aa"] == 1


def test_a_player_who_dropped_out_is_not_paired_again(olga, people):
    tournament = begun(olga, people, format="swiss", rounds=3)
    tournaments.leave(tournament=tournament, user=people[5])
    tournament = play_out(tournament)
    assert Match.objects.filter(appearances__entrant__name="Fa").count() == 1
    assert places(tournament)["Fa"] == 6


def test_a_swiss_tournament_ends_when_too_few_are_left_for_a_table(olga, people):
    tournament = begun(olga, people[:4], format="swiss", rounds=3)
    for user in people[1:4]:
        tournaments.leave(tournament=tournament, user=user)
    tournament = play_round(tournament)
    assert tournament.has_ended and places(tournament)["Aa"] == 1


@pytest.mark.long
def test_tables_of_three_are_paired_by_standings_too(olga):
    tournament = play_out(begun(olga, crowd(9), format="swiss", players=3, seats=9, rounds=3))
    assert [len(tables(tournament, number)) for number in (1, 2, 3)] == [3, 3, 3]
    assert places(tournament)["Aa"] == 1


# Groups and a final


def before_the_final(olga, people):
    """Return a tournament of two groups in the last round before the final."""

    def play_groups():
        tournament = begun(olga, people, format="groups")
        while tournament.round < tournament.rounds - 1:
            tournament = play_round(tournament)
        return tournament

    return prepared("before the final", lead_to=play_groups)


@pytest.mark.long
def test_the_winners_of_the_groups_play_the_final(olga):
    tournament = before_the_final(olga, crowd(8))
    groups = [set(pool.entrants.values_list("name", flat=True)) for pool in Pool.objects.order_by("number")]
    assert groups == [{"Aa", "Da", "Ea", "Ha"}, {"Ba", "Ca", "Fa", "Ga"}]
    tournament = play_out(tournament)
    assert tables(tournament, tournament.rounds) == [["Aa", "Ba"]]
    assert places(tournament) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 3, "Ea": 5, "Fa": 5, "Ga": 7, "Ha": 7}
    assert [standings["stage"] for standings in tournament.standings] == [1, 1, 2]


@pytest.mark.long
def test_a_player_who_dropped_out_does_not_play_the_final(olga):
    people = crowd(8)
    tournament = before_the_final(olga, people)
    tournaments.leave(tournament=tournament, user=people[0])
    tournament = play_out(tournament)
    assert tables(tournament, tournament.rounds) == [["Ba", "Da"]]
    assert places(tournament)["Aa"] == 8


def test_an_ended_group_is_final(olga):
    tournament = play_round(before_the_final(olga, crowd(8)))
    with pytest.raises(Over, match="its results are final"):
        tournaments.annul(tournament=tournament, match=match_of(tournament, "Ca", "Ba").pk, by=olga, reason="A storm.")
    with pytest.raises(Over, match="Your group is over"):
        tournaments.leave(tournament=tournament, user=Entrant.objects.get(name="Ca").user)


# The end


def test_all_players_are_notified_of_the_winner_and_their_place(olga, people):
    tournament = play_out(begun(olga, people[:4], format="round-robin"))
    lead = Notice.objects.get(user=people[2], about=f"tournament.{tournament.pk}.ended", channel="email").lead
    assert lead == "Aa won. You finished in place 3 of 4."
    notice = Notice.objects.get(user=people[0], about=f"tournament.{tournament.pk}.ended", channel="email")
    assert (notice.title, notice.lead) == ("You won Harbour Cup", "You came first, ahead of 3 players.")
    assert titles(olga) == ["Harbour Cup has ended"]


def test_the_winner_and_the_better_half_earn_badges(olga, people):
    play_out(begun(olga, people[:4], format="round-robin"))
    assert sorted(Badge.objects.values_list("user__username", "honor")) == [("Aa", "tournament"), ("Ba", "second")]


def test_a_win_can_be_shared(olga, people):
    tournament = begun(olga, people[:2], format="round-robin", seats=2, fewest=2)
    play(running(tournament)[0], 1, 1)
    tournament = sweep(tournament)
    assert places(tournament) == {"Aa": 1, "Ba": 1}
    assert set(Badge.objects.values_list("honor", flat=True)) == {"tournament"}


# Interventions of the organizer


def test_an_annulled_contest_counts_for_nobody_and_the_next_round_begins(olga, people):
    tournament = begun(olga, people[:4], format="round-robin")
    play(match_of(tournament, "Aa"))
    tournaments.annul(tournament=tournament, match=match_of(tournament, "Ba").pk, by=olga, reason="Both were ill.")
    tournament = sweep(tournament)
    assert tournament.round == 2
    assert titles(people[1])[-1] == "Organizer decision in Harbour Cup"
    assert Intervention.objects.get().reason == "Both were ill."


def test_annulling_a_contest_that_counted_removes_it_from_the_standings(olga, people):
    tournament = play_round(begun(olga, people[:4], format="round-robin"))
    tournament = sweep(play_round(tournament))
    tournaments.annul(
        tournament=tournament, match=match_of(tournament, "Aa", number=1).pk, by=olga, reason="It came out late."
    )
    tournament = sweep(tournament)
    rows = [row for standings in tournament.standings for row in standings["rows"]]
    assert {row["played"] for row in rows if row["points"]} == {1, 2}


@pytest.mark.long
def test_a_substitute_takes_over_the_place_in_the_tournament(olga, people):
    tournament = play_round(begun(olga, people[:4], format="round-robin"))
    first = entrant(tournament, "Aa").pk
    tournaments.replace(tournament=tournament, entrant=first, by=olga, name="fa", reason="Aa is at sea.")
    accept(people[5])
    assert Entrant.objects.get(pk=first).name == "Fa"
    assert places(play_out(tournament)) == {"Ba": 1, "Ca": 2, "Fa": 3, "Da": 4}


def test_the_organizer_is_notified_once_of_a_late_round(olga, people):
    tournament = begun(olga, people[:4], format="round-robin", days_a_round=5)
    with time_machine.travel(timezone.now() + timedelta(days=5), tick=False):
        sweep(tournament)
        sweep(tournament)
    assert titles(olga) == ["Harbour Cup: round 1 is late"]


def test_an_organizer_who_plays_is_not_told_to_decide_about_a_late_round(people):
    tournament = begun(people[0], people[:4], format="round-robin", days_a_round=5)
    with time_machine.travel(timezone.now() + timedelta(days=5), tick=False):
        sweep(tournament)
    notice = Notice.objects.filter(user=people[0], channel="email", title__contains="is late").get()
    assert "You play in this tournament, so you can’t decide about its matches." in notice.lead


def test_more_time_postpones_the_notice_of_a_late_round(olga, people):
    tournament = begun(olga, people[:3], format="round-robin", days_a_round=5, seats=3, fewest=3)
    tournaments.extend(tournament=tournament, match=running(tournament)[0].pk, by=olga, days=5, reason="A storm.")
    with time_machine.travel(timezone.now() + timedelta(days=6), tick=False):
        sweep(tournament)
    assert titles(olga) == []


def refused(tournament, olga, people):
    contest, first = running(tournament)[0].pk, entrant(tournament, "Aa").pk
    return [
        (NotYours, lambda: tournaments.annul(tournament=tournament, match=contest, by=people[0], reason="I lost.")),
        (
            NotYours,
            lambda: tournaments.extend(tournament=tournament, match=contest, by=people[0], days=3, reason="Slow."),
        ),
        (
            NotYours,
            lambda: tournaments.replace(tournament=tournament, entrant=first, by=people[0], name="Fa", reason="Ill."),
        ),
        (
            NotYours,
            lambda: tournaments.remove(tournament=tournament, entrant=first, by=people[1], reason="Too strong."),
        ),
        (NotYours, lambda: tournaments.leave(tournament=tournament, user=people[5])),
        (GameError, lambda: tournaments.annul(tournament=tournament, match=contest, by=olga, reason=" ")),
        (GameError, lambda: tournaments.extend(tournament=tournament, match=contest, by=olga, days=0, reason="Slow.")),
        (
            GameError,
            lambda: tournaments.replace(tournament=tournament, entrant=first, by=olga, name="Nobody", reason="Ill."),
        ),
        (
            GameError,
            lambda: tournaments.replace(tournament=tournament, entrant=first, by=olga, name="Ba", reason="Ill."),
        ),
        (GameError, lambda: tournaments.remove(tournament=tournament, entrant=first, by=olga, reason="")),
        (GameError, lambda: tournaments.remove(tournament=tournament, entrant=0, by=olga, reason="A ghost.")),
    ]


def test_refused_actions_during_a_tournament_write_nothing(olga, people):
    tournament = begun(olga, people[:4], format="round-robin")
    before = everything()
    for kind, action in refused(tournament, olga, people):
        with pytest.raises(kind) as refusal:
            action()
        assert str(refusal.value).endswith(".")
    assert everything() == before


def test_an_ended_tournament_is_final(olga, people):
    tournament = play_out(begun(olga, people[:2], format="round-robin", seats=2, fewest=2))
    before = everything()
    for action in (
        lambda: tournaments.leave(tournament=tournament, user=people[0]),
        lambda: tournaments.annul(
            tournament=tournament, match=match_of(tournament, "Aa").pk, by=olga, reason="A storm."
        ),
        lambda: tournaments.remove(
            tournament=tournament, entrant=entrant(tournament, "Aa").pk, by=olga, reason="A storm."
        ),
        lambda: tournaments.replace(
            tournament=tournament, entrant=entrant(tournament, "Aa").pk, by=olga, name="Ca", reason="Ill."
        ),
        lambda: tournaments.extend(
            tournament=tournament, match=match_of(tournament, "Aa").pk, by=olga, days=3, reason="Slow."
        ),
    ):
        with pytest.raises(Over):
            action()
    assert everything() == before


# Steps that are repeated or interrupted


def test_a_second_look_changes_nothing_at_any_time(olga, people):
    tournament = begun(olga, people[:3], format="round-robin", seats=3, fewest=3)
    while tournament.is_running:
        play(running(tournament)[0])
        tournament = sweep(tournament)
        before = everything()
        tournament_steps.take_due_steps(tournament.pk, timezone.now())
        sweep(tournament)
        assert everything() == before


def test_the_next_sweep_begins_the_contests_of_an_interrupted_round(olga, people):
    tournament = cup(olga, people[:4], format="round-robin")
    tournaments.start(tournament=tournament, user=olga)
    assert not running(tournament)
    assert pools.sweep(timezone.now()) == 1
    assert len(running(tournament)) == 2


def test_a_step_that_fails_half_way_leaves_no_trace(olga, people, monkeypatch):
    tournament = begun(olga, people[:4], format="round-robin")
    for match in running(tournament):
        play(match)
    pools.sweep(timezone.now())
    before = everything()

    def broken(*_facts, **_named):
        raise OSError("The power is gone.")

    with monkeypatch.context() as patch:
        patch.setattr(pools, "write", broken)
        assert tournament_steps.sweep(timezone.now()) == 1
    assert everything() == before
    assert sweep(tournament).round == 2


def test_a_broken_tournament_does_not_stop_the_others(olga, people):
    rows = [begun(olga, people[:2], format="round-robin", seats=2, fewest=2) for _time in range(2)]
    Tournament.objects.filter(pk=rows[0].pk).update(terms={"players": "two"})
    for tournament in rows:
        play(running(tournament)[0])
    sweep(rows[1])
    assert [again(tournament).state for tournament in rows] == ["running", "ended"]


def test_a_player_who_deletes_their_account_drops_out(olga, people):
    tournament = begun(olga, people[:4], format="round-robin")
    organizing.drop_out_everywhere(user=people[1])
    people[1].delete()
    assert places(play_out(tournament))["Former player"] == 4
