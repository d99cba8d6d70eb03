"""Card links in turn emails: each previews its card and takes it, in that turn only."""

import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.core import signing
from django.test import Client
from django.urls import reverse

from games.tables import keys
from games.tables.models import Draft, Game
from games.tables.services import play
from tests.cast import again, in_turns, only, person, seats_of, state_of, submit, table_of
from tests.notices.emails import html_of, link_of, only_email, received, send_due, take, text_of
from tests.web.at_table import offered, repeated_ids
from tests.web.reading import text

pytestmark = pytest.mark.django_db
LINK = re.compile(r"http://testserver(/games/\w+/turn/[\w:-]+/[\w-]+/)")
NO_LONGER = "This link no longer works"


@pytest.fixture
def links(game) -> list[str]:
    """The card links in the email about Bob's turn."""
    take(game, 0)
    send_due()
    return LINK.findall(text_of(only_email("Bob")))


def table(game: Game) -> str:
    return reverse("table", args=[game.public_id])


def everything() -> dict[str, list]:
    """Return every row of every database table."""
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in apps.get_models()}


def card_of(link: str) -> str:
    return link.rstrip("/").rpartition("/")[2]


def test_text_and_html_link_every_card_that_the_reader_can_afford(links, game):
    takes = [game.rules.text(action) for action in game.rules.legal(state_of(game), 1)]
    assert [f"take {card_of(link)}" for link in links] == [text for text in takes if text.startswith("take ")]
    html = html_of(only_email("Bob"))
    assert LINK.findall(html.replace("&amp;", "&")) == links
    # The whole text of a card is its link, which is high enough for a finger
    whole = re.findall(r"<a [^>]*/turn/[^>]*><strong[^>]*>[^<]+</strong><br><span[^>]*>[^<]+</span></a>", html)
    assert len(whole) == len(links)


def test_opening_a_link_previews_the_card_and_changes_nothing(links, game, client):
    before = everything()
    for _visit in range(2):
        for link in links:
            page = client.get(link)
            assert page.status_code == 200 and client.head(link).status_code == 200
    assert everything() == before
    assert set(client.cookies) <= {"csrftoken"}
    assert client.get(table(game)).status_code == 404
    assert (page["Referrer-Policy"], "no-store" in page["Cache-Control"]) == ("same-origin", True)


def test_the_preview_shows_the_effects_and_possible_steps_of_the_card(links, game, client):
    page = text(client.get(links[0]))
    assert "This is a preview" in page and 'class="effects' in page
    region = re.search(r'href="(\?region=[\w]+)#board"', page)
    assert region, "no region is marked as the start of a step"
    there = text(client.get(links[0] + region[1]))
    assert 'class="look-region"' in there
    assert set(links[1:]) <= set(re.findall(r'href="([^"]+)"', page)), "the preview does not link the other cards"
    assert not repeated_ids(client.get(links[0]))


def test_the_preview_changes_nothing_for_a_signed_in_player_either(links, game, client, bob):
    client.force_login(bob)
    before = everything()
    assert client.get(links[0]).status_code == 200
    assert everything() == before


def test_the_button_takes_the_card_and_the_turn_continues_without_signing_in(links, game, client):
    assert client.post(links[1]).headers["Location"] == table(game) + "#board"
    assert Draft.objects.get(seat=seats_of(game)[1]).actions == [f"take {card_of(links[1])}"]
    page = client.get(table(game))
    assert page.status_code == 200 and 'id="confirm"' in text(page)
    turn = ";".join(only(game, 1, f"take {card_of(links[1])}"))
    answer = client.post(f"{table(game)}submit", {"seq": again(game).seq, "action": turn, "sure": "1"})
    assert answer.status_code == 302 and not seats_of(game)[1].owes


def test_the_button_keeps_a_draft_with_the_same_card_and_replaces_one_with_another_card(links, game, client):
    seat, first = seats_of(game)[1], f"take {card_of(links[0])}"
    whole = play.lay_out(game=game, who=1, actions=only(game, 1, first), expected_seq=again(game).seq)
    client.post(links[0])
    assert Draft.objects.get(seat=seat).actions == whole.laid
    assert "this card would replace it" in text(client.get(links[1]))
    assert "this card would replace it" not in text(client.get(links[0]))
    client.post(links[1])
    assert Draft.objects.get(seat=seat).actions == [f"take {card_of(links[1])}"]


def test_a_card_link_expires_with_its_turn(links, game, client):
    take(game, 1)
    for answer in (client.get(links[0]), client.post(links[0])):
        assert answer.status_code == 410 and NO_LONGER in text(answer)
        assert f'href="{table(game)}"' in text(answer)
    take(game, 0)
    assert client.post(links[0]).status_code == 410, "the link works again in the next turn"
    assert not Draft.objects.exists()


