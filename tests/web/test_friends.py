"""Friends, the search for a player, and invitations by name: who finds and reaches whom, and what blocking prevents."""

import re
from datetime import timedelta
from html import unescape

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from accounts.services import make_guest
from games.notices.kinds import Kind
from games.notices.models import Notice, NoticeState
from games.tables.models import Friend, Game, Invitation
from games.tables.selectors import friends as selector
from games.tables.services import blocking, lobby
from games.tables.services.friends import MOST_A_DAY, MOST_AT_ONCE, MOST_TO_ONE, befriend, decline
from tests.cast import again, person, seats_of
from tests.web.reading import text, without_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(alice) -> Game:
    """Alice's private table, with two free seats."""
    return lobby.open_table(user=alice, players=3)


def names_found(come, reader: User, wanted: str, **more: str) -> list[str]:
    page = text(come(reader).get("/people/", {"q": wanted, **more}))
    return re.findall(r'<a href="/players/[^"]+">([^<]+)</a>', page[page.index('id="found"') : page.index('id="mine"')])


UNREACHABLE = ("Blocker", "Closed", "Visitor", "Nonesuch")


def invite(come, user: User, game: Game, *names: str) -> str:
    return text(come(user).post(f"{game.get_absolute_url()}invite", {"name": names}, follow=True))


# The search


def test_the_search_finds_names_that_begin_like_the_search_and_shows_only_names(come, alice, bob):
    for name in ("Bobby", "Bernadette", "Rob"):
        person(name)
    assert names_found(come, alice, "bo") == ["Bob", "Bobby"]
    assert names_found(come, alice, "B0b") == ["Bob", "Bobby"], "look-alike letters"
    page = text(come(alice).get("/people/", {"q": "bo"}))
    assert "example.org" not in page


@pytest.mark.parametrize("wanted", ["b", "m", "w", "ﬃ", "%", "__", "B%", "x\u202e", "a" * 900, "<b>"])
def test_a_search_that_could_list_everybody_finds_nobody(come, alice, bob, wanted):
    """“m” looks like “rn”, and “w” like “vv”: they are one letter all the same."""
    for name in ("Marietta", "Wren", "Ffion"):
        person(name)
    answer = come(alice).get("/people/", {"q": wanted})
    assert answer.status_code == 200 and "“<b>" not in text(answer)
    assert not re.search(r"/players/(?!Alice)", text(answer))


def test_guests_closed_accounts_and_oneself_are_not_found(come, alice):
    make_guest(name="Alister")
    closed = person("Alina")
    User.objects.filter(pk=closed.pk).update(is_active=False)
    assert names_found(come, alice, "ali") == []


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_people_who_have_blocked_each_other_find_neither_by_search(come, alice, bob, blocker):
    pair = (alice, bob) if blocker == "alice" else (bob, alice)
    blocking.block(user=pair[0], blocked=pair[1])
    assert names_found(come, alice, "bo") == names_found(come, bob, "ali") == []


def test_a_search_has_few_pages(come, alice):
    User.objects.bulk_create(User(username=f"Carl{n:03}", skeleton=f"carl{n:03}") for n in range(130))
    assert len(names_found(come, alice, "carl")) == selector.A_PAGE
    assert len(names_found(come, alice, "carl", page="5")) == selector.A_PAGE
    assert names_found(come, alice, "carl", page="6") == names_found(come, alice, "carl", page="99") == []
    assert "page=6" not in text(come(alice).get("/people/", {"q": "carl", "page": "5"}))
    assert "page=3" in text(come(alice).get("/people/", {"q": "carl", "page": "2"}))


def test_visitors_and_guests_cannot_search(come, bob):
    assert come().get("/people/", {"q": "bo"}).url.startswith("/accounts/login/")
    guest = make_guest()
    page = text(come(guest).get("/people/", {"q": "bo"}))
    assert "Sign up to search" in page and "/players/Bob" not in page


def test_searching_too_often_is_refused_with_a_sentence(come, alice, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "people": "2/h/key"}
    reader = come(alice)
    assert [reader.get("/people/", {"q": "bo"}).status_code for _n in range(3)] == [200, 200, 429]
    assert reader.get("/people/").status_code == 200


