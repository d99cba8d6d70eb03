"""Tournaments from sign-up to start: permissions, and when a tournament starts or is canceled."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.contests import interventions as organizing
from games.contests.models import Entrant, Intervention, Match, RatedPlayer, Tournament
from games.contests.organizing import services as announcing
from games.contests.tournaments import services as tournaments
from games.contests.tournaments.sweep import STALE_AFTER
from games.errors import GameError, NotYours, Over
from games.notices.models import Notice
from games.tables.selectors.table import table, why_no_undo
from games.tables.services import undo_requests
from tests.cast import person, play_turns, seats_of, some_turn
from tests.contests.cups import (
    again,
    begun,
    crowd,
    cup,
    entrant,
    everything,
    in_days,
    names,
    places,
    play_out,
    running,
    sweep,
    titles,
)
from tests.contests.ladders import suspend

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db):
    return crowd(6)


# Opening and sign-up


def test_opening_a_tournament_makes_a_user_its_organizer_but_no_entrant(olga):
    tournament = cup(olga, format="round-robin")
    assert (tournament.organizer, tournament.state, tournament.entrants.count()) == (olga, "sign_up", 0)


def test_a_user_organizes_at_most_three_tournaments_at_a_time(olga):
    for _time in range(3):
        tournament = cup(olga, format="round-robin")
    with pytest.raises(GameError, match=r"already organize three tournaments.*\.$"):
        cup(olga, format="round-robin")
    tournaments.call_off(tournament=tournament, user=olga, reason="Too many.")
    assert cup(olga, format="round-robin").is_open


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"starts": in_days(-1)}, "must be in the future"),
        ({"format": "chess"}, "“format” must be one of"),
        ({"seats": 41}, "with 2 players per game, this format needs"),
        ({"players": 3, "seats": 8}, "with 3 players per game, this format needs"),
        ({"clock": "move 7d", "days_a_round": 2}, "“days_a_round”: with this clock"),
        ({"bots": True}, "can’t be rated if bots can enter"),
        ({"rounds": 3}, "is only for Swiss tournaments"),
        ({"clock": "soon"}, "“clock”"),
        ({"name": " "}, "“name” must be one line"),
    ],
)
def test_impossible_tournaments_are_refused_with_a_reason(olga, terms, sentence):
    with pytest.raises(GameError, match=sentence):
        cup(olga, **{"format": "round-robin", **terms})
    assert not Tournament.objects.exists()


def refused(tournament, olga, people):
    """Return actions that are refused before the start of a tournament whose two places Aa and Ba have taken."""
    aa, ba, ca, _da, guest = people
    first = entrant(tournament, "Aa").pk
    return [
        (GameError, lambda: tournaments.open_tournament(user=guest, terms=tournament.declared)),
        (GameError, lambda: tournaments.join(tournament=tournament, user=ca)),
        (GameError, lambda: tournaments.join(tournament=tournament, user=guest)),
        (NotYours, lambda: tournaments.start(tournament=tournament, user=aa)),
        (NotYours, lambda: tournaments.call_off(tournament=tournament, user=aa, reason="I am afraid.")),
        (NotYours, lambda: tournaments.enter_bot(tournament=tournament, user=ba, bot="medium")),
        (NotYours, lambda: tournaments.remove(tournament=tournament, entrant=first, by=ba, reason="Too strong.")),
        (GameError, lambda: tournaments.enter_bot(tournament=tournament, user=olga, bot="medium")),
        (GameError, lambda: tournaments.call_off(tournament=tournament, user=olga, reason=" ")),
        (GameError, lambda: tournaments.remove(tournament=tournament, entrant=first, by=olga, reason="")),
        (GameError, lambda: tournaments.remove(tournament=tournament, entrant=0, by=olga, reason="A ghost.")),
        (Over, lambda: tournaments.replace(tournament=tournament, entrant=first, by=olga, name="Ca", reason="Ill.")),
        (GameError, lambda: tournaments.annul(tournament=tournament, match=0, by=olga, reason="A storm.")),
    ]


def test_refused_actions_before_the_start_write_nothing(olga):
    people = [*crowd(4), person("Guest", is_guest=True)]
    tournament = cup(olga, people[:2], format="round-robin", seats=2, fewest=2, starts=in_days(9))
    before = everything()
    for kind, action in refused(tournament, olga, people):
        with pytest.raises(kind) as refusal:
            action()
        assert str(refusal.value).endswith(".")
    assert everything() == before


def test_withdrawing_frees_the_place_for_another_player(olga, people):
    tournament = cup(olga, people[:2], format="round-robin", seats=2, fewest=2, starts=in_days(9))
    tournaments.leave(tournament=tournament, user=people[0])
    tournaments.join(tournament=tournament, user=people[2])
    assert list(tournament.entrants.order_by("name").values_list("name", flat=True)) == ["Ba", "Ca"]


def test_an_organizer_removes_a_player_with_a_reason(olga, people):
    tournament = cup(olga, people[:2], format="round-robin")
    tournaments.remove(
        tournament=tournament, entrant=entrant(tournament, "Ba").pk, by=olga, reason="He told me that he cannot."
    )
    assert not Entrant.objects.filter(name="Ba").exists()
    assert (Intervention.objects.get().what, Intervention.objects.get().reason) == ("Ba", "He told me that he cannot.")
    assert titles(people[1]) == ["Harbour Cup: you were removed"]


def test_an_organizer_who_plays_cannot_intervene_before_or_after_the_start(olga, people):
    tournament = cup(olga, [olga, *people[:3]], format="round-robin")
    entrant = Entrant.objects.get(tournament=tournament, user=people[0])
    for _stage in ("before", "after"):
        with pytest.raises(NotYours, match="You can’t intervene in a competition you play in"):
            tournaments.remove(tournament=tournament, entrant=entrant.pk, by=olga, reason="Too strong.")
        if again(tournament).is_open:
            tournaments.start(tournament=tournament, user=olga)
    match = running(sweep(tournament))[0].pk
    for action in (
        lambda: tournaments.replace(
            tournament=tournament, entrant=entrant.pk, by=olga, name="Fa", reason="Too strong."
        ),
        lambda: tournaments.annul(tournament=tournament, match=match, by=olga, reason="I lost."),
        lambda: tournaments.extend(tournament=tournament, match=match, by=olga, days=3, reason="I am late."),
    ):
        with pytest.raises(NotYours, match="You can’t intervene in a competition you play in"):
            action()
    assert Entrant.objects.filter(tournament=tournament, left_at=None).count() == 4


def test_bots_enter_unrated_tournaments_under_different_names(olga):
    tournament = cup(olga, format="round-robin", rated=False, bots=True, seats=4)
    for bot in ("medium", "random", "medium"):
        tournaments.enter_bot(tournament=tournament, user=olga, bot=bot)
    assert sorted(tournament.entrants.values_list("name", flat=True)) == ["Medium", "Medium 2", "Random"]
    with pytest.raises(GameError, match="no such bot"):
        tournaments.enter_bot(tournament=tournament, user=olga, bot="deep-thought")


# Starting and canceling


def test_a_tournament_starts_when_the_last_place_is_taken(olga, people):
    tournament = cup(olga, people[:3], format="round-robin", seats=4)
    assert sweep(tournament).is_open
    tournaments.join(tournament=tournament, user=people[3])
    tournament = sweep(tournament)
    assert (tournament.state, tournament.round, tournament.rounds) == ("running", 1, 3)
    assert len(running(tournament)) == 2


def test_a_tournament_starts_at_noon_of_its_day_with_those_who_signed_up(olga, people):
    tournament = cup(olga, people[:4], format="round-robin", starts=in_days(9))
    assert tournament.starts_at.isoformat().endswith("T12:00:00+00:00")
    with time_machine.travel(tournament.starts_at - timedelta(minutes=1), tick=False):
        assert sweep(tournament).is_open
    with time_machine.travel(tournament.starts_at, tick=False):
        assert sweep(tournament).is_running


def test_a_tournament_with_too_few_players_on_the_day_is_canceled_with_a_reason(olga, people):
    tournament = cup(olga, people[:3], format="round-robin", starts=in_days(9), fewest=4)
    with time_machine.travel(tournament.starts_at, tick=False):
        tournament = sweep(tournament)
    assert tournament.state == "closed"
    assert Intervention.objects.get().reason == "Only 3 players signed up, and the minimum is 4."
    assert titles(people[0]) == titles(olga) == ["Harbour Cup was canceled"]


def test_a_tournament_without_a_date_is_eventually_canceled(olga, people):
    tournament = cup(olga, people[:3], format="round-robin")
    with time_machine.travel(tournament.opened_at + STALE_AFTER, tick=False):
        assert sweep(tournament).state == "closed"
    assert titles(people[0]) == ["Harbour Cup was canceled"]


def test_the_organizer_can_start_a_tournament_before_its_day(olga, people):
    tournament = cup(olga, people[:3], format="round-robin", starts=in_days(9), fewest=4)
    with pytest.raises(GameError, match=r"3 players have signed up so far\. It takes 4 to start"):
        tournaments.start(tournament=tournament, user=olga)
    tournaments.join(tournament=tournament, user=people[3])
    tournaments.start(tournament=tournament, user=olga)
    assert sweep(tournament).is_running


def test_the_organizer_cancels_a_tournament_with_a_reason(olga, people):
    tournament = cup(olga, people[:2], format="round-robin")
    for _time in range(2):
        tournaments.call_off(tournament=tournament, user=olga, reason="The harbour is frozen.")
    assert [intervention.reason for intervention in Intervention.objects.all()] == ["The harbour is frozen."]
    assert titles(people[0]) == ["Harbour Cup was canceled"]
    notice = Notice.objects.filter(user=people[0]).first()
    assert notice.lead == "The tournament was canceled. Reason: “The harbour is frozen.”"
    for action in (tournaments.join, tournaments.start):
        with pytest.raises(Over, match="was canceled"):
            action(tournament=tournament, user=olga)


def test_a_running_tournament_cannot_be_entered_or_canceled(olga, people):
    tournament = begun(olga, people[:4], format="round-robin")
    with pytest.raises(Over, match="Sign-up is over"):
        tournaments.join(tournament=tournament, user=people[4])
    with pytest.raises(Over, match="no longer cancel it"):
        tournaments.call_off(tournament=tournament, user=olga, reason="I changed my mind.")
    with pytest.raises(GameError, match="Sign-up is over"):
        tournaments.enter_bot(tournament=tournament, user=olga, bot="medium")


def test_the_last_to_sign_up_are_left_out_if_the_format_does_not_fit(olga):
    people = crowd(8)
    tournament = begun(olga, people, format="round-robin", players=3, seats=9)
    assert (tournament.entrants.count(), tournament.rounds) == (7, 7)
    assert Intervention.objects.get().what == "Ha"
    assert titles(people[7]) == ["Harbour Cup: you were removed"]


def test_players_are_seeded_by_rating_and_then_by_time_of_sign_up(olga, people):
    RatedPlayer.objects.create(ruleset="legends", user=people[2], shown=1620)
    tournament = begun(olga, people[:4], format="round-robin")
    assert list(tournament.entrants.order_by("seed").values_list("name", "rating")) == [
        ("Ca", 1620), ("Aa", 1500), ("Ba", 1500), ("Da", 1500),
    ]  # fmt: skip


def test_starting_or_sweeping_twice_changes_nothing(olga, people):
    tournament = begun(olga, people[:4], format="round-robin")
    before = everything()
    tournaments.start(tournament=tournament, user=olga)
    sweep(tournament)
    assert everything() == before


def test_a_player_whose_account_is_closed_before_the_start_does_not_play(olga, people):
    tournament = cup(olga, people[:5], format="round-robin", seats=5)
    suspend(people[0], "close", None)
    suspend(people[1], days=90)
    assert sweep(tournament).is_open and tournament.entrants.count() == 4  # its place is free again
    tournaments.start(tournament=tournament, user=olga)
    assert sorted(again(tournament).entrants.values_list("name", flat=True)) == ["Ba", "Ca", "Da", "Ea"]


def test_a_player_who_deletes_their_account_before_the_start_is_removed(olga, people):
    tournament = cup(olga, people[:3], format="round-robin")
    organizing.drop_out_everywhere(user=people[0])
    people[0].delete()
    assert sorted(again(tournament).entrants.values_list("name", flat=True)) == ["Ba", "Ca"]


@pytest.mark.long
def test_bots_play_a_tournament_among_people(olga, people):
    tournament = cup(olga, people[:2], format="round-robin", rated=False, bots=True, seats=3, fewest=3)
    tournaments.enter_bot(tournament=tournament, user=olga, bot="random")
    tournament = play_out(sweep(tournament))
    assert places(tournament) == {"Aa": 1, "Ba": 2, "Random": 3}


@pytest.mark.parametrize("is_match", [True, False])
def test_t10_in_a_match_nobody_undoes_what_has_shown_something_not_even_against_a_bot(olga, people, is_match):
    """Bots agree automatically, so a player would see the next card first, and choose again."""
    tournament = cup(olga, people[:1], format="round-robin", rated=False, bots=True, seats=4)
    for _time in range(3):
        tournaments.enter_bot(tournament=tournament, user=olga, bot="random")
    sweep(tournament)
    game = next(match.game for match in running(tournament) if "Aa" in names(match))
    me = seats_of(game).index(next(seat for seat in seats_of(game) if seat.owner == people[0]))
    while some_turn(game)[0] != me or not any(action.startswith("take") for action in some_turn(game)[1]):
        play_turns(game, 1)
    if not is_match:
        Match.objects.filter(game=game).update(state="ended")
    seq = play_turns(game, 1).seq
    shown = table(public_id=game.public_id, user=people[0])
    assert ("match of a competition" in why_no_undo(shown).sentence) is is_match
    if is_match:
        with pytest.raises(GameError, match="hidden information and this is a match of a competition"):
            undo_requests.ask(game=game, seat=me, expected_seq=seq)
    else:
        assert undo_requests.ask(game=game, seat=me, expected_seq=seq).seq == seq + 1


# Large tournaments


@pytest.mark.parametrize("kind", ["swiss", "groups", "knockout", "arena"])
def test_twice_as_many_entrants_need_no_more_queries_at_a_start_and_an_announcement(olga, monkeypatch, kind):
    monkeypatch.setattr(connection.features, "max_query_params", 30_000)  # rows in one statement, as in PostgreSQL
    counted = []
    for size in (8, 16) if kind == "groups" else (64, 128):
        terms = {"days": 14, "best": 5} if kind == "arena" else {}
        tournament = cup(olga, format=kind, seats=size, name=f"Cup of {size}", **terms)
        unsaved = [User(username=f"{size}-{n}", email=f"{size}-{n}@example.org") for n in range(size)]
        users = User.objects.bulk_create(unsaved)
        Entrant.objects.bulk_create(
            Entrant(tournament=tournament, user=user, name=user.username, joined_at=timezone.now()) for user in users
        )
        with CaptureQueriesContext(connection) as start:
            tournaments.start(tournament=tournament, user=olga)
        with CaptureQueriesContext(connection) as announced:
            announcing.announce(competition=tournament, by=olga, text="Welcome!")
        for title in (f"Cup of {size} has started", f"Announcement in Cup of {size}"):
            assert Notice.objects.filter(title=title, channel="email").count() == size
        counted.append((len(start), len(announced)))
    assert counted[0] == counted[1]
