"""The lobby, opening a table, and the page of a table that has not started."""

import html
import re
from datetime import timedelta

import pytest
import time_machine
from django.http import HttpResponse
from django.utils import timezone

from accounts.models import User
from accounts.services import bring_games, make_guest
from empire.web.live import read_url
from games.bots.registry import LEVELS
from games.errors import NotYours, TableError
from games.notices.models import Notice
from games.rules.registry import RULESETS
from games.tables.forms.game import SEAT_CHOICES, STRENGTHS
from games.tables.forms.open_table import OpenTableForm
from games.tables.models import FullGame, Game, Invitation, Seat
from games.tables.selectors import friends as friend_selector
from games.tables.selectors import rematches
from games.tables.selectors.live import followers
from games.tables.services import blocking, friends, lobby, people
from tests.cast import again, in_turns, play_out, seats_of, table_of
from tests.web.reading import main, text

pytestmark = pytest.mark.django_db

WISH = {"ruleset": "legends", "players": "3", "pace": "move 1d", "listed": "yes", "full": "no"}


# The lobby


def test_the_lobby_lists_open_tables_but_not_private_ones(come, alice, bob):
    listed = lobby.open_table(user=alice, players=3, listed=True)
    private = lobby.open_table(user=bob, players=3)
    page = text(come().get("/lobby/"))
    assert listed.public_id in page and "2 seats free" in page
    assert private.public_id not in page and private.invite_token not in page


def test_the_lobby_lists_running_games_to_watch(come, alice, bob):
    shown, hidden = in_turns(alice, bob), in_turns(alice, bob, listed=False)
    page = text(come().get("/lobby/"))
    assert shown.public_id in page and hidden.public_id not in page


def test_an_empty_lobby_offers_a_next_step(come):
    page = main(come().get("/lobby/"))
    assert "Nobody is looking for players" in page and "/play-now/" in page


def test_for_htmx_the_lobby_is_only_its_lists(come, alice):
    lobby.open_table(user=alice, listed=True)
    fragment = text(come().get("/lobby/", headers={"HX-Request": "true"}))
    assert "Tables with free seats" in fragment and "<html" not in fragment


def test_joining_from_the_lobby_takes_a_seat_at_the_table(come, alice, bob):
    game = lobby.open_table(user=alice, players=3, listed=True)
    answer = come(bob).post(f"/games/{game.public_id}/join")
    assert answer.headers["location"] == f"/games/{game.public_id}/"
    assert [seat.name for seat in seats_of(game)] == ["Alice", "Bob"]


def test_a_visitor_who_joins_becomes_a_guest(come, alice):
    game = lobby.open_table(user=alice, players=2, listed=True)
    come().post(f"/games/{game.public_id}/join")
    assert seats_of(game)[1].user.is_guest and again(game).is_running


@pytest.mark.parametrize("action", ["leave", "close", "bot"])
def test_other_actions_of_visitors_need_sign_in_and_create_no_guest(come, alice, action):
    game = lobby.open_table(user=alice, players=2, listed=True)
    answer = come().post(f"/games/{game.public_id}/{action}", {"bot": "easy"})
    assert "/accounts/login/" in answer["Location"] and not User.objects.filter(is_guest=True).exists()


def test_nobody_becomes_a_guest_for_a_table_that_has_begun(come, alice, bob):
    game = lobby.open_table(user=alice, players=2, listed=True)
    lobby.join_table(game=game, user=bob)
    answer = come().post(f"/games/{game.public_id}/join", follow=True)
    assert "The game has already started." in text(answer) and not User.objects.filter(is_guest=True).exists()


def test_joining_too_late_gets_a_sentence(come, alice, bob, eve):
    game = lobby.open_table(user=alice, players=2, listed=True)
    lobby.join_table(game=game, user=bob)
    answer = come(eve).post(f"/games/{game.public_id}/join", follow=True)
    assert "All seats at this table are taken. Choose another table." in text(answer)
    assert len(seats_of(game)) == 2


