"""The desk: games that wait for the player come first."""

import re
from datetime import timedelta
from itertools import cycle

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.contests.duplicates import services as duplicates
from games.contests.organizing import co_organizers
from games.contests.seeks import services as seeks
from games.contests.teams import services as teams
from games.home.desk import menu
from games.tables.models import FullGame, Game, Seat, Status
from games.tables.services import handover, lobby
from tests.cast import again, bid, in_turns, only, person, play_out, play_turns, state_of, submit, table_of
from tests.contests import cups, team_leagues
from tests.contests.ladders import challenges, contest, ladder_of
from tests.contests.leagues import MONDAY, league_of, started
from tests.kept import played_out
from tests.web.reading import main

pytestmark = pytest.mark.django_db


def desk(visit, **headers: str) -> str:
    answer = visit.get("/desk/", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def part(page: str, heading: str) -> str:
    """One section of the desk; empty if it is not there."""
    sections = page.split(f'id="{heading}"')
    return sections[1].split("</section>")[0] if len(sections) > 1 else ""


def test_a_visitor_is_asked_to_sign_in(come):
    answer = come().get("/desk/")
    assert answer.status_code == 302 and answer.headers["location"].startswith("/accounts/login/?next=/desk/")


def test_games_are_listed_by_whether_they_wait_for_me(come, alice, bob):
    game = in_turns(alice, bob)
    assert game.public_id in part(desk(come(alice)), "mine")
    page = desk(come(bob))
    assert game.public_id not in part(page, "mine")
    assert game.public_id in part(page, "others") and "Alice to play." in part(page, "others")
    play_turns(game, 1)
    assert game.public_id in part(desk(come(bob)), "mine")


def test_players_for_whom_a_bot_plays_are_not_told_that_there_is_nothing_to_do(come, alice, bob):
    game, nothing = in_turns(alice, bob), "Nothing to do: you are waiting for the others."
    assert nothing in desk(come(bob))
    handover.hand_to_bot(seat=Seat.objects.get(game=game, owner=bob), user=bob)
    page = desk(come(bob))
    assert nothing not in page and "No game is waiting for you." in page and "I’m back" in page


def test_the_most_urgent_game_comes_first(come, alice, bob):
    calm, urgent = in_turns(alice, bob, clock="move 72h"), in_turns(alice, bob, clock="move 12h")
    section = part(desk(come(alice)), "mine")
    assert section.index(urgent.public_id) < section.index(calm.public_id)


def test_the_time_left_is_shown_as_a_span_and_in_my_time_zone(come, alice, bob):
    alice.time_zone = "Asia/Tokyo"
    alice.save()
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False):
        in_turns(alice, bob, clock="move 48h")
        section = part(desk(come(alice)), "mine").replace("\xa0", " ")
        assert "2 days left" in section and "until Mon 23 Nov, 21:00" in section


def test_the_last_fifth_of_the_clock_is_marked(come, alice, bob):
    game = in_turns(alice, bob, clock="move 48h")
    assert "soon" not in part(desk(come(alice)), "mine")
    Seat.objects.filter(game=game, owes=True).update(deadline=timezone.now() + timedelta(hours=9))
    assert "time-left soon" in part(desk(come(alice)), "mine")


def test_the_desk_shows_the_last_event(come, alice, bob):
    game = in_turns(alice, bob)
    submit(game, 0, *only(game, 0, f"take {first_card(game)}"))
    assert "Alice takes" in part(desk(come(bob)), "mine")


def first_card(game: Game) -> str:
    return state_of(game).row[0]


def test_while_bidding_is_open_the_desk_does_not_show_who_has_bid(come, alice, bob, carol):
    game = table_of(alice, bob, carol)
    before = part(desk(come(carol)), "mine")
    submit(game, 0, "bid 3")
    assert part(desk(come(carol)), "mine") == before and "your bid" in before
    assert game.public_id in part(desk(come(alice)), "others")


def test_open_tables_are_shown_with_their_invitation(come, alice):
    game = lobby.open_table(user=alice, players=3)
    section = part(desk(come(alice)), "open")
    assert f"http://testserver/join/{game.invite_token}/" in section and "2 seats free" in section


def test_finished_games_show_places_and_points(come, alice, bob):
    game = played_out(alice, bob)
    section = part(desk(come(alice)), "finished")
    seat = Seat.objects.get(game=game, user=alice)
    assert f">{seat.place}</span>" in section and f'<b class="number">{seat.total}</b>' in section
    assert game.public_id not in part(desk(come(alice)), "mine")


