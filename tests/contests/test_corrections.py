"""Corrections by organizers: what they do to standings, ratings, rounds and places. Undoing leaves no trace."""

import random
import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import Permission
from django.db import connection
from django.utils import timezone, translation

from accounts.moderation import roles
from accounts.moderation import services as moderation
from games.contests import corrections, pools, reactions
from games.contests import interventions as organizing
from games.contests.achievements import book as achievements
from games.contests.gates import services as gates
from games.contests.leagues import decisions, news
from games.contests.leagues import services as seasons
from games.contests.leagues import sweep as season_steps
from games.contests.leagues.divisions import table
from games.contests.leagues.entrants import signed_up
from games.contests.models import (
    Appearance,
    Entrant,
    Intervention,
    InterventionKind,
    Match,
    Member,
    Pool,
    RatedPlayer,
    Score,
    Season,
)
from games.contests.organizing import co_organizers
from games.contests.ratings import book, history
from games.contests.ratings.history import HistoryFilter, Person
from games.contests.ratings.recompute import recompute
from games.contests.teams import services as team_services
from games.contests.tournaments import arenas
from games.contests.tournaments import services as tournaments
from games.errors import GameError, NotYours, Over
from games.notices.models import Notice
from games.tables.models import Block, Game, Seat
from games.tables.services import bots, handover
from games.tables.services import interventions as intervene
from tests.cast import again, person, play_turns
from tests.contests import cups, team_leagues
from tests.contests.ladders import ends
from tests.contests.leagues import (
    MONDAY,
    accept,
    divisions,
    everything,
    latest,
    league_of,
    notified,
    play_all,
    played,
    standings_of,
    started,
    sweep,
)
from tests.contests.seasons import division_of, game, look, match_of, sums

pytestmark = [pytest.mark.django_db, pytest.mark.early]
REASON = "He admitted it."
NO_BIDS = {"opening": "drawn"}


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def four(alice, bob, carol, dan):
    return alice, bob, carol, dan


@pytest.fixture
def pool(olga, alice, bob, carol) -> Pool:
    """A division of three in which every match is being played."""
    pool = division_of(alice, bob, carol, organizer=olga, rated=True)
    look(pool)
    return pool


def award(match: Match, by, *places: int, reason: str = REASON, expected: int | None = None) -> Match:
    match.refresh_from_db()
    version = match.version if expected is None else expected
    return corrections.award(match=match, by=by, places=places, reason=reason, expected=version)


def last_intervention() -> Intervention:
    return Intervention.objects.order_by("pk").reverse()[0]


def undo(intervention: Intervention, by, reason: str = "A mistake.") -> Intervention:
    """Undo an intervention. Its page, which asks for the reason, says before what would be refused."""
    current = Intervention.objects.get(pk=intervention.pk)
    scope, is_first = current.season or current.tournament, not hasattr(current, "undone_by")
    why_not = corrections.why_not_undo(current, scope, by) if scope and is_first and reason else None
    try:
        undoing = corrections.undo(intervention=intervention, by=by, reason=reason)
    except GameError as refusal:
        assert why_not in (None, str(refusal))
        raise
    assert not why_not
    return undoing


def refused(kind: type[GameError], words: str):
    return pytest.raises(kind, match=words)


# Deciding a match


def test_l17_an_award_counts_in_the_standings_and_the_players_are_notified(pool, olga):
    match = match_of(pool, "Alice", "Bob")
    ends(match.game, 1, 2)
    look(pool)
    assert sums(pool)["Alice"] == (2, 2, 1)
    award(match, olga, 2, 1)
    assert sums(pool) == {"Alice": (0, 2, 1), "Bob": (2, 2, 1), "Carol": (0, 0, 0)}
    intervention = last_intervention()
    assert (intervention.kind, intervention.what, intervention.reason, intervention.by) == (
        "awarded",
        "1. Bob, 2. Alice",
        REASON,
        olga,
    )
    notices = Notice.objects.filter(kind="decision", channel="email").order_by("user__username")
    assert [notice.user.username for notice in notices] == ["Alice", "Bob"]
    assert notices[0].lead == "The organizer decided your match: 1. Bob, 2. Alice. Reason: “He admitted it.”"


def again_and_again(decide: Callable[[], object], by, told_to, times: int = 6) -> None:
    """Decide and undo it often enough for 12 notices. The person gets ten a day, which quote the organizer."""
    for _time in range(times):
        decide()
        undo(last_intervention(), by)
    news.sweep()
    notices = Notice.objects.filter(user=told_to, kind="decision", channel="email")
    repeated = notices.filter(about__endswith=f".by.{by.pk}")  # others, such as that a bot plays a seat now, are not
    assert repeated.count() == 10 and notices.count() <= 13
    for lead in repeated.values_list("lead", flat=True):
        assert not re.search("Not now|A mistake", lead) or re.search("Reason: “(Not now|A mistake).”$", lead)


@pytest.mark.parametrize("decision", ["award", "annul", "remove", "extend"])
def test_decisions_undone_again_and_again_send_ten_notices_a_day_at_most(pool, olga, alice, decision):
    match, why = match_of(pool, "Alice", "Bob"), {"by": olga, "reason": "Not now."}
    decisions: dict[str, Callable[[], object]] = {
        "award": lambda: award(match, olga, 2, 1, reason="Not now."),
        "annul": lambda: organizing.annul(match=match, **why),
        "remove": lambda: organizing.remove(entrant=Entrant.objects.get(user=alice), **why),
        "extend": lambda: seasons.extend_season(season=pool.season, days=7, **why),
    }
    again_and_again(decisions[decision], olga, alice, times=12 if decision == "remove" else 6)


@pytest.mark.parametrize("step", ["take out", "move"])
def test_changes_before_a_season_starts_send_ten_notices_a_day_at_most(olga, step):
    people = [person(f"P{n}") for n in range(8)]
    season = latest(league_of(*people, organizer=olga))
    member = Member.objects.get(user=people[0])
    tier = 3 - next(tier for (tier, _number), there in decisions.arrangement(season).items() if member in there)
    why = {"season": season, "member": member.pk, "by": olga, "reason": "Not now."}
    steps: dict[str, Callable[[], object]] = {
        "take out": lambda: decisions.take_out(**why),
        "move": lambda: decisions.move(**why, tier=tier, number=1),
    }
    again_and_again(steps[step], olga, people[0])


def test_changes_before_a_tournament_starts_send_ten_notices_a_day_at_most(olga, alice, bob):
    tournament, why = cups.cup(olga, [alice, bob], seats=4), {"by": olga, "reason": "Not now."}
    again_and_again(
        lambda: tournaments.remove(tournament=tournament, entrant=cups.entrant(tournament, "Alice").pk, **why),
        olga,
        alice,
        times=12,
    )


def test_removing_a_team_again_and_again_sends_ten_notices_a_day_at_most(olga):
    tournament = team_leagues.league(olga)
    foxes = team_leagues.team(tournament, "Foxes")
    again_and_again(lambda: team_services.take_out(team=foxes, by=olga, reason="Not now."), olga, foxes.captain)


@pytest.mark.parametrize("begun", [True, False])
def test_an_award_decides_a_match_that_is_being_played_or_has_not_begun_until_it_is_undone(olga, alice, bob, begun):
    pool = division_of(alice, bob, organizer=olga)
    if begun:
        look(pool)
    match = match_of(pool, "Alice", "Bob")
    state = match.state
    award(match, olga, 1, 1)
    assert sums(pool)["Alice"] == (1, 2, 1) and look(pool) is True
    undo(last_intervention(), olga)
    match.refresh_from_db()
    assert match.state == state and sums(pool)["Alice"] == (0, 0, 0)
    look(pool)
    ends(game(pool, "Alice", "Bob"), 2, 1)
    look(pool)
    assert sums(pool)["Bob"] == (2, 2, 1)


