"""Blocking: a blocked player can't affect the player who blocked them, but games that have begun continue."""

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.services import bring_games, make_guest
from games.contests import interventions
from games.contests.duplicates import services as duplicates
from games.contests.ladders import selectors as reach
from games.contests.ladders import services as ladder
from games.contests.models import Challenge, Organizer, TeamInvitation
from games.contests.organizing import co_organizers
from games.contests.teams import services as teams
from games.errors import GameError, NotFound
from games.notices.models import Notice
from games.tables.models import Block, Message, Replacement, Seat, Status
from games.tables.selectors import chat as chat_selector
from games.tables.selectors import rights
from games.tables.services import blocking, chat, handover, lobby
from tests.cast import again, bid, person, seats_of, table_of
from tests.contests.cups import begun, cup, entrant
from tests.contests.ladders import challenges, ladder_of, order
from tests.contests.team_leagues import league, team

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def alice_blocks_eve(alice: User, eve: User) -> None:
    blocking.block(user=alice, blocked=eve)


def refusal_of(action, *args, **arguments) -> str:
    with pytest.raises(GameError) as refusal:
        action(*args, **arguments)
    return str(refusal.value)


def sits(game, user) -> bool:
    return Seat.objects.filter(game=game, owner=user).exists()


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "invited"])
def test_a_blocked_player_cannot_join_a_table_that_the_other_opened(alice, bob, eve, listed):
    game = lobby.open_table(user=alice, players=3, listed=listed)
    with pytest.raises(NotFound):
        lobby.join_table(game=game, user=eve, invite=game.invite_token)
    lobby.join_table(game=game, user=bob, invite=game.invite_token)
    assert not sits(game, eve) and sits(game, bob)


def test_a_blocked_player_cannot_join_a_table_where_the_other_has_a_seat(alice, bob, eve):
    game = lobby.open_table(user=bob, players=3, listed=True)
    lobby.join_table(game=game, user=alice)
    with pytest.raises(NotFound):
        lobby.join_table(game=game, user=eve)


def test_a_player_may_still_join_a_table_of_someone_they_blocked(alice, eve):
    game = lobby.open_table(user=eve, players=2, listed=True)
    assert lobby.join_table(game=game, user=alice).is_running


def test_a_duplicate_seats_a_blocked_player_at_another_table(alice, bob, carol, eve):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (eve, bob, carol):
        game = duplicates.join(public_id=row.public_id, user=user)
    assert game.is_running and not any(sits(table, alice) and sits(table, eve) for table in row.games.all())


def test_blocking_removes_the_blocked_player_from_tables_of_the_blocker(alice, bob, carol):
    alices_table = lobby.open_table(user=alice, players=3, listed=True, rated=False)
    bobs_table = lobby.open_table(user=bob, players=3)
    lobby.join_table(game=alices_table, user=bob)
    blocking.block(user=alice, blocked=bob)
    assert not sits(alices_table, bob) and sits(bobs_table, bob)


def test_blocking_a_player_at_a_rated_public_table_closes_it_because_hosts_do_not_choose_opponents(alice, bob, carol):
    game = lobby.open_table(user=alice, players=4, listed=True)
    for user in (bob, carol):
        lobby.join_table(game=game, user=user)
    blocking.block(user=alice, blocked=bob)
    assert again(game).status == Status.CLOSED and len(seats_of(game)) == 3
    notices = Notice.objects.filter(kind="closed", channel="email")
    assert [notice.user for notice in notices.order_by("user__username")] == [bob, carol]


def test_player_pages_say_before_and_after_a_block_that_it_closes_a_table(client, alice, bob):
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    game = lobby.open_table(user=alice, players=3, listed=True)
    assert "If you block them, it closes." not in client.get("/players/Bob/").content.decode()
    lobby.join_table(game=game, user=bob)
    assert "If you block them, it closes." in client.get("/players/Bob/").content.decode()
    after = client.post("/players/Bob/block", follow=True).content.decode()
    assert "The player was waiting at your rated public table, so we closed it." in after
    assert "If you block them, it closes." not in after


def test_the_chat_says_that_a_block_closes_a_rated_public_table(client, alice, bob):
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    game = lobby.open_table(user=alice, players=3, listed=True)
    lobby.join_table(game=game, user=bob)
    message = chat.say(public_id=game.public_id, user=bob, text="Hello")
    page = client.post(f"{game.get_absolute_url()}chat/{message.pk}/block").content.decode()
    assert "The player was waiting at your rated public table, so we closed it." in page


def test_running_games_continue(alice, eve):
    blocking.unblock(user=alice, name="Eve")
    game = table_of(alice, eve)
    blocking.block(user=alice, blocked=eve)
    assert bid(game, 0, 1).is_running and sits(game, eve)


def test_a_blocked_player_may_still_watch_running_games_of_the_blocker(alice, bob, eve):
    game = table_of(alice, bob)
    assert rights.visible(public_id=game.public_id, user=eve)[0] == game


