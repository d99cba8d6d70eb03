"""Seats in other hands: a bot's, or somebody's who agreed; and back again. Rulings: docs/rulings.md."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.contests.duplicates import services as duplicates
from games.contests.ratings.history import Person, history
from games.errors import GameError, NotYours, Over
from games.home.desk import desk
from games.notices.delivery import messages
from games.notices.models import Notice
from games.tables.models import Draft, Entry, Handover, Seat
from games.tables.selectors import chat as heard
from games.tables.selectors.table import table
from games.tables.services import bots, chat, clock, handover, people, play, records
from games.tables.services import time_off as rest
from tests.cast import again, in_turns, person, play_out, play_turns, seats_of, some_turn, submit, table_of
from tests.tables.kingdoms import kingdoms

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def morning():
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller


@pytest.fixture
def game(morning, alice, bob, carol):
    """It is Alice's turn, with 24 hours to go. Carol does not play."""
    return in_turns(alice, bob, clock="move 1d")


def first(game) -> Seat:
    return seats_of(game)[0]


def stand_in(game, owner, substitute, until=None) -> Seat:
    handover.ask(seat=first(game), user=owner, name=substitute.username, until=until)
    return handover.accept(seat=first(game), user=substitute)


def refused(action, sentence: str, **asked) -> None:
    with pytest.raises(GameError) as refusal:
        action(**asked)
    assert str(refusal.value) == sentence


# To a bot


def test_a_seat_left_to_a_bot_is_played_at_once_until_its_owner_comes_back(game, alice):
    handover.hand_to_bot(seat=first(game), user=alice)
    assert bots.sweep_bots() == 1
    assert Entry.objects.filter(game=game).latest("seq").by == "stand-in"
    handover.come_back(seat=first(game), user=alice)
    play_turns(game, 2)
    assert Entry.objects.filter(game=game).latest("seq").by == "seat"
    assert [(row.why, row.to, row.bot) for row in Handover.objects.all()] == [
        ("given", None, "greedy"), ("back", alice, ""),
    ]  # fmt: skip


def test_a_while_ends_by_itself(game, alice, morning):
    handover.hand_to_bot(seat=first(game), user=alice, until=timezone.now() + 30 * HOUR)
    morning.shift(29 * HOUR)
    assert handover.sweep_handovers(timezone.now()) == 0
    morning.shift(HOUR)
    assert [handover.sweep_handovers(timezone.now()) for _twice in range(2)] == [1, 0]
    assert (first(game).user, first(game).back_at) == (alice, None)
    assert Handover.objects.latest("pk").why == "ended"


def test_s4_what_was_laid_out_is_gone_and_what_is_sealed_or_ordered_stays(alice, bob, carol):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    play.lay_out(game=game, seat=0, actions=["bid 4"], expected_seq=0)
    Seat.objects.filter(pk=first(game).pk).update(orders={"defend": "one"})
    stand_in(game, alice, carol)
    assert [(draft.sealed, draft.actions) for draft in Draft.objects.all()] == [(True, ["bid 3"])]
    assert first(game).orders == {"defend": "one"}


# To somebody who agreed


def test_s6_nobody_plays_for_another_before_having_agreed(game, alice, carol):
    handover.ask(seat=first(game), user=alice, name="carol")
    assert first(game).user == alice
    assert Notice.objects.get(kind="asked").user == carol
    handover.accept(seat=first(game), user=carol)
    seat = first(game)
    assert (seat.user, seat.owner, seat.name, seat.asked) == (carol, alice, "Alice", None)
    play_turns(game, 1)
    carol.refresh_from_db()
    alice.refresh_from_db()
    assert (carol.punctuality, alice.punctuality) == ("1", "1"), "Alice's is that of her bid"


def test_who_is_asked_can_say_no_and_who_asked_can_think_better_of_it(game, alice, carol):
    handover.ask(seat=first(game), user=alice, name="Carol")
    handover.decline(seat=first(game), user=carol)
    refused(
        handover.withdraw,
        "There is no open request. Either you asked nobody, or they have answered.",
        seat=first(game),
        user=alice,
    )
    handover.ask(seat=first(game), user=alice, name="Carol")
    handover.withdraw(seat=first(game), user=alice)
    assert set(Notice.objects.filter(kind="asked").values_list("state", flat=True)) == {"dropped"}
    refused(
        handover.accept,
        "You were not asked to play this seat, or the request was withdrawn.",
        seat=first(game),
        user=carol,
    )
    assert not Handover.objects.exists()