def test_l18_a_game_that_ends_after_the_award_changes_nothing_until_the_award_is_undone(pool, olga):
    match = match_of(pool, "Alice", "Bob")
    award(match, olga, 2, 1)
    ends(match.game, 1, 2)
    look(pool)
    assert sums(pool)["Bob"] == (2, 2, 1)
    assert list(Score.objects.order_by("seat").values_list("place", "ruled")) == [(1, 2), (2, 1)]
    undo(last_intervention(), olga)
    assert sums(pool)["Alice"] == (2, 2, 1) and not Score.objects.exclude(ruled=None).exists()


def test_totals_of_a_history_follow_the_decision_until_it_is_undone(pool, olga, alice, bob, client):
    match = match_of(pool, "Alice", "Bob")
    ends(match.game, 1, 2)
    look(pool)

    def totals(user, rival) -> tuple[object, ...]:
        filtered = history.history(person=Person(user), reader=olga, filters=HistoryFilter(rival=Person(rival)))
        (reached,), (contest,) = filtered.places, filtered.contests
        assert filtered.against and history.history(person=Person(user), reader=olga).won == filtered.won
        row = next(history.rows(Person(user), Score.objects.filter(user=user), str, olga))
        assert row["game_places"] == [1 if user == alice else 2]
        return (
            filtered.won, (reached.place, reached.rival_place), (filtered.against.ahead, filtered.against.behind),
            [score.name for score in contest.scores], (row["place"], row["opponent_places"], row["decided"]),
        )  # fmt: skip

    def page(user) -> str:
        return " ".join(client.get(f"/players/{user.username}/").content.decode().split())

    won, lost = (1, (1, 2), (1, 0)), (0, (2, 1), (0, 1))
    assert totals(alice, bob) == (*won, ["Alice", "Bob"], (1, [2], False))
    assert totals(bob, alice) == (*lost, ["Alice", "Bob"], (2, [1], False))
    award(match, olga, 2, 1)
    assert totals(alice, bob) == (*lost, ["Bob", "Alice"], (2, [1], True))
    assert totals(bob, alice) == (*won, ["Bob", "Alice"], (1, [2], True))
    assert "1 game, 0 wins." in page(alice) and "1 game, 1 win." in page(bob)
    winner = re.search(r'person winner">.*?<b class="number">', page(alice))
    assert winner and "Bob" in winner[0] and '<span class="place">2</span>' in page(alice)
    award(match, olga, 1, 1)
    assert totals(alice, bob)[:3] == (1, (1, 1), (0, 0))
    undo(last_intervention(), olga)
    assert totals(alice, bob)[:3] == lost
    undo(Intervention.objects.in_force().get(kind="awarded"), olga)
    assert totals(alice, bob) == (*won, ["Alice", "Bob"], (1, [2], False))


def test_two_organizers_at_once_get_a_sentence_and_a_form_sent_twice_counts_once(pool, olga, eve):
    type(eve).objects.filter(pk=eve.pk).update(is_staff=True, is_superuser=True)
    eve.refresh_from_db()
    match = match_of(pool, "Alice", "Bob")
    version = Match.objects.get(pk=match.pk).version
    award(match, olga, 2, 1, expected=version)
    before = everything()
    award(match, olga, 2, 1, expected=version)
    with refused(GameError, "has changed since you opened the page"):
        award(match, eve, 1, 2, expected=version)
    with refused(GameError, "has changed since you opened the page"):
        organizing.annul(match=match, by=eve, reason="x", expected=version)
    with refused(GameError, "Use at most 300 characters"):
        organizing.annul(match=match, by=eve, reason="x" * 301)
    with refused(GameError, "That is already the result."):
        award(match, eve, 2, 1)
    assert everything() == before
    undo(last_intervention(), eve)
    with refused(Over, "Someone else has already undone this."):
        undo(Intervention.objects.get(kind="awarded"), olga)


def test_strangers_players_and_organizers_who_play_are_refused_before_anything_is_checked(pool, olga, alice, eve):
    match = match_of(pool, "Alice", "Bob")
    award(match, olga, 2, 1)
    intervention, before = last_intervention(), everything()
    for user in (alice, eve):
        with refused(NotYours, "Only the organizer can do this."):
            award(match, user, 9, 9, 9, reason="")
        with refused(NotYours, "Only the organizer can do this."):
            undo(intervention, user, reason="")
        with refused(NotYours, "Only the organizer can do this."):
            corrections.ban(scope=pool.season, by=user, name="nobody", reason="")
        with refused(NotYours, "Only the organizer can do this."):
            decisions.approve(season=pool.season, by=user)
    Entrant.objects.filter(user=alice).update(user=olga)
    with refused(NotYours, "You can’t intervene in a competition you play in."):
        award(match, olga, 1, 2)
    Entrant.objects.filter(user=olga).update(user=alice)
    assert everything() == before


def test_staff_need_the_permission_to_add_interventions(pool, olga, client):
    match, sam = match_of(pool, "Alice", "Bob"), person("Sam", is_staff=True)
    sam.user_permissions.set(Permission.objects.filter(codename__in=["view_game", "change_game", "view_intervention"]))
    client.force_login(sam)
    league, pages = pool.season.league, ("/leagues/harbour/1/organize/", f"/matches/{match.pk}/decide")
    before = everything()
    for action in (
        lambda: award(match, sam, 2, 1),
        lambda: corrections.ban(scope=pool.season, by=sam, name="Bob", reason=REASON),
        lambda: seasons.close_league(league=league, user=sam),
        lambda: co_organizers.offer(competition=league, by=sam, name="Alice", reason=REASON),
    ):
        with refused(NotYours, "Only the organizer can do this."):
            action()
    assert everything() == before and [client.get(page).status_code for page in pages] == [302, 302]
    sam.user_permissions.add(Permission.objects.get(codename="add_intervention"))
    sam = type(sam).objects.get(pk=sam.pk)  # permissions are read once for each object
    assert [client.get(page).status_code for page in pages] == [200, 200]
    award(match, sam, 2, 1)
    assert last_intervention().as_staff


def test_l23_only_staff_undo_or_overrule_what_staff_decided(client, olga, four, clock):
    season, sam = started(league_of(*four, organizer=olga), clock), person("Sam", is_staff=True, is_superuser=True)
    pool = season.pools.get()
    match, removed = match_of(pool, "Alice", "Bob"), Entrant.objects.get(name="Carol")
    award(match, sam, 2, 1)
    organizing.remove(entrant=removed, by=sam, reason=REASON)
    corrections.ban(scope=season, by=sam, name="Dan", reason=REASON)
    organizing.extend(match=match_of(pool, "Alice", "Dan"), by=sam, days=2, reason=REASON)
    before, decisions = everything(), list(Intervention.objects.order_by("pk"))
    staff_decided = "Site staff decided this, so only site staff can change it."
    for intervention in decisions:
        with refused(NotYours, staff_decided):
            undo(intervention, olga)
    for action in (
        lambda: award(match, olga, 1, 2),
        lambda: organizing.annul(match=match, by=olga, reason=REASON),
    ):
        with refused(NotYours, staff_decided):
            action()
    assert everything() == before

    list_of_all, its_page = "/leagues/harbour/interventions/", f"/matches/{match.pk}/"
    client.force_login(olga)
    pages = [client.get(page).content.decode() for page in (list_of_all, its_page, season.get_absolute_url())]
    assert not any("/undo" in page or f"/matches/{match.pk}/decide" in page for page in pages)
    assert staff_decided in client.get(f"/matches/{match.pk}/decide").content.decode()
    client.force_login(sam)
    assert "/undo" in client.get(list_of_all).content.decode()
    assert f"/matches/{match.pk}/decide" in client.get(its_page).content.decode()

    for intervention in reversed(decisions):
        undo(intervention, sam)
    award(match, olga, 1, 2)
    assert last_intervention().by == olga


