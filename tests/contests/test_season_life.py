"""A league over several seasons: placement, play, promotion and relegation, and the automatic next season."""

from collections.abc import Iterator
from datetime import timedelta

import msgspec
import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from games.contests import pools
from games.contests.leagues import news as season_news
from games.contests.leagues import services as seasons
from games.contests.leagues import sweep as season_steps
from games.contests.models import Badge, Entrant, Intervention, League, Match, Member, News, Pool, RatedPlayer, Season
from games.notices.models import Notice
from games.tables.services import bots, timeouts
from tests.cast import person, submit
from tests.contests.ladders import ends
from tests.contests.leagues import (
    MONDAY,
    START,
    divisions,
    everything,
    latest,
    league_of,
    notified,
    places,
    play_all,
    played,
    standings_of,
    started,
    sweep,
)
from tests.notices.emails import deliver_alone, only_email, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.early]

EIGHT = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gus", "Hal")
WEEK = timedelta(weeks=1)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


def rated(*names: str):
    """Create rated users with these names, strongest first."""
    people = [person(name) for name in names]
    for n, user in enumerate(people):
        RatedPlayer.objects.create(ruleset="legends", user=user, shown=2000 - 50 * n, is_provisional=False)
    return people


# The first season


def test_a_season_does_not_start_before_its_time(clock):
    league = league_of(*rated(*EIGHT[:4]))
    clock.move_to(START - timedelta(minutes=1))
    before = everything()[:4]
    season_steps.start(latest(league).pk, timezone.now())
    assert everything()[:4] == before


def test_l15_players_are_placed_by_strength_and_begin_immediately(clock):
    league = league_of(*reversed(rated(*EIGHT)))
    season = started(league, clock)
    assert divisions(season) == [set(EIGHT[:4]), set(EIGHT[4:])]
    assert (season.state, season.started_at) == ("running", START)
    assert Match.objects.filter(state="playing").count() == 8  # two per player
    assert Entrant.objects.get(name="Ada").rating == 2000


def test_l7_matches_are_scheduled_so_that_slow_contests_begin_in_time(clock):
    season = started(league_of(*rated(*EIGHT[:4])), clock)
    rounds = list(Match.objects.filter(number=1).order_by("round").values_list("start_by", "due_at"))
    assert [start_by for start_by, _due in rounds] == [START, START + 3 * WEEK, START + 6 * WEEK]
    assert {due for _start, due in rounds} == {season.ends_at + WEEK}


def test_each_player_is_notified_once_of_their_division_and_deadline(clock):
    people = rated(*EIGHT[:4])
    season = started(league_of(*people), clock)
    sweep()
    assert notified() == {name: ["Season 1 of Harbour League has started"] for name in EIGHT[:4]}
    assert Notice.objects.filter(kind="season", user=people[0]).get().lead == (
        "You play in division 1-1 with Ben, Cleo and Dora. Your matches start automatically, 2 at a time. "
        "Finish them by Monday, 3 May."
    )
    for notice in Notice.objects.filter(kind="season"):
        deliver_alone(notice.pk)
    email = only_email("Ada")
    assert email["Subject"] == "Season 1 of Harbour League has started"
    assert "You play in division 1-1 with Ben, Cleo and Dora." in text_of(email)
    assert f"http://testserver{season.get_absolute_url()}" in text_of(email)


@pytest.mark.long
def test_l15_players_of_low_tiers_meet_players_with_the_same_waking_hours(clock):
    zones = ["Europe/Berlin", "Asia/Tokyo"]
    people = [person(name, time_zone=zones[n % 2]) for n, name in enumerate(EIGHT)]
    people += rated("Ida", "Jon", "Kai", "Lea")
    season = started(league_of(*people, hours_from=2, spread=2), clock)
    tops, *lower = divisions(season)
    assert tops == {"Ida", "Jon", "Kai", "Lea"}
    assert sorted(map(sorted, lower)) == [["Ada", "Cleo", "Emil", "Gus"], ["Ben", "Dora", "Finn", "Hal"]]


# Its end, and the second season


