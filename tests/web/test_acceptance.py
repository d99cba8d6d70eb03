"""New versions of the terms, which people accept once more; meanwhile they finish their games and start no others."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from time_machine import travel

from accounts import acceptance
from accounts.models import Acceptance, User
from empire.web import documents
from empire.web.documents import VERSIONS, Change
from games.contests.ladders import services as ladders
from games.errors import GameError
from games.tables import keys
from games.tables.models import Game
from games.tables.services import lessons, lobby
from tests.cast import again, in_turns, some_turn
from tests.web.reading import alert, text

pytestmark = pytest.mark.django_db
BANNER = "Our terms have changed."


@pytest.fixture
def change(monkeypatch) -> Callable[[], None]:
    """Raise the version of the rules of conduct."""

    def act() -> None:
        number = VERSIONS["conduct"] + 1
        news = (*documents.CHANGES, Change("conduct", number, date(2027, 1, 2), "Be kinder."))
        monkeypatch.setattr(acceptance, "CHANGES", news)
        monkeypatch.setitem(VERSIONS, "conduct", number)

    return act


def again_of(user: User) -> User:
    return User.objects.get(pk=user.pk)


def shown() -> dict[str, str]:
    return {name: str(version) for name, version in VERSIONS.items()}


def test_a_person_is_asked_on_each_page_until_they_accept(client, alice, change):
    client.force_login(alice)
    assert BANNER not in client.get("/lobby/").content.decode()
    change()
    assert BANNER in client.get("/lobby/").content.decode()
    page = client.get("/accounts/terms/?next=/lobby/").content.decode()
    assert (
        f"changed on 2 Jan 2027, to version {VERSIONS['conduct']}" in page
        and "Be kinder." in page
        and BANNER not in page
    )
    answer = client.post("/accounts/terms/", {**shown(), "next": "/lobby/"})
    assert answer.url == "/lobby/" and BANNER not in client.get("/lobby/").content.decode()
    assert dict(Acceptance.objects.filter(user=again_of(alice)).values_list("document", "version")) == VERSIONS
    assert not again_of(alice).must_accept and again_of(alice).asked_to_accept_at is None
    assert "you have accepted the latest" in client.get("/accounts/terms/").content.decode()


def test_people_accept_what_they_have_seen_and_nothing_newer(client, alice, change):
    change()
    client.force_login(alice)
    answer = client.post("/accounts/terms/", {**shown(), "conduct": "1"})
    assert answer.status_code == 409 and "There is now a newer version." in answer.content.decode()
    assert again_of(alice).must_accept and not Acceptance.objects.exists()


def test_people_who_have_not_accepted_start_no_games_but_continue_theirs(come, alice, bob, change):
    game = in_turns(alice, bob)
    change()
    for start in (
        lambda: lobby.open_table(user=again_of(alice), players=2),
        lambda: lobby.open_table(user=again_of(alice), players=2, bots=["easy"]),
        lambda: lobby.join_table(game=game, user=again_of(alice)),
        lambda: lessons.begin(user=again_of(alice), slug="legends"),
        lambda: ladders.join(ruleset="legends", user=again_of(alice)),
    ):
        with pytest.raises(GameError, match=BANNER[:-1]):
            start()
    seat, actions = some_turn(game)
    mover = come(again_of(alice if seat == 0 else bob))
    form = {"action": ";".join(actions), "seq": again(game).seq}
    mover.get(game.get_absolute_url())
    answer = mover.post(f"{game.get_absolute_url()}submit", form)
    assert answer.status_code == 302, alert(answer)


@pytest.mark.parametrize("start", ["/play-now/", "/learn/legends/begin", "/learn/legends/play"])
def test_a_person_who_starts_a_game_is_told_to_accept_first(come, alice, change, start):
    change()
    browser = come(again_of(alice))
    answer = browser.post(start, follow=True)
    assert answer.status_code in (200, 422) and "Accept them at the top of any page" in text(answer)
    assert BANNER in text(answer) and not Game.objects.exists()


@pytest.mark.parametrize("by_key", [False, True])
def test_after_the_time_of_the_setting_no_turn_is_sent_without_accepting(come, alice, bob, change, settings, by_key):
    settings.NEW_TERMS_DAYS = 5
    game = in_turns(alice, bob, clock="move 30d")
    change()
    seat, actions = some_turn(game)
    user, form = (alice, bob)[seat], {"action": ";".join(actions), "seq": again(game).seq}
    browser = come(again_of(user))
    with travel(timezone.now() + timedelta(days=9)):
        for of_open_page in ({"HX-Request": "true"}, {"Accept": "*/*"}):
            browser.get("/lobby/", headers=of_open_page)
            assert again_of(user).asked_to_accept_at is None
        assert acceptance.deadline(again_of(user)) > timezone.now() + timedelta(days=4), "nobody was asked yet"
        browser.get("/lobby/")
    if by_key:
        browser = Client()
        browser.post(keys.url(game.seats.get(number=seat)).removeprefix(settings.SITE_URL))
    with travel(timezone.now() + timedelta(days=20)):
        answer = browser.post(f"{game.get_absolute_url()}submit", form)
        assert answer.status_code in (403, 409) and "accept them to continue" in text(answer)
        if not by_key:  # which sends nothing else
            said = browser.post(f"{game.get_absolute_url()}chat/say", {"text": "Hello"})
            assert said.status_code == 403 and "accept them to continue" in text(said)
        acceptance.accept(user=again_of(user), shown=shown())
        assert browser.post(f"{game.get_absolute_url()}submit", form).status_code == 302


def test_guests_are_not_asked_and_accept_the_newest_version_when_they_sign_up(client, change):
    client.post("/accounts/guest/")
    change()
    assert BANNER not in client.get("/lobby/").content.decode()
    form = {"username": "Carol", "email": "carol@example.org", "password1": "a quiet harbour", "accepts": "1"}
    client.post("/accounts/signup/", form)
    assert BANNER not in client.get("/lobby/").content.decode()
    assert User.objects.get(username="Carol").accepted == VERSIONS


def test_it_costs_no_query(client, alice, change, django_assert_num_queries):
    client.force_login(alice)
    with django_assert_num_queries(0):
        assert not alice.must_accept
    client.get("/lobby/")
    with CaptureQueriesContext(connection) as before:
        client.get("/lobby/")
    change()
    client.get("/lobby/")  # notes that she was asked
    with CaptureQueriesContext(connection) as after:
        client.get("/lobby/")
    assert len(before) == len(after)


def test_each_change_is_described_in_order():
    for name, version in VERSIONS.items():
        changes = [change for change in documents.CHANGES if change.document == name]
        assert [change.version for change in changes] == list(range(2, version + 1))
        assert all(change.summary for change in changes)