def test_s1_the_result_is_the_owners_whoever_played(game, alice, bob, carol):
    stand_in(game, alice, carol)
    play_out(game)
    assert history(person=Person(alice), reader=alice).count == 1
    assert history(person=Person(carol), reader=carol).count == 0
    assert [seat.name for seat in again(game).seats.all()] == ["Alice", "Bob"]
    assert records.verify(game=again(game)) == []


def test_s10_the_next_game_of_a_full_game_begins_with_the_seat_as_it_stands(alice, bob, carol):
    game = table_of(alice, bob, full=True)
    stand_in(game, alice, carol)
    handover.hand_to_bot(seat=seats_of(game)[1], user=bob)
    while not again(game).is_finished:
        seat, actions = some_turn(game)
        submit(game, seat, *actions)
    following = seats_of(game.full_game.games.get(number=2))
    assert [(seat.owner, seat.user, seat.bot) for seat in following] == [(alice, carol, ""), (bob, None, "greedy")]


def test_a_substitute_who_is_late_twice_loses_the_seat_to_a_bot_and_the_owner_hears_of_it(game, alice, carol, morning):
    stand_in(game, alice, carol)
    for _round in range(2):
        morning.shift(24 * HOUR)
        clock.sweep_overdue(timezone.now())
        play_turns(game, 1)
    assert (first(game).user, first(game).bot) == (None, "greedy")
    assert Notice.objects.get(kind="away").user == alice
    carol.refresh_from_db()
    assert carol.punctuality == "00"


# The clock


def test_s5_the_clock_is_the_owners_however_often_a_seat_changes_hands(game, alice, bob, carol, morning):
    due = first(game).deadline
    rest.set_rest(user=carol, zone="UTC", window="10:00-20:00")
    for _round in range(3):
        morning.shift(HOUR)
        stand_in(game, alice, carol)
        morning.shift(HOUR)
        handover.come_back(seat=first(game), user=alice)
    assert first(game).deadline == due
    stand_in(game, alice, carol)
    rest.set_rest(user=alice, zone="UTC", window="15:00-22:00")
    assert first(game).deadline == due + 7 * HOUR


def test_s5_a_bank_does_not_grow_by_changing_hands(alice, bob, carol, morning):
    rest.set_rest(user=alice, zone="UTC", window="10:00-20:00")
    game = in_turns(alice, bob, clock="bank 10h +1h cap 30d")
    assert first(game).bank == 11 * HOUR
    stand_in(game, alice, carol)
    assert first(game).deadline == timezone.now() + 21 * HOUR
    play_turns(game, 1)
    assert first(game).bank == 12 * HOUR


# Who sees what


def test_s2_the_substitute_sees_the_seat_and_the_owner_what_a_watcher_sees(alice, bob, carol, morning):
    game = kingdoms(alice, bob, listed=False)
    handover.ask(seat=first(game), user=alice, name="Carol")
    asked = table(public_id=game.public_id, user=carol)
    assert asked.seat is None and asked.view.seat is None
    handover.accept(seat=first(game), user=carol)
    mine, theirs = (table(public_id=game.public_id, user=user) for user in (carol, alice))
    assert (mine.seat, mine.view.seat) == (first(game), 0)
    assert (theirs.seat, theirs.view.seat, theirs.is_mine) == (None, None, False)
    assert records.export(public_id=game.public_id, user=alice) == records.export_for(
        game=again(game), seats=seats_of(game), seat=None
    )
    handover.come_back(seat=first(game), user=alice)
    with pytest.raises(GameError, match="This game doesn’t exist, or it is private"):
        table(public_id=game.public_id, user=carol)


def test_the_owner_finds_the_table_on_the_desk_and_nothing_waits_there(game, alice, carol):
    stand_in(game, alice, carol)
    (one,) = desk(user=alice).others
    assert (one.game, one.plays, one.is_mine) == (game, False, False)
    assert [one.game for one in desk(user=carol).mine] == [game]


def test_the_mail_that_a_bot_keeps_the_seat_shows_no_hand(alice, bob, morning):
    game = kingdoms(alice, bob, clock="move 1d", time_out="seat")
    morning.shift(24 * HOUR)
    clock.sweep_overdue(timezone.now())
    told = messages.message(Notice.objects.get(kind="away"))
    assert (told.hand, told.offers, told.view.seat, told.is_open) == ((), (), None, False)
    assert "/enter/" not in told.url and again(game).public_id in told.url