@pytest.mark.postgresql
def test_a_league_plays_two_seasons(clock):
    league = league_of(*rated(*EIGHT))
    first = played(started(league, clock), clock, "Ben", "Ada", "Dora", "Cleo", "Hal")
    assert first.state == "ended"
    assert standings_of(first) == [
        ("Ben", 1, "stays"),
        ("Ada", 2, "stays"),
        ("Dora", 3, "stays"),
        ("Cleo", 4, "down"),
    ]
    assert [line[::2] for line in standings_of(first, 2)] == [
        ("Hal", "up"), ("Emil", "stays"), ("Finn", "stays"), ("Gus", "stays"),
    ]  # fmt: skip
    second = latest(league)
    assert (second.number, second.state) == (2, "sign_up")
    assert second.starts_at == first.ended_at + WEEK
    played(started(league, clock), clock, "Hal", "Cleo")
    assert divisions(second) == [{"Ada", "Ben", "Dora", "Hal"}, {"Cleo", "Emil", "Finn", "Gus"}]
    assert Member.objects.get(user__username="Hal").tier == 1
    assert set(notified()) == set(EIGHT)
    assert notified()["Hal"] == [
        "Season 1 of Harbour League has started", "Season 1 of Harbour League has ended",
        "Season 2 of Harbour League has started", "Season 2 of Harbour League has ended",
    ]  # fmt: skip
    leads = Notice.objects.filter(user__username="Hal", kind="season").order_by("pk").values_list("lead", flat=True)
    assert leads[1] == (
        "You won division 2-1. You are promoted to tier 1. Season 2 starts on Monday, 29 March."
        " You are signed up. To sit out, choose “Sit out” on the league’s page."
    )


def test_l3_members_are_told_that_the_next_season_has_other_settings(clock, olga):
    people = [person(name) for name in ("Ada", "Ben", "Cleo", "Dora", "Emil")]
    league = league_of(*people, organizer=olga, pause=1)
    seasons.sit_out(league=league, user=people[4], sits_out=True)
    season = started(league, clock)
    seasons.change_terms(league=league, user=olga, terms=msgspec.structs.replace(league.declared, clock="move 12h"))
    played(season, clock)
    for name in ("Ada", "Emil"):
        lead = Notice.objects.filter(user__username=name, kind="season").latest("pk").lead
        assert "The organizer has changed the settings. The league’s page shows them." in lead
    played(started(league, clock), clock)
    lead = Notice.objects.filter(user__username="Ada", kind="season").latest("pk").lead
    assert "Season 3 starts on" in lead and "changed the settings" not in lead


@pytest.mark.long
@pytest.mark.parametrize("has_organizer", [False, True])
def test_a_league_rolls_through_three_seasons_with_nothing_but_its_sweeps(clock, has_organizer):
    """The strongest of twelve players signs up last, and climbs from the third tier to the top. Nobody decides."""
    twelve = [*EIGHT, "Ida", "Jon", "Kai", "Zoe"]
    organizer = person("Olga") if has_organizer else None
    league = league_of(*rated(*twelve), organizer=organizer)
    best = ["Zoe", *reversed(EIGHT), "Ida", "Jon", "Kai"]
    while latest(league).number < 4 and timezone.now() < MONDAY + 60 * WEEK:
        clock.shift(timedelta(hours=12))
        sweep()
        for match in Match.objects.filter(pool__season__league=league, state="playing"):
            ends(match.game, *places(match, tuple(best)))

    first, second, third, fourth = Season.objects.filter(league=league).order_by("number")
    assert [season.state for season in (first, second, third, fourth)] == ["ended"] * 3 + ["sign_up"]
    assert [[sorted(of) for of in divisions(season)] for season in (first, second, third)] == [
        [["Ada", "Ben", "Cleo", "Dora"], ["Emil", "Finn", "Gus", "Hal"], ["Ida", "Jon", "Kai", "Zoe"]],
        [["Ben", "Cleo", "Dora", "Hal"], ["Ada", "Finn", "Gus", "Zoe"], ["Emil", "Ida", "Jon", "Kai"]],
        [["Cleo", "Dora", "Hal", "Zoe"], ["Ben", "Emil", "Finn", "Gus"], ["Ada", "Ida", "Jon", "Kai"]],
    ]
    for season, champion in ((first, "Dora"), (second, "Hal"), (third, "Zoe")):
        assert Badge.objects.get(season=season, honor="champion").user.username == champion
    outcomes = Entrant.objects.filter(user__username="Zoe", season__state="ended").order_by("season__number")
    assert list(outcomes.values_list("pool__tier", "place", "outcome")) == [(3, 1, "up"), (2, 1, "up"), (1, 1, "stays")]
    assert not Intervention.objects.exists()
    assert all(after.starts_at > before.ended_at for before, after in ((first, second), (second, third)))