def test_a_blocked_player_cannot_ask_the_blocker_to_play_for_them(alice, bob, eve):
    game = table_of(eve, bob)
    refusals = [refusal_of(handover.ask, seat=seats_of(game)[0], user=eve, name=name) for name in ("Alice", "Nobody")]
    assert refusals == [f"You can’t ask “{name}”. Check the spelling." for name in ("Alice", "Nobody")]
    assert not Notice.objects.filter(user=alice).exists()


def test_blocking_ends_a_request_to_play_for_the_other(alice, bob, carol):
    game = table_of(carol, bob)
    handover.ask(seat=seats_of(game)[0], user=carol, name="Alice")
    blocking.block(user=alice, blocked=carol)
    assert seats_of(game)[0].asked is None
    with pytest.raises(GameError, match="not asked"):
        handover.accept(seat=seats_of(game)[0], user=alice)


def test_blocking_drops_the_notice_of_a_request_to_play_for_the_other(alice, bob, carol):
    game = table_of(bob, carol)
    handover.ask(seat=seats_of(game)[0], user=bob, name="Alice")
    asked = Notice.objects.get(user=alice, kind="asked", channel="email")
    assert asked.state == "queued"
    blocking.block(user=alice, blocked=bob)
    asked.refresh_from_db()
    assert (asked.state, asked.why) == ("dropped", "settled")


def test_blocking_withdraws_requests_and_invitations_between_the_two(alice, bob, carol, dan):
    game = table_of(alice, dan)
    handover.ask(seat=seats_of(game)[0], user=alice, name="Bob")
    helped = league(alice, name="Harbour League")
    foxes, owls = team(helped, "Foxes", 1), team(helped, "Owls", 1)
    for inviting, name in ((foxes, "Bob"), (owls, "Alice"), (owls, "Bob")):
        teams.invite(team=inviting, by=inviting.captain, name=name)
    invitation = TeamInvitation.objects.get(team=foxes)
    invitation.by = alice
    invitation.save()
    TeamInvitation.objects.filter(team=owls, user=alice).update(by=bob)
    Notice.objects.all().delete()
    co_organizers.ask_to_help(competition=helped, by=alice, name="Bob", rights=["settings"])
    cups = cup(alice, name="Cup"), cup(carol, name="Other Cup")
    co_organizers.offer(competition=cups[0], by=alice, name="Bob")
    co_organizers.ask_to_help(competition=cups[1], by=carol, name="Bob", rights=["settings"])
    blocking.block(user=bob, blocked=alice)
    assert seats_of(game)[0].asked is None
    assert [invitation.team for invitation in TeamInvitation.objects.filter(is_open=True)] == [owls]
    assert [organizer.by for organizer in Organizer.objects.all()] == [carol]
    waiting = Notice.objects.filter(user=bob, state="queued", channel="email")
    assert [notice.title for notice in waiting] == ["Carol asked you to help organize Other Cup"]


def test_blocking_ends_a_request_of_an_organizer_to_replace_someone(alice, bob, carol, dan):
    row = begun(alice, [bob, carol, dan, person("Frank")])
    guest = person("Grace")
    interventions.replace(entrant=entrant(row, "Bob"), by=alice, name="Grace", reason="Left")
    blocking.block(user=guest, blocked=alice)
    assert Replacement.objects.get().answer == "withdrawn"


def test_a_blocked_player_cannot_be_a_substitute_at_a_table_of_the_blocker(alice, bob, carol, eve):
    game = table_of(alice, bob)
    with pytest.raises(GameError, match="You can’t ask “Eve”"):
        handover.ask(seat=seats_of(game)[1], user=bob, name="Eve")
    handover.ask(seat=seats_of(game)[1], user=bob, name="Carol")
    Block.objects.create(user=alice, blocked=carol)
    with pytest.raises(GameError, match="not asked to play this seat, or the request was withdrawn"):
        handover.accept(seat=seats_of(game)[1], user=carol)
    assert seats_of(game)[1].asked is None and seats_of(game)[1].user == bob


def test_a_blocked_player_cannot_challenge_the_blocker(alice, eve):
    ladder_of(alice, eve)
    page = reach.ladder(ruleset="legends", reader=eve)
    assert [(line.rung.user, line.is_away) for line in page.lines] == [(alice, True), (eve, False)]
    sentence = refusal_of(challenges, eve, alice)
    assert sentence == page.above[0].why_not == "This player is away. You can challenge them when they are back."
    assert not Challenge.objects.exists() and not Notice.objects.exists()
    assert not any(line.is_away for line in reach.ladder(ruleset="legends", reader=alice).lines)


def test_a_player_cannot_challenge_someone_they_blocked(alice, eve):
    ladder_of(eve, alice)
    with pytest.raises(GameError, match="You have blocked this player"):
        challenges(alice, eve)