# Friends


def test_friends_are_a_private_list_that_the_other_does_not_notice(come, alice, bob, eve):
    come(alice).post("/people/befriend", {"name": "bob"})
    assert [friend.username for friend in selector.friends(alice)] == ["Bob"]
    assert selector.friends(bob) == [] and not Notice.objects.exists()
    assert "Remove Bob" in text(come(alice).get("/people/"))
    for reader in (bob, eve):
        assert "Remove" not in text(come(reader).get("/people/"))
    come(alice).post("/people/befriend", {"name": "Bob", "undo": "1"})
    assert selector.friends(alice) == []


@pytest.mark.parametrize("name", ["Alice", "Nobody", "", "x" * 900, "Guest Wren 12"])
def test_only_other_account_holders_can_be_friends(come, alice, name):
    page = text(come(alice).post("/people/befriend", {"name": name}, follow=True))
    assert "Check the spelling." in page and not Friend.objects.exists()


def test_blocking_ends_a_friendship_in_both_directions(come, alice, bob):
    befriend(user=alice, name="Bob")
    befriend(user=bob, name="Alice")
    blocking.block(user=bob, blocked=alice)
    assert not Friend.objects.exists()
    assert "You can’t invite “" in text(come(alice).post("/people/befriend", {"name": "Bob"}, follow=True))


# Invitations by name


def test_an_invited_player_is_notified_sees_it_on_the_desk_and_joins(come, alice, bob, table):
    befriend(user=alice, name="Bob")
    page = text(come(alice).get(table.get_absolute_url()))
    assert "Invite Bob" in page and 'name="name" value="Bob"' in page
    assert "Bob is invited." in invite(come, alice, table, "bob")
    notice = Notice.objects.get(user=bob, kind=Kind.INVITED)
    assert "Alice invited you to play" in notice.title and notice.url == f"/join/{table.invite_token}/"
    desk = text(come(bob).get("/desk/"))
    assert "Alice invited you to play" in desk and notice.url in desk
    assert len(seats_of(table)) == 1, "nobody is seated without consent"
    come(bob).post(notice.url)
    assert [seat.name for seat in seats_of(table)] == ["Alice", "Bob"]
    assert "Alice invited you to play" not in text(come(bob).get("/desk/")), "an accepted invitation is answered"


def test_the_front_page_leads_an_invited_player_without_games_to_the_desk(come, alice, bob, eve, table):
    invite(come, alice, table, "Bob")
    assert come(bob).get("/").headers["Location"] == "/desk/"
    assert come(eve).get("/").status_code == 200
    decline(pk=Invitation.objects.get(user=bob).pk, user=bob)
    assert come(bob).get("/").status_code == 200, "there is nothing left to answer"


def test_each_invitation_arrives_also_after_a_removal(come, alice, bob, table):
    for minutes in range(3):
        with time_machine.travel(timezone.now() + timedelta(minutes=minutes)):
            assert "Bob is invited." in invite(come, alice, table, "Bob")
            come(bob).post(f"/join/{table.invite_token}/")
            lobby.remove(game=table, user=alice, seat=seats_of(table)[1].pk)
    assert Notice.objects.filter(user=bob, kind=Kind.INVITED, channel="email").count() == 3


@pytest.mark.parametrize("end", ["join", "decline"])
def test_an_invitation_that_was_answered_is_not_sent_any_more(come, alice, bob, carol, table, end):
    for name in ("Bob", "Carol"):
        invite(come, alice, table, name)
    if end == "join":
        lobby.join_table(game=table, user=bob, invite=table.invite_token)
    else:
        decline(pk=Invitation.objects.get(user=bob).pk, user=bob)
    notices = Notice.objects.filter(kind=Kind.INVITED).order_by("user__username")
    assert [notice.state for notice in notices] == [NoticeState.DROPPED, NoticeState.QUEUED]