@pytest.mark.long
def test_l13_badges_are_earned_once_and_kept(clock):
    season = played(started(league_of(*rated(*EIGHT)), clock), clock)
    earned = {(badge.user.username, badge.honor, badge.tier) for badge in Badge.objects.exclude(honor="steadfast")}
    assert earned == {
        ("Ada", "champion", 1), ("Ben", "second", 1), ("Cleo", "third", 1),
        ("Emil", "winner", 2), ("Emil", "promoted", 2), ("Finn", "second", 2), ("Gus", "third", 2),
    }  # fmt: skip
    assert Badge.objects.filter(honor="steadfast").count() == 8
    assert season_steps.end(season.pk, timezone.now()) is False
    assert Badge.objects.count() == len(earned) + 8


@pytest.mark.long
def test_l13_a_player_who_timed_out_once_earns_no_steadfast_badge(clock):
    season = started(league_of(*rated(*EIGHT[:4])), clock)
    *others, slow = Match.objects.filter(state="playing").order_by("pk")
    for match in others:
        ends(match.game, 1, 2)
    submit(slow.game, 1, "bid 0")
    clock.shift(timedelta(days=2))
    assert timeouts.sweep_overdue(timezone.now()) == 1
    played(season, clock)
    late = slow.appearances.get(seat=0).entrant.name
    steadfast = set(Badge.objects.filter(honor="steadfast").values_list("user__username", flat=True))
    assert steadfast == set(EIGHT[:4]) - {late}


@pytest.mark.long
def test_l13_an_opponent_who_drops_out_costs_no_steadfast_badge(clock):
    people = rated(*EIGHT[:4])
    season = started(league_of(*people, drop_outs="annul"), clock)
    seasons.drop_out(season=season, user=people[3])
    played(season, clock)
    steadfast = set(Badge.objects.filter(honor="steadfast").values_list("user__username", flat=True))
    assert steadfast == {"Ada", "Ben", "Cleo"}


@pytest.mark.long
def test_l13_a_relegated_player_earns_no_badge_for_the_place(clock):
    league = league_of(*rated(*EIGHT, "Ida", "Jon", "Kai", "Lea"), spread=2)
    season = played(started(league, clock), clock)
    assert [outcome for _name, _place, outcome in standings_of(season)] == ["stays", "stays", "down", "down"]
    places = Badge.objects.filter(tier=1).exclude(honor="steadfast").order_by("pk")
    assert list(places.values_list("user__username", "honor")) == [("Ada", "champion"), ("Ben", "second")]


def test_l3_settings_changed_during_a_season_apply_to_the_next_season(clock):
    people = rated(*EIGHT[:4])
    league = league_of(*people, organizer=people[0])
    season = started(league, clock)
    League.objects.update(terms={**league.terms, "weeks": 5, "pause": 3})
    assert Season.objects.get(pk=season.pk).declared.weeks == 8
    ended = played(season, clock)
    following = latest(league)
    assert following.starts_at == ended.ended_at + 3 * WEEK
    assert following.ends_at - following.starts_at == 5 * WEEK


@pytest.mark.long
def test_l9_a_season_does_not_end_while_players_may_still_join(clock):
    season = started(league_of(*rated(*EIGHT[:4])), clock)
    play_all(season)
    sweep()
    season.refresh_from_db()
    assert season.state == "running"
    clock.shift(2 * WEEK)
    sweep()
    season.refresh_from_db()
    assert season.state == "ended"


@pytest.mark.long
@pytest.mark.parametrize("nobody_plays", [False, True])
def test_l8_a_season_waits_at_most_a_week_for_unfinished_contests(clock, nobody_plays):
    season = started(league_of(*rated(*EIGHT[:4])), clock)
    slow = Match.objects.filter(state="playing").order_by("pk")[0]
    while not nobody_plays and (
        others := list(Match.objects.filter(state="playing").exclude(pk=slow.pk).order_by("pk"))
    ):
        for match in others:
            ends(match.game, 1, 2)
        pools.sweep(timezone.now())
    clock.move_to(season.ends_at + WEEK - timedelta(minutes=1))
    sweep()
    season.refresh_from_db()
    assert season.state == "running"
    clock.shift(timedelta(minutes=1))
    sweep()
    while bots.sweep_bots():
        pass
    sweep()
    season.refresh_from_db()
    assert season.state == "ended" and not Match.objects.exclude(state="ended").exists()


