"""Links in emails: each opens one seat at one table, for anyone who has the link, and only after a click."""

from datetime import timedelta

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.sessions import SessionStore
from games.tables import keys
from games.tables.models import Draft, Entry, Message, Note, UndoRequest
from games.tables.services import chat, handover
from tests.cast import again, everything_written, in_turns, person, seats_of, some_turn, table_of
from tests.notices.emails import link_of, only_email, received, send_due, take
from tests.tables.kingdoms import kingdoms
from tests.web.reading import text, without_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(game) -> str:
    """The table link in the email about Bob's turn."""
    take(game, 0)
    send_due()
    return link_of(only_email("Bob"))


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def table(game) -> str:
    return reverse("table", args=[game.public_id])


def test_an_email_scanner_that_follows_the_link_opens_nothing(link, game, client):
    assert client.get(link).status_code == 200
    assert client.head(link).status_code == 200
    assert client.get(table(game)).status_code == 404


def test_the_button_opens_the_seat_to_play_a_turn_without_signing_in(link, game, client):
    assert client.post(link).headers["Location"] == table(game)
    page = client.get(table(game))
    assert page.status_code == 200
    seat, actions = some_turn(game)
    client.post(f"{table(game)}submit", {"seq": again(game).seq, "action": ";".join(actions), "sure": "1"})
    last = Entry.objects.filter(game=game).latest("seq")
    assert (last.seat, seat) == (1, 1)


def test_opening_a_seat_changes_the_key_of_the_session(link, game, client):
    """A session that someone else has put into this browser before doesn't open the seat for them."""
    client.session.save()
    copy = Client()
    copy.cookies["sessionid"] = client.cookies["sessionid"].value
    client.post(link)
    assert client.get(table(game)).status_code == 200
    assert copy.get(table(game)).status_code == 404


def test_a_session_keeps_the_keys_of_the_tables_opened_last(rf):
    request = rf.get("/")
    request.session = SessionStore()
    for number in range(keys.MOST_KEYS + 1):
        keys.open_seat(request, "x:y", f"table{number}")
    assert list(request.session[keys.OPENED]) == [f"table{number}" for number in range(1, keys.MOST_KEYS + 1)]


def test_a_link_opens_no_other_table_or_page_of_its_player(link, game, client, alice, bob):
    other = in_turns(alice, bob, listed=False)
    client.post(link)
    assert client.get(table(other)).status_code == 404
    assert client.get(reverse("preferences")).status_code == 302
    assert bob.username not in without_token(client.get(reverse("lobby")))


def test_a_link_does_not_work_at_another_table(link, game, client, alice, bob):
    other = in_turns(alice, bob, listed=False)
    foreign = link.replace(game.public_id, other.public_id)
    assert client.post(foreign).status_code == 410
    assert client.get(table(other)).status_code == 404


def test_a_signed_in_player_goes_straight_to_the_table(link, game, client, bob):
    client.force_login(bob)
    assert client.get(link).headers["Location"] == table(game)


def test_a_player_at_the_table_stays_in_their_own_seat_with_an_opponents_link(link, game, client, alice):
    client.force_login(alice)
    assert client.post(link).headers["Location"] == table(game)
    assert keys.OPENED not in client.session


def test_another_signed_in_user_can_open_the_seat_with_the_link(link, game, client):
    client.force_login(person("Eve"))
    client.post(link)
    assert client.get(table(game)).status_code == 200


@pytest.mark.parametrize("spoilt", ["x", "", "WzEsMiwiYSJd:1aaaaa:bbbbbbbb"])
def test_a_forged_link_gets_an_explanation(spoilt, game, client):
    answer = client.get(f"{table(game)}enter/{spoilt or signing.dumps([1, 2, 'a'], salt='another')}/")
    assert answer.status_code == 410
    assert "This link no longer works" in answer.content.decode()


def test_links_expire_after_30_days_even_in_browsers_that_opened_them(link, game, client, clock):
    client.post(link)
    clock.shift(timedelta(days=30, seconds=2))
    assert client.get(link).status_code == 410
    assert client.get(table(game)).status_code == 410


def test_links_expire_when_the_password_changes(link, game, client, bob):
    client.post(link)
    bob.set_password("another one")
    bob.save()
    assert client.get(table(game)).status_code == 410
    assert client.get(link).status_code == 410


def test_links_expire_when_the_email_address_changes(link, game, client, bob):
    client.post(link)
    assert client.get(table(game)).status_code == 200
    User.objects.filter(pk=bob.pk).update(email="bob@elsewhere.example")
    assert client.get(table(game)).status_code == 410
    assert client.get(link).status_code == 410