def test_joining_needs_a_post(come, alice, eve):
    game = lobby.open_table(user=alice, listed=True)
    assert come(eve).get(f"/games/{game.public_id}/join").status_code == 405


# Opening a table


def test_a_table_is_opened_as_filled_in(come, alice):
    answer = come(alice).post("/lobby/open/", {**WISH, "seat_2": "easy"})
    game = Game.objects.get()
    assert answer.headers["location"] == f"/games/{game.public_id}/"
    assert (game.players, game.clock, game.listed, game.full_game, game.opener) == (3, "move 1d", True, None, alice)
    assert [(seat.number, seat.bot) for seat in seats_of(game)] == [(0, ""), (2, "easy")]


def test_the_choices_of_a_seat_say_which_are_bots(come, alice):
    page = come(alice).get("/lobby/open/").content.decode()
    bots = page[page.index('name="seat_1"') :].partition("</select>")[0].partition('<optgroup label="Bots">')
    assert "Free: someone can join" in bots[0] and 'value="easy"' not in bots[0] and 'value="easy"' in bots[2]


def test_a_table_with_bots_in_all_other_seats_begins_at_once(come, alice):
    come(alice).post("/lobby/open/", {**WISH, "seat_1": "medium", "seat_2": "easy", "full": "yes"})
    assert Game.objects.get().is_running and FullGame.objects.get().status == "running"


def test_bots_beyond_the_number_of_players_do_not_sit_down(come, alice):
    come(alice).post("/lobby/open/", {**WISH, "players": "2", "seat_1": "", "seat_2": "medium", "seat_3": "medium"})
    assert len(seats_of(Game.objects.get())) == 1


def test_a_visitor_can_open_a_table_as_a_guest(come):
    come().post("/lobby/open/", WISH)
    assert Game.objects.get().opener.is_guest


def test_viewing_the_form_opens_nothing(come):
    assert "Open the table" in text(come().get("/lobby/open/"))
    assert not Game.objects.exists() and not User.objects.exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"ruleset": "chess"}, "We don’t have this game. Choose another."),
        ({"ruleset": ""}, "Choose a game."),
        (
            {"players": "7"},
            "Eight-Minute Empire: Legends can’t be played with that many players. Choose another number.",
        ),
        ({"players": ""}, "Choose the number of players."),
        ({"pace": "move 1h"}, "Choose one of these times."),
        ({"pace": "soon"}, "Choose one of these times."),
        ({"listed": "perhaps"}, "Choose one of these options."),
        ({"full": ""}, "Choose a length."),
        ({"seat_1": "deep-thought"}, "Leave the seat free or choose one of our bots."),
    ],
)
def test_invalid_values_get_an_error_at_their_field_and_open_nothing(come, alice, change, sentence):
    answer = come(alice).post("/lobby/open/", {**WISH, **change})
    assert answer.status_code == 422 and sentence in text(answer)
    assert not Game.objects.exists()


def test_the_form_shows_the_error_of_the_service(come, alice):
    for _n in range(lobby.MOST_OPEN):
        lobby.open_table(user=alice)
    answer = come(alice).post("/lobby/open/", WISH)
    assert answer.status_code == 422 and "You have too many open tables. Close one of them first." in text(answer)


@pytest.mark.parametrize("table", ["", "bot", "friends"])
def test_a_prefilled_form_can_be_sent_as_it_is(table):
    shown = OpenTableForm.asked_for({"for": table})
    form = OpenTableForm({bound.html_name: bound.value() or "" for bound in shown})
    assert form.is_valid(), form.errors
    assert form.table()["options"] == {}


def test_the_form_offers_every_bot_and_every_game():
    assert [slug for slug, _label in STRENGTHS] == [bot.slug for bot in LEVELS]
    (nobody, _label), (_bots, levels) = SEAT_CHOICES
    assert (nobody, levels) == ("", STRENGTHS)
    assert [slug for slug, _label in OpenTableForm({}).fields["ruleset"].choices] == list(RULESETS)


# A table that has not started


