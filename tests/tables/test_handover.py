"""Hand-overs: a bot or a person who agreed plays a seat for a while. Rulings: docs/rulings.md."""

from datetime import timedelta
from html import unescape

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import delete_account
from games.contests.duplicates import services as duplicates
from games.contests.models import Score
from games.contests.ratings.history import Person, history
from games.errors import GameError, NotFound, NotYours, Over
from games.home.desk import desk
from games.notices.delivery import messages
from games.notices.models import Notice
from games.tables.models import Draft, Entry, Game, Handover, Message, Seat
from games.tables.selectors import chat as heard
from games.tables.selectors.table import table
from games.tables.services import (
    blocking,
    bots,
    chat,
    handover,
    lobby,
    people,
    play,
    records,
    reports,
    time_off,
    timeouts,
)
from tests.cast import again, in_turns, person, play_out, play_turns, seats_of, some_turn, submit, table_of
from tests.notices.emails import only_email, received, send_due, text_of
from tests.tables.kingdoms import kingdoms

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def morning():
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller


@pytest.fixture
def game(morning, alice, bob, carol):
    """A game in which it is Alice's turn, with 24 hours left. Carol doesn't play."""
    return in_turns(alice, bob, clock="move 1d")


def first(game) -> Seat:
    return seats_of(game)[0]


def substitute_in(game, owner, substitute) -> Seat:
    handover.ask(seat=first(game), user=owner, name=substitute.username)
    return handover.accept(seat=first(game), user=substitute)


def reading(user, game) -> str:
    """Return the page of the table as this person sees it."""
    browser = Client()
    browser.force_login(user)
    return unescape(browser.get(game.get_absolute_url()).content.decode())


def refused(action, sentence: str, **arguments) -> None:
    with pytest.raises(GameError) as refusal:
        action(**arguments)
    assert str(refusal.value) == sentence


# To a bot


def test_a_bot_plays_a_seat_until_its_owner_comes_back(game, alice):
    handover.hand_to_bot(seat=first(game), user=alice)
    assert bots.sweep_bots() == 1
    assert Entry.objects.filter(game=game).latest("seq").by == "stand-in"
    handover.come_back(seat=first(game), user=alice)
    play_turns(game, 2)
    assert Entry.objects.filter(game=game).latest("seq").by == "seat"
    assert [(row.why, row.to, row.bot) for row in Handover.objects.all()] == [
        ("given", None, "medium"), ("back", alice, ""),
    ]  # fmt: skip


def test_a_hand_over_ends_automatically_at_its_date(game, alice, morning):
    handover.hand_to_bot(seat=first(game), user=alice, until=timezone.now() + 30 * HOUR)
    morning.shift(29 * HOUR)
    assert handover.sweep_handovers(timezone.now()) == 0
    morning.shift(HOUR)
    assert [handover.sweep_handovers(timezone.now()) for _twice in range(2)] == [1, 0]
    assert (first(game).user, first(game).back_at) == (alice, None)
    assert Handover.objects.latest("pk").why == "ended"


def test_a_seat_that_a_bot_has_cannot_be_handed_to_it_until_another_date(game, alice):
    """Repeating the same hand-over changes nothing. A new date must not look as if it counted."""
    until = timezone.now() + 30 * HOUR
    for _tap in range(2):
        handover.hand_to_bot(seat=first(game), user=alice, until=until)
    with pytest.raises(NotYours):
        handover.hand_to_bot(seat=first(game), user=alice, until=until + HOUR)
    assert first(game).back_at == until and Handover.objects.count() == 1


def test_a_substitute_who_stops_does_not_change_when_the_owner_is_back(game, alice, carol, morning):
    until = timezone.now() + 30 * HOUR
    handover.ask(seat=first(game), user=alice, name="Carol", until=until)
    handover.accept(seat=first(game), user=carol)
    handover.hand_to_bot(seat=first(game), user=carol)
    assert (first(game).user, first(game).back_at) == (None, until)
    morning.shift(30 * HOUR)
    assert handover.sweep_handovers(timezone.now()) == 1 and first(game).user == alice


