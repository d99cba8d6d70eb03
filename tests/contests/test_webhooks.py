"""Webhooks of leagues and tournaments: in order, once, signed, and with nothing that the public pages do not show."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games.contests import corrections, pools
from games.contests.models import CompetitionHook, League, Match, Organizer, Post, TeamPlayer
from games.contests.sharing import rows
from games.contests.webhooks import deliver, services
from games.errors import GameError, NotYours
from games.notices.models import NoticeState
from tests.cast import person
from tests.contests import leagues, team_leagues
from tests.contests.cups import again, begun, crowd, play_out, play_round, sweep
from tests.contests.leagues import MONDAY, league_of, play_all, started
from tests.notices.tls import Reply, WebServer

pytestmark = pytest.mark.django_db
ALL = ["pairings", "results", "standings"]


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def organizer(clock) -> User:
    return person("Olga")


def hooked(
    competition, by: User, web_server: WebServer, format: str = "json", subjects: list[str] = ALL
) -> CompetitionHook:
    return services.add(
        competition=competition, by=by, url=web_server.url(f"/{format}"), format=format, subjects=subjects
    )


def send() -> None:
    for pk in CompetitionHook.objects.order_by("pk").values_list("pk", flat=True):
        deliver.deliver(pk)


def posted(web_server: WebServer) -> list[dict]:
    return [json.loads(post.body) for post in web_server.posts]


def test_a_league_posts_pairings_results_and_standings_in_order_and_only_what_the_files_have(
    organizer, clock, web_server
):
    league = league_of(*crowd(4), organizer=organizer)
    hooked(league, organizer, web_server)
    season = started(league, clock)
    play_all(season)
    send()
    posts = posted(web_server)
    kinds = [post["kind"] for post in posts]
    assert kinds[0] == "pairings" and kinds.count("results") == 6 and kinds.count("standings") == 3
    assert kinds[-1] == "standings" and kinds.index("standings") > kinds.index("results")
    assert "Round 1: " in posts[0]["text"] and len(posts[0]["rows"]) == 6
    place = {"slug": "harbour", "number": 1, "tier": 1, "division": 1}
    results = rows.of_division(**place, content="results")
    for post in posts[1:]:
        if post["kind"] == "results":
            [row] = post["rows"]
            assert row in results.rows and set(post) == {"kind", "title", "text", "url", "game", "about", "rows"}
    assert posts[-1]["rows"] == rows.of_division(**place, content="standings").rows
    clock.shift(timedelta(weeks=2))
    leagues.played(season, clock)
    send()
    assert "final standings" in posted(web_server)[-1]["title"] and posted(web_server)[-1]["about"]["final"]
    count = len(web_server.posts)
    leagues.sweep()
    send()
    assert len(web_server.posts) == count


def test_a_tournament_posts_each_round_and_the_end(organizer, web_server):
    tournament = begun(organizer, crowd(4), format="swiss", rounds=2)
    hooked(tournament, organizer, web_server)
    play_out(tournament)
    send()
    titles = [post["title"] for post in posted(web_server)]
    assert [title for title in titles if "standings" in title] == [
        "Harbour Cup: standings after round 1", "Harbour Cup: final standings"
    ]  # fmt: skip
    assert "Harbour Cup: pairings of round 2" in titles and sum("round 1: " in title for title in titles) == 2


def test_a_knockout_posts_places_at_the_end_only(organizer, web_server):
    tournament = begun(organizer, crowd(4), format="knockout")
    hooked(tournament, organizer, web_server, subjects=["standings"])
    play_out(tournament)
    send()
    [post] = posted(web_server)
    assert post["text"].splitlines()[0] == "1. Aa"


def test_a_team_league_posts_boards_with_their_teams_and_the_standings_after_each_match_day(
    organizer, clock, web_server
):
    tournament = team_leagues.begun(organizer, 4)
    hooked(tournament, organizer, web_server)
    TeamPlayer.objects.filter(entrant__name="Foxes2").update(is_away=True)
    play_round(tournament)
    clock.shift(timedelta(days=7))
    sweep(tournament)
    send()
    assert set(Post.objects.values_list("state", flat=True)) == {NoticeState.SENT}
    posts = posted(web_server)
    results, standings, pairings = posts[:4], posts[4], posts[5]
    first = team_leagues.day(tournament, 1)[0]
    home, away = (team.name for team in first.teams)
    for n, post in enumerate(results[:2], start=1):
        [row] = post["rows"]
        assert row["teams"] == [home, away] and row["board"] == n and row["state"] == "ended"
        assert post["title"] == f"Harbour League, round 1: {home}{n} – {away}{n}"
        score = "1 – 0" if home < away else "0 – 1"
        assert post["text"] == f"{home} – {away}, board {n}: {score}"
    assert [post["kind"] for post in results] == ["results"] * 4 and len({str(post["rows"]) for post in results}) == 4
    assert standings["title"] == "Harbour League: standings after round 1"
    assert standings["text"].splitlines()[0] == "1. Foxes: 2 of 2 points"
    assert pairings["title"] == "Harbour League: pairings of round 2" and len(pairings["rows"]) == 4
    [of_foxes] = [line for line in pairings["text"].splitlines() if "Foxes" in line]
    match = next(match for match in team_leagues.day(tournament, 2) if "Foxes" in [team.name for team in match.teams])
    home, away = (team.name for team in match.teams)
    players = [f"{name}2" if name != "Foxes" else "nobody" for name in (home, away)]
    assert of_foxes == f"{home} – {away}: {home}1 – {away}1, {players[0]} – {players[1]}"


def test_a_corrected_match_is_posted_again_and_a_result_that_is_no_longer_true_is_not(organizer, clock, web_server):
    league = league_of(*crowd(4), organizer=organizer)
    hooked(league, organizer, web_server, subjects=["results"])
    season = started(league, clock)
    play_all(season)
    match = Match.objects.filter(pool__season=season).order_by("pk").first()
    assert match is not None
    corrections.award(
        match=match, by=organizer, places=[2, 1], reason="It was the other way round.", expected=match.version
    )
    send()
    posts = [post for post in posted(web_server) if post["rows"][0]["round"] == match.round]
    of_match = [post for post in posts if post["rows"][0]["table"] == match.number]
    assert len(of_match) == 1 and of_match[0]["rows"][0]["places"] == [2, 1]
    assert "An organizer decided this match." in of_match[0]["text"]
    dropped = Post.objects.get(match=match, state=NoticeState.DROPPED)
    assert dropped.reason == "it was no longer needed"


def test_discord_and_slack_posts_mention_nobody_and_end_at_a_line(organizer, web_server):
    tournament = begun(organizer, crowd(8), format="round-robin")
    for format in ("discord", "slack"):
        hooked(tournament, organizer, web_server, format=format, subjects=["pairings"])
    play_round(tournament)
    send()
    first, second = posted(web_server)
    assert first["allowed_mentions"] == {"parse": []} and "pairings of round 2" in first["content"]
    assert "rows" not in first and "rows" not in second and "blocks" in second


def test_a_failed_post_is_repeated_with_the_same_id_and_holds_back_those_after_it(organizer, clock, web_server):
    tournament = begun(organizer, crowd(4), format="round-robin")
    hook = hooked(tournament, organizer, web_server)
    play_round(tournament)
    web_server.replies = [Reply(500, b"no")]
    send()
    assert web_server.calls == 1 and Post.objects.filter(state=NoticeState.SENT).count() == 0
    send()
    assert web_server.calls == 1  # not before a minute
    clock.shift(timedelta(minutes=1))
    send()
    assert Post.objects.filter(state=NoticeState.SENT).count() == Post.objects.count() == web_server.calls - 1
    ids = [post.headers["Webhook-Id"] for post in web_server.posts]
    assert ids[0] == ids[1] and len(set(ids)) == len(ids) - 1
    hook.refresh_from_db()
    assert hook.failing_since is None


def test_a_worker_that_was_killed_while_sending_loses_no_post(organizer, clock, web_server):
    tournament = begun(organizer, crowd(4), format="round-robin")
    hooked(tournament, organizer, web_server)
    play_round(tournament)
    first = Post.objects.order_by("pk")[0]
    now = timezone.now()
    Post.objects.filter(pk=first.pk).update(state=NoticeState.SENDING, attempts=1, due_at=now + deliver.LEASE)
    send()
    assert web_server.calls == 0
    clock.shift(deliver.LEASE)
    assert deliver.sweep(timezone.now()) == 1
    send()
    assert not Post.objects.exclude(state=NoticeState.SENT).exists() and Post.objects.order_by("pk")[0].attempts == 2


def test_a_webhook_that_is_gone_is_turned_off_and_posts_nothing_until_it_is_turned_on(organizer, web_server):
    tournament = begun(organizer, crowd(8), format="round-robin")
    hook = hooked(tournament, organizer, web_server)
    play_round(tournament)
    web_server.replies = [Reply(410)]
    send()
    hook.refresh_from_db()
    assert not hook.is_on and web_server.calls == 1
    assert set(Post.objects.values_list("state", flat=True)) == {NoticeState.FAILED, NoticeState.DROPPED}
    count = Post.objects.count()
    play_round(again(tournament))
    assert Post.objects.count() == count
    services.revive(competition=tournament, by=organizer, pk=hook.pk)
    play_round(again(tournament))
    send()
    assert Post.objects.filter(state=NoticeState.SENT).exists()


def test_a_bug_loses_no_post(organizer, web_server, monkeypatch):
    tournament = begun(organizer, crowd(4), format="round-robin")
    hooked(tournament, organizer, web_server)
    play_round(tournament)
    monkeypatch.setattr(deliver, "LONGEST_TEXT", None)
    send()
    post = Post.objects.order_by("pk")[0]
    assert post.state == NoticeState.QUEUED and "TypeError" in post.why


def test_a_deleted_account_is_not_named_in_a_post_that_waited(organizer, clock, web_server):
    people = crowd(4)
    league = league_of(*people, organizer=organizer)
    hooked(league, organizer, web_server, subjects=["pairings"])
    started(league, clock)
    people[0].delete()
    send()
    assert "Aa" not in web_server.posts[0].body.decode()


def test_only_those_who_may_change_the_settings_use_webhooks(organizer, web_server):
    tournament = begun(organizer, crowd(4), format="round-robin")
    hook = hooked(tournament, organizer, web_server)
    bob, carol = person("Bob"), person("Carol")
    for user, rights in ((bob, ["announce", "decide"]), (carol, ["settings"])):
        Organizer.objects.create(
            tournament=tournament, user=user, rights=rights, at=timezone.now(), accepted_at=timezone.now()
        )
    for eve in (bob, person("Eve")):
        for act in (services.remove, services.revive, services.test):
            with pytest.raises(NotYours):
                act(competition=tournament, by=eve, pk=hook.pk)
        with pytest.raises(NotYours):
            services.add(competition=tournament, by=eve, url=web_server.url("/eve"), format="json", subjects=ALL)
        with pytest.raises(NotYours):
            services.change(competition=tournament, by=eve, pk=hook.pk, subjects=["results"])
    assert "200" in services.test(competition=tournament, by=carol, pk=hook.pk)
    assert posted(web_server)[-1]["kind"] == "test"


def test_the_webhook_of_another_competition_cannot_be_touched(organizer, clock, web_server):
    dans_league = league_of(organizer=person("Dan"))
    hook = hooked(begun(organizer, crowd(4), format="round-robin"), organizer, web_server)
    dan = League.objects.get().organizer
    assert dan is not None
    with pytest.raises(NotYours):
        services.test(competition=dans_league, by=dan, pk=hook.pk)
    services.remove(competition=dans_league, by=dan, pk=hook.pk)
    assert CompetitionHook.objects.filter(pk=hook.pk).exists()


def test_bad_webhooks_are_refused_with_a_sentence(organizer, web_server):
    tournament = begun(organizer, crowd(4), format="round-robin")
    for url, words in (
        ("http://hooks.example.org/", "https"), ("https://169.254.169.254/", "IP address"),
        ("https://localhost/", "public internet"),
    ):  # fmt: skip
        with pytest.raises(GameError, match=words):
            services.add(competition=tournament, by=organizer, url=url, format="json", subjects=ALL)
    with pytest.raises(GameError, match="Choose what to post"):
        services.add(competition=tournament, by=organizer, url=web_server.url("/"), format="json", subjects=["secrets"])
    for n in range(3):
        services.add(competition=tournament, by=organizer, url=web_server.url(f"/{n}"), format="json", subjects=ALL)
    with pytest.raises(GameError, match="already on the list"):
        services.add(
            competition=tournament, by=organizer, url=web_server.url("/0"), format="json", subjects=list(ALL)[:1]
        )
    services.add(
        competition=tournament, by=organizer, url=web_server.url("/0"), format="json", subjects=ALL
    )  # sent twice
    assert CompetitionHook.objects.count() == 3
    with pytest.raises(GameError, match="at most 3"):
        services.add(competition=tournament, by=organizer, url=web_server.url("/3"), format="json", subjects=ALL)


def test_a_large_season_posts_about_its_highest_divisions_only(organizer, clock, web_server, monkeypatch):
    from games.contests.webhooks import outbox

    monkeypatch.setattr(outbox, "MOST_DIVISIONS", 1)
    league = league_of(*crowd(8), organizer=organizer)
    hooked(league, organizer, web_server)
    season = started(league, clock)
    play_all(season)
    assert season.pools.count() == 2
    assert set(Post.objects.values_list("pool__tier", "pool__number")) == {(1, 1)}


def test_repeating_a_step_posts_nothing_twice(organizer, clock, web_server):
    league = league_of(*crowd(4), organizer=organizer)
    hooked(league, organizer, web_server)
    season = started(league, clock)
    play_all(season)
    keys = list(Post.objects.values_list("key", flat=True))
    for pool in season.pools.all():
        pools.take_due_steps(pool.pk, timezone.now())
    leagues.sweep()
    assert list(Post.objects.values_list("key", flat=True)) == keys and len(set(keys)) == len(keys)