@pytest.fixture
def table(alice, bob) -> Game:
    game = lobby.open_table(user=alice, players=4, listed=True)
    return lobby.join_table(game=game, user=bob)


def test_the_page_of_an_open_table_shows_the_seats_and_how_to_invite(come, alice, table):
    page = text(come(alice).get(f"/games/{table.public_id}/"))
    assert "Alice" in page and "Bob" in page and "2 seats are free" in page
    assert f"/join/{table.invite_token}/" in page and "Close the table" in page and "Or add a bot:" in page


def test_a_visitor_sees_the_table_and_may_join_but_gets_no_invitation(come, eve, table):
    page = text(come(eve).get(f"/games/{table.public_id}/"))
    assert "Join this table" in page
    assert table.invite_token not in page and "Close the table" not in page and "Or add a bot:" not in page


def test_others_do_not_find_a_private_table(come, alice, eve):
    game = lobby.open_table(user=alice)
    for path in ("", "join", "close", "bot"):
        visit = come(eve).post if path else come(eve).get
        assert visit(f"/games/{game.public_id}/{path}").status_code == 404
    for public_id in (game.public_id, "nowhere1"):
        assert come(eve).post(f"/games/{public_id}/leave").url == "/lobby/"
    assert len(seats_of(game)) == 1 and again(game).is_open


def test_bob_leaves_and_his_seat_is_free_again(come, bob, table):
    assert come(bob).post(f"/games/{table.public_id}/leave").headers["location"] == "/lobby/"
    assert [seat.name for seat in seats_of(table)] == ["Alice"]


def test_alice_can_still_see_the_table_she_closed(come, alice, table):
    answer = come(alice).post(f"/games/{table.public_id}/close", follow=True)
    assert "This table was closed" in text(answer)
    assert again(table).status == "closed"


def test_bob_cannot_close_the_table_of_alice(come, bob, table):
    answer = come(bob).post(f"/games/{table.public_id}/close", follow=True)
    assert "Only the player who opened this table can close it." in text(answer)
    assert again(table).is_open


def test_alice_fills_the_free_seats_with_bots_and_the_game_begins(come, alice, table):
    visit = come(alice)
    visit.post(f"/games/{table.public_id}/bot", {"bot": "medium"})
    assert again(table).is_open
    visit.post(f"/games/{table.public_id}/bot", {"bot": "medium"})
    assert again(table).is_running
    assert [seat.name for seat in seats_of(table)] == ["Alice", "Bob", "Medium 2", "Medium"]


@pytest.mark.parametrize(
    ("who", "bot", "sentence"),
    [
        ("bob", "medium", "Only the player who opened this table can add bots."),
        ("alice", "hal", "We don’t have this bot. Choose another."),
    ],
)
def test_invalid_bots_are_refused_a_seat(come, request, table, who, bot, sentence):
    visit = come(request.getfixturevalue(who))
    answer = visit.post(f"/games/{table.public_id}/bot", {"bot": bot}, follow=True)
    assert sentence in text(answer)
    assert not Seat.objects.exclude(bot="").exists()


def test_no_bot_can_join_a_running_game(come, alice, bob):
    game = in_turns(alice, bob)
    answer = come(alice).post(f"/games/{game.public_id}/bot", {"bot": "medium"}, follow=True)
    assert "The game has already started." in text(answer)


def test_a_table_can_be_opened_unrated(come, alice):
    come(alice).post("/lobby/open/", WISH)
    come(alice).post("/lobby/open/", {**WISH, "unrated": "on"})
    assert list(Game.objects.order_by("pk").values_list("rated", flat=True)) == [True, False]


def live_address(page: HttpResponse) -> str:
    return html.unescape(re.search(r'data-live="([^"]+)"', text(page))[1])


def test_a_player_who_leaves_a_private_table_loses_its_live_address(come, alice, bob):
    game = lobby.open_table(user=alice, players=3, listed=False)
    lobby.join_table(game=game, user=bob, invite=game.invite_token)
    reader = read_url(live_address(come(bob).get(game.get_absolute_url())))[2]
    assert reader == bob.pk and followers(game.public_id) == {alice.pk, bob.pk}
    come(bob).post(f"/games/{game.public_id}/leave")
    assert followers(game.public_id) == {alice.pk}


