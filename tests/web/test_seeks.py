"""The page that finds a game, without scripts: the form, waiting, the desk, the menu, and refusals."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games.contests.models import Seek
from games.contests.seeks import services
from games.tables.models import Game
from tests.cast import person
from tests.web.reading import main, without_token

pytestmark = pytest.mark.django_db

USUAL = {
    "rulesets": ["legends", "kingdoms"], "sizes": ["2"], "clocks": ["move 2d"], "rated": "either", "distance": "0",
    "reliability": "0", "bots": "0",
}  # fmt: skip


def seek(user: User, **more: object) -> Seek:
    return services.seek(user=user, **{"rulesets": ["legends"], "sizes": [2], "clocks": ["move 2d"], **more})


def test_a_player_who_searches_sees_it_on_every_page_and_is_taken_to_the_table(client, alice, bob):
    client.force_login(alice)
    assert "Find a game" in main(client.get("/lobby/"))
    answer = client.post("/find/", USUAL | {"distance": "200", "bots": "60"}, follow=True)
    page = answer.content.decode()
    assert "Looking for a game" in page and "Legends" in page and "at most 200 points" in page
    assert "fewer than 5 games like this" in page and "bots take the empty seats on" in page
    for path in ("/desk/", "/lobby/"):
        assert "Looking for a game…" in client.get(path).content.decode(), "in the menu"
    assert "Cancel search" in client.get("/desk/").content.decode()
    assert client.get("/find/", headers={"HX-Request": "true"}).status_code == 200
    seek(bob)
    game = Game.objects.get()
    polled = client.get("/find/", headers={"HX-Request": "true"})
    assert polled["HX-Redirect"] == f"/games/{game.public_id}/"
    page = client.get("/find/").content.decode()
    assert "We found a game for you" in page and f"/games/{game.public_id}/" in page
    chosen = re.findall(r'name="rulesets" value="(\w+)"[^>]* checked', page)
    assert chosen == USUAL["rulesets"], "as in the last search"


def test_a_player_who_completes_a_table_is_taken_to_it_immediately(client, alice, bob):
    seek(bob)
    client.force_login(alice)
    answer = client.post("/find/", USUAL)
    assert answer.status_code == 302 and answer["Location"] == Game.objects.get().get_absolute_url()


def test_canceling_works_from_the_desk_and_after_the_fact_says_so(client, alice):
    client.force_login(alice)
    seek(alice)
    for _tap in range(2):
        assert "Search canceled." in client.post("/find/leave", follow=True).content.decode()
    Seek.objects.update(state="expired")
    assert "not looking for a game anymore" in client.post("/find/leave", follow=True).content.decode()
    assert client.get("/find/", headers={"HX-Request": "true"}).content.decode().count("The search is over") == 1
    assert client.get("/find/leave").status_code == 405


def test_a_visitor_becomes_a_guest_who_plays_unrated(client, bob):
    page = client.get("/find/").content.decode()
    assert 'value="yes"' not in page and 'value="no"' in page
    assert client.post("/find/", USUAL).status_code == 422 and not User.objects.filter(is_guest=True).exists()
    answer = client.post("/find/", USUAL | {"rated": "no"}, follow=True)
    assert "If you close this page, the search ends" in answer.content.decode()
    assert Seek.objects.get().user.is_guest
    client.post("/find/", USUAL | {"rated": "no"})
    assert Seek.objects.count() == 1
    answer = client.post("/find/", USUAL | {"rated": "no", "sizes": ["3"]})
    assert answer.status_code == 422 and "already looking for a game" in answer.content.decode()


def test_a_guests_search_goes_on_while_the_page_asks_and_ends_minutes_after_it_was_closed(client, bob):
    client.get("/find/")
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        client.post("/find/", USUAL | {"rated": "no"})
        for _look in range(11):
            clock.shift(timedelta(minutes=5))
            services.sweep(timezone.now())
            assert client.get("/find/", headers={"HX-Request": "true"}).status_code == 200
        assert Seek.objects.get().state == "waiting"
        clock.shift(timedelta(minutes=5))
        services.sweep(timezone.now())
        assert Seek.objects.get().state == "expired", "after an hour"
        client.post("/find/", USUAL | {"rated": "no"})
        clock.shift(timedelta(minutes=11))
        assert seek(bob, rated="either").state == "waiting", "nobody is put at a table with someone who has gone"
        services.sweep(timezone.now())
        assert "search is over" in client.get("/find/", headers={"HX-Request": "true"}).content.decode()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"rulesets": []}, "Choose at least one game."),
        ({"rulesets": ["chess"]}, "We don’t have this game."),
        ({"rulesets": ["legends"], "sizes": ["8"]}, "None of these games can be played with that many players."),
        ({"sizes": ["two"]}, "Choose one of these numbers."),
        ({"clocks": ["move 1y"]}, "Choose one of these times."),
        ({"distance": "10"}, "Choose one of these options."),
        ({"bots": "1"}, "Choose one of these options."),
    ],
)
def test_a_wrong_search_is_refused_with_a_sentence(client, alice, wrong, sentence):
    client.force_login(alice)
    answer = client.post("/find/", USUAL | wrong)
    assert answer.status_code == 422 and sentence in answer.content.decode()
    assert not Seek.objects.exists()


def test_nobody_learns_who_else_is_looking(client, alice, bob):
    seek(bob, rulesets=["kingdoms"])
    client.force_login(alice)
    for path in ("/find/", "/lobby/", f"/players/{bob.username}/"):
        page = without_token(client.get(path))
        assert "Bob is looking" not in page and (path.startswith("/players") or "Bob" not in page)


def test_pages_take_few_queries_however_many_are_looking(client, alice, django_assert_max_num_queries):
    client.force_login(alice)
    seek(alice, rulesets=["kingdoms"])
    client.get("/find/")
    for n in range(5):
        seek(person(f"Seeker{n}"), sizes=[4])
    with django_assert_max_num_queries(6):
        client.get("/find/")