def test_a_full_game_in_progress_shows_the_sums_so_far(come, alice, bob):
    game = table_of(alice, bob, full=True)
    play_out(game)
    section = part(desk(come(alice)), "full")
    assert "Game 2 of 3" in section and f"/full-games/{game.full_game_id}/" in section
    for seat in Seat.objects.filter(game=game):
        assert f'<b class="number">{seat.total}</b>' in section


def test_a_finished_full_game_shows_its_winner_and_the_sums(come, alice, bob):
    game = table_of(alice, bob, full=True)
    for number in (1, 2, 3):
        play_out(Game.objects.get(full_game=game.full_game_id, number=number))
    section = part(desk(come(alice)), "full")
    ranking = FullGame.objects.get().ranking
    winner = min(ranking, key=lambda line: line["place"])["seat"]
    assert f"{['Alice', 'Bob'][winner]} wins the full game" in section and "Game 3 of 3" not in section
    for line in ranking:
        assert f'<b class="number">{line["points"]}</b>' in section


def test_a_challenge_that_others_have_to_answer_is_on_the_desk(come, alice, bob):
    ladder_of(alice, bob)
    challenge = challenges(bob, alice)
    visit = come(bob)
    section = part(desk(visit), "others")
    assert "You challenged Alice" in section and f"/ladder/challenges/{challenge.pk}/withdraw" in section
    assert "You challenged Alice" not in visit.get("/desk/?turn=mine").content.decode()


def test_an_empty_desk_offers_next_steps(come, eve):
    page = main(come(eve).get("/desk/"))
    assert "No game is waiting for you." in page and "/play-now/" in page and "/lobby/" in page


def test_an_empty_desk_makes_no_query_that_would_find_nothing(come, alice, eve, django_assert_max_num_queries):
    visit = come(eve)
    desk(visit)
    with django_assert_max_num_queries(4):  # two of them load the user, one looks for whatever else waits
        desk(visit)
    ladder_of(eve, alice)
    challenges(alice, eve)
    assert "Alice challenged you" in desk(visit)


def test_invitations_to_teams_and_requests_to_organize_wait_on_the_desk(
    come, alice, bob, django_assert_max_num_queries
):
    foxes = teams.create(tournament=team_leagues.league(alice), user=alice, name="Foxes")
    teams.invite(team=foxes, by=alice, name="Bob")
    league = league_of(organizer=alice)
    co_organizers.ask_to_help(competition=league, by=alice, name="Bob", rights=["announce"])
    visit = come(bob)
    html = part(desk(visit), "invitations")
    assert "invited you to the team Foxes." in html and foxes.get_absolute_url() in html
    assert "You have been asked to organize Harbour League." in html and f"/leagues/{league.slug}/organizers/" in html
    with django_assert_max_num_queries(6):
        desk(visit)


def test_games_of_others_are_not_on_my_desk(come, alice, bob, eve):
    game = in_turns(alice, bob)
    assert game.public_id not in desk(come(eve))


def test_news_of_the_desk_update_the_title_and_the_number_in_the_header(come, alice, bob):
    count = re.compile(r'id="waiting-count"[^>]*?(hidden)?>(\d+)<')
    whole = desk(come(alice))
    assert "hx-swap-oob" not in whole and count.search(whole)[1] == "hidden"
    game = in_turns(alice, bob)
    news = desk(come(alice), **{"HX-Request": "true"})
    assert "<title>(1) Desk" in news and count.search(news).groups() == (None, "1") and "hx-swap-oob" in news
    play_turns(game, 1)
    news = desk(come(alice), **{"HX-Request": "true"})
    assert "<title>Desk" in news and count.search(news).groups() == ("hidden", "0")


def test_the_desk_of_someone_who_searches_for_a_game_looks_for_news_more_often(come, alice):
    assert "every 60s" in desk(come(alice))
    seeks.seek(user=alice, rulesets=["legends"], sizes=[2], clocks=["bank 2d +8h cap 3d"])
    assert "every 15s" in desk(come(alice))


def test_for_htmx_the_desk_is_only_its_lists(come, alice, bob):
    game = in_turns(alice, bob)
    fragment = desk(come(alice), **{"HX-Request": "true"})
    assert game.public_id in fragment and "<html" not in fragment