def test_s3_whispers_and_notes_stay_with_who_wrote_them_whoever_plays_the_seats_later(alice, bob, carol, dan):
    game = kingdoms(alice, bob, dan, options={"collusion": True})
    chat.say(public_id=game.public_id, user=bob, text="for Alice", to=0)
    chat.say(public_id=game.public_id, user=alice, text="for Bob", to=1)
    chat.write_note(public_id=game.public_id, user=alice, text="Bob bluffs")
    stand_in(game, alice, carol)
    chat.say(public_id=game.public_id, user=bob, text="for Carol", to=0)

    def hears(user) -> list[str]:
        return [line.text for line in heard.chat(public_id=game.public_id, user=user).lines]

    assert hears(carol) == ["for Carol"]
    assert heard.chat(public_id=game.public_id, user=carol).note == ""
    assert heard.unheard(game=again(game), seat=Seat.objects.select_related("user").get(pk=first(game).pk)) == 1
    handover.come_back(seat=first(game), user=alice)
    assert hears(alice) == ["for Alice", "for Bob"]
    assert hears(bob) == ["for Alice", "for Bob", "for Carol"]


# What is refused


def test_what_cannot_be_asked_is_refused_with_a_sentence(game, alice, bob, carol):
    seat = first(game)
    guest = person("Guest", is_guest=True)
    gone = person("Gone", is_active=False)
    for name, sentence in {
        "Nobody": "There is no player with this name. Check the spelling.",
        gone.username: "There is no player with this name. Check the spelling.",
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


def test_what_cannot_be_done_is_refused_with_a_sentence(game, alice, bob, carol):
    seat = first(game)
    refused(handover.hand_to_bot, "Only the player of this seat can hand it over.", seat=seat, user=bob)
    refused(handover.come_back, "You already play this seat.", seat=seat, user=alice)
    refused(handover.come_back, "This is not your seat.", seat=seat, user=bob)
    refused(
        handover.accept, "You were not asked to play this seat, or the request was withdrawn.", seat=seat, user=carol
    )
    handover.hand_to_bot(seat=seat, user=alice)
    refused(handover.hand_to_bot, "Only the player of this seat can hand it over.", seat=seat, user=alice)


def test_nobody_stands_in_for_two_at_one_table(game, alice, bob, carol):
    stand_in(game, alice, carol)
    refused(
        handover.ask, "Carol already plays at this table.", seat=seats_of(game)[1], user=bob, name="Carol",
    )  # fmt: skip


def test_who_has_stood_in_at_a_table_of_a_round_has_seen_its_deal(alice, bob, carol, dan):
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


def test_an_offer_that_is_over_cannot_be_accepted(game, alice, carol, morning):
    handover.ask(seat=first(game), user=alice, name="Carol", until=timezone.now() + HOUR)
    morning.shift(2 * HOUR)
    refused(handover.accept, "The time you were asked to play for is over.", seat=first(game), user=carol)


def test_before_and_after_the_game_no_seat_changes_hands(alice, bob, carol):
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


def test_a_table_that_asks_for_reliable_players_asks_it_of_substitutes_too(alice, bob, carol):
    game = in_turns(alice, bob, reliability=90)
    type(carol).objects.filter(pk=carol.pk).update(punctuality="0" * 10)
    sentence = "This table requires 90% of turns on time. Carol has 0%."
    refused(handover.ask, sentence, seat=first(game), user=alice, name="Carol")


def test_s2_the_owner_away_cannot_act(game, alice, carol):
    stand_in(game, alice, carol)
    with pytest.raises(NotYours):
        chat.say(public_id=game.public_id, user=alice, text="psst", to=1)
    assert table(public_id=game.public_id, user=alice).seat is None


# People who leave


def test_s9_where_the_owner_leaves_the_name_goes_and_the_house_plays_on(game, alice, carol):
    stand_in(game, alice, carol)
    alice.delete()
    seat = first(game)
    assert (seat.name, seat.owner, seat.user, seat.bot) == ("Former player", None, None, "")
    assert bots.sweep_bots() == 1


def test_s9_where_a_substitute_leaves_a_bot_plays_until_the_owner_comes_back(game, alice, carol):
    stand_in(game, alice, carol)
    carol.delete()
    seat = first(game)
    assert (seat.name, seat.owner, seat.user, seat.bot) == ("Alice", alice, None, "greedy")
    assert handover.come_back(seat=seat, user=alice).user == alice


def test_a_guest_whose_seat_a_bot_keeps_is_not_forgotten_and_takes_it_along(morning, bob):
    guest = person("Guest", is_guest=True)
    alice = person("Alicia")
    game = in_turns(guest, bob)
    handover.hand_to_bot(seat=first(game), user=guest)
    assert people.move_seats(giver=guest, taker=alice) == (1, 0)
    assert (first(game).owner, first(game).user, first(game).name) == (alice, None, "Alicia")