def test_a_signed_in_player_goes_from_an_expired_card_link_to_the_table(links, game, client, bob):
    client.force_login(bob)
    take(game, 1)
    page = client.get(links[0], follow=True)
    assert page.redirect_chain == [(table(game), 302)] and page.status_code == 200
    assert "The turn that your link was for is over." in text(page)


def test_a_browser_that_used_a_card_link_sees_the_finished_turn_but_cannot_play_the_next(links, game, client, clock):
    client.post(links[0])
    submit(game, 1, *only(game, 1, f"take {card_of(links[0])}"))
    assert client.get(table(game)).status_code == 200
    assert offered(client.get(table(game))) == []
    clock.shift(timedelta(minutes=1))
    take(game, 0)
    page = client.get(table(game))
    assert page.status_code == 410 and NO_LONGER in text(page)
    assert client.post(f"{table(game)}submit", {"seq": again(game).seq, "action": "done"}).status_code == 404


def test_a_table_link_still_works_in_a_browser_that_also_used_a_card_link(links, game, client):
    door = link_of(only_email("Bob"))
    client.post(door)
    client.post(links[0])
    take(game, 1)
    take(game, 0)
    assert client.get(table(game)).status_code == 200


def test_a_turn_key_opens_no_table_and_a_table_key_takes_no_card(links, game, client):
    door = link_of(only_email("Bob"))
    turn_key, door_key = links[0].split("/")[4], door.split("/")[4]
    assert client.post(door.replace(door_key, turn_key)).status_code == 410
    assert client.post(links[0].replace(turn_key, door_key)).status_code == 410
    assert not client.session.keys()


@pytest.mark.parametrize("spoilt", ["x", "WzEsMiwiYSJd:1aaaaa:bbbbbbbb", "", "moved", "cut"])
def test_forged_and_foreign_links_get_the_same_answer(spoilt, links, game, client, alice, bob):
    other = in_turns(bob, alice, listed=False)
    key = links[0].split("/")[4]
    forged = {
        "": links[0].replace(key, signing.dumps([1, 2, "a", 3], salt="another")),
        "moved": links[0].replace(game.public_id, other.public_id),
        "cut": links[0].replace(key, key[:-1]),
    }.get(spoilt, links[0].replace(key, spoilt))
    answers = [client.get(forged), client.post(forged), client.get(f"/games/nowhere/turn/{key}/{card_of(links[0])}/")]
    assert {answer.status_code for answer in answers} == {410}
    assert all(NO_LONGER in text(answer) and key[:20] not in text(answer) for answer in answers)
    assert not Draft.objects.exists()


@pytest.mark.parametrize("end", ["thirty days", "password", "seat", "player"])
def test_card_links_expire_with_age_password_change_seat_change_and_deactivation(end, links, game, client, clock, bob):
    client.post(links[0])
    if end == "thirty days":
        clock.shift(timedelta(days=30, seconds=2))
    elif end == "password":
        bob.set_password("another one")
        bob.save()
    elif end == "seat":
        seats_of(game)[1].__class__.objects.filter(game=game, number=1).update(user=person("Carol"))
    else:
        bob.is_active = False
        bob.save()
    assert (client.get(links[0]).status_code, client.post(links[0]).status_code) == (410, 410)
    assert client.get(table(game)).status_code == 410


def test_a_link_to_a_card_that_is_gone_says_so_and_shows_the_table(links, game, client):
    gone = links[0].replace(card_of(links[0]), "no-such-card")
    page = text(client.get(gone))
    assert "You can’t take that card now" in page and "Go to the table" in page
    answer = client.post(gone, follow=True)
    assert "You can’t take that card now" in text(answer) and not Draft.objects.exists()
    assert set(offered(answer, "take ")) >= {f"take {card_of(link)}" for link in links}


def test_a_player_at_the_table_stays_in_their_own_seat_with_an_opponents_link(links, game, client, alice):
    client.force_login(alice)
    assert client.get(links[0]).headers["Location"] == table(game)
    assert client.post(links[0]).headers["Location"] == table(game)
    assert keys.OPENED not in client.session and not Draft.objects.exists()


def test_the_button_needs_a_csrf_token(links, game):
    browser = Client(enforce_csrf_checks=True)
    assert browser.post(links[0]).status_code == 403
    assert not Draft.objects.exists()


def test_cards_are_not_linked_before_the_first_turn(alice, bob):
    game = table_of(alice, bob)
    submit(game, 1, "bid 3")
    submit(game, 0, "bid 0")
    send_due()
    email_text = text_of(received("Bob")[-1])
    assert "First cards in the row" in email_text and not LINK.search(email_text)
