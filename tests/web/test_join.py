"""Invitations: viewing changes nothing, accepting takes a seat, and an address counts only once it is confirmed."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import SESSION_KEY
from django.core import mail

from accounts.models import User
from games.tables.models import Game
from games.tables.services import lobby
from tests.cast import again, in_turns, seats_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def emails(settings) -> list:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail.outbox = []
    return mail.outbox


@pytest.fixture
def table(alice) -> Game:
    """Alice's private table, with one free seat."""
    return lobby.open_table(user=alice, players=2)


def invitation(game: Game) -> str:
    return f"/join/{game.invite_token}/"


def text(answer) -> str:
    return answer.content.decode()


def test_a_visitor_sees_who_invites_them_to_which_game_and_nothing_changes(come, table):
    answer = come().get(invitation(table))
    assert "Alice invited you to play" in text(answer) and "Eight-Minute Empire: Legends" in text(answer)
    assert "Play as a guest" in text(answer) and f"/accounts/login/?next={invitation(table)}" in text(answer)
    assert User.objects.count() == 1 and len(seats_of(table)) == 1


def test_a_visitor_joins_as_a_guest_and_the_game_begins(come, table):
    answer = come().post(invitation(table), follow=True)
    assert answer.redirect_chain == [(f"/games/{table.public_id}/", 302)] and answer.status_code == 200
    assert again(table).is_running and seats_of(table)[1].user.is_guest


# The name of a guest


def test_a_guest_is_asked_for_a_name_and_sits_down_with_it(come, table):
    visit = come()
    assert 'name="name"' in text(visit.get(invitation(table)))
    visit.post(invitation(table), {"name": "Marietta"})
    assert [seat.name for seat in seats_of(table)] == ["Alice", "Marietta"]
    guest = User.objects.get(username="Marietta")
    assert guest.is_guest and guest.skeleton and not guest.has_usable_password()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Alice", "That name is taken or looks too much like another one."),
        ("aIice", "That name is taken or looks too much like another one."),
        ("admin", "That name is reserved for the site."),
        ("Guest Wren 12", "That name is reserved for the site."),
        ("Medium", "That name is reserved for the site."),
        ("M", "Ensure this value has at least 2 characters"),
        ("M" * 25, "Ensure this value has at most 24 characters"),
        ("<b>x</b>", "Use only letters and digits"),
    ],
)
def test_a_name_that_nobody_may_sign_up_with_is_refused_and_creates_no_guest(come, table, name, sentence):
    answer = come().post(invitation(table), {"name": name, "email": "dan@example.org"})
    assert answer.status_code == 422 and sentence in text(answer)
    assert 'value="dan@example.org"' in text(answer) and "<b>x" not in text(answer)
    assert User.objects.count() == 1 and len(seats_of(table)) == 1


def test_a_guest_with_a_name_made_up_by_the_site_can_choose_one_but_only_once(come, alice, table):
    visit = come()
    visit.post("/accounts/guest/")
    other = lobby.open_table(user=User.objects.get(is_guest=True), players=2)
    visit.post(invitation(table), {"name": "Marietta"})
    assert User.objects.get(is_guest=True).username == "Marietta"
    assert seats_of(other)[0].name == seats_of(table)[1].name == "Marietta"
    second = lobby.open_table(user=alice, players=2)
    assert 'name="name"' not in text(visit.get(invitation(second)))
    visit.post(invitation(second), {"name": "Henrietta"})
    assert [seat.name for seat in seats_of(second)] == ["Alice", "Marietta"]


def test_accounts_are_not_asked_for_a_name(come, bob, table):
    assert 'name="name"' not in text(come(bob).get(invitation(table)))
    come(bob).post(invitation(table), {"name": "Marietta"})
    assert [seat.name for seat in seats_of(table)] == ["Alice", "Bob"]


def test_a_visitor_who_comes_too_late_takes_no_name(come, bob, table):
    lobby.join_table(game=table, user=bob, invite=table.invite_token)
    answer = come().post(invitation(table), {"name": "Marietta"})
    assert answer.status_code == 409 and "All seats at this table are taken." in text(answer)
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.parametrize("path", ["/join/{token}/", "/games/{id}/join"], ids=["invitation", "lobby"])
def test_a_visitor_who_is_refused_a_seat_does_not_become_a_guest(come, alice, path):
    game = lobby.open_table(user=alice, players=2, listed=True, rating_from=1200)
    visit = come()
    visit.get(invitation(game))
    address = path.format(token=game.invite_token, id=game.public_id)
    answer = visit.post(address, {"name": "Marietta"}, follow=True)
    assert "This table requires a rating" in text(answer)
    assert not User.objects.filter(is_guest=True).exists() and SESSION_KEY not in visit.session
    # The same browser can still play as a guest under that name
    visit.post(invitation(lobby.open_table(user=alice, players=2)), {"name": "Marietta"})
    assert User.objects.get(is_guest=True).username == "Marietta"


