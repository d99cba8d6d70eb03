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


def match_of(row, *of, number=None):
    """Return the latest match of these players."""
    rows = Match.objects.filter(pool__tournament=row).order_by("-round")
    return next(match for match in rows if set(of) <= set(names(match)) and number in (None, match.round))


# Round robin


def test_all_pairs_meet_and_the_best_player_wins(olga, people):
    row = play_out(begun(olga, people[:4], format="round-robin"))
    met = sorted(table for number in (1, 2, 3) for table in tables(row, number))
    assert met == [["Aa", "Ba"], ["Aa", "Ca"], ["Aa", "Da"], ["Ba", "Ca"], ["Ba", "Da"], ["Ca", "Da"]]
    assert places(row) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 4}
    assert row.has_ended and not row.look_at


def test_a_round_begins_when_the_last_contest_of_the_one_before_is_over(olga, people):
    row = begun(olga, people[:4], format="round-robin")
    first, last = running(row)
    play(first)
    assert sweep(row).round == 1
    play(last)
    assert sweep(row).round == 2


@pytest.mark.long
def test_an_ended_contest_queues_the_next_step_of_its_tournament(olga, people, django_capture_on_commit_callbacks):
    row = begun(olga, people[:2], format="round-robin", seats=2, fewest=2)
    (only,) = running(row)
    play(only)
    with django_capture_on_commit_callbacks(execute=True):
        pools.contest_ended(only.game_id, timezone.now())
    assert again(row).has_ended


@pytest.mark.long
def test_with_an_odd_number_one_player_has_a_bye_and_is_notified(olga, people):
    row = begun(olga, people[:5], format="round-robin", seats=5)
    (absent,) = set("ABCDE") - {name[0] for table in tables(row, 1) for name in table}
    assert [entrant.name for entrant in Entrant.objects.filter(byes=1)] == [f"{absent}a"]
    received = titles(next(user for user in people if user.username == f"{absent}a"))
    assert received == ["Harbour Cup has started", "Harbour Cup: you have a bye in round 1"]
    row = play_out(row)
    assert row.rounds == 5 and set(row.entrants.values_list("byes", "played")) == {(1, 4)}


def test_a_bot_finishes_the_contest_of_a_drop_out_and_later_opponents_have_a_bye(olga, people):
    row = begun(olga, people[:4], format="round-robin")
    tournaments.leave(tournament=row, user=people[1])
    game = match_of(row, "Ba").game
    assert next(seat for seat in seats_of(game) if seat.name == "Ba").has_given_up
    row = play_out(row)
    assert Match.objects.filter(appearances__entrant__name="Ba").count() == 1
    assert places(row) == {"Aa": 1, "Ca": 2, "Da": 3, "Ba": 4}
    assert "Harbour Cup has ended" not in titles(people[1])


def test_a_leader_who_drops_out_ranks_last(olga, people):
    row = play_round(begun(olga, people[:4], format="round-robin"))
    tournaments.leave(tournament=row, user=people[0])
    assert places(play_out(row))["Aa"] == 4


@pytest.mark.long
def test_two_players_of_three_play_on_after_a_drop_out(olga, people):
    row = begun(olga, people[:4], format="round-robin", players=3, seats=4)
    tournaments.leave(tournament=row, user=people[3])
    row = play_out(row)
    assert sorted(len(table) for number in range(1, row.rounds + 1) for table in tables(row, number))[0] == 2
    assert places(row) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 4}


def test_a_tournament_ends_when_all_players_have_dropped_out(olga, people):
    row = begun(olga, people[:3], format="round-robin", seats=3, fewest=3)
    for user in people[:3]:
        tournaments.leave(tournament=row, user=user)
    row = play_out(row)
    assert row.has_ended and not Badge.objects.exists()


# Swiss


def test_swiss_winners_meet_winners_and_no_pair_meets_twice(olga, people):
    row = play_out(begun(olga, people, format="swiss", rounds=3))
    met = [tuple(table) for number in (1, 2, 3) for table in tables(row, number)]
    assert len(set(met)) == len(met) == 9
    assert places(row)["Aa"] == 1 and row.rounds == 3


@pytest.mark.long
def test_a_swiss_bye_costs_nothing_and_comes_once(olga, people):
    row = play_out(begun(olga, people[:5], format="swiss", rounds=3))
    assert sorted(row.entrants.values_list("byes", flat=True)) == [0, 0, 1, 1, 1]
    assert places(row)["Aa"] == 1


def test_a_player_who_dropped_out_is_not_paired_again(olga, people):
    row = begun(olga, people, format="swiss", rounds=3)
    tournaments.leave(tournament=row, user=people[5])
    row = play_out(row)
    assert Match.objects.filter(appearances__entrant__name="Fa").count() == 1
    assert places(row)["Fa"] == 6


def test_a_swiss_tournament_ends_when_too_few_are_left_for_a_table(olga, people):
    row = begun(olga, people[:4], format="swiss", rounds=3)
    for user in people[1:4]:
        tournaments.leave(tournament=row, user=user)
    row = play_round(row)
    assert row.has_ended and places(row)["Aa"] == 1