def test_owners_learn_that_a_bot_plays_for_them_and_how_to_come_back(link, game, client, bob):
    handover.hand_to_bot(seat=seats_of(game)[1], user=bob)
    answer = client.get(link)
    assert answer.status_code == 410 and "A bot is playing for you. Sign in to see the table" in text(answer)
    here = signed_in(bob)
    assert here.get(link).headers["Location"] == table(game)
    assert "I’m back" in text(here.get(table(game)))
    bob.set_password("another one")
    bob.save()
    assert "A bot is playing" not in text(client.get(link)), "an invalid link tells nothing"


def test_links_expire_when_someone_else_takes_the_seat(link, game, client):
    seat = seats_of(game)[1]
    seat.user = person("Carol")
    seat.save()
    assert client.get(link).status_code == 410


# The page before the table is shown once in each browser


@pytest.fixture
def other_link(alice, bob, game) -> str:
    """A link to Bob's seat at another table."""
    return keys.url(seats_of(in_turns(alice, bob, listed=False))[1]).removeprefix("http://testserver")


def test_a_browser_that_passed_the_page_goes_straight_to_the_players_next_table(link, other_link, client):
    assert "Open my seat" in client.get(other_link).content.decode()
    client.post(link)
    assert client.get(other_link, follow=True).redirect_chain[-1][0] in other_link.replace("enter", "")
    client.cookies.pop("sessionid")  # the session has ended, but the browser is still known
    assert client.get(link).status_code == 302


def test_a_browser_is_asked_again_for_another_player(link, game, client):
    client.post(f"{table(game)}enter/{keys.key(seats_of(game)[0])}/")
    client.cookies.pop("sessionid")
    assert "Open my seat" in client.get(link).content.decode()
    client.post(link)
    client.cookies.pop("sessionid")
    for seat in seats_of(game):
        assert client.get(f"{table(game)}enter/{keys.key(seat)}/").status_code == 302


def test_the_cookie_alone_opens_nothing(link, other_link, game, client, bob):
    client.post(link)
    client.cookies.pop("sessionid")
    assert client.get(table(game)).status_code == 404
    assert client.get(other_link.replace(":", ";")).status_code == 410
    assert client.head(other_link).status_code == 200, "HEAD opened the seat"
    bob.set_password("another one")
    bob.save()
    assert client.get(other_link).status_code == 410
    fresh = keys.url(seats_of(game)[1]).removeprefix("http://testserver")
    assert "Open my seat" in client.get(fresh).content.decode()


@pytest.mark.parametrize(
    "forged",
    ["", "x", "[[2, 'x']]", signing.dumps([[2, "x"]], salt="opened_for")],
    ids=["empty", "no signature", "not signed", "another fingerprint"],  # a signature has the time in it
)
def test_a_forged_cookie_opens_nothing(forged, link, client):
    client.cookies[keys.KNOWN] = forged
    assert "Open my seat" in client.get(link).content.decode()


def test_a_browser_in_which_someone_else_is_signed_in_is_asked_each_time(link, other_link, client):
    client.post(link)
    client.force_login(person("Eve"))
    assert "Open my seat" in client.get(other_link).content.decode()


def test_the_cookie_keeps_to_itself_and_to_the_tables(link, client):
    cookie = client.post(link).cookies[keys.KNOWN]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/games/")


# A key allows what its email was about, and no more


def post(client, game, path: str, **fields: object):
    return client.post(f"{table(game)}{path}", {"seq": again(game).seq, **fields})


def test_a_link_plays_the_turn_of_its_email_and_not_the_next(link, game, client, clock):
    client.post(link)
    take(game, 1)
    clock.shift(timedelta(minutes=1))
    take(game, 0)
    before = everything_written(game)
    _seat, actions = some_turn(game)
    for path in ("submit", "decide", "step"):
        answer = post(client, game, path, action=";".join(actions) if path == "submit" else actions[0])
        assert answer.status_code == 409 and "Your link was for an earlier turn" in text(answer)
        assert f'href="/accounts/login/?next={table(game)}"' in text(answer)
    assert post(client, game, "undo").status_code == 409
    assert everything_written(game) == before
    assert "was for an earlier turn" in text(client.get(table(game))), "the link no longer shows the table"


def test_the_next_email_plays_the_next_turn_even_if_an_old_link_is_opened_after_it(link, game, client, clock):
    client.post(link)
    take(game, 1)
    clock.shift(timedelta(minutes=1))
    take(game, 0)
    send_due()
    later = link_of(received("Bob")[-1])
    for followed in (later, link):
        assert client.get(followed).headers["Location"] == table(game)
    _seat, actions = some_turn(game)
    assert post(client, game, "submit", action=";".join(actions), sure="1").status_code == 302
    assert Entry.objects.filter(game=game, seat=1).latest("seq").actions == actions


def test_a_card_link_opens_its_turn_in_a_browser_that_used_an_older_link(link, game, client, clock):
    client.post(link)
    take(game, 1)
    clock.shift(timedelta(minutes=1))
    take(game, 0)
    card = some_turn(game)[1][0].removeprefix("take ")
    client.post(f"{table(game)}turn/{keys.turn_key(seats_of(game)[1])}/{card}/")
    assert post(client, game, "submit", action=f"take {card};done", sure="1").status_code == 302