def test_a_guest_keeps_the_chosen_name_when_signing_up(come, table):
    visit = come()
    visit.post(invitation(table), {"name": "Marietta"})
    assert 'value="Marietta"' in text(visit.get("/accounts/signup/"))
    wish = {"username": "Marietta", "email": "marietta@example.org", "password1": "a-long-password-9", "accepts": "1"}
    assert visit.post("/accounts/signup/", wish).status_code == 302
    account = User.objects.get(username="Marietta")
    assert not account.is_guest and seats_of(table)[1].owner == account
    taken = come().post("/accounts/signup/", {**wish, "email": "eve@example.org"})
    assert "That name is taken" in text(taken)


def test_a_signed_in_user_joins_as_themselves(come, bob, table):
    page = text(come(bob).get(invitation(table)))
    assert "Join the game" in page and "Play as a guest" not in page
    come(bob).post(invitation(table))
    assert [seat.name for seat in seats_of(table)] == ["Alice", "Bob"]


def test_a_seated_player_is_redirected_to_the_table(come, alice, table):
    page = text(come(alice).get(invitation(table)))
    assert f'href="/games/{table.public_id}/"' in page and "Join the game" not in page
    come(alice).post(invitation(table))
    assert len(seats_of(table)) == 1


def test_a_player_who_is_signed_out_finds_the_way_back_by_the_invitation(come, bob, table):
    lobby.join_table(game=table, user=bob, invite=table.invite_token)
    page = text(come().get(invitation(table)))
    assert "All seats are taken." in page and "Do you play at this table?" in page
    assert f'href="/accounts/login/?next={invitation(table)}"' in page and "If you joined as a guest" in page
    page = text(come(bob).get(invitation(table)))
    assert "You have a seat here" in page and "Do you play at this table?" not in page


def test_a_late_visitor_learns_that_no_seat_is_free(come, bob, eve, table):
    lobby.join_table(game=table, user=bob, invite=table.invite_token)
    assert "All seats are taken." in text(come(eve).get(invitation(table)))
    answer = come(eve).post(invitation(table))
    assert answer.status_code == 409 and "All seats at this table are taken. Choose another table." in text(answer)
    assert len(seats_of(table)) == 2


@pytest.mark.parametrize("token", ["x", "0" * 22, "not-a-token"])
def test_an_unknown_invitation_is_not_found(come, token, db):
    assert come().get(f"/join/{token}/").status_code == 404
    assert come().post(f"/join/{token}/").status_code == 404
    assert not User.objects.exists()


def test_an_invitation_to_a_closed_table_says_so(come, alice, bob, table):
    lobby.close_table(game=table, user=alice)
    for browser in (come(), come(bob)):
        for answer in (browser.get(invitation(table)), browser.post(invitation(table), {"name": "Marietta"})):
            assert answer.status_code == 404 and "Nobody can join it anymore." in text(answer)
            assert "Sign in to see" not in text(answer) and "Alice" not in text(answer)
    assert not User.objects.filter(is_guest=True).exists()


def test_an_invitation_does_not_open_a_private_game_to_spectators(come, alice, bob, eve):
    game = in_turns(alice, bob, listed=False)
    page = text(come(eve).get(invitation(game)))
    assert "Watch the game" not in page
    assert come(eve).get(f"/games/{game.public_id}/").status_code == 404


def test_a_guests_address_counts_once_its_link_is_followed(come, table, emails):
    visit = come()
    visit.post(invitation(table), {"email": "Dan@example.org"})
    guest = User.objects.get(is_guest=True)
    assert guest.email == "" and not EmailAddress.objects.get(user=guest).verified
    [link] = links(emails)
    assert [email.to for email in emails] == [["dan@example.org"]]
    reason = "get an email when it’s your turn."
    page = text(visit.get("/lobby/"))
    assert "Sign up to keep your games." in page and reason not in page
    visit.post(link)
    guest.refresh_from_db()
    assert guest.email == "dan@example.org" and guest.is_guest
    page = text(visit.get("/lobby/"))
    assert "Sign up to keep your games." in page and reason not in page