def test_l23_an_organizer_does_not_make_a_decision_again_that_staff_have_undone(client, olga, four, clock, eve):
    league, sam = league_of(*four, organizer=olga), person("Sam", is_staff=True, is_superuser=True)
    season = started(league, clock)
    match, alice = match_of(season.pools.get(), "Bob", "Carol"), Entrant.objects.get(name="Alice")
    award(match, olga, 2, 1)
    corrections.ban(scope=season, by=olga, name="Alice", reason=REASON)
    organizing.replace(entrant=alice, by=olga, name="Eve", reason=REASON)
    organizing.extend(match=match_of(season.pools.get(), "Bob", "Dan"), by=olga, days=2, reason=REASON)
    seasons.extend_season(season=season, by=olga, days=1, reason=REASON)
    for intervention in reversed(Intervention.objects.order_by("pk")):
        undo(intervention, sam)
    before = everything()
    match.refresh_from_db()
    for action in (
        lambda: corrections.ban(scope=season, by=olga, name="Alice", reason="Again."),
        lambda: organizing.remove(entrant=alice, by=olga, reason="Again."),
        lambda: organizing.replace(entrant=alice, by=olga, name="Eve", reason="Again."),
        lambda: award(match, olga, 1, 2),
        lambda: organizing.annul(match=match, by=olga, reason="Again."),
        lambda: organizing.extend(match=match_of(season.pools.get(), "Bob", "Dan"), by=olga, days=3, reason="Again."),
        lambda: seasons.extend_season(season=season, by=olga, days=2, reason="Again."),
    ):
        with refused(NotYours, "Site staff have undone such a decision, so only site staff can make it again."):
            action()
    with refused(Over, "You have already answered, or the request was withdrawn."):
        accept(eve)
    assert everything() == before
    client.force_login(olga)
    assert "Site staff have undone such a decision" in client.get(f"/matches/{match.pk}/decide").text
    # Staff decide again, and an organizer still decides about others
    award(match, sam, 1, 2)
    corrections.ban(scope=season, by=sam, name="Alice", reason=REASON)
    corrections.ban(scope=season, by=olga, name="Bob", reason=REASON)


def test_l23_an_organizer_takes_nobody_out_before_the_start_whom_staff_have_let_in_again(olga, four):
    season, sam = latest(league_of(*four, organizer=olga)), person("Sam", is_staff=True, is_superuser=True)
    member = Member.objects.get(user__username="Alice")
    undo(decisions.take_out(season=season, member=member.pk, by=olga, reason=REASON), sam)
    with refused(NotYours, "Site staff have undone such a decision"):
        decisions.take_out(season=season, member=member.pk, by=olga, reason="Again.")
    tournament = cups.cup(olga, four)
    entrant = Entrant.objects.get(tournament=tournament, name="Alice")
    tournaments.remove(tournament=tournament, entrant=entrant.pk, by=olga, reason=REASON)
    undo(last_intervention(), sam)
    entrant = Entrant.objects.get(tournament=tournament, name="Alice")
    with refused(NotYours, "Site staff have undone such a decision"):
        tournaments.remove(tournament=tournament, entrant=entrant.pk, by=olga, reason="Again.")
    assert Entrant.objects.filter(pk=entrant.pk).exists()


@pytest.mark.parametrize("has_begun", [False, True], ids=["before the start", "after it"])
def test_l23_an_organizer_does_not_remove_a_bot_again_that_staff_have_let_in_again(olga, four, eve, has_begun):
    tournament, sam = cups.cup(olga, four, rated=False, bots=True), person("Sam", is_staff=True, is_superuser=True)
    for _bot in range(2):
        tournaments.enter_bot(tournament=tournament, user=olga, bot="medium")

    def remove(name: str, by: object) -> None:
        tournaments.remove(tournament=tournament, entrant=cups.entrant(tournament, name).pk, by=by, reason=REASON)

    remove("Medium", olga)
    undo(last_intervention(), sam)
    if has_begun:
        tournaments.start(tournament=tournament, user=olga)
        tournament = cups.sweep(tournament)
    with refused(NotYours, "Site staff have undone such a decision"):
        remove("Medium", olga)
    if has_begun:
        with refused(NotYours, "Site staff have undone such a decision"):
            organizing.replace(entrant=cups.entrant(tournament, "Medium"), by=olga, name="Eve", reason=REASON)
    remove("Medium 2", olga)
    remove("Medium", sam)


def test_l23_a_ban_that_staff_have_lifted_stays_lifted_in_the_next_season_of_a_team_league(olga, four):
    first, sam = cups.cup(olga, four), person("Sam", is_staff=True, is_superuser=True)
    removed = Entrant.objects.get(tournament=first, name="Bob")
    tournaments.remove(tournament=first, entrant=removed.pk, by=olga, reason=REASON)
    corrections.ban(scope=first, by=olga, name="Alice", reason=REASON)
    for intervention in reversed(Intervention.objects.order_by("pk")):
        undo(intervention, sam)
    following = cups.cup(olga, four, name="Harbour Cup, season 2")
    type(following).objects.filter(pk=following.pk).update(follows=first)
    following.refresh_from_db()
    with refused(NotYours, "Site staff have undone such a decision"):
        corrections.ban(scope=following, by=olga, name="Alice", reason="Again.")
    other = Entrant.objects.get(tournament=following, name="Bob")  # a removal is about one season
    tournaments.remove(tournament=following, entrant=other.pk, by=olga, reason=REASON)


def test_staff_may_decide_and_are_recorded_as_staff_but_not_while_they_play_or_organize(pool, olga, alice, eve):
    match, moderator = match_of(pool, "Alice", "Bob"), person("Moderator", is_staff=True, is_superuser=True)
    award(match, moderator, 2, 1)
    assert (last_intervention().by, last_intervention().as_staff) == (moderator, True)
    undo(last_intervention(), moderator)
    type(olga).objects.filter(pk=olga.pk).update(is_staff=True)
    olga.refresh_from_db()
    award(match, olga, 1, 2)
    assert (last_intervention().by, last_intervention().as_staff) == (olga, False)
    undo(last_intervention(), moderator)
    assert last_intervention().as_staff
    Entrant.objects.filter(user=alice).update(user=moderator)
    with refused(NotYours, "You can’t intervene in a competition you play in."):
        award(match, moderator, 1, 2)


@pytest.mark.parametrize("places", [(), (1,), (0, 1), (1, 3), (1, 2, 2)])
def test_places_that_do_not_fit_the_match_are_refused(pool, olga, places):
    with refused(GameError, "Choose a place for every player."):
        award(match_of(pool, "Alice", "Bob"), olga, *places)


def test_results_are_final_once_the_season_has_ended(olga, four, clock):
    season = played(started(league_of(*four, organizer=olga), clock), clock, "Alice")
    before = everything()
    match = Match.objects.filter(appearances__entrant__name="Alice")[0]
    with refused(Over, "has ended, and its results are final."):
        award(match, olga, 2, 1)
    assert season.ended_at and everything() == before


def test_a_decision_is_undone_after_a_player_has_deleted_the_account(pool, olga, bob):
    match = match_of(pool, "Alice", "Bob")
    award(match, olga, 2, 1)
    bob.delete()
    undo(last_intervention(), olga)
    match.refresh_from_db()
    assert match.state == "playing" and last_intervention().what == "1. Bob, 2. Alice"


def test_decisions_about_a_player_have_the_name_that_a_moderator_gave_them(pool, olga, alice, bob):
    organizing.remove(entrant=Entrant.objects.get(name="Alice"), by=olga, reason=REASON)
    corrections.ban(scope=pool.season, by=olga, name="Alice", reason=REASON)
    corrections.ban(scope=pool.season, by=olga, name="Bob", reason=REASON)
    moderator = person("Mo")
    roles.appoint(moderator, roles.MODERATORS)
    alice = moderation.rename(by=moderator, user=alice)
    named = list(Intervention.objects.order_by("pk").values_list("what", flat=True))
    assert "Alice" not in named and named.count(alice.username) == 2 and named.count("Bob") == 2