@pytest.mark.parametrize("way", ["bot", "substitute", "resigned"])
def test_owners_who_are_away_hear_of_the_end_unless_they_have_resigned(game, alice, bob, carol, way):
    if way == "bot":
        handover.hand_to_bot(seat=first(game), user=alice)
    elif way == "substitute":
        substitute_in(game, alice, carol)
    else:
        handover.resign(seat=first(game), user=alice)
    play_out(again(game))
    Notice.objects.exclude(kind="ended").delete()
    send_due()
    told = {name for name in ("Alice", "Bob", "Carol") if received(name)}
    assert told == {"bot": {"Alice", "Bob"}, "substitute": {"Alice", "Bob", "Carol"}, "resigned": {"Bob"}}[way]
    if way != "resigned":
        words = text_of(only_email("Alice"))
        assert f"{game.get_absolute_url()}\n" in words and " for Alice" not in words


def test_s4_a_hand_over_deletes_the_draft_and_keeps_sealed_bids_and_orders(alice, bob, carol):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    play.lay_out(game=game, who=0, actions=["bid 4"], expected_seq=0)
    Seat.objects.filter(pk=first(game).pk).update(orders={"defend": "one"})
    substitute_in(game, alice, carol)
    assert [(draft.sealed, draft.actions) for draft in Draft.objects.all()] == [(True, ["bid 3"])]
    assert first(game).orders == {"defend": "one"}


# To a person who agreed


def test_s6_nobody_plays_for_another_before_they_agree(game, alice, carol):
    handover.ask(seat=first(game), user=alice, name="carol")
    assert first(game).user == alice
    assert Notice.objects.get(kind="asked").user == carol
    handover.accept(seat=first(game), user=carol)
    seat = first(game)
    assert (seat.user, seat.owner, seat.name, seat.asked) == (carol, alice, "Alice", None)
    play_turns(game, 1)
    carol.refresh_from_db()
    alice.refresh_from_db()
    assert (carol.punctuality, alice.punctuality) == ("1", "1"), "Alice has only the one of her bid"


def test_a_player_who_asks_someone_again_and_again_sends_ten_notices_a_day_at_most(alice, carol, morning):
    for _game in range(4):
        game = lobby.play_now(user=alice)
        for _time in range(handover.MOST_ASKED):
            handover.ask(seat=first(game), user=alice, name="Carol")
            handover.withdraw(seat=first(game), user=alice)
            morning.shift(60)
    assert Notice.objects.filter(user=carol, kind="asked", channel="email").count() == 10


NOT_AGAIN = "You can’t ask Carol to play this seat again. Ask someone else."


def test_s11_nobody_is_asked_again_once_they_have_declined(game, alice, bob, carol, dan):
    handover.ask(seat=first(game), user=alice, name="Carol")
    handover.decline(seat=first(game), user=carol)
    refused(handover.ask, NOT_AGAIN, seat=first(game), user=alice, name="carol")
    assert Notice.objects.filter(user=carol, kind="asked").count() == 1
    handover.ask(seat=first(game), user=alice, name="Dan")  # someone else
    handover.withdraw(seat=first(game), user=alice)
    # Another seat, and the seat's next owner
    handover.ask(seat=seats_of(game)[1], user=bob, name="Carol")
    handover.withdraw(seat=seats_of(game)[1], user=bob)
    handover.transfer(seat=first(game), to=dan)
    handover.ask(seat=first(game), user=dan, name="Carol")


def test_s11_a_person_is_asked_three_times_at_most_and_again_after_they_have_played(game, alice, carol, morning):
    until = timezone.now() + timedelta(days=2)
    for _time in range(2):
        handover.ask(seat=first(game), user=alice, name="Carol")
        handover.withdraw(seat=first(game), user=alice)
    for _tap in range(2):  # sent twice, it is one request
        handover.ask(seat=first(game), user=alice, name="Carol", until=until)
    refused(handover.ask, NOT_AGAIN, seat=first(game), user=alice, name="Carol", until=until + timedelta(days=1))
    handover.accept(seat=first(game), user=carol)
    handover.come_back(seat=first(game), user=alice)
    handover.ask(seat=first(game), user=alice, name="Carol")


@pytest.mark.parametrize("blocks_first", [True, False])
def test_s11_a_refusal_does_not_tell_whether_the_person_has_declined_or_blocked_someone(
    game, alice, bob, carol, blocks_first
):
    for owner, seat in ((alice, 0), (bob, 1)):
        handover.ask(seat=seats_of(game)[seat], user=owner, name="Carol")
    if blocks_first:
        blocking.block(user=carol, blocked=alice)
    else:
        handover.decline(seat=first(game), user=carol)
        blocking.block(user=carol, blocked=alice)
    assert first(game).asked is None
    refused(handover.ask, NOT_AGAIN, seat=first(game), user=alice, name="Carol")
    # Someone at the table has blocked a person who would accept
    blocking.block(user=alice, blocked=carol)
    assert seats_of(game)[1].asked is None
    refused(handover.ask, NOT_AGAIN, seat=seats_of(game)[1], user=bob, name="Carol")