def test_a_link_from_before_a_turn_cannot_play_that_turn(game, client, clock):
    client.post(f"{table(game)}enter/{keys.key(seats_of(game)[1])}/")
    take(game, 0)
    _seat, actions = some_turn(game)
    assert post(client, game, "submit", action=";".join(actions)).status_code == 409
    assert seats_of(game)[1].owes


def test_a_link_places_a_bid_and_changes_it_until_all_bids_are_in(alice, bob, client, clock):
    game = table_of(alice, bob, listed=False)
    client.post(f"{table(game)}enter/{keys.key(seats_of(game)[1])}/")
    for coins in (1, 0):
        assert post(client, game, "decide", action=f"bid {coins}").status_code == 302
    assert Draft.objects.get(seat=seats_of(game)[1], sealed=True).actions == ["bid 0"]


def test_the_last_bidder_can_choose_the_first_player_with_the_same_link(alice, bob, client, clock):
    game = table_of(alice, bob, listed=False)
    client.post(f"{table(game)}enter/{keys.key(seats_of(game)[0])}/")
    post(signed_in(bob), game, "decide", action="bid 0")
    clock.shift(timedelta(minutes=1))
    post(client, game, "decide", action="bid 1")
    assert post(client, game, "decide", action="first 1").status_code == 302
    assert Entry.objects.filter(game=game).latest("seq").actions == ["first 1"]


def write_chat_and_note(game, bob) -> None:
    chat.say(public_id=game.public_id, user=bob, text="Nobody but us hears this")
    chat.write_note(public_id=game.public_id, user=bob, text="My secret plan")


@pytest.mark.parametrize("is_fragment", [False, True])
def test_chat_and_notes_need_signing_in(link, game, client, bob, is_fragment):
    write_chat_and_note(game, bob)
    client.post(link)
    headers = {"HX-Request": "true"} if is_fragment else {}
    message = Message.objects.get()
    answers = [
        client.get(f"{table(game)}chat/", headers=headers),
        client.post(f"{table(game)}chat/say", {"text": "I resign, says Bob"}, headers=headers),
        client.post(f"{table(game)}chat/note", {"note": "overwritten"}, headers=headers),
        client.post(f"{table(game)}chat/{message.pk}/block", headers=headers),
        client.post(f"{table(game)}chat/{message.pk}/report", headers=headers),
        client.post(f"{table(game)}chat/unblock", {"name": "Alice"}, headers=headers),
    ]
    for answer in answers:
        assert answer.status_code == (200 if is_fragment else 403)
        assert f'href="/accounts/login/?next={table(game)}chat/"' in text(answer)
        assert "secret plan" not in text(answer) and "Nobody but us" not in text(answer)
    assert Message.objects.count() == 1 and Note.objects.get().text == "My secret plan"


def test_a_signed_in_player_reads_chat_and_notes_after_using_a_link(link, game, client, bob):
    write_chat_and_note(game, bob)
    client.post(link)
    client.force_login(bob)
    assert "My secret plan" in text(client.get(f"{table(game)}chat/"))


def test_another_signed_in_user_reads_no_chat_by_a_link(link, game, client, bob):
    write_chat_and_note(game, bob)
    client.force_login(person("Eve"))
    client.post(link)
    page = client.get(f"{table(game)}chat/")
    assert page.status_code == 403 and "signed in as Eve" in text(page) and "secret plan" not in text(page)


def test_undoing_a_turn_needs_signing_in(link, game, client):
    client.post(link)
    for answer in (client.get(f"{table(game)}undo-turn"), post(client, game, "undo-turn", action="agree")):
        assert answer.status_code == 403 and f"next={table(game)}undo-turn" in text(answer)
    assert not UndoRequest.objects.exists()


def test_standing_orders_need_signing_in_and_are_not_shown(alice, bob, client, clock):
    game = kingdoms(alice, bob, listed=False)
    client.post(f"{table(game)}enter/{keys.key(seats_of(game)[1])}/")
    orders = {field.name: str(field.choices[0].value) for field in game.rules.order_fields()}
    for answer in (client.get(f"{table(game)}orders"), client.post(f"{table(game)}orders", orders)):
        assert answer.status_code == 403 and f"next={table(game)}orders" in text(answer)
    assert 'id="my-orders"' not in text(client.get(table(game)))
    assert seats_of(game)[1].orders == {}


def test_links_expire_in_all_browsers_when_the_player_signs_out_everywhere(link, game, client, bob):
    client.post(link)
    here = signed_in(bob)
    here.post("/accounts/sessions/")
    assert here.get("/accounts/preferences/").status_code == 200
    assert client.get(link).status_code == 410
    assert client.get(table(game)).status_code == 410