def test_decisions_of_an_organizer_whose_account_is_gone_are_undone_by_another(pool, olga, carol, eve):
    type(eve).objects.filter(pk=eve.pk).update(is_staff=True, is_superuser=True)
    eve.refresh_from_db()
    match = match_of(pool, "Alice", "Bob")
    organizing.annul(match=match, by=olga, reason=REASON)
    corrections.ban(scope=pool.season, by=olga, name="Carol", reason=REASON)
    organizing.drop_out(Entrant.objects.get(name="Bob"), by=None, kind=InterventionKind.LEFT, reason="")
    olga.delete()
    for kind in ("annulled", "banned", "removed"):
        undo(Intervention.objects.get(kind=kind), eve)
    match.refresh_from_db()
    assert match.state == "playing" and not organizing.is_banned(pool.season.league, carol)
    assert Entrant.objects.get(name="Carol").left_at is None
    with refused(GameError, "This can’t be undone."):
        undo(Intervention.objects.get(kind="left"), eve)


def test_what_the_site_annulled_cannot_be_undone(pool, olga, eve):
    type(eve).objects.filter(pk=eve.pk).update(is_staff=True, is_superuser=True)
    match = match_of(pool, "Alice", "Bob")
    intervene.void(
        game=match.game, reason="Time.", expected_seq=again(match.game).seq, by=type(eve).objects.get(pk=eve.pk)
    )
    look(pool)
    with refused(GameError, "This can’t be undone."):
        undo(Intervention.objects.get(kind="annulled"), olga)


# Ratings


def end_for_real(match: Match, staff, turns: int) -> None:
    """Play some turns, and let staff end the game with the points so far."""
    played = play_turns(match.game, turns)
    intervene.end(game=played, reason="Time.", expected_seq=again(played).seq, by=staff)


def ratings() -> dict[str, tuple[float, float]]:
    return {row.user.username: (row.mu, row.sigma) for row in RatedPlayer.objects.select_related("user")}


def test_random_corrections_and_their_undoing_equal_a_recomputation_from_the_logs(pool, olga, eve):
    type(eve).objects.filter(pk=eve.pk).update(is_staff=True, is_superuser=True)
    eve.refresh_from_db()
    pairs = [("Alice", "Bob"), ("Alice", "Carol"), ("Bob", "Carol")]
    for turns, pair in enumerate(pairs, start=4):
        end_for_real(match_of(pool, *pair), eve, turns)
    book.sweep()
    look(pool)
    assert recompute("legends", mend=False) == [] and Score.objects.filter(counts=True).count() == 6
    rated, counted = ratings(), sums(pool)
    results = {pair: list(match_of(pool, *pair).appearances.values_list("place", flat=True)) for pair in pairs}

    dice, changes = random.Random(17), 0
    for _step in range(10):
        pair = dice.choice(pairs)
        match, in_force = match_of(pool, *pair), Intervention.objects.in_force().filter(kind__in=organizing.DECIDING)
        correction = dice.choice(["award", "award", "annul", "undo"])
        if correction == "undo" and in_force.exists():
            undo(dice.choice(list(in_force.order_by("pk"))), olga)
        elif correction == "annul":
            organizing.annul(match=match, by=olga, reason=REASON)
        else:
            places = dice.choice([(1, 2), (2, 1), (1, 1)])
            if list(match.appearances.values_list("place", flat=True)) != list(places):
                award(match, olga, *places)
        book.sweep()
        changes += ratings() != rated
        assert recompute("legends", mend=False) == []
        # The standings, worked out from the interventions alone
        expected = dict.fromkeys(counted, 0)
        for names in pairs:
            decided = in_force.filter(match=match_of(pool, *names)).order_by("pk").last()
            places = decided.details.get("places") if decided else results[names]
            for name, place in zip(names, places or (), strict=False):
                expected[name] += pools.points(place, places)
        assert {name: points for name, (points, *_more) in sums(pool).items()} == expected
    assert changes > 2

    for intervention in Intervention.objects.in_force().filter(kind__in=organizing.DECIDING).order_by("?"):
        undo(intervention, olga)
    book.sweep()
    assert ratings() == rated and sums(pool) == counted and recompute("legends", mend=False) == []
    assert [line.entrant for line in table(pool).lines]


# Every kind of intervention


def correct() -> None:
    """Check that the ratings after the last intervention are those that the logs give."""
    book.sweep()
    assert recompute("legends", mend=False) == []


def finish() -> None:
    """Let bots and, for those who are left, the cheapest turns finish every game."""
    while running := Game.objects.filter(status="running").order_by("pk").first():
        if not bots.sweep_bots():
            play_turns(running, 1)
    pools.sweep(timezone.now())


def turned(match: Match, by, *, moves: bool = True) -> None:
    """Turn the result of a match around and annul it, and take both back, which leaves every rating as it was.

    It moves no ratings where a player had been replaced, because they count as they stood then (L17).
    """
    correct()
    before, (first, second) = ratings(), match.appearances.values_list("place", flat=True)
    award(match, by, *((1, 2) if first > second else (2, 1)))
    intervention = last_intervention()
    correct()
    assert (ratings() != before) == moves
    match.refresh_from_db()
    organizing.annul(match=match, by=by, reason=REASON)
    correct()
    undo(last_intervention(), by)
    undo(intervention, by)
    correct()
    assert ratings() == before


@pytest.mark.long
def test_every_kind_of_intervention_in_a_league_leaves_ratings_equal_to_a_recomputation(olga, four, eve, clock):
    type(eve).objects.filter(pk=eve.pk).update(is_staff=True, is_superuser=True)
    eve.refresh_from_db()
    fay, rolf = person("Fay"), person("Rolf")
    league = league_of(*four, organizer=olga, late=0, at_once=3, pause=1, options={"opening": "drawn"})
    season = started(league, clock)
    pool = season.pools.get()

    # 1. Staff end a game and call one off
    end_for_real(match_of(pool, "Alice", "Bob"), eve, 4)
    end_for_real(match_of(pool, "Carol", "Dan"), eve, 5)
    look(pool)
    called_off = play_turns(game(pool, "Bob", "Carol"), 2)
    intervene.void(game=called_off, reason="Time.", expected_seq=called_off.seq, by=eve)
    look(pool)
    turned(match_of(pool, "Alice", "Bob"), olga)

    # 2. Corrections before the end of a game, extensions, and the organizer's own successor
    play_turns(game(pool, "Alice", "Carol"), 6)
    award(match_of(pool, "Alice", "Carol"), olga, 1, 2)
    early = last_intervention()
    organizing.extend(match=match_of(pool, "Bob", "Dan"), by=olga, days=5, reason=REASON)
    correct()
    undo(last_intervention(), olga)
    seasons.extend_season(season=season, by=olga, days=7, reason=REASON)
    undo(last_intervention(), olga)
    correct()
    co_organizers.offer(competition=league, by=olga, name="Rolf")
    co_organizers.answer(competition=league, user=rolf, accepts=True)
    olga = rolf

    # 3. A player is replaced and comes back, another is removed and banned and comes back, a third drops out
    play_turns(game(pool, "Bob", "Dan"), 6)
    organizing.replace(entrant=Entrant.objects.get(name="Dan"), by=olga, name="Fay", reason=REASON)
    accept(fay)
    correct()
    organizing.replace(entrant=Entrant.objects.get(name="Fay"), by=olga, name="Dan", reason=REASON)
    accept(four[3])
    correct()
    corrections.ban(scope=season, by=olga, name="Bob", reason=REASON)
    banned, removed = last_intervention(), Intervention.objects.get(kind="removed")
    correct()
    undo(banned, olga)
    undo(removed, olga)
    correct()
    seasons.drop_out(season=season, user=four[0])
    finish()
    correct()
    undo(early, olga)
    correct()
    turned(match_of(pool, "Bob", "Dan"), olga, moves=False)

    # 4. Bots finish what is left, and the organizer approves and moves someone in the next season
    clock.shift(timedelta(weeks=10))
    sweep()
    finish()
    sweep()
    turned(match_of(pool, "Carol", "Dan"), olga)
    decisions.approve(season=season, by=olga)
    correct()
    done = set(Intervention.objects.values_list("kind", flat=True))
    # Nothing is late here, see below; a player is moved before anything is played; only tournaments are canceled
    others = {InterventionKind.OVERDUE, InterventionKind.MOVED, InterventionKind.CANCELLED}
    assert done == set(InterventionKind) - others
    assert achievements.recompute(mend=False) == []