def test_a_request_can_be_declined_or_withdrawn(game, alice, carol):
    handover.ask(seat=first(game), user=alice, name="Carol")
    handover.withdraw(seat=first(game), user=alice)
    handover.ask(seat=first(game), user=alice, name="Carol")
    handover.decline(seat=first(game), user=carol)
    assert first(game).asked is None
    assert set(Notice.objects.filter(kind="asked").values_list("state", flat=True)) == {"dropped"}
    refused(
        handover.accept,
        "You were not asked to play this seat, or the request was withdrawn.",
        seat=first(game),
        user=carol,
    )
    assert not Handover.objects.exists()


def test_s1_the_result_belongs_to_the_owner(game, alice, bob, carol):
    substitute_in(game, alice, carol)
    play_out(game)
    assert history(person=Person(alice), reader=alice).count == 1
    assert history(person=Person(carol), reader=carol).count == 0
    assert [seat.name for seat in again(game).seats.all()] == ["Alice", "Bob"]
    assert records.verify(game=again(game)) == []


def test_s10_hand_overs_continue_in_the_next_game_of_a_full_game(alice, bob, carol):
    game = table_of(alice, bob, full=True)
    substitute_in(game, alice, carol)
    handover.hand_to_bot(seat=seats_of(game)[1], user=bob)
    while not again(game).is_finished:
        seat, actions = some_turn(game)
        submit(game, seat, *actions)
    following = seats_of(game.full_game.games.get(number=2))
    assert [(seat.owner, seat.user, seat.bot) for seat in following] == [(alice, carol, ""), (bob, None, "medium")]


def test_a_bot_replaces_a_substitute_who_is_late_twice_and_the_owner_is_notified(game, alice, carol, morning):
    substitute_in(game, alice, carol)
    for _round in range(2):
        morning.shift(24 * HOUR)
        timeouts.sweep_overdue(timezone.now())
        play_turns(game, 1)
    assert (first(game).user, first(game).bot) == (None, "medium")
    assert Notice.objects.get(kind="away").user == alice
    carol.refresh_from_db()
    assert carol.punctuality == "00"


# The clock


def test_s5_the_clock_follows_the_owner_through_every_hand_over(game, alice, bob, carol, morning):
    due = first(game).deadline
    time_off.set_night(user=carol, zone="UTC", window="10:00-20:00")
    for _round in range(3):
        morning.shift(HOUR)
        substitute_in(game, alice, carol)
        morning.shift(HOUR)
        handover.come_back(seat=first(game), user=alice)
    assert first(game).deadline == due
    substitute_in(game, alice, carol)
    time_off.set_night(user=alice, zone="UTC", window="15:00-22:00")
    assert first(game).deadline == due + 7 * HOUR


def test_s5_a_bank_does_not_grow_by_changing_hands(alice, bob, carol, morning):
    time_off.set_night(user=alice, zone="UTC", window="10:00-20:00")
    game = in_turns(alice, bob, clock="bank 10h +1h cap 30d")
    assert first(game).bank == 11 * HOUR
    substitute_in(game, alice, carol)
    assert first(game).deadline == timezone.now() + 21 * HOUR
    play_turns(game, 1)
    assert first(game).bank == 12 * HOUR


# Who sees what


def test_s2_the_substitute_sees_the_seat_and_the_owner_sees_what_spectators_see(alice, bob, carol, morning):
    game = kingdoms(alice, bob, listed=False)
    handover.ask(seat=first(game), user=alice, name="Carol")
    before = table(public_id=game.public_id, user=carol)
    assert before.seat is None and before.view.seat is None
    handover.accept(seat=first(game), user=carol)
    carols_page, alices_page = (table(public_id=game.public_id, user=user) for user in (carol, alice))
    assert (carols_page.seat, carols_page.view.seat) == (first(game), 0)
    assert (alices_page.seat, alices_page.view.seat, alices_page.is_mine) == (None, None, False)
    assert records.export(public_id=game.public_id, user=alice) == records.export_for(
        game=again(game), seats=seats_of(game), seat=None
    )
    handover.come_back(seat=first(game), user=alice)
    with pytest.raises(GameError, match="This game doesn’t exist, or it is private"):
        table(public_id=game.public_id, user=carol)