@pytest.mark.long
def test_l14_a_closed_league_plays_its_last_season_to_the_end(clock):
    people = rated(*EIGHT[:4])
    league = league_of(*people, organizer=people[0])
    season = started(league, clock)
    seasons.close_league(league=league, user=people[0])
    assert played(season, clock).state == "ended"
    assert latest(league) == season
    assert sorted(notified()["Ada"][1:]) == ["Harbour League is closed", "Season 1 of Harbour League has ended"]


# Sitting out, and too many or too few players


@pytest.mark.long
@pytest.mark.parametrize("members", [4, 8])
def test_l4_a_member_who_sits_out_returns_near_their_old_place(clock, members):
    people = rated(*[*EIGHT, "Ida"][: members + 1])
    league = league_of(*people[:members])
    played(started(league, clock), clock)
    seasons.join(league=league, user=people[members])
    seasons.sit_out(league=league, user=people[0], sits_out=True)
    second = started(league, clock)
    assert "Ada" not in set.union(*divisions(second))
    assert notified()["Ada"][-1] == "Season 1 of Harbour League has ended"
    played(second, clock)
    assert notified()["Ada"][-1] == "Season 3 of Harbour League: sign-up is open"
    seasons.sit_out(league=league, user=people[0], sits_out=False)
    seasons.sit_out(league=league, user=people[members], sits_out=True)
    third = started(league, clock)
    assert "Ada" in set.union(*divisions(third))


def test_l5_a_season_with_too_few_players_is_postponed_by_a_week_and_they_are_notified(clock):
    league = league_of(*rated(*EIGHT[:3]), organizer=person("Olga"))
    clock.move_to(START + timedelta(seconds=40))  # the sweep runs each minute
    sweep()
    season = latest(league)
    assert (season.state, season.starts_at, season.put_off) == ("sign_up", START + WEEK, 1)
    assert season.ends_at - season.starts_at == 8 * WEEK
    assert notified() == {name: ["Season 1 of Harbour League is postponed"] for name in ("Olga", *EIGHT[:3])}
    assert Notice.objects.filter(kind="season").first().lead == (
        "Only 3 players have signed up, and the minimum is 4. "
        "It now starts on Monday, 15 March, if enough players have signed up by then."
    )
    seasons.join(league=league, user=person("Erin"))
    assert started(league, clock).state == "running"


def test_l5_a_league_that_was_postponed_three_times_is_closed(clock):
    league = league_of(*rated(*EIGHT[:3]))
    for _week in range(4):
        sweep_at_start(league, clock)
    assert League.objects.get().state == "closed" and not Season.objects.exists()
    assert notified()["Ada"] == ["Season 1 of Harbour League is postponed"] * 3 + ["Harbour League is closed"]


def sweep_at_start(league, clock) -> None:
    clock.move_to(latest(league).starts_at)
    sweep()


def test_l6_players_without_a_place_are_notified_and_come_first_next_season(clock):
    """With five players per game, a division has five or six players."""
    people = rated(*EIGHT)
    league = league_of(*people, ruleset="classic", players=5, division=5)
    first = started(league, clock)
    assert divisions(first) == [set(EIGHT[:6])]
    assert notified()["Hal"] == ["No place in season 1 of Harbour League"] == notified()["Gus"]
    assert seasons.next_season_sentence(Member.objects.get(user=people[7])) == (
        "Season 1 is full. You are signed up for the next one."
    )
    played(first, clock)
    assert notified()["Hal"][1:] == ["Season 2 of Harbour League: sign-up is open"]
    second = started(league, clock)
    assert {"Gus", "Hal"} < divisions(second)[0] and len(divisions(second)[0]) == 6
    assert set(Member.objects.filter(waits=True).values_list("user__username", flat=True)) == {"Emil", "Finn"}


# Sweeps that run twice, in any order, or are killed


@pytest.mark.long
@pytest.mark.postgresql
def test_a_second_sweep_changes_nothing(clock):
    league = league_of(*rated(*EIGHT))
    season = started(league, clock)
    sweep()
    before = everything()
    sweep()
    assert everything() == before
    played(season, clock)
    sweep()
    before = everything()
    sweep()
    season_steps.start(season.pk, timezone.now())
    season_steps.end(season.pk, timezone.now())
    assert everything() == before