def test_an_invalid_address_gets_a_sentence_and_nobody_joins(come, table, emails):
    answer = come().post(invitation(table), {"email": "dan at home"})
    assert answer.status_code == 422 and "Enter a valid email address." in text(answer)
    assert User.objects.count() == 1 and len(seats_of(table)) == 1 and not emails


def test_without_an_address_no_email_is_sent(come, table, emails):
    come().post(invitation(table))
    assert not emails and not EmailAddress.objects.filter(user__is_guest=True).exists()


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_the_address_of_an_account_is_neither_revealed_nor_taken(come, bob, table, emails, is_confirmed):
    EmailAddress.objects.filter(user=bob).update(verified=is_confirmed)
    answer = come().post(invitation(table), {"name": "Marietta", "email": bob.email})
    assert answer.headers["location"] == f"/games/{table.public_id}/"
    [email] = emails
    assert email.to == [bob.email] and links(emails) == []
    assert "you already have an account" in email.body and "http://testserver/accounts/login/" in email.body
    assert "sign in with the browser in which you play as Marietta" in " ".join(email.body.split())
    assert User.objects.get(is_guest=True).email == "" and User.objects.get(pk=bob.pk).email == bob.email
    assert not EmailAddress.objects.filter(user__is_guest=True, verified=True).exists()


def test_a_guest_sees_the_same_pages_whether_or_not_an_account_has_their_address(come, alice, bob, emails):
    seen = []
    for address in (bob.email, "dan@example.org"):
        table, visit = lobby.open_table(user=alice, players=3), come()
        answers = [visit.post(invitation(table), {"name": "Marietta", "email": address}, follow=True)]
        answers += [visit.get(page) for page in ("/desk/", "/accounts/email/", "/accounts/preferences/")]
        assert f"Check your inbox: we’ve emailed {address} a confirmation link." in text(answers[0])
        seen.append([re.sub(rf"{address}|{table.public_id}|{table.invite_token}", "…", main(page)) for page in answers])
        User.objects.get(username="Marietta").delete()
        table.delete()
    assert seen[0] == seen[1] and len(emails) == 2


def main(answer) -> str:
    """The main part of a page, without the secrets of its forms and the address of its updates."""
    page = re.search("<main.*</main>", text(answer), re.DOTALL)[0]
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"|data-live="[^"]+"', "", page)


def test_an_address_that_an_account_has_taken_meanwhile_is_not_confirmed_for_the_guest(come, bob, table, emails):
    visit = come()
    visit.post(invitation(table), {"email": "dan@example.org"})
    User.objects.filter(pk=bob.pk).update(email="dan@example.org")
    answer = visit.post(links(emails)[0], follow=True)
    assert answer.status_code == 200
    assert User.objects.get(is_guest=True).email == ""


@pytest.mark.parametrize("is_confirmed", [True, False])
@pytest.mark.parametrize("address", ["dan@example.org", "daniel@example.org"])
def test_a_guest_with_an_address_can_sign_up_with_it_or_with_another(come, table, emails, is_confirmed, address):
    visit = come()
    visit.post(invitation(table), {"email": "dan@example.org"})
    if is_confirmed:
        visit.post(links(emails)[0])
    visit.post(
        "/accounts/signup/", {"username": "Dan", "email": address, "password1": "a quiet harbour", "accepts": "1"}
    )
    dan = User.objects.get(username="Dan")
    assert not dan.is_guest and dan.email == address and seats_of(table)[1].user == dan
    kept = EmailAddress.objects.get(user=dan)
    assert kept.email == address and kept.verified == (is_confirmed and address == "dan@example.org")


def test_nobody_else_can_sign_up_with_an_address_that_a_guest_has_confirmed(come, table, emails):
    guest = come()
    guest.post(invitation(table), {"email": "dan@example.org"})
    guest.post(links(emails)[0])
    come().post(
        "/accounts/signup/",
        {"username": "Eve", "email": "dan@example.org", "password1": "a quiet harbour", "accepts": "1"},
    )
    assert not User.objects.filter(username="Eve").exists()


def test_an_unconfirmed_address_of_a_guest_blocks_nobody_from_signing_up(come, table, emails):
    come().post(invitation(table), {"email": "dan@example.org"})
    come().post(
        "/accounts/signup/",
        {"username": "Dan", "email": "dan@example.org", "password1": "a quiet harbour", "accepts": "1"},
    )
    assert User.objects.get(username="Dan").email == "dan@example.org"


def links(emails: list) -> list[str]:
    """The confirmation links of all emails."""
    return [
        link for email in emails for link in re.findall(r"http://testserver(/accounts/confirm-email/\S+)", email.body)
    ]