@pytest.mark.long
def test_the_question_whether_to_take_over_names_the_competition(olga, four, clock, eve):
    started(league_of(*four, organizer=olga), clock)
    organizing.replace(entrant=Entrant.objects.get(name="Dan"), by=olga, name="Eve", reason=REASON)
    lead = Notice.objects.filter(user=eve, kind="asked").values_list("lead", flat=True)[0]
    assert lead.startswith("If you accept, you replace Dan in Harbour League, season 1. ")


def test_matches_that_bots_finish_late_and_are_corrected_leave_ratings_equal_to_a_recomputation(olga, four, eve, clock):
    season = started(league_of(*four, organizer=olga, late=0, at_once=3, options={"opening": "drawn"}), clock)
    pool = season.pools.get()
    for match in Match.objects.filter(pool=pool):
        play_turns(match.game, 15)
    clock.move_to(season.ends_at + timedelta(weeks=1))
    sweep()
    assert Intervention.objects.filter(kind="overdue").count() == 6
    finish()
    correct()
    assert Score.objects.filter(counts=True, order__isnull=False).count() == 12
    turned(match_of(pool, "Alice", "Bob"), olga)


def arena(olga, people):
    tournament = cups.cup(olga, people, format="arena", days=10, days_a_round=20, best=2, at_once=3, options=NO_BIDS)
    tournaments.start(tournament=tournament, user=olga)
    for user in people:
        arenas.ask(tournament=cups.again(tournament), user=user)
    return cups.again(tournament)


def team_league(olga, people):
    tournament = team_leagues.league(olga, options=NO_BIDS)
    for n, name in enumerate(("Foxes", "Owls")):
        squad = team_services.create(tournament=tournament, user=people[2 * n], name=name)
        team_services.join(team=squad, user=people[2 * n + 1], token=squad.invite_token)
    tournaments.start(tournament=tournament, user=olga)
    return cups.sweep(tournament)


@pytest.mark.long
@pytest.mark.parametrize("begin", [arena, team_league])
def test_interventions_in_arenas_and_team_leagues_leave_ratings_equal_to_a_recomputation(olga, four, eve, begin):
    type(eve).objects.filter(pk=eve.pk).update(is_staff=True, is_superuser=True)
    eve.refresh_from_db()
    tournament = begin(olga, four)
    first, second = cups.running(tournament)
    end_for_real(first, eve, 5)
    cups.sweep(tournament)
    first.refresh_from_db()
    turned(first, olga)

    # A match that is being played: decided, a player removed and banned, all undone
    play_turns(second.game, 6)
    organizing.extend(match=second, by=olga, days=5, reason=REASON)
    undo(last_intervention(), olga)
    award(second, olga, 1, 2)
    early, name = last_intervention(), second.appearances.first().entrant.name
    corrections.ban(scope=tournament, by=olga, name=name, reason=REASON)
    banned, removed = last_intervention(), Intervention.objects.get(kind="removed")
    correct()
    undo(banned, olga)
    undo(removed, olga)
    correct()
    finish()
    correct()
    undo(early, olga)
    cups.sweep(tournament)
    second.refresh_from_db()
    if cups.again(tournament).is_running:  # a team league ends with its last board
        turned(second, olga, moves=False)
    assert Score.objects.filter(counts=True, order__isnull=False).count() == 4
    assert set(Score.objects.values_list("ruled", flat=True)) == {None}


# Seasons


def test_l19_a_season_waits_for_its_organizer_and_ends_when_the_results_are_approved(olga, four, clock):
    league = league_of(*four, organizer=olga)
    season = started(league, clock)
    with refused(GameError, "Not every match is decided yet"):
        decisions.approve(season=season, by=olga)
    play_all(season, "Alice", "Bob", "Carol")
    clock.shift(timedelta(weeks=2))
    sweep()
    sweep()
    season.refresh_from_db()
    assert season.state == "running" and season.decided_at == timezone.now() and latest(league) == season
    assert notified("approval") == {"Olga": ["Season 1 of Harbour League: approve the results"]}
    award(match_of(season.pools.get(), "Alice", "Bob"), olga, *seats_first(season, "Bob", "Alice"))
    decisions.approve(season=season, by=olga)
    assert decisions.approve(season=season, by=olga).state == "ended"
    assert latest(league).number == 2 and Intervention.objects.filter(kind="approved").count() == 1
    assert [name for name, *_rest in standings_of(season)][:2] == ["Bob", "Alice"] and "Olga" not in notified()


def test_l19_an_organizer_who_plays_is_not_asked_to_approve(four, clock):
    season = started(league_of(*four, organizer=four[0]), clock)
    play_all(season, "Alice", "Bob", "Carol")
    clock.shift(timedelta(weeks=2))
    sweep()
    assert notified("approval") == {"Alice": ["Season 1 of Harbour League: all matches are decided"]}
    assert "so you can’t approve its results" in Notice.objects.get(kind="approval").lead


def seats_first(season: Season, winner: str, loser: str) -> list[int]:
    seated = match_of(season.pools.get(), winner, loser).appearances.values_list("entrant__name", flat=True)
    return [1 if name == winner else 2 for name in seated]


def test_l19_a_season_ends_automatically_three_days_after_the_last_correction(olga, four, clock):
    season = started(league_of(*four, organizer=olga), clock)
    play_all(season, "Alice", "Bob", "Carol")
    clock.shift(timedelta(weeks=2))
    sweep()
    clock.shift(timedelta(days=2))
    match = match_of(season.pools.get(), "Alice", "Bob")
    award(match, olga, *seats_first(season, "Bob", "Alice"))
    clock.shift(timedelta(days=2))
    sweep()
    assert Season.objects.get(pk=season.pk).state == "running"
    clock.shift(timedelta(days=1))
    sweep()
    assert Season.objects.get(pk=season.pk).state == "ended"


def test_l19_annulling_a_match_starts_the_three_days_again(olga, four, clock):
    season = started(league_of(*four, organizer=olga), clock)
    play_all(season, "Alice", "Bob", "Carol")
    clock.shift(timedelta(weeks=2))
    sweep()
    clock.shift(timedelta(days=2))
    organizing.annul(match=match_of(season.pools.get(), "Alice", "Bob"), by=olga, reason="One of them was away.")
    clock.shift(timedelta(days=2))
    sweep()
    assert Season.objects.get(pk=season.pk).state == "running"
    clock.shift(timedelta(days=1))
    sweep()
    assert Season.objects.get(pk=season.pk).state == "ended"