def test_blocking_is_no_escape_from_an_earlier_challenge(alice, bob):
    ladder_of(alice, bob)
    made = challenges(bob, alice)
    blocking.block(user=alice, blocked=bob)
    ladder.decline(pk=made.pk, user=alice)
    assert order() == ["Bob", "Alice"]


def test_messages_of_a_blocked_player_do_not_reach_the_blocker(alice, bob, eve):
    blocking.unblock(user=alice, name="Eve")
    game = table_of(alice, bob, eve, ruleset="kingdoms", options={"collusion": True})
    blocking.block(user=alice, blocked=eve)
    chat.say(public_id=game.public_id, user=eve, text="Psst", to=0)
    chat.say(public_id=game.public_id, user=eve, text="Hello")
    assert not Message.objects.filter(recipient=alice).exists()
    assert not chat_selector.chat(public_id=game.public_id, user=alice).lines
    assert chat_selector.chat(public_id=game.public_id, user=bob).lines


def test_a_blocked_organizer_cannot_make_the_blocker_a_replacement(alice, bob, carol, dan, eve):
    row = begun(eve, [bob, carol, dan, person("Frank")])
    with pytest.raises(GameError, match="Alice is away"):
        interventions.replace(entrant=entrant(row, "Bob"), by=eve, name="Alice", reason="Left")
    assert not Notice.objects.filter(user=alice).exists()


def test_a_block_of_a_guest_still_holds_after_they_sign_in(alice, bob, eve):
    rude = make_guest()
    blocking.block(user=alice, blocked=rude)
    bring_games(guest=rude, user=bob)
    game = lobby.open_table(user=alice, players=2, listed=True)
    with pytest.raises(NotFound):
        lobby.join_table(game=game, user=bob)


def test_a_blocked_player_does_not_keep_a_seat_taken_as_a_guest(alice, eve):
    game = lobby.open_table(user=alice, players=3, listed=True)
    guest = make_guest()
    lobby.join_table(game=game, user=guest)
    bring_games(guest=guest, user=eve)
    assert [seat.owner for seat in seats_of(game)] == [alice]


def test_a_host_who_signs_in_is_told_why_their_table_was_closed(client, alice, bob, eve):
    alice.set_password("a long password")
    alice.save()
    client.post("/accounts/guest/")
    host = User.objects.get(is_guest=True)
    game = lobby.open_table(user=host, players=4, listed=True)
    for player in (eve, bob):
        lobby.join_table(game=game, user=player)
    signed_in = client.post("/accounts/login/", {"login": alice.email, "password": "a long password"}, follow=True)
    sentence = "A player you have blocked was waiting at your rated public table, so we closed it."
    assert again(game).status == Status.CLOSED and sentence in signed_in.content.decode()


@pytest.mark.parametrize("rated", [True, False], ids=["rated", "unrated"])
def test_a_blocked_player_does_not_wait_at_a_table_that_the_other_opened_as_a_guest(alice, bob, eve, rated):
    guest = make_guest()
    game = lobby.open_table(user=guest, players=4, listed=True, rated=rated)
    for player in (eve, bob):
        lobby.join_table(game=game, user=player)
    bring_games(guest=guest, user=alice)
    assert again(game).status == (Status.CLOSED if rated else Status.OPEN)  # hosts must not choose their opponents
    if not rated:
        assert [seat.owner for seat in seats_of(game)] == [alice, bob]


def test_unblocking_allows_everything_again(alice, eve):
    blocking.unblock(user=alice, name="eve")
    game = lobby.open_table(user=alice, players=2, listed=True)
    assert lobby.join_table(game=game, user=eve).is_running


def test_players_block_and_unblock_on_player_pages(client, bob, carol):
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    assert "Block Carol" in client.get("/players/Carol/").content.decode()
    client.post("/players/Carol/block")
    assert Block.objects.filter(user=bob, blocked=carol).exists()
    assert "Unblock Carol" in client.get("/players/Carol/").content.decode()
    client.post("/players/Carol/block", {"undo": "1"})
    assert not Block.objects.filter(user=bob).exists()


def test_nobody_can_block_themselves_and_visitors_can_block_nobody(client, bob):
    assert "/login/" in client.post("/players/Bob/block").url
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    client.post("/players/Bob/block")
    assert not Block.objects.filter(user=bob).exists()


def test_a_player_page_does_not_reveal_a_block_to_the_blocked_player(client, alice, eve):
    client.force_login(eve, backend="django.contrib.auth.backends.ModelBackend")
    seen = client.get("/players/Alice/").content.decode()
    Block.objects.all().delete()
    assert client.get("/players/Alice/").content.decode().count("locked") == seen.count("locked")


def test_finding_possible_challenges_takes_two_queries(alice, eve, django_assert_num_queries):
    ladder = ladder_of(alice, eve, *(person(f"P{n}") for n in range(3)))
    with django_assert_num_queries(2):
        reach.challenges_of(ladder, eve, timezone.now())