def test_the_owner_sees_the_game_on_the_desk_but_it_does_not_wait_for_them(game, alice, carol):
    substitute_in(game, alice, carol)
    (line,) = desk(user=alice).others
    assert (line.game, line.plays, line.is_mine) == (game, False, False)
    assert [line.game for line in desk(user=carol).mine] == [game]


def test_the_email_about_a_bot_taking_the_seat_shows_no_cards(alice, bob, morning):
    game = kingdoms(alice, bob, clock="move 1d", time_out="seat")
    morning.shift(24 * HOUR)
    timeouts.sweep_overdue(timezone.now())
    message = messages.message(Notice.objects.get(kind="away"))
    assert (message.hand, message.offers, message.view.seat, message.opens_seat) == ((), (), None, False)
    assert "/enter/" not in message.url and again(game).public_id in message.url


def test_s3_private_messages_and_notes_stay_with_the_people_who_had_the_seats(alice, bob, carol, dan):
    game = kingdoms(alice, bob, dan, options={"collusion": True})
    chat.say(public_id=game.public_id, user=bob, text="for Alice", to=0)
    chat.say(public_id=game.public_id, user=alice, text="for Bob", to=1)
    chat.write_note(public_id=game.public_id, user=alice, text="Bob bluffs")
    substitute_in(game, alice, carol)
    chat.say(public_id=game.public_id, user=bob, text="for Carol", to=0)

    def hears(user) -> list[str]:
        return [line.text for line in heard.chat(public_id=game.public_id, user=user).lines]

    assert hears(carol) == ["for Carol"]
    assert hears(alice) == ["for Alice", "for Bob"]  # so that she can still report them
    for private in Message.objects.filter(author=bob):
        if private.text == "for Alice":
            assert reports.report_message(message=private.pk, user=alice, reason="abuse").context["lines"]
        else:
            with pytest.raises(NotFound):
                reports.report_message(message=private.pk, user=alice, reason="abuse")
    assert heard.chat(public_id=game.public_id, user=carol).note == ""
    assert heard.unread_count(game=again(game), seat=Seat.objects.select_related("user").get(pk=first(game).pk)) == 1
    handover.come_back(seat=first(game), user=alice)
    assert hears(alice) == ["for Alice", "for Bob"]
    assert hears(bob) == ["for Alice", "for Bob", "for Carol"]


def test_a_person_who_was_asked_sees_a_private_game_only_until_it_ends(alice, bob, carol, client):
    game = in_turns(alice, bob, listed=False)
    handover.ask(seat=first(game), user=alice, name="Carol")
    client.force_login(carol)
    assert client.get(game.get_absolute_url()).status_code == 200
    play_out(game)  # then everyone who sees it sees all cards
    assert client.get(game.get_absolute_url()).status_code == 404


# What is refused


def test_an_invalid_request_is_refused_with_a_sentence(game, alice, bob, carol):
    seat = first(game)
    guest = person("Guest", is_guest=True)
    gone = person("Gone", is_active=False)
    for name, sentence in {
        "Nobody": "You can’t ask “Nobody”. Check the spelling.",
        gone.username: "You can’t ask “Gone”. Check the spelling.",
        "Alice": "You can’t ask yourself. Enter another player’s name.",
        guest.username: "Guest is a guest. Only players with an account can be substitutes.",
        "Bob": "Bob already plays at this table.",
    }.items():
        refused(handover.ask, sentence, seat=seat, user=alice, name=name)
    refused(handover.ask, "This is not your seat.", seat=seat, user=bob, name="Carol")
    for until, sentence in {
        timezone.now(): "That date is in the past. Choose a later one.",
        timezone.now()
        + timedelta(
            days=400
        ): "You can hand over a seat for at most a year. Choose an earlier date or leave the end open.",
    }.items():
        refused(handover.ask, sentence, seat=seat, user=alice, name="Carol", until=until)
        refused(handover.hand_to_bot, sentence, seat=seat, user=alice, until=until)
    assert not Handover.objects.exists() and not Notice.objects.filter(kind="asked").exists()


