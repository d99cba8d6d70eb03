"""Rematches: the same people, bots and options once more, and nobody plays without having agreed."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import delete_account
from games.contests.models import Challenge, Ladder
from games.errors import GameError, NotYours, TableError
from games.home.desk import desk
from games.notices.models import Notice, NoticeState
from games.tables.models import FullGame, FullStatus, Game, Seat, Status
from games.tables.selectors import listed
from games.tables.services import blocking, friends, lobby, people
from tests.cast import again, person, seats_of, table_of

pytestmark = pytest.mark.django_db


def answers(user: User) -> list[str]:
    """Return the titles of the notices about answers to this player's request for a rematch."""
    notices = Notice.objects.filter(kind="rematch", user=user, about__startswith="answer.")
    return list(notices.order_by("pk").values_list("title", flat=True))


def result(user: User, game: Game) -> str:
    return reader(user).get(game.get_absolute_url()).content.decode()


def decline(user: User, game: Game, **more: str) -> str:
    answer = reader(user).post(reverse("rematch", args=[game.public_id]), {"answer": "decline", **more}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def over(*players: User, **more: object) -> Game:
    """A finished game of these people; how it was played does not matter here."""
    return ended(table_of(*players, **more))


def ended(game: Game) -> Game:
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, ended_at=timezone.now())
    return again(game)