def test_only_players_get_the_live_address_of_a_private_game_but_anyone_that_of_a_listed_one(come, alice, bob):
    private, listed = in_turns(alice, bob, listed=False), in_turns(alice, bob)
    readers = [read_url(live_address(come(bob).get(game.get_absolute_url())))[2] for game in (private, listed)]
    assert readers == [bob.pk, None]


# Removing players and bots


def remove(game: Game, by: User, number: int) -> str:
    return lobby.remove(game=game, user=by, seat=Seat.objects.get(game=game, number=number).pk)


def test_a_guest_who_removed_their_own_account_keeps_the_table_after_signing_in(alice, bob):
    guest = make_guest()
    game = lobby.open_table(user=guest, players=4)
    for user in (alice, bob):
        lobby.join_table(game=game, user=user, invite=game.invite_token)
    remove(game, guest, 1)
    bring_games(guest=guest, user=alice)
    assert again(game).opener == alice and [seat.owner for seat in seats_of(game)] == [alice, bob]
    assert not Invitation.objects.filter(game=game, user=alice).exists()


def test_a_host_removes_a_player_who_can_join_again_only_if_the_host_invites_them(alice, bob, carol):
    game = lobby.open_table(user=alice, players=4)
    for user in (bob, carol):
        lobby.join_table(game=game, user=user, invite=game.invite_token)
    pk = seats_of(game)[1].pk
    assert [lobby.remove(game=game, user=alice, seat=pk) for _time in range(2)] == ["Bob", ""]
    assert [seat.name for seat in seats_of(game)] == ["Alice", "Carol"] and again(game).version > game.version
    notice = Notice.objects.get(user=bob, kind="closed", channel="email")
    assert notice.title == "Alice removed you from a table"
    refusal = "Alice has removed you from this table. You can join again if they invite you."
    with pytest.raises(NotYours, match=refusal):
        lobby.join_table(game=game, user=bob, invite=game.invite_token)
    with pytest.raises(TableError, match="already been invited"):
        friends.invite(game=game, user=carol, name="Bob")
    friends.invite(game=game, user=alice, name="Bob")
    assert [invitation.game for invitation in friend_selector.invitations(bob)] == [game]
    lobby.join_table(game=game, user=bob, invite=game.invite_token)
    assert [seat.name for seat in seats_of(game)] == ["Alice", "Bob", "Carol"]


def test_only_the_host_removes_others_and_only_before_the_start(alice, bob, carol, eve):
    game = lobby.open_table(user=alice, players=3)
    lobby.join_table(game=game, user=bob, invite=game.invite_token)
    for user, number in ((bob, 0), (eve, 1)):
        with pytest.raises(NotYours, match="Only the player who opened this table can remove others"):
            remove(game, user, number)
    with pytest.raises(TableError, match="You opened this table, so you can’t leave it"):
        remove(game, alice, 0)
    other = seats_of(lobby.open_table(user=bob, players=3))[0]
    assert lobby.remove(game=game, user=alice, seat=other.pk) == "" and Seat.objects.filter(pk=other.pk).exists()
    lobby.join_table(game=game, user=carol, invite=game.invite_token)
    with pytest.raises(TableError, match="already started"):
        remove(game, alice, 1)


@pytest.mark.parametrize(("listed", "rated"), [(True, True), (True, False), (False, True)])
def test_hosts_cannot_choose_their_opponents_at_rated_public_tables(come, alice, bob, listed, rated):
    """There they can only remove players who have not looked at the table for a day."""
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False) as clock:
        game = lobby.open_table(user=alice, players=3, listed=listed, rated=rated)
        clock.shift(timedelta(days=2))
        lobby.join_table(game=game, user=bob, invite=game.invite_token)
        come(bob).get(game.get_absolute_url())
        clock.shift(timedelta(hours=23))
        if listed and rated:
            with pytest.raises(TableError, match="only players who haven’t looked at the table for a day"):
                remove(game, alice, 1)
            assert "you can remove only players who haven’t looked" in text(come(alice).get(game.get_absolute_url()))
            clock.shift(timedelta(hours=2))
        remove(game, alice, 1)
    assert [seat.name for seat in seats_of(game)] == ["Alice"]