@pytest.mark.long
def test_tables_of_three_are_paired_by_standings_too(olga):
    row = play_out(begun(olga, crowd(9), format="swiss", players=3, seats=9, rounds=3))
    assert [len(tables(row, number)) for number in (1, 2, 3)] == [3, 3, 3]
    assert places(row)["Aa"] == 1


# Groups and a final


def before_the_final(olga, people):
    """Return a tournament of two groups in the last round before the final."""

    def play_groups():
        row = begun(olga, people, format="groups")
        while row.round < row.rounds - 1:
            row = play_round(row)
        return row

    return prepared("before the final", lead_to=play_groups)


@pytest.mark.long
def test_the_winners_of_the_groups_play_the_final(olga):
    row = before_the_final(olga, crowd(8))
    groups = [set(pool.entrants.values_list("name", flat=True)) for pool in Pool.objects.order_by("number")]
    assert groups == [{"Aa", "Da", "Ea", "Ha"}, {"Ba", "Ca", "Fa", "Ga"}]
    row = play_out(row)
    assert tables(row, row.rounds) == [["Aa", "Ba"]]
    assert places(row) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 3, "Ea": 5, "Fa": 5, "Ga": 7, "Ha": 7}
    assert [table["stage"] for table in row.tables] == [1, 1, 2]


@pytest.mark.long
def test_a_player_who_dropped_out_does_not_play_the_final(olga):
    people = crowd(8)
    row = before_the_final(olga, people)
    tournaments.leave(tournament=row, user=people[0])
    row = play_out(row)
    assert tables(row, row.rounds) == [["Ba", "Da"]]
    assert places(row)["Aa"] == 8


def test_an_ended_group_is_final(olga):
    row = play_round(before_the_final(olga, crowd(8)))
    with pytest.raises(Over, match="its results are final"):
        tournaments.annul(tournament=row, match=match_of(row, "Ca", "Ba").pk, by=olga, reason="A storm.")
    with pytest.raises(Over):
        tournaments.leave(tournament=row, user=Entrant.objects.get(name="Ca").user)


# The end


def test_all_players_are_notified_of_the_winner_and_their_place(olga, people):
    row = play_out(begun(olga, people[:4], format="round-robin"))
    lead = Notice.objects.get(user=people[2], about=f"tournament.{row.pk}.ended", channel="email").lead
    assert lead == "Aa won. You finished in place 3 of 4."
    notice = Notice.objects.get(user=people[0], about=f"tournament.{row.pk}.ended", channel="email")
    assert (notice.title, notice.lead) == ("You won Harbour Cup", "You came first, ahead of 3 players.")
    assert titles(olga) == ["Harbour Cup has ended"]


def test_the_winner_and_the_better_half_earn_badges(olga, people):
    play_out(begun(olga, people[:4], format="round-robin"))
    assert sorted(Badge.objects.values_list("user__username", "honor")) == [("Aa", "tournament"), ("Ba", "second")]


def test_a_win_can_be_shared(olga, people):
    row = begun(olga, people[:2], format="round-robin", seats=2, fewest=2)
    play(running(row)[0], 1, 1)
    row = sweep(row)
    assert places(row) == {"Aa": 1, "Ba": 1}
    assert set(Badge.objects.values_list("honor", flat=True)) == {"tournament"}


# Interventions of the organizer


def test_an_annulled_contest_counts_for_nobody_and_the_next_round_begins(olga, people):
    row = begun(olga, people[:4], format="round-robin")
    play(match_of(row, "Aa"))
    tournaments.annul(tournament=row, match=match_of(row, "Ba").pk, by=olga, reason="Both were ill.")
    row = sweep(row)
    assert row.round == 2
    assert titles(people[1])[-1] == "Organizer decision in Harbour Cup"
    assert Intervention.objects.get().reason == "Both were ill."


def test_annulling_a_contest_that_counted_removes_it_from_the_standings(olga, people):
    row = play_round(begun(olga, people[:4], format="round-robin"))
    row = sweep(play_round(row))
    tournaments.annul(tournament=row, match=match_of(row, "Aa", number=1).pk, by=olga, reason="It came out late.")
    row = sweep(row)
    assert {line["played"] for table in row.tables for line in table["rows"] if line["points"]} == {1, 2}


@pytest.mark.long
def test_a_substitute_takes_over_the_place_in_the_tournament(olga, people):
    row = play_round(begun(olga, people[:4], format="round-robin"))
    first = entrant(row, "Aa").pk
    tournaments.replace(tournament=row, entrant=first, by=olga, name="fa", reason="Aa is at sea.")
    accept(people[5])
    assert Entrant.objects.get(pk=first).name == "Fa"
    assert places(play_out(row)) == {"Ba": 1, "Ca": 2, "Fa": 3, "Da": 4}


def test_the_organizer_is_notified_once_of_a_late_round(olga, people):
    row = begun(olga, people[:4], format="round-robin", days_a_round=5)
    with time_machine.travel(timezone.now() + timedelta(days=5), tick=False):
        sweep(row)
        sweep(row)
    assert titles(olga) == ["Harbour Cup: round 1 is late"]


