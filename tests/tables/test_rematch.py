"""Rematches: the same people, bots and options once more, and nobody plays without having agreed."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.errors import GameError, NotYours, TableError
from games.home.desk import desk
from games.notices.models import Fate, Notice
from games.tables.models import FullGame, FullStatus, Game, Seat, Status
from games.tables.selectors import listed
from games.tables.services import lobby, people
from tests.cast import again, person, seats_of, table_of

pytestmark = pytest.mark.django_db


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
    game = ended(lobby.open_table(user=alice, players=3, bots=["greedy", "random"]))
    table = lobby.rematch(game=game, user=alice)
    assert again(table).is_running and names(table) == [(0, "Greedy"), (1, "Random"), (2, "Alice")]


def test_the_others_are_asked_and_those_who_joined_are_asked_no_more(alice, bob, carol):
    table = lobby.rematch(game=over(alice, bob, carol), user=alice)
    asked = Notice.objects.filter(kind="rematch")
    assert {(one.user, one.url) for one in asked} == {(one, f"/join/{table.invite_token}/") for one in (bob, carol)}
    asked.update(state=Fate.QUEUED)
    lobby.join_table(game=table, user=bob, invite=table.invite_token)
    assert {one.user: one.state for one in asked.all()} == {bob: Fate.DROPPED, carol: Fate.QUEUED}
    lobby.close_table(game=table, user=alice)
    assert set(asked.values_list("state", flat=True)) == {Fate.DROPPED}


def test_the_desk_shows_the_request_until_it_is_answered(alice, bob):
    table = lobby.rematch(game=over(alice, bob), user=alice)
    assert (desk(user=bob).rematches, desk(user=alice).rematches) == ([table], [])
    page = reader(bob).get(reverse("desk"))
    assert "Alice asks you for a rematch" in page.content.decode()
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


def test_there_is_no_rematch_before_the_end_or_of_a_cancelled_game(alice, bob):
    game = table_of(alice, bob)
    with pytest.raises(TableError):
        lobby.rematch(game=game, user=alice)
    Game.objects.update(status=Status.VOID)
    with pytest.raises(TableError):
        lobby.rematch(game=game, user=alice)


@pytest.mark.parametrize("asker", ["the blocked player", "the player who blocked"])
def test_nobody_is_asked_by_or_for_a_blocked_player(alice, bob, asker):
    game = over(alice, bob)
    people.block(user=alice, blocked=bob)
    with pytest.raises(NotYours):
        lobby.rematch(game=game, user=bob if asker == "the blocked player" else alice)
    assert not Game.objects.filter(rematch_of=game).exists() and not Notice.objects.filter(kind="rematch").exists()


def test_blocking_the_player_who_asks_drops_the_request(alice, bob):
    lobby.rematch(game=over(alice, bob), user=bob)
    asked = Notice.objects.filter(kind="rematch", user=alice)
    asked.update(state=Fate.QUEUED)
    people.block(user=alice, blocked=bob)
    assert desk(user=alice).rematches == [] and set(asked.values_list("state", flat=True)) == {Fate.DROPPED}


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


def test_the_button_leads_from_the_result_to_the_table_and_visitors_sign_in(alice, bob, eve, finished):
    url, page = reverse("rematch", args=[finished.public_id]), finished.get_absolute_url()
    assert url in reader(alice).get(page).content.decode() and url not in reader(eve).get(page).content.decode()
    assert Client().post(url).url.startswith(reverse("account_login"))
    answer = reader(alice).post(url)
    table = Game.objects.get(rematch_of=finished)
    assert answer.url == table.get_absolute_url()
    assert "Alice asks for a rematch" in reader(bob).get(page).content.decode()
    assert "Go to the rematch" in reader(alice).get(page).content.decode()
    assert reader(bob).post(url).url == table.get_absolute_url() and again(table).is_running


def test_a_stranger_learns_nothing_of_a_private_game(alice, bob, eve):
    game = over(alice, bob, listed=False)
    assert reader(eve).post(reverse("rematch", args=[game.public_id])).status_code == 404