def test_the_page_of_a_player_leads_to_a_table_for_two_with_them(come, alice, bob):
    link = re.search(r'id="invite" href="([^"]+)"', text(come(alice).get("/players/Bob/")))
    page = text(come(alice).get(unescape(link[1])))
    assert re.search(r'name="invite"[^>]*value="Bob"', page)
    assert re.search(r'name="players" value="2"[^>]*checked', page)
    for reader in (bob, None):
        assert 'id="invite"' not in text(come(reader).get("/players/Bob/"))


def test_a_declined_invitation_leaves_the_desk_and_does_not_come_again(come, alice, bob, eve, table):
    invite(come, alice, table, "Bob")
    invitation = Invitation.objects.get()
    pages = {reader: text(come(reader).get(f"/join/{table.invite_token}/")) for reader in (bob, eve, None)}
    assert [reader for reader, page in pages.items() if f"/invitations/{invitation.pk}/decline" in page] == [bob]
    assert come(eve).post(f"/invitations/{invitation.pk}/decline").status_code == 404
    assert come(bob).post(f"/invitations/{invitation.pk}/decline").url == "/desk/"
    assert "invited you to play" not in text(come(bob).get("/desk/"))
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        assert "Bob has already been invited to this table." in invite(come, alice, table, "Bob")
    assert "declined" not in text(come(alice).get(table.get_absolute_url()))


@pytest.mark.parametrize("end", ["close", "start"])
def test_invitations_to_a_table_that_no_longer_waits_are_dropped(come, alice, bob, carol, dan, table, end):
    invite(come, alice, table, "Bob")
    if end == "close":
        lobby.close_table(game=table, user=alice)
    else:
        for user in (carol, dan):
            lobby.join_table(game=table, user=user, invite=table.invite_token)
        assert again(table).is_running
    assert "invited you to play" not in text(come(bob).get("/desk/"))
    assert {notice.state for notice in Notice.objects.filter(kind=Kind.INVITED)} == {NoticeState.DROPPED}


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_blocked_people_are_never_invited_and_invitations_between_them_are_withdrawn(come, alice, bob, table, blocker):
    invite(come, alice, table, "Bob")
    pair = (alice, bob) if blocker == "alice" else (bob, alice)
    blocking.block(user=pair[0], blocked=pair[1])
    assert "invited you to play" not in text(come(bob).get("/desk/"))
    assert {notice.state for notice in Notice.objects.filter(kind=Kind.INVITED)} == {NoticeState.DROPPED}
    other = lobby.open_table(user=alice, players=2)
    assert "You can’t invite “Bob”." in invite(come, alice, other, "Bob")
    assert Invitation.objects.count() == 1


def test_strangers_guests_and_visitors_cannot_invite(come, alice, bob, eve, table):
    public = lobby.open_table(user=alice, players=3, listed=True)
    assert come(eve).post(f"{table.get_absolute_url()}invite", {"name": "Bob"}).status_code == 404
    assert "Only players at this table can invite others." in invite(come, eve, public, "Bob")
    guest = make_guest()
    lobby.join_table(game=public, user=guest)
    assert "Guests can’t do this." in invite(come, guest, public, "Bob")
    assert "Invite by name" not in text(come(guest).get(public.get_absolute_url()))
    assert come().post(f"{public.get_absolute_url()}invite", {"name": "Bob"}).url.startswith("/accounts/login/")
    assert not Invitation.objects.exists()


def test_a_player_has_a_limited_number_of_unanswered_invitations_to_another(come, alice, bob):
    tables = [lobby.open_table(user=alice, players=2) for _n in range(MOST_TO_ONE + 1)]
    pages = [invite(come, alice, game, "Bob") for game in tables]
    assert "You have invited Bob to 5 tables that are still waiting for players." in pages[-1]
    assert Invitation.objects.count() == MOST_TO_ONE


def test_the_limit_of_invitations_does_not_reveal_that_one_was_declined(come, alice, bob):
    tables = [lobby.open_table(user=alice, players=2) for _n in range(MOST_TO_ONE + 1)]
    for game in tables[:-1]:
        invite(come, alice, game, "Bob")
    decline(pk=Invitation.objects.latest("pk").pk, user=bob)
    page = invite(come, alice, tables[-1], "Bob")
    assert "You have invited Bob to 5 tables that are still waiting for players." in page