def test_more_time_postpones_the_notice_of_a_late_round(olga, people):
    row = begun(olga, people[:3], format="round-robin", days_a_round=5, seats=3, fewest=3)
    tournaments.extend(tournament=row, match=running(row)[0].pk, by=olga, days=5, reason="A storm.")
    with time_machine.travel(timezone.now() + timedelta(days=6), tick=False):
        sweep(row)
    assert titles(olga) == []


def refused(row, olga, people):
    contest, first = running(row)[0].pk, entrant(row, "Aa").pk
    return [
        (NotYours, lambda: tournaments.annul(tournament=row, match=contest, by=people[0], reason="I lost.")),
        (NotYours, lambda: tournaments.extend(tournament=row, match=contest, by=people[0], days=3, reason="Slow.")),
        (NotYours, lambda: tournaments.replace(tournament=row, entrant=first, by=people[0], name="Fa", reason="Ill.")),
        (NotYours, lambda: tournaments.remove(tournament=row, entrant=first, by=people[1], reason="Too strong.")),
        (NotYours, lambda: tournaments.leave(tournament=row, user=people[5])),
        (GameError, lambda: tournaments.annul(tournament=row, match=contest, by=olga, reason=" ")),
        (GameError, lambda: tournaments.extend(tournament=row, match=contest, by=olga, days=0, reason="Slow.")),
        (GameError, lambda: tournaments.replace(tournament=row, entrant=first, by=olga, name="Nobody", reason="Ill.")),
        (GameError, lambda: tournaments.replace(tournament=row, entrant=first, by=olga, name="Ba", reason="Ill.")),
        (GameError, lambda: tournaments.remove(tournament=row, entrant=first, by=olga, reason="")),
        (GameError, lambda: tournaments.remove(tournament=row, entrant=0, by=olga, reason="A ghost.")),
    ]


def test_refused_actions_during_a_tournament_write_nothing(olga, people):
    row = begun(olga, people[:4], format="round-robin")
    before = everything()
    for kind, action in refused(row, olga, people):
        with pytest.raises(kind) as refusal:
            action()
        assert str(refusal.value).endswith(".")
    assert everything() == before


def test_an_ended_tournament_is_final(olga, people):
    row = play_out(begun(olga, people[:2], format="round-robin", seats=2, fewest=2))
    before = everything()
    for action in (
        lambda: tournaments.leave(tournament=row, user=people[0]),
        lambda: tournaments.annul(tournament=row, match=match_of(row, "Aa").pk, by=olga, reason="A storm."),
        lambda: tournaments.remove(tournament=row, entrant=entrant(row, "Aa").pk, by=olga, reason="A storm."),
        lambda: tournaments.replace(tournament=row, entrant=entrant(row, "Aa").pk, by=olga, name="Ca", reason="Ill."),
        lambda: tournaments.extend(tournament=row, match=match_of(row, "Aa").pk, by=olga, days=3, reason="Slow."),
    ):
        with pytest.raises(Over):
            action()
    assert everything() == before


# Steps that are repeated or interrupted


def test_a_second_look_changes_nothing_at_any_time(olga, people):
    row = begun(olga, people[:3], format="round-robin", seats=3, fewest=3)
    while row.is_running:
        play(running(row)[0])
        row = sweep(row)
        before = everything()
        tournament_steps.take_due_steps(row.pk, timezone.now())
        sweep(row)
        assert everything() == before


def test_the_next_sweep_begins_the_contests_of_an_interrupted_round(olga, people):
    row = cup(olga, people[:4], format="round-robin")
    tournaments.start(tournament=row, user=olga)
    assert not running(row)
    assert pools.sweep(timezone.now()) == 1
    assert len(running(row)) == 2


def test_a_step_that_fails_half_way_leaves_no_trace(olga, people, monkeypatch):
    row = begun(olga, people[:4], format="round-robin")
    for match in running(row):
        play(match)
    pools.sweep(timezone.now())
    before = everything()

    def broken(*_facts, **_named):
        raise OSError("The power is gone.")

    with monkeypatch.context() as patch:
        patch.setattr(pools, "write", broken)
        assert tournament_steps.sweep(timezone.now()) == 1
    assert everything() == before
    assert sweep(row).round == 2


def test_a_broken_tournament_does_not_stop_the_others(olga, people):
    rows = [begun(olga, people[:2], format="round-robin", seats=2, fewest=2) for _time in range(2)]
    Tournament.objects.filter(pk=rows[0].pk).update(terms={"players": "two"})
    for row in rows:
        play(running(row)[0])
    sweep(rows[1])
    assert [again(row).state for row in rows] == ["running", "ended"]


def test_a_player_who_deletes_their_account_drops_out(olga, people):
    row = begun(olga, people[:4], format="round-robin")
    organizing.drop_out_everywhere(user=people[1])
    people[1].delete()
    assert places(play_out(row))["Former player"] == 4