@pytest.mark.parametrize("listed", [True, False], ids=["public", "private"])
def test_a_removed_player_reads_why_the_seat_is_gone(come, alice, bob, listed):
    game = lobby.open_table(user=alice, players=3, listed=listed, rated=False)
    guest = come()
    sentences = {"Bob": "You can join again if they invite you.", "": "Choose another one."}
    for browser, words in ((come(bob), sentences["Bob"]), (guest, sentences[""])):
        browser.post(f"/join/{game.invite_token}/")
        name = seats_of(game)[1].name
        page = text(come(alice).get(game.get_absolute_url()))
        assert f"Remove {name} from the table" in page
        removing = {"seat": str(seats_of(game)[1].pk)}
        answer = come(alice).post(f"{game.get_absolute_url()}remove", removing, follow=True)
        assert f"{name} was removed from the table." in text(answer)
        for path in (game.get_absolute_url(), f"/join/{game.invite_token}/"):
            page = text(browser.get(path, follow=True))
            assert f"Alice has removed you from this table. {words}" in page and "Join th" not in page
            is_on_desk = not listed and path == game.get_absolute_url()
            assert (">Legends: Alice has removed you" in page) == is_on_desk
        assert game.public_id not in text(browser.get("/lobby/"))
        assert browser.post(f"/join/{game.invite_token}/").status_code == 409
    assert len(seats_of(game)) == 1


def test_a_removed_player_does_not_come_back_as_another_guest_with_the_old_link(come, alice, bob, carol):
    game = lobby.open_table(user=alice, players=3)
    lobby.join_table(game=game, user=make_guest(), invite=game.invite_token)
    remove(game, alice, 1)
    old, url = f"/join/{game.invite_token}/", game.get_absolute_url()
    assert "Replace the link" in text(come(alice).get(url))
    lobby.join_table(game=game, user=carol, invite=game.invite_token)
    for other in (bob, carol):  # only the host replaces it
        come(other).post(f"{url}new-link")
        assert again(game).invite_token == game.invite_token
    assert "Replace the link" not in text(come(carol).get(url))
    answer = come(alice).post(f"{url}new-link", follow=True)
    assert "There is a new link. The old one no longer works." in text(answer)
    new = f"/join/{again(game).invite_token}/"
    assert new != old and new in text(answer) and old not in text(answer)
    assert come().get(old).status_code == come().post(old).status_code == 404
    assert again(game).is_open and not User.objects.filter(is_guest=True).exclude(seats=None).exists()
    come().post(new)
    assert again(game).is_running


def test_a_removed_player_does_not_come_back_as_another_guest_from_the_lobby(come, alice, bob, carol):
    game = lobby.open_table(user=alice, players=4, listed=True, rated=False)
    url, refusal = game.get_absolute_url(), "Guests need the invitation link to join this table."
    assert "Join this table" in text(come().get(url))
    lobby.join_table(game=game, user=bob)
    remove(game, alice, 1)
    before = User.objects.count()
    page = text(come().get(url))
    assert refusal in page and "Join this table" not in page
    assert refusal in text(come().post(f"{url}join", follow=True)) and User.objects.count() == before
    with pytest.raises(NotYours, match=refusal):
        lobby.join_table(game=game, user=make_guest())
    # With the link they can, as can others with an account
    assert come().post(f"/join/{game.invite_token}/").status_code == 302
    assert "Join this table" in text(come(carol).get(url))
    lobby.join_table(game=game, user=carol)
    assert len(seats_of(game)) == 3