@pytest.mark.long
def test_a_match_that_is_reopened_starts_the_approval_again_and_not_after_its_time(olga, four, clock):
    season = started(league_of(*four, organizer=olga), clock)
    pool = season.pools.get()
    match = Match.objects.filter(pool=pool, state="playing").order_by("pk")[0]
    award(match, olga, 1, 2)
    intervention = last_intervention()
    play_all(season)
    clock.shift(timedelta(weeks=2))
    sweep()
    undo(intervention, olga)
    season.refresh_from_db()
    match.refresh_from_db()
    assert season.decided_at is None and match.state == "playing"
    award(match, olga, 1, 2)
    intervention = last_intervention()
    sweep()
    season.refresh_from_db()
    assert season.decided_at is not None
    clock.move_to(match.due_at)
    before = everything()
    with refused(GameError, "Time is up for this match. Decide its result instead."):
        undo(intervention, olga)
    assert everything() == before


def test_a_move_and_a_hand_over_have_the_name_that_a_moderator_gave_the_player(olga):
    season = latest(league_of(*(person(f"P{n:02}") for n in range(12)), organizer=olga, spread=2))
    member = decisions.arrangement(season)[2, 2][-1]
    decisions.move(season=season, member=member.pk, by=olga, tier=2, number=1, reason="x")
    co_organizers.offer(competition=season.league, by=olga, name=member.user.username)
    co_organizers.answer(competition=season.league, user=member.user, accepts=True)
    roles.appoint(moderator := person("Mo"), roles.MODERATORS)
    renamed = moderation.rename(by=moderator, user=member.user).username
    named = list(Intervention.objects.order_by("pk").values_list("what", flat=True))
    assert named == [f"{renamed} → division 2-1", f"Olga → {renamed}"]


def test_undoing_a_decision_while_someone_decides_again_counts_both_changes(pool, olga):
    sam, match = person("Sam", is_staff=True, is_superuser=True), match_of(pool, "Alice", "Bob")
    award(match, olga, 2, 1)
    intervention, later = last_intervention(), []

    def decide_again(execute, sql, params, many, context):
        if not later and 'FROM "contests_league"' in sql:  # the undoing locks the league
            later.append(sam)
            award(match, sam, 1, 1)
        return execute(sql, params, many, context)

    match.refresh_from_db()
    version = match.version
    with connection.execute_wrapper(decide_again):
        corrections.undo(intervention=intervention, by=olga, reason="A mistake.")
    match.refresh_from_db()
    assert later and match.version == version + 2


def test_l23_extensions_are_undone_unless_the_earlier_date_has_passed(pool, olga, clock):
    match = match_of(pool, "Alice", "Bob")
    due, ends_at = match.due_at, pool.season.ends_at
    organizing.extend(match=match, by=olga, days=7, reason="A storm.")
    undo(last_intervention(), olga)
    with translation.override("de"):
        seasons.extend_season(season=pool.season, by=olga, days=7, reason="A storm.")
    assert last_intervention().what == "The season: 7 extra days"  # everyone reads it
    undo(last_intervention(), olga)
    match.refresh_from_db()
    pool.season.refresh_from_db()
    assert (match.due_at, pool.season.ends_at) == (due, ends_at)
    organizing.extend(match=match, by=olga, days=7, reason="A storm.")
    clock.move_to(due + timedelta(days=1))
    with refused(GameError, "The earlier deadline has passed, so this extension can’t be undone."):
        undo(last_intervention(), olga)
    rows = Intervention.objects.select_related("pool", "match", "undone_by").filter(pk=last_intervention().pk)
    assert corrections.undoable(rows, pool.season.league, olga).may == frozenset()


@pytest.mark.sampled
@pytest.mark.parametrize("drop_outs", ["bot", "annul"])
def test_l23_a_player_who_was_removed_gets_the_place_back(olga, four, clock, drop_outs):
    league = league_of(*four, organizer=olga, drop_outs=drop_outs)
    season = started(league, clock)
    before = list(Match.objects.order_by("pk").values_list("state", flat=True))
    organizing.remove(entrant=Entrant.objects.get(name="Alice"), by=olga, reason="She is rude.")
    undo(last_intervention(), olga)
    undo(Intervention.objects.get(kind="removed"), olga)
    assert Entrant.objects.get(name="Alice").left_at is None and not Member.objects.filter(sits_out=True).exists()
    assert list(Match.objects.order_by("pk").values_list("state", flat=True)) == before
    played(season, clock)
    assert len(standings_of(season)) == 4 and all(outcome != "out" for *_more, outcome in standings_of(season))


def test_a_place_that_a_late_joiner_has_taken_is_not_given_back(olga, four, clock, eve):
    league = league_of(*four, organizer=olga, late=2, at_once=1)
    started(league, clock)
    organizing.remove(entrant=Entrant.objects.get(name="Alice"), by=olga, reason="She is rude.")
    intervention = last_intervention()
    seasons.join(league=league, user=eve)
    assert Entrant.objects.get(name="Eve")
    with refused(Over, "Someone else has taken over this place."):
        undo(intervention, olga)


# Before the start


def test_l20_a_member_taken_out_plays_from_the_season_after_unless_it_is_undone(olga, four, clock, eve):
    league = league_of(*four, eve, organizer=olga)
    season, members = latest(league), {member.user.username: member for member in Member.objects.select_related("user")}
    for name in ("Alice", "Bob", "Alice"):
        decisions.take_out(season=season, member=members[name].pk, by=olga, reason="Too late with the fee.")
    undo(Intervention.objects.get(what="Bob", kind="removed"), olga)
    assert "removed you from season 1" in seasons.next_season_sentence(members["Alice"])
    seasons.leave(league=league, user=four[0])
    seasons.join(league=league, user=four[0])  # joining again is no way around it
    season = started(league, clock)
    assert divisions(season) == [{"Bob", "Carol", "Dan", "Eve"}]
    with refused(Over, "The season has started without Alice."):
        undo(Intervention.objects.get(what="Alice", kind="removed"), olga)
    following = season_steps.open_season(league, 2, season.ends_at, timezone.now())
    assert four[0] in [member.user for member in signed_up(following)]


def test_l21_a_member_is_moved_to_another_division_and_back(olga, clock):
    people = [person(f"P{n}") for n in range(8)]
    league = league_of(*people, organizer=olga)
    season, member = latest(league), Member.objects.get(user=people[0])
    as_before = decisions.arrangement(season)
    (old,) = [place for place, there in as_before.items() if member in there]
    new = (3 - old[0], 1)
    how = {"season": season, "member": member.pk, "by": olga, "reason": "She asked."}
    for _time in range(2):
        decisions.move(**how, tier=new[0], number=1)
    assert member in decisions.arrangement(season)[new] and Intervention.objects.count() == 1
    assert {place: len(there) for place, there in decisions.arrangement(season).items()} == {(1, 1): 4, (2, 1): 4}
    undo(last_intervention(), olga)
    assert decisions.arrangement(season) == as_before
    for words, tier in (("is already in division", old[0]), ("there will be no division 7-1", 7)):
        with refused(GameError, words):
            decisions.move(**how, tier=tier, number=1)
    decisions.move(**how, tier=new[0], number=1)
    season = started(league, clock)
    assert "P0" in divisions(season)[new[0] - 1]
    with refused(Over, "The season has already started."):
        undo(Intervention.objects.in_force().get(kind="moved"), olga)


def test_l23_an_organizer_does_not_move_a_player_whom_staff_have_moved(olga):
    season = latest(league_of(*(person(f"P{n}") for n in range(8)), organizer=olga))
    arrangement = decisions.arrangement(season)
    member, sam = arrangement[1, 1][0], person("Sam", is_staff=True, is_superuser=True)
    decisions.move(season=season, member=member.pk, by=sam, tier=2, number=1, reason=REASON)
    with refused(NotYours, "only site staff can change it"):
        decisions.move(season=season, member=member.pk, by=olga, tier=1, number=1, reason=REASON)
    decisions.move(season=season, member=member.pk, by=sam, tier=1, number=1, reason=REASON)
    assert member in decisions.arrangement(season)[1, 1]