def test_guests_ask_nobody_and_new_accounts_ask_few_players_a_day(settings, alice, bob, carol, dan, eve):
    settings.NEW_ACCOUNT_DAYS, settings.NEW_ACCOUNT_INVITATIONS = 3, 2
    guest = person("Guest", is_guest=True)
    sentence = "Guests can’t do this. Sign up first."
    refused(handover.ask, sentence, seat=first(in_turns(guest, bob)), user=guest, name="Carol")
    for name in ("Bob", "Carol", "Carol"):  # in a game each, as against bots; asking again asks nobody else
        handover.ask(seat=first(lobby.play_now(user=alice)), user=alice, name=name)
    sentence = "New accounts can ask 2 players a day to take over. Ask again tomorrow."
    refused(handover.ask, sentence, seat=first(lobby.play_now(user=alice)), user=alice, name="Dan")
    User.objects.filter(pk=alice.pk).update(date_joined=timezone.now() - timedelta(days=4))
    alice = User.objects.get(pk=alice.pk)
    handover.ask(seat=first(lobby.play_now(user=alice)), user=alice, name="Eve")


def test_an_invalid_hand_over_is_refused_with_a_sentence(game, alice, bob, carol):
    seat = first(game)
    refused(handover.hand_to_bot, "Only the player of this seat can hand it over.", seat=seat, user=bob)
    refused(handover.come_back, "This is not your seat.", seat=seat, user=bob)
    refused(
        handover.accept, "You were not asked to play this seat, or the request was withdrawn.", seat=seat, user=carol
    )
    handover.ask(seat=seat, user=alice, name="Carol")
    handover.accept(seat=seat, user=carol)
    refused(handover.hand_to_bot, "Only the player of this seat can hand it over.", seat=seat, user=alice)
    refused(
        handover.withdraw, "There is no open request: you have not asked anyone, or they have already answered.",
        seat=seat, user=alice,
    )  # fmt: skip


def test_nobody_is_the_substitute_of_two_players_at_a_table(game, alice, bob, carol):
    substitute_in(game, alice, carol)
    refused(
        handover.ask, "Carol already plays at this table.", seat=seats_of(game)[1], user=bob, name="Carol",
    )  # fmt: skip


def test_a_substitute_in_a_duplicate_has_seen_its_deal(alice, bob, carol, dan, drawn_in_order):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (bob, dan, person("Dora")):
        duplicates.join(public_id=row.public_id, user=user)
    game, other = row.games.order_by("pk")
    refused(handover.ask, "Dan already plays this deal at another table.", seat=first(game), user=alice, name="Dan")
    handover.ask(seat=first(game), user=alice, name="Carol")
    with pytest.raises(GameError, match="This game doesn’t exist, or it is private"):
        table(public_id=game.public_id, user=carol)
    handover.accept(seat=first(game), user=carol)
    handover.come_back(seat=first(game), user=alice)
    sentence = "Carol has already seen cards from this deal."
    refused(handover.ask, sentence, seat=first(other), user=dan, name="Carol")
    handover.ask(seat=first(game), user=alice, name="Carol")


def test_an_expired_request_cannot_be_accepted(game, alice, carol, morning):
    handover.ask(seat=first(game), user=alice, name="Carol", until=timezone.now() + HOUR)
    morning.shift(2 * HOUR)
    refused(handover.accept, "The time you were asked to play for is over.", seat=first(game), user=carol)


def test_seats_can_be_handed_over_only_while_the_game_runs(alice, bob, carol):
    from games.tables.services import lobby

    waiting = lobby.open_table(user=alice)
    with pytest.raises(Over, match="has not started"):
        handover.hand_to_bot(seat=first(waiting), user=alice)
    game = table_of(alice, bob)
    handover.hand_to_bot(seat=first(game), user=alice, until=timezone.now() + HOUR)
    handover.come_back(seat=first(game), user=alice)
    play_out(game)
    with pytest.raises(Over, match="is over"):
        handover.ask(seat=first(game), user=alice, name="Carol")


def test_a_table_for_reliable_players_needs_reliable_substitutes(alice, bob, carol):
    game = in_turns(alice, bob, reliability=90)
    type(carol).objects.filter(pk=carol.pk).update(punctuality="0" * 10)
    sentence = "This table requires 90% of turns on time. Carol has 0%."
    refused(handover.ask, sentence, seat=first(game), user=alice, name="Carol")


def test_s2_the_owner_cannot_act_while_a_substitute_plays(game, alice, carol):
    substitute_in(game, alice, carol)
    with pytest.raises(NotYours):
        chat.say(public_id=game.public_id, user=alice, text="psst", to=1)
    assert table(public_id=game.public_id, user=alice).seat is None


# Deleted accounts and guests