def reader(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def names(game: Game) -> list[tuple[int, str]]:
    return [(seat.number, seat.name) for seat in seats_of(game)]


def test_the_first_to_ask_opens_the_table_and_the_others_take_the_seats_kept_for_them(alice, bob, carol):
    game = over(alice, bob, carol, clock="move 3d", listed=False, options={"citadels": True})
    table = lobby.rematch(game=game, user=bob)
    assert table.is_open and names(table) == [(0, "Bob")]
    assert (table.ruleset, table.clock, table.listed, table.rated) == (game.ruleset, "move 3d", False, game.rated)
    assert table.options == game.options and table.opener == bob
    assert lobby.rematch(game=game, user=alice) == table
    assert lobby.rematch(game=game, user=carol) == table
    assert again(table).is_running and names(table) == [(0, "Bob"), (1, "Carol"), (2, "Alice")]


def test_pressing_twice_changes_nothing(alice, bob):
    game = over(alice, bob)
    assert lobby.rematch(game=game, user=alice) == lobby.rematch(game=game, user=alice)
    assert Game.objects.filter(rematch_of=game).count() == 1


def test_bots_sit_down_at_once_and_a_game_against_bots_begins(alice):
    game = ended(lobby.open_table(user=alice, players=3, bots=["medium", "random"]))
    table = lobby.rematch(game=game, user=alice)
    assert again(table).is_running and names(table) == [(0, "Medium"), (1, "Random"), (2, "Alice")]


def test_requests_go_to_the_other_players_and_are_dropped_when_they_join(alice, bob, carol):
    table = lobby.rematch(game=over(alice, bob, carol), user=alice)
    requests = Notice.objects.filter(kind="rematch")
    assert {(notice.user, notice.url) for notice in requests} == {
        (user, f"/join/{table.invite_token}/") for user in (bob, carol)
    }
    requests.update(state=NoticeState.QUEUED)
    lobby.join_table(game=table, user=bob, invite=table.invite_token)
    assert {notice.user: notice.state for notice in requests.exclude(user=alice)} == {
        bob: NoticeState.DROPPED,
        carol: NoticeState.QUEUED,
    }
    lobby.close_table(game=table, user=alice)
    assert set(requests.exclude(user=alice).values_list("state", flat=True)) == {NoticeState.DROPPED}


def test_the_desk_shows_the_request_until_it_is_answered(alice, bob):
    table = lobby.rematch(game=over(alice, bob), user=alice)
    assert (desk(user=bob).rematches, desk(user=alice).rematches) == ([table], [])
    page = reader(bob).get(reverse("desk"))
    assert "Alice asked you for a rematch" in page.content.decode()
    lobby.rematch(game=table.rematch_of, user=bob)
    assert desk(user=bob).rematches == []


def test_after_a_rematch_was_closed_another_can_be_asked_for(alice, bob):
    game = over(alice, bob)
    first = lobby.rematch(game=game, user=alice)
    lobby.close_table(game=first, user=alice)
    second = lobby.rematch(game=game, user=bob)
    assert second != first and second.is_open


def test_a_full_game_is_played_again_as_a_full_game(alice, bob):
    game = over(alice, bob, full=True)
    with pytest.raises(TableError):
        lobby.rematch(game=game, user=alice)
    FullGame.objects.update(status=FullStatus.FINISHED)
    table = lobby.rematch(game=again(game), user=alice)
    assert table.full_game != game.full_game and table.full_game.status == FullStatus.OPEN
    lobby.rematch(game=again(game), user=bob)
    assert FullGame.objects.get(pk=table.full_game_id).status == FullStatus.RUNNING


@pytest.mark.parametrize("who", ["eve", "stand-in"])
def test_only_players_can_ask(alice, bob, eve, who):
    game = over(alice, bob)
    if who == "stand-in":
        Seat.objects.filter(game=game, user=bob).update(user=eve)
    with pytest.raises(NotYours):
        lobby.rematch(game=game, user=eve)
    assert not Game.objects.filter(rematch_of=game).exists()


def test_there_is_no_rematch_before_the_end_or_of_a_canceled_game(alice, bob):
    game = table_of(alice, bob)
    with pytest.raises(TableError):
        lobby.rematch(game=game, user=alice)
    Game.objects.update(status=Status.VOID)
    with pytest.raises(TableError):
        lobby.rematch(game=game, user=alice)


def test_nobody_asks_a_player_they_have_blocked(alice, bob):
    game = over(alice, bob)
    blocking.block(user=alice, blocked=bob)
    with pytest.raises(NotYours):
        lobby.rematch(game=game, user=alice)
    assert not Game.objects.filter(rematch_of=game).exists() and not Notice.objects.filter(kind="rematch").exists()


def test_a_blocked_player_asks_for_a_rematch_and_learns_nothing(alice, bob, finished):
    blocking.block(user=alice, blocked=bob)
    table = lobby.rematch(game=finished, user=bob)
    assert "Waiting for Alice to answer." in result(bob, finished)
    assert not Notice.objects.filter(user=alice, kind="rematch").exists() and desk(user=alice).rematches == []
    assert [seat.owner for seat in seats_of(table)] == [bob]


def test_blocking_the_player_who_asks_drops_the_request(alice, bob):
    lobby.rematch(game=over(alice, bob), user=bob)
    requests = Notice.objects.filter(kind="rematch", user=alice)
    requests.update(state=NoticeState.QUEUED)
    blocking.block(user=alice, blocked=bob)
    assert desk(user=alice).rematches == [] and set(requests.values_list("state", flat=True)) == {NoticeState.DROPPED}


def test_closing_and_asking_again_sends_no_second_notice(alice, bob):
    game = over(alice, bob)
    for _time in range(3):
        lobby.close_table(game=lobby.rematch(game=game, user=alice), user=alice)
    assert Notice.objects.filter(kind="rematch", user=bob).count() == 1
    lobby.rematch(game=game, user=alice)
    assert len(desk(user=bob).rematches) == 1


def test_the_seat_of_a_deleted_account_is_free_and_the_page_says_so(alice, bob, carol):
    game = over(alice, bob)
    bob.delete()
    table = lobby.rematch(game=game, user=alice)
    assert names(table) == [(1, "Alice")] and table.is_open
    assert "can’t be asked" in reader(alice).get(table.get_absolute_url()).content.decode()
    lobby.join_table(game=table, user=carol, invite=table.invite_token)
    assert again(table).is_running


def test_too_many_open_tables_are_refused_with_a_sentence_and_the_game_stays(alice, bob):
    game = over(alice, bob)
    for _table in range(lobby.MOST_OPEN):
        lobby.open_table(user=alice)
    answer = reader(alice).post(reverse("rematch", args=[game.public_id]), follow=True)
    assert answer.redirect_chain[-1][0] == game.get_absolute_url()
    assert "You have too many open tables" in answer.content.decode()


def test_strangers_cannot_take_the_seats_of_a_public_rematch(alice, bob, eve):
    table = lobby.rematch(game=over(alice, bob, listed=True), user=alice)
    assert listed.open_tables(user=eve) == []
    with pytest.raises(TableError):
        lobby.join_table(game=table, user=eve)
    lobby.join_table(game=table, user=eve, invite=table.invite_token)  # the host gave them the link
    with pytest.raises(GameError):
        lobby.rematch(game=table.rematch_of, user=bob)


def test_a_seat_is_kept_for_a_guest_who_signs_in(alice, bob):
    guest = person("Visitor", is_guest=True)
    game = over(alice, guest)
    table = lobby.rematch(game=game, user=alice)
    people.merge(guest, bob)
    assert lobby.rematch(game=game, user=bob) == table


def test_a_guest_who_declined_is_not_asked_again_after_signing_in(alice, bob):
    guest = person("Visitor", is_guest=True)
    game = over(alice, guest)
    lobby.rematch(game=game, user=alice)
    lobby.decline_rematch(game=game, user=guest)
    people.merge(guest, bob)
    guest.delete()
    assert desk(user=bob).rematches == []


def test_the_button_leads_from_the_result_to_the_table_and_visitors_sign_in(alice, bob, finished, eve):
    url, page = reverse("rematch", args=[finished.public_id]), finished.get_absolute_url()
    assert url in reader(alice).get(page).content.decode() and url not in reader(eve).get(page).content.decode()
    assert Client().post(url).url.startswith(reverse("account_login"))
    answer = reader(alice).post(url)
    table = Game.objects.get(rematch_of=finished)
    assert answer.url == table.get_absolute_url()
    assert "Alice asked for a rematch" in reader(bob).get(page).content.decode()
    assert "Go to the rematch" in reader(alice).get(page).content.decode()
    assert reader(bob).post(url).url == table.get_absolute_url() and again(table).is_running


def test_a_stranger_learns_nothing_of_a_private_game(alice, bob, eve):
    game = over(alice, bob, listed=False)
    assert reader(eve).post(reverse("rematch", args=[game.public_id])).status_code == 404


# Answers


def test_declining_frees_the_seat_and_notifies_the_player_who_asked_once(alice, bob, carol):
    game = over(alice, bob)
    table = lobby.rematch(game=game, user=alice)
    assert "Rematch declined." in decline(bob, game)
    assert desk(user=bob).rematches == [] and names(table) == [(1, "Alice")]
    assert {notice.state for notice in Notice.objects.filter(user=bob, kind="rematch")} == {NoticeState.DROPPED}
    decline(bob, game)
    assert answers(alice) == ["Bob declined the rematch"]
    page = result(alice, table)
    assert "Bob declined the rematch." in page and "keeping their seats" not in page and "can’t be asked" not in page
    lobby.join_table(game=table, user=carol, invite=table.invite_token)
    assert again(table).is_running


def test_a_player_who_declined_can_still_join_while_a_seat_is_free(alice, bob, finished, carol):
    table = lobby.rematch(game=finished, user=alice)
    assert "You declined the rematch. While a seat is free, you can still join." in decline(bob, finished)
    assert lobby.rematch(game=finished, user=bob) == table
    assert again(table).is_running and names(table) == [(0, "Bob"), (1, "Alice")]


def test_the_player_who_asked_is_notified_of_who_joins_a_waiting_table(alice, bob, carol):
    game = over(alice, bob, carol)
    lobby.rematch(game=game, user=alice)
    lobby.rematch(game=game, user=bob)
    assert answers(alice) == ["Bob accepted the rematch"]
    lobby.rematch(game=game, user=carol)  # the game starts, which is a notice of its own
    assert answers(alice) == ["Bob accepted the rematch"]
    assert Notice.objects.filter(user=alice, kind="started").exists()


def test_only_players_of_the_last_game_who_have_not_joined_can_decline(alice, bob, eve):
    game = over(alice, bob)
    assert "This rematch is no longer being offered" in decline(bob, game)
    unasked = decline(eve, game)
    lobby.rematch(game=game, user=alice)
    assert "You have joined the rematch." in decline(alice, game)
    for page in (unasked, decline(eve, game)):  # which tells nobody else whether one was asked for
        assert "Only players of the last game can decline its rematch." in page
    lobby.rematch(game=game, user=bob)
    assert "The game has already started." in decline(bob, game)
    assert answers(alice) == []


def test_the_desk_and_the_invitation_have_decline_buttons(alice, bob):
    game = over(alice, bob)
    table = lobby.rematch(game=game, user=alice)
    for page in (reverse("desk"), reverse("join", args=[table.invite_token])):
        assert 'value="decline"' in reader(bob).get(page).content.decode()
    client = reader(bob)
    answer = client.post(reverse("rematch", args=[game.public_id]), {"answer": "decline", "from_desk": "1"})
    assert answer.url == reverse("desk")
    assert 'value="decline"' not in client.get(reverse("join", args=[table.invite_token])).content.decode()


def test_the_table_says_for_how_many_players_it_keeps_a_seat(alice, bob, carol, finished):
    game = over(alice, bob, carol)
    assert "everyone moves up one seat" in result(alice, finished)
    table = lobby.rematch(game=game, user=alice)
    assert "We’ve asked Bob and Carol and are keeping their seats" in " ".join(result(alice, table).split())
    lobby.join_table(game=table, user=carol)
    assert "We’ve asked Bob and are keeping a seat for them" in " ".join(result(alice, table).split())


def test_only_players_of_the_last_game_read_that_the_host_asks_for_a_rematch(alice, bob, carol):
    table = lobby.rematch(game=over(alice, bob), user=alice)
    address = reverse("join", args=[table.invite_token])
    headings = ["Alice asked for a rematch</h1>", "Alice invited you to play</h1>", "Alice invited you to play</h1>"]
    for visit, heading in zip([reader(bob), reader(carol), Client()], headings, strict=True):
        assert heading in visit.get(address).content.decode()


def test_every_change_updates_open_pages_of_the_result(alice, bob, finished, carol):
    def is_announced(change) -> bool:
        before = again(finished).version
        change()
        return again(finished).version > before

    assert "data-live" in result(bob, finished) and "data-live" not in result(carol, finished)
    assert is_announced(lambda: lobby.rematch(game=finished, user=alice))
    page = reader(bob).get(finished.get_absolute_url(), headers={"HX-Request": "true"}).content.decode()
    assert "Alice asked for a rematch." in page and 'id="decline-rematch"' in page
    assert is_announced(lambda: lobby.decline_rematch(game=finished, user=bob))
    assert "Bob declined." in result(alice, finished)
    assert is_announced(lambda: lobby.rematch(game=finished, user=bob))
    assert "Go to the rematch" in result(bob, finished)


def test_the_result_says_whose_answer_is_awaited(alice, bob, finished):
    lobby.rematch(game=finished, user=alice)
    assert "Waiting for Bob to answer." in result(alice, finished)


def test_late_players_read_that_the_rematch_began_without_them(alice, bob, finished, carol):
    Game.objects.filter(pk=finished.pk).update(listed=False)
    table = lobby.rematch(game=again(finished), user=alice)
    lobby.join_table(game=table, user=carol, invite=table.invite_token)  # the host gave away the link
    page = result(bob, finished)
    assert "The rematch has started without you." in page and table.public_id not in page


def test_a_rematch_asked_for_by_a_deleted_account_can_be_asked_for_by_another(alice, bob, finished, carol):
    first = lobby.rematch(game=finished, user=alice)
    delete_account(alice)
    assert "asked for a rematch" not in result(bob, finished)
    table = lobby.rematch(game=finished, user=bob)
    assert table != first and again(first).status == Status.CLOSED and table.opener == bob


def test_players_who_blocked_the_player_who_asks_read_why_there_is_no_rematch(alice, bob, finished):
    lobby.rematch(game=finished, user=alice)
    blocking.block(user=bob, blocked=alice)
    page = result(bob, finished)
    assert "You have blocked the player who asked for a rematch." in page and 'id="ask-rematch"' not in page
    assert "Waiting for Bob to answer." in result(alice, finished), "who was blocked learns nothing"


def test_a_player_blocked_since_keeps_no_seat_and_sends_no_notice(alice, bob, finished):
    table = lobby.rematch(game=finished, user=alice)
    blocking.block(user=alice, blocked=bob)
    assert "keeping their seats" not in result(alice, table)
    decline(bob, finished)
    assert answers(alice) == []


def test_after_a_rematch_was_canceled_another_can_be_asked_for(alice, bob):
    game = over(alice, bob)
    Game.objects.filter(pk=lobby.rematch(game=game, user=alice).pk).update(status=Status.VOID)
    assert lobby.rematch(game=game, user=bob).is_open


def test_the_link_to_a_closed_rematch_leads_back_to_the_result(alice, bob, finished, eve):
    table = lobby.rematch(game=finished, user=alice)
    lobby.close_table(game=table, user=alice)
    link = reverse("join", args=[table.invite_token])
    answer = reader(bob).get(link, follow=True)
    assert answer.redirect_chain[-1][0] == finished.get_absolute_url()
    assert "This rematch is off: the table was closed." in answer.content.decode()
    assert reader(eve).get(link).status_code == 404


def test_a_rematch_of_a_match_says_that_it_belongs_to_no_competition(alice, bob, finished):
    assert "won’t count for the competition" not in result(alice, finished)
    ladder = Ladder.objects.create(ruleset=finished.ruleset)
    Challenge.objects.create(
        ladder=ladder,
        challenger=alice,
        challenged=bob,
        game=finished,
        state="won",
        made_at=timezone.now(),
        answer_by=timezone.now(),
    )
    assert "The rematch won’t count for the competition." in result(alice, finished)
    assert not Challenge.objects.filter(game=lobby.rematch(game=finished, user=alice)).exists()


def test_nobody_is_invited_by_name_to_a_rematch_that_they_were_asked_for(alice, bob, finished, carol):
    table = lobby.rematch(game=finished, user=alice)
    for answer in (lambda: None, lambda: lobby.decline_rematch(game=finished, user=bob)):
        answer()
        with pytest.raises(GameError, match="already been invited"):
            friends.invite(game=table, user=alice, name="Bob")
    assert friends.invite(game=table, user=alice, name="Carol") == carol
