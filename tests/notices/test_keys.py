"""The link in a mail opens one seat at one table, for whoever holds it, and only after a click."""

from datetime import timedelta

import pytest
from django.core import signing
from django.urls import reverse

from games.models import Entry
from games.notices import deliver, keys
from tests.cast import again, in_turns, person, seats_of, some_turn
from tests.notices.letters import link_of, only_letter, take

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(game) -> str:
    """From the mail that tells Bob of his turn."""
    take(game, 0)
    deliver.sweep()
    return link_of(only_letter("Bob"))


def table(game) -> str:
    return reverse("table", args=[game.public_id])


def test_a_mail_scanner_that_follows_the_link_opens_nothing(link, game, client):
    assert client.get(link).status_code == 200
    assert client.head(link).status_code == 200
    assert client.get(table(game)).status_code == 404


def test_the_button_opens_the_seat_and_a_turn_can_be_taken_without_signing_in(link, game, client):
    assert client.post(link).headers["Location"] == table(game)
    page = client.get(table(game))
    assert page.status_code == 200
    seat, actions = some_turn(game)
    client.post(f"{table(game)}submit", {"seq": again(game).seq, "action": ";".join(actions)})
    last = Entry.objects.filter(game=game).latest("seq")
    assert (last.seat, seat) == (1, 1)


def test_it_opens_no_other_table_of_the_same_player_and_no_other_page_of_theirs(link, game, client, alice, bob):
    other = in_turns(alice, bob, listed=False)
    client.post(link)
    assert client.get(table(other)).status_code == 404
    assert client.get(reverse("preferences")).status_code == 302
    assert bob.username not in client.get(reverse("lobby")).content.decode()


def test_a_link_moved_to_another_table_opens_nothing(link, game, client, alice, bob):
    other = in_turns(alice, bob, listed=False)
    foreign = link.replace(game.public_id, other.public_id)
    assert client.post(foreign).status_code == 410
    assert client.get(table(other)).status_code == 404


def test_who_is_signed_in_and_sits_there_goes_straight_to_the_table(link, game, client, bob):
    client.force_login(bob)
    assert client.get(link).headers["Location"] == table(game)


def test_who_sits_there_themselves_stays_themselves_whatever_link_they_hold(link, game, client, alice):
    client.force_login(alice)
    assert client.post(link).headers["Location"] == table(game)
    assert keys.OPENED not in client.session


def test_somebody_else_who_is_signed_in_acts_for_the_seat_at_that_table_alone(link, game, client):
    client.force_login(person("Eve"))
    client.post(link)
    assert client.get(table(game)).status_code == 200


@pytest.mark.parametrize("spoilt", ["x", "", "WzEsMiwiYSJd:1aaaaa:bbbbbbbb"])
def test_a_forged_link_answers_with_a_sentence(spoilt, game, client):
    answer = client.get(f"{table(game)}enter/{spoilt or signing.dumps([1, 2, 'a'], salt='another')}/")
    assert answer.status_code == 410
    assert "This link no longer opens a seat" in answer.content.decode()


def test_links_end_after_thirty_days_also_where_they_have_been_opened(link, game, client, clock):
    client.post(link)
    clock.shift(timedelta(days=30, seconds=2))
    assert client.get(link).status_code == 410
    assert client.get(table(game)).status_code == 410


def test_links_end_with_the_password(link, game, client, bob):
    client.post(link)
    bob.set_password("another one")
    bob.save()
    assert client.get(table(game)).status_code == 410
    assert client.get(link).status_code == 410


def test_links_end_when_somebody_else_takes_the_seat_over(link, game, client):
    seat = seats_of(game)[1]
    seat.user = person("Carol")
    seat.save()
    assert client.get(link).status_code == 410