def test_s9_a_bot_plays_on_without_the_name_when_the_owner_deletes_their_account(game, alice, carol):
    substitute_in(game, alice, carol)
    alice.delete()
    seat = first(game)
    assert (seat.name, seat.owner, seat.user, seat.bot) == ("Former player", None, None, "")
    assert bots.sweep_bots() == 1


def test_s9_a_bot_plays_when_the_substitute_deletes_their_account(game, alice, carol):
    substitute_in(game, alice, carol)
    carol.delete()
    seat = first(game)
    assert (seat.name, seat.owner, seat.user, seat.bot) == ("Alice", alice, None, "medium")
    assert handover.come_back(seat=seat, user=alice).user == alice


def test_s9_nobody_waits_for_a_player_who_deletes_their_account(game, alice, bob, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(alice)
    assert Entry.objects.filter(game=game).latest("seq").by == "stand-in"
    assert [seat.owes for seat in seats_of(game)] == [False, True]
    page = reading(bob, game)
    assert "A bot is playing for Former player to the end of the game." in page
    assert "Former player resigned. A bot plays the seat to the end." in page
    message = messages.message(Notice.objects.get(user=bob, kind="turn", seq=again(game).seq, channel="email"))
    assert [line.note for line in message.since][-1] == "A bot is playing for Former player."
    with django_capture_on_commit_callbacks(execute=True):
        play_turns(game, 1)
    assert Entry.objects.filter(game=game).latest("seq").by == "stand-in", "at once, whenever it is their turn"
    assert not seats_of(game)[0].owes


def test_s9_a_player_who_deletes_their_account_when_others_have_to_act_is_replaced_at_once(game, alice, bob):
    delete_account(bob)
    gone = seats_of(game)[1]
    assert (gone.has_given_up, gone.owner, gone.owes) == (True, None, False)
    assert "Former player resigned." in reading(alice, game)
    play_turns(game, 1)
    assert bots.sweep_bots() == 1


def test_s9_nobody_waits_for_a_secret_decision_of_a_deleted_account(alice, bob, carol):
    game = table_of(alice, bob, carol)
    submit(game, 1, "bid 0")
    delete_account(carol)
    assert bots.sweep_bots() == 1
    assert [seat.owes for seat in seats_of(game)] == [True, False, False]


@pytest.mark.parametrize("open_game", [in_turns, kingdoms])
def test_s9_a_game_that_everyone_has_left_is_played_to_the_end(open_game, alice, bob):
    game = open_game(alice, bob)
    for player in (alice, bob):
        delete_account(player)
    for _turn in range(2000):
        if not bots.sweep_bots():
            break
    assert again(game).is_finished


def test_s9_a_deleted_account_ranks_last_for_the_ratings(alice, bob):
    game = in_turns(alice, bob)
    delete_account(alice)
    play_out(game)
    assert list(Score.objects.order_by("seat").values_list("gave_up", flat=True)) == [True, False]


def test_the_owner_is_notified_when_the_substitute_stops(game, alice, carol):
    substitute_in(game, alice, carol)
    handover.hand_to_bot(seat=first(game), user=carol)
    message = messages.message(Notice.objects.get(user=alice, kind="away", channel="email"))
    assert message.lead.startswith("A bot is playing your seat until you return.")


def test_s9_a_bot_decides_at_once_for_a_substitute_who_deletes_their_account(game, alice, carol):
    substitute_in(game, alice, carol)
    delete_account(carol)
    assert Notice.objects.filter(user=alice, kind="away").exists()
    assert (first(game).owner, first(game).user, first(game).bot) == (alice, None, "medium")
    assert bots.sweep_bots() == 1
    assert handover.come_back(seat=first(game), user=alice).user == alice


def test_a_broken_game_does_not_keep_its_player_from_deleting_the_account(game, alice, caplog):
    Game.objects.filter(pk=game.pk).update(seq=99)
    delete_account(alice)
    assert not User.objects.filter(pk=alice.pk).exists() and "Cannot leave game" in caplog.text


def test_a_guest_who_signs_in_keeps_a_seat_that_a_bot_plays(morning, bob):
    guest = person("Guest", is_guest=True)
    alice = person("Alicia")
    game = in_turns(guest, bob)
    handover.hand_to_bot(seat=first(game), user=guest)
    assert people.move_seats(giver=guest, taker=alice)[:2] == (1, 0)
    assert (first(game).owner, first(game).user, first(game).name) == (alice, None, "Alicia")