@pytest.mark.long
def test_sweeps_work_in_any_order(clock):
    season = latest(league_of(*rated(*EIGHT[:4])))
    clock.move_to(START)
    season_steps.sweep(timezone.now())
    assert Match.objects.filter(state="playing").count() == 0
    season_steps.sweep(timezone.now())
    pools.sweep(timezone.now())
    assert Match.objects.filter(state="playing").count() == 4
    season.refresh_from_db()
    play_all(season)
    clock.shift(2 * WEEK)
    pools.sweep(timezone.now())
    season_steps.sweep(timezone.now())
    season.refresh_from_db()
    assert season.state == "ended"


class Killed(BaseException):
    """The process was killed."""


def killed_at(table: str, statement: str):
    """Simulate a process that is killed at its first write of this kind."""

    def kill(execute, sql, params, many, context):
        if sql.startswith(f'{statement} "{table}"'):
            raise Killed
        return execute(sql, params, many, context)

    return connection.execute_wrapper(kill)


@pytest.mark.parametrize(
    ("table", "statement"),
    [
        ("contests_entrant", "INSERT INTO"),
        ("contests_match", "INSERT INTO"),
        ("contests_appearance", "INSERT INTO"),
        ("contests_season", "UPDATE"),
    ],
)
@pytest.mark.postgresql
def test_a_start_that_was_killed_leaves_no_trace_and_happens_later(clock, table, statement):
    season = latest(league_of(*rated(*EIGHT[:4])))
    clock.move_to(START)
    before = everything()
    with pytest.raises(Killed), killed_at(table, statement):
        season_steps.start(season.pk, timezone.now())
    assert everything() == before
    sweep()
    season.refresh_from_db()
    assert season.state == "running" and Match.objects.count() == 6


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("table", "statement"), [("contests_badge", "INSERT OR IGNORE INTO"), ("contests_season", "INSERT INTO")]
)
@pytest.mark.postgresql
def test_an_end_that_was_killed_leaves_no_trace_and_happens_later(clock, table, statement):
    if connection.vendor == "postgresql":
        statement = "INSERT INTO"
    season = started(league_of(*rated(*EIGHT[:4])), clock)
    play_all(season)
    clock.shift(2 * WEEK)
    before = everything()
    with pytest.raises(Killed), killed_at(table, statement):
        season_steps.end(season.pk, timezone.now())
    assert everything() == before
    sweep()
    assert Season.objects.count() == 2 and Badge.objects.count() == 7


@pytest.mark.postgresql
def test_a_sweep_that_was_killed_between_pools_continues_with_the_rest(clock):
    season = latest(league_of(*rated(*EIGHT)))
    clock.move_to(START)
    season_steps.start(season.pk, timezone.now())
    first = Pool.objects.order_by("pk")[0]
    pools.take_due_steps(first.pk, timezone.now())
    assert Match.objects.filter(state="playing").count() == 4
    sweep()
    assert Match.objects.filter(state="playing").count() == 8


def test_after_an_interrupted_sweep_each_player_is_notified_exactly_once(clock, monkeypatch):
    monkeypatch.setattr(season_news, "BATCH", 3)
    season = latest(league_of(*rated(*EIGHT)))
    clock.move_to(START)
    season_steps.start(season.pk, timezone.now())
    news = News.objects.get(what="begun")
    assert season_news.tell_some(news.pk) and len(notified()) == 3
    with pytest.raises(Killed), killed_at("contests_news", "UPDATE"):
        season_news.tell_some(news.pk)
    assert len(notified()) == 3
    season_steps.sweep(timezone.now())
    assert {len(titles) for titles in notified().values()} == {1} and len(notified()) == 8
    assert not News.objects.exists()


@pytest.mark.long
@pytest.mark.postgresql
def test_a_broken_season_does_not_stop_the_others(clock):
    league = league_of(*rated(*EIGHT[:4]))
    other = League.objects.create(
        slug="broken", name="Broken", ruleset="legends", terms={"name": 3}, state="open", made_at=MONDAY
    )
    Season.objects.create(league=other, number=1, terms={"name": 3}, opened_at=MONDAY, starts_at=MONDAY, ends_at=START)
    assert started(league, clock).state == "running"