def test_nobody_is_told_to_wait_for_an_invitation_of_a_guest(come, alice):
    guest = make_guest()
    game = lobby.open_table(user=guest, players=3)
    lobby.join_table(game=game, user=alice, invite=game.invite_token)
    assert "They will see that you removed them, and can’t join" in text(come(guest).get(game.get_absolute_url()))
    remove(game, guest, 1)
    assert "Choose another one." in text(come(alice).get(f"/join/{game.invite_token}/"))


def test_a_removed_player_who_is_blocked_too_sees_a_closed_table(come, alice, bob):
    game = lobby.open_table(user=alice, players=3)
    lobby.join_table(game=game, user=bob, invite=game.invite_token)
    remove(game, alice, 1)
    blocking.block(user=alice, blocked=bob)
    assert come(bob).get(game.get_absolute_url()).status_code == 404


def test_a_player_removed_from_a_rematch_has_not_declined_it(alice, bob, carol):
    game = play_out(table_of(alice, bob, carol, listed=False))
    table = lobby.rematch(game=game, user=alice)
    lobby.join_table(game=table, user=bob)
    remove(table, alice, next(seat.number for seat in seats_of(table) if seat.owner == bob))
    assert rematches.names_declined(table) == [] and bob.username not in rematches.names_asked(table).values()
    offered = rematches.offered(game, seats_of(game)[1])
    assert not offered.may_join and offered.words.startswith(
        "Alice has removed you from the rematch. You can join again"
    )
    with pytest.raises(NotYours, match="Alice has removed you"):
        lobby.rematch(game=game, user=bob)


def test_a_guest_who_was_removed_does_not_come_back_by_signing_in(alice, bob):
    game, guest = lobby.open_table(user=alice, players=3), make_guest()
    lobby.join_table(game=game, user=guest, invite=game.invite_token)
    remove(game, alice, 1)
    bring_games(guest=guest, user=bob)
    with pytest.raises(NotYours, match="Alice has removed you"):
        lobby.join_table(game=game, user=bob, invite=game.invite_token)


def test_a_player_whom_a_guest_removed_stays_removed_after_the_guest_signed_in(alice, bob):
    guest = make_guest()
    game = lobby.open_table(user=guest, players=3)
    lobby.join_table(game=game, user=bob, invite=game.invite_token)
    remove(game, guest, 1)
    bring_games(guest=guest, user=alice)
    people.sweep_guests(timezone.now() + timedelta(days=60))
    assert not User.objects.filter(pk=guest.pk).exists()
    with pytest.raises(NotYours, match="Alice has removed you"):
        lobby.join_table(game=game, user=bob, invite=game.invite_token)


def test_a_player_who_was_removed_does_not_come_back_as_a_guest_who_signs_in(alice, bob):
    game, guest = lobby.open_table(user=alice, players=3), make_guest()
    lobby.join_table(game=game, user=bob, invite=game.invite_token)
    remove(game, alice, 1)
    lobby.join_table(game=game, user=guest, invite=game.invite_token)
    bring_games(guest=guest, user=bob)
    assert [seat.name for seat in seats_of(game)] == ["Alice"]


def test_a_host_removes_a_bot_and_two_taps_add_one(come, alice):
    game = lobby.open_table(user=alice, players=4)
    host, url = come(alice), game.get_absolute_url()
    free = re.search(r'name="number" value="(\d)"', text(host.get(url)))[1]
    for _tap in range(2):
        host.post(f"{url}bot", {"bot": "easy", "number": free})
    assert [(seat.number, seat.bot) for seat in seats_of(game)] == [(0, ""), (3, "easy")]
    host.post(f"{url}bot", {"bot": "easy", "number": "2"})
    host.post(f"{url}remove", {"seat": str(seats_of(game)[2].pk)})
    assert [seat.bot for seat in seats_of(game)] == ["", "easy"] and not Invitation.objects.exists()


def test_bots_have_different_names_after_one_of_them_was_removed(alice):
    game = lobby.open_table(user=alice, players=4, bots=["easy", "easy"])
    remove(game, alice, 2)
    lobby.seat_bot(game=game, user=alice, bot="easy")
    assert [seat.name for seat in seats_of(game)] == ["Alice", "Easy", "Easy 2"]