def test_a_move_that_leaves_nobody_to_change_places_with_is_refused(olga):
    people = [person(f"P{n}") for n in range(8)]
    league = league_of(*people, organizer=olga)
    season = latest(league)
    for member in decisions.arrangement(season)[2, 1]:
        decisions.move(season=season, member=member.pk, by=olga, tier=1, number=1, reason="x")
    outsider = decisions.arrangement(season)[2, 1][0]
    before = everything()
    with refused(GameError, "Everyone in division 1-1 was moved there"):
        decisions.move(season=season, member=outsider.pk, by=olga, tier=1, number=1, reason="x")
    assert everything() == before


def test_a_move_that_has_no_effect_itself_is_refused(olga):
    season = latest(league_of(*(person(f"P{n:02}") for n in range(12)), organizer=olga, spread=2))
    first, last = decisions.arrangement(season)[2, 1], decisions.arrangement(season)[2, 2]
    for member in first:
        decisions.move(season=season, member=member.pk, by=olga, tier=1, number=1, reason="x")
    before = everything()
    with refused(GameError, "Everyone in division 1-1 was moved there"):
        decisions.move(season=season, member=last[0].pk, by=olga, tier=1, number=1, reason="x")
    assert everything() == before


def test_a_move_that_a_forbidden_pairing_prevents_is_refused(olga):
    season = latest(league_of(*(person(f"P{n:02}") for n in range(12)), organizer=olga, spread=2))
    there, moved = decisions.arrangement(season)[2, 1][1], decisions.arrangement(season)[2, 2][-1]
    gates.keep_apart(competition=season.league, by=olga, names=[there.user.username, moved.user.username])
    before = everything()
    with refused(GameError, "because of a forbidden pairing"):
        decisions.move(season=season, member=moved.pk, by=olga, tier=2, number=1, reason="x")
    assert everything() == before


def test_l24_an_organizer_who_has_signed_up_decides_nothing_before_the_start(olga, four):
    league = league_of(olga, *four, organizer=olga)
    season, member = latest(league), Member.objects.get(user=four[0])
    before = everything()
    with refused(NotYours, "a season you have signed up for"):
        decisions.take_out(season=season, member=member.pk, by=olga, reason="x")
    with refused(NotYours, "a season you have signed up for"):
        decisions.move(season=season, member=member.pk, by=olga, tier=1, number=1, reason="x")
    with refused(NotYours, "a season you have signed up for"):
        corrections.ban(scope=season, by=olga, name="Alice", reason="x")
    assert everything() == before


def test_l24_nor_does_an_organizer_sign_up_for_a_season_after_deciding_who_plays(olga, four, clock):
    league = league_of(olga, *four, person("Fay"), organizer=olga)
    season, member = latest(league), Member.objects.get(user=four[0])
    seasons.sit_out(league=league, user=olga, sits_out=True)
    intervention = decisions.take_out(season=season, member=member.pk, by=olga, reason="Too strong.")
    with refused(GameError, "You have decided who plays in this season, so you can’t play in it."):
        seasons.sit_out(league=league, user=olga, sits_out=False)
    seasons.leave(league=league, user=olga)
    with refused(GameError, "You have decided who plays in this season, so you can’t play in it."):
        seasons.join(league=league, user=olga)
    corrections.undo(intervention=intervention, by=olga, reason="A mistake.")
    assert not seasons.join(league=league, user=olga).sits_out
    started(league, clock)
    assert Entrant.objects.filter(season=season, user=olga).exists()


def test_h9_an_organizer_cannot_take_the_place_of_someone_they_have_removed(olga, four, clock):
    league = league_of(*four, organizer=olga)
    season = started(league, clock)
    organizing.remove(entrant=Entrant.objects.get(name="Dan"), by=olga, reason="Too strong.")
    assert seasons.next_season_sentence(seasons.join(league=league, user=olga)) == (
        "You have intervened in season 1, so you can’t play until the next one."
    )
    assert Entrant.objects.get(name="Dan").left_at and not Entrant.objects.filter(season=season, user=olga).exists()


def test_h9_a_ban_or_removal_that_is_undone_after_the_start_has_decided_who_plays(olga, four, clock):
    league = league_of(*four, person("Fay"), organizer=olga)
    ban = corrections.ban(scope=latest(league), by=olga, name="Fay", reason="Too strong.")
    season = started(league, clock)
    clock.shift(3600)
    undo(ban, olga)
    seasons.join(league=league, user=olga)
    assert not season.entrants.filter(user=olga).exists() and not season.entrants.filter(name="Fay").exists()
    arena = cups.cup(olga, four, format="arena", days=10, days_a_round=20, options=NO_BIDS, fewest=3)
    tournaments.start(tournament=arena, user=olga)
    organizing.remove(entrant=Entrant.objects.filter(tournament=arena)[0], by=olga, reason="Too strong.")
    clock.shift(3600)
    undo(last_intervention(), olga)
    with refused(GameError, "You have intervened in this competition, so you can’t play in it."):
        tournaments.join(tournament=arena, user=olga)


def test_h9_nobody_enters_a_tournament_in_which_they_have_intervened(olga, four, eve):
    alice, *others = four
    row = cups.cup(olga, [olga, *four])
    tournaments.leave(tournament=row, user=olga)
    tournaments.remove(tournament=row, entrant=Entrant.objects.get(user=alice).pk, by=olga, reason="Too strong.")
    arena = cups.begun(olga, others, format="arena", days=10, days_a_round=20, options=NO_BIDS, fewest=3)
    organizing.remove(entrant=Entrant.objects.filter(tournament=arena)[0], by=olga, reason="Too strong.")
    for tournament in (row, arena):
        with refused(GameError, "You have intervened in this competition, so you can’t play in it."):
            tournaments.join(tournament=tournament, user=olga)
    co_organizers.ask_to_help(competition=arena, by=olga, name="Eve", rights=["decide"])
    co_organizers.answer(competition=arena, user=eve, accepts=True)
    place = Entrant.objects.filter(tournament=arena, left_at=None)[0].pk
    with refused(GameError, "Olga can’t take this place."):
        tournaments.replace(tournament=arena, entrant=place, by=eve, name="Olga", reason="x")


def test_h9_a_question_of_someone_who_may_no_longer_decide_is_over(olga, four, clock, eve):
    league, fay = league_of(*four, organizer=olga), person("Fay")
    started(league, clock)
    co_organizers.ask_to_help(competition=league, by=olga, name="Eve", rights=["decide"])
    co_organizers.answer(competition=league, user=eve, accepts=True)
    organizing.replace(entrant=Entrant.objects.get(name="Dan"), by=eve, name="Fay", reason="x")
    co_organizers.withdraw(competition=league, by=olga, user=eve.pk)
    with refused(Over, "You have already answered, or the request was withdrawn."):
        accept(fay)
    co_organizers.ask_to_help(competition=league, by=olga, name="Eve", rights=["decide"])
    co_organizers.answer(competition=league, user=eve, accepts=True)
    seasons.join(league=league, user=eve)
    assert Entrant.objects.filter(user=eve, season=latest(league)).exists()
    with refused(Over, "You have already answered, or the request was withdrawn."):
        accept(fay)
    assert Entrant.objects.get(name="Dan").user == four[3]


# Bans