@pytest.mark.long
def test_closing_tables_and_opening_others_does_not_allow_more_invitations_a_day(come, alice, bob):
    for _n in range(MOST_A_DAY + 1):
        game = lobby.open_table(user=alice, players=2)
        page = invite(come, alice, game, "Bob")
        lobby.close_table(game=game, user=alice)
    assert "You can’t invite Bob again today." in page
    assert Notice.objects.filter(user=bob, kind=Kind.INVITED).count() == MOST_A_DAY
    Invitation.objects.update(at=timezone.now() - timedelta(days=1, minutes=1))
    assert "Bob is invited." in invite(come, alice, lobby.open_table(user=alice, players=2), "Bob")


def test_no_refusal_tells_a_blocked_player_a_guest_or_a_closed_account_from_a_name_that_nobody_has(come, alice, table):
    for name in ("Blocker", "Closed"):
        person(name)
    blocking.block(user=User.objects.get(username="Blocker"), blocked=alice)
    User.objects.filter(username="Closed").update(is_active=False)
    make_guest(name="Visitor")
    for ask in (
        lambda name: come(alice).post("/people/befriend", {"name": name}, follow=True),
        lambda name: come(alice).post(f"{table.get_absolute_url()}invite", {"name": [name]}, follow=True),
        lambda name: come(alice).get("/people/", {"q": name}),
    ):
        seen = {without_token(ask(name)).replace(name, "") for name in UNREACHABLE}
        assert len(seen) == 1


def test_inviting_has_a_rate_limit_also_when_a_table_is_opened(come, alice, bob, carol, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "invite": "1/h/key"}
    wish = {"ruleset": "legends", "players": "3", "pace": "move 2d", "listed": "no", "full": "no"}
    page = text(come(alice).post("/lobby/open/", {**wish, "invite": ["Bob", "Carol"]}, follow=True))
    assert "Bob is invited." in page and "Too many requests" in page and Invitation.objects.count() == 1


# With the form for a table


WISH = {"ruleset": "legends", "players": "3", "pace": "move 2d", "listed": "no", "full": "no"}


def test_a_table_is_opened_with_invitations_to_ticked_and_typed_players(come, alice, bob, carol):
    befriend(user=alice, name="Bob")
    form = text(come(alice).get("/lobby/open/", {"for": "friends"}))
    assert '<input type="checkbox" name="invite" value="Bob"' in form
    come(alice).post("/lobby/open/", {**WISH, "invite": ["Bob", "carol, bob"]})
    assert {invitation.user.username for invitation in Invitation.objects.all()} == {"Bob", "Carol"}


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"invite": "Bob, Bop"}, "You can’t invite “Bop”. Check the spelling."),
        ({"invite": "Bob", "seat_1": "medium", "seat_2": "medium"}, "No seat is open for the players you invite."),
        ({"invite": ",".join(f"P{n}" for n in range(MOST_AT_ONCE + 1))}, "You can invite at most 7 players at once."),
    ],
)
def test_a_name_that_cannot_be_invited_is_refused_before_the_table_opens(come, alice, bob, wish, sentence):
    answer = come(alice).post("/lobby/open/", {**WISH, **wish})
    assert answer.status_code == 422 and sentence in text(answer)
    assert wish["invite"].split(",")[0] in text(answer) and not Game.objects.exists()


def test_guests_open_tables_without_invitations(come, bob):
    assert "Invite by name" not in text(come().get("/lobby/open/"))
    assert come().post("/lobby/open/", {**WISH, "invite": "Bob"}).status_code == 422
    assert not Invitation.objects.exists()


# The link


def test_the_invitation_link_can_be_copied_and_shared_where_the_browser_can(come, alice, table):
    page = text(come(alice).get(table.get_absolute_url()))
    place = f"invite-{table.public_id}"
    for action in ("copy", "share"):
        assert re.search(rf'<button[^>]*data-{action}="{place}"[^>]*hidden', page)
    assert f'id="{place}" type="text" readonly' in page