def test_an_open_desk_whose_session_has_ended_leads_to_the_sign_in_page(come):
    answer = come(htmx=True).get("/desk/", headers={"HX-Current-URL": "http://testserver/desk/?order=age"})
    assert answer.status_code == 200 and answer.content == b""
    assert answer.headers["HX-Redirect"] == "/accounts/login/?next=/desk/%3Forder%3Dage"
    answer = come(htmx=True).get("/desk/?order=age", headers={"HX-Current-URL": "http://["})
    assert answer.headers["HX-Redirect"] == "/accounts/login/?next=/desk/%3Forder%3Dage"


def test_the_desk_needs_few_queries_however_many_games_there_are(come, alice, bob, django_assert_max_num_queries):
    visit = come(alice)
    for _n in range(4):
        in_turns(alice, bob)
    play_out(table_of(alice, bob, full=True))
    count = menu(alice)[0]
    desk(visit)  # after this visit the session knows that the address is confirmed
    with django_assert_max_num_queries(6):  # two of them load the user, one the last entries
        page = desk(visit)
    assert part(page, "mine").count('class="table-line') == count


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by the number of rows")
def test_the_desk_finds_games_by_indexes_although_nearly_no_seat_or_game_is_in_them(come, alice, bob):
    visit, now = come(alice), timezone.now()
    others = [
        Game(public_id=f"other{n}", ruleset="legends", rules_version=2, players=2, status=Status.RUNNING, opened_at=now)
        for n in range(3000)
    ]
    crowd = User.objects.bulk_create(User(username=f"Player {n}") for n in range(300))
    Seat.objects.bulk_create(
        Seat(game=game, number=0, user=user, owner=user, name=user.username)
        for game, user in zip(Game.objects.bulk_create(others), cycle(crowd), strict=False)
    )
    in_turns(alice, bob)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as queries:
        desk(visit)
    (games,) = [query["sql"] for query in queries if 'FROM "tables_game"' in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {games}")
        plan = " ".join(str(row[-1]) for row in cursor.fetchall())
    assert plan.count("MULTI-INDEX OR") == 6 and "AUTOMATIC" not in plan, plan


def test_an_open_challenge_keeps_the_desk_within_its_queries(come, alice, bob, django_assert_max_num_queries):
    ladder_of(alice, bob)
    challenges(bob, alice)
    in_turns(alice, bob)
    play_out(table_of(alice, bob, full=True))
    visit = come(alice)
    desk(visit)
    with django_assert_max_num_queries(7):  # one of them loads the challenge, one the full game
        assert "Bob challenged you" in desk(visit)


def test_each_game_names_its_competition_without_further_queries(come, alice, bob, django_assert_max_num_queries):
    with time_machine.travel(MONDAY, tick=False) as clock:
        in_turns(alice, bob)
        ladder_of(alice, bob)
        contest(bob, alice)
        people = [alice, bob, person("Carol"), person("Dan")]
        cups.begun(bob, people, format="round-robin")
        started(league_of(*people), clock)
        row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
        for user in people[1:]:
            duplicates.join(public_id=row.public_id, user=user)
        visit = come(alice)
        desk(visit)
        with django_assert_max_num_queries(6):
            page = desk(visit)
    competitions = re.findall(
        r'<p class="what soft small">(?:<b>(.*?)</b> · )?', part(page, "mine") + part(page, "others")
    )
    assert sorted(set(competitions)) == ["", "Duplicate", "Harbour Cup", "Harbour League", "Ladder"]


def test_once_all_bids_are_in_the_game_moves_to_the_player_to_act(come, alice, bob):
    game = table_of(alice, bob)
    bid(game, 0, 1)
    assert again(game).public_id in part(desk(come(bob)), "mine")
    assert "Bob to play." in part(desk(come(alice)), "others")


def test_the_desk_says_that_emails_wait_until_the_address_is_confirmed(come, alice):
    EmailAddress.objects.filter(user=alice).update(verified=False)
    visit = come(alice)
    assert "We won’t email you about your games until" in desk(visit)
    # Also next to a message about something else, but not to one that asks to follow the link
    visit.post("/accounts/sessions/access/end")
    page = desk(visit)
    assert "Choose what to turn off." in page and "We won’t email you about your games until" in page
    visit.post("/accounts/email/", {"email": alice.email, "action_send": ""})
    page = desk(visit)
    assert "a confirmation link" in page and "We won’t email you about your games until" not in page
    EmailAddress.objects.filter(user=alice).update(verified=True)
    assert "We won’t email you about your games until" not in desk(visit)