def test_l22_a_banned_player_loses_every_seat_and_cannot_come_back_until_the_ban_is_undone(olga, four, clock, eve):
    alice, bob, carol, _dan = four
    league = league_of(*four, organizer=olga)
    season = started(league, clock)
    # Eve is asked to play for Bob, does so, and is asked by Carol too
    of_bob, of_carol = (Seat.objects.filter(owner=user, game__status="running")[0] for user in (bob, carol))
    handover.ask(seat=of_bob, user=bob, name="Eve")
    handover.accept(seat=of_bob, user=eve)
    handover.ask(seat=of_carol, user=carol, name="Eve")
    for name in ("Alice", "Eve", "Eve"):
        corrections.ban(scope=season, by=olga, name=name, reason="Insults.")
    of_bob.refresh_from_db()
    of_carol.refresh_from_db()
    assert of_bob.user is None and of_bob.owner == bob and of_carol.asked is None
    assert Entrant.objects.get(name="Alice").left_at is not None
    assert sorted(Intervention.objects.values_list("kind", "what")) == [
        ("banned", "Alice"), ("banned", "Eve"), ("removed", "Alice"),
    ]  # fmt: skip
    with refused(GameError, "You are banned from this competition."):
        seasons.join(league=league, user=eve)
    with refused(GameError, "can’t take this place"):
        organizing.replace(entrant=Entrant.objects.get(name="Bob"), by=olga, name="Eve", reason="x")
    with refused(GameError, "Eve is banned from this competition."):
        handover.ask(seat=of_bob, user=bob, name="Eve")
    seasons.sit_out(league=league, user=alice, sits_out=False)
    assert Entrant.objects.get(name="Alice").left_at is not None
    with refused(GameError, "Alice is banned. Lift the ban first."):
        undo(Intervention.objects.get(kind="removed"), olga)
    for ban in Intervention.objects.filter(kind="banned"):
        undo(ban, olga)
    undo(Intervention.objects.get(kind="removed"), olga)
    assert Entrant.objects.get(name="Alice").left_at is None
    assert seasons.join(league=league, user=eve)


def test_a_co_organizer_undoes_no_decision_about_themselves(olga, four, clock, eve):
    league = league_of(*four, organizer=olga)
    co_organizers.ask_to_help(competition=league, by=olga, name="Eve", rights=["decide"])
    co_organizers.answer(competition=league, user=eve, accepts=True)
    ban = corrections.ban(scope=latest(league), by=olga, name="Eve", reason="Insults.")
    before = everything()
    with refused(NotYours, "This decision is about you."):
        undo(ban, eve)
    assert everything() == before
    undo(ban, olga)
    assert not organizing.is_banned(league, eve)


def test_a_banned_member_is_not_seated_and_the_organizer_cannot_be_banned(olga, four, clock, eve):
    league = league_of(*four, eve, organizer=olga)
    corrections.ban(scope=latest(league), by=olga, name="Eve", reason="Insults.")
    assert divisions(started(league, clock)) == [{"Alice", "Bob", "Carol", "Dan"}]
    for name, words in (("Olga", "The organizer can’t be banned."), ("Nobody", "There is no player with that name.")):
        with refused(GameError, words):
            corrections.ban(scope=latest(league), by=olga, name=name, reason="x")


def test_the_name_of_a_banned_player_goes_with_the_account(olga, four, clock):
    season = started(league_of(*four, organizer=olga), clock)
    corrections.ban(scope=season, by=olga, name="Alice", reason="Insults.")
    undo(last_intervention(), olga)
    organizing.drop_out_everywhere(user=four[0])
    four[0].delete()
    assert set(Intervention.objects.values_list("what", flat=True)) == {"Former player"}
    with refused(GameError, "This account has been deleted."):
        undo(Intervention.objects.get(kind="removed"), olga)


def test_a_name_that_is_a_common_word_is_removed_only_from_decisions_about_the_player(olga, four, clock):
    four[0].username = "The"
    four[0].save()
    season = started(league_of(*four, organizer=olga), clock)
    seasons.extend_season(season=season, by=olga, days=1, reason="The season was short.")
    corrections.ban(scope=season, by=olga, name="The", reason="The insulted others.")
    reactions.before_deletion(four[0])
    decisions = set(Intervention.objects.exclude(kind="left").values_list("what", "reason"))
    assert ("Former player", "Former player insulted others.") in decisions
    assert "The season was short." in {reason for _what, reason in decisions}


def test_an_organizer_cannot_write_to_strangers_by_banning_them(olga, four, clock, eve):
    """Not even to people who have blocked them. Players who took part are notified, but not again and again."""
    Block.objects.create(user=eve, blocked=olga)
    season, tournament = started(league_of(*four, organizer=olga), clock), cups.cup(olga, four[:2], seats=4)
    Notice.objects.all().delete()
    for scope in (season, tournament):
        for _time in range(3):
            for name in ("Eve", "Alice"):
                undo(corrections.ban(scope=scope, by=olga, name=name, reason="Nobody likes you."), olga)
    assert not Notice.objects.filter(user=eve).exists()
    assert Notice.objects.filter(user=four[0], channel="email", lead__contains="ban").count() == 10


@pytest.mark.long
def test_results_of_a_group_are_final_once_the_final_has_begun(olga):
    tournament = cups.begun(olga, cups.crowd(8), format="groups")
    match = cups.running(tournament)[0]
    award(match, olga, 1, 2)
    intervention = last_intervention()
    while not Pool.objects.filter(tournament=tournament, stage=2).exists():
        tournament = cups.play_round(tournament)
    with refused(Over, "its results are final."):
        undo(intervention, olga)


# Tournaments


def test_a_player_taken_out_of_a_tournament_stays_out_unless_it_is_undone(olga):
    people = cups.crowd(3)
    tournament = cups.cup(olga, people, seats=4)
    before = list(Entrant.objects.order_by("joined_at", "pk").values_list("name", "user"))
    tournaments.remove(tournament=tournament, entrant=cups.entrant(tournament, "Ba").pk, by=olga, reason="x")
    with refused(GameError, "The organizer has removed you."):
        tournaments.join(tournament=tournament, user=people[1])
    undo(last_intervention(), olga)
    assert sorted(Entrant.objects.values_list("name", "user")) == sorted(before)
    corrections.ban(scope=tournament, by=olga, name="Ca", reason="x")
    with refused(GameError, "You are banned"):
        tournaments.join(tournament=tournament, user=people[2])
    removal = Intervention.objects.in_force().get(kind="removed")
    for user in (person("Da"), person("Ea")):
        tournaments.join(tournament=tournament, user=user)
    undo(Intervention.objects.get(kind="banned"), olga)
    with refused(GameError, "All places are taken."):
        undo(removal, olga)


def test_in_a_knockout_an_award_changes_who_advances_until_the_next_round_has_begun(olga):
    tournament = cups.begun(olga, cups.crowd(4), format="knockout")
    first, second = cups.running(tournament)
    cups.play(first)
    cups.sweep(tournament)
    assert cups.again(tournament).round == 1
    loser = max(cups.names(first))
    award(first, olga, *[1 if name == loser else 2 for name in cups.names(first)])
    cups.play(second)
    tournament = cups.sweep(tournament)
    assert tournament.round == 2 and loser in cups.tables(tournament, 2)[0]
    before = cups.everything()
    with refused(Over, "The next round has started based on this result, so it is final."):
        award(first, olga, 1, 1)
    with refused(Over, "The next round has started"):
        undo(Intervention.objects.get(kind="awarded"), olga)
    assert cups.everything() == before
    assert cups.play_out(tournament).has_ended


def test_in_a_swiss_tournament_an_award_in_an_earlier_round_counts_and_pairs_nobody_again(olga):
    tournament = cups.begun(olga, cups.crowd(4), format="swiss", rounds=3)
    tournament = cups.play_round(tournament)
    second = cups.tables(tournament, 2)
    match = Match.objects.filter(pool__tournament=tournament, round=1).order_by("number")[0]
    award(match, olga, *[1 if name == max(cups.names(match)) else 2 for name in cups.names(match)])
    tournament = cups.sweep(tournament)
    assert cups.tables(tournament, 2) == second and tournament.standings[0]["rows"][0]["points"] == 2
    assert {line["entrant"] for line in tournament.standings[0]["rows"] if line["points"]} == {
        appearance.entrant_id for appearance in Appearance.objects.filter(match__round=1, place=1)
    }
