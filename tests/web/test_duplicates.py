"""Attacks on duplicates: nobody who has seen a card of a deal can get a seat at another of its tables."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from accounts.moderation import roles
from accounts.moderation import services as moderation
from accounts.services import bring_games, delete_account
from games.contests.achievements import book as achievements
from games.contests.duplicates import services as duplicates
from games.contests.models import Achievement, Earning, RatedPlayer, Score, SizeRating, Streak
from games.contests.ratings.book import book
from games.contests.ratings.book import sweep as sweep_book
from games.contests.ratings.recompute import recompute
from games.errors import GameError, TableError
from games.notices.models import Notice
from games.tables.models import Duplicate, DuplicateSeed, Entry, Game, Seat, Seed, SeenDeal
from games.tables.selectors import rights
from games.tables.services import blocking, bots, handover, lobby, places
from games.tables.services import interventions as intervene
from tests.cast import again, person, play_out, play_turns, seats_of, table_of
from tests.contests.ladders import ends
from tests.web.reading import text

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def waiting(alice, bob, carol) -> Duplicate:
    """Two tables for two: Alice and Bob sit at the first, Carol at the second."""
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (bob, carol):
        duplicates.join(public_id=row.public_id, user=user)
    return row


@pytest.fixture
def begun(waiting, dan, drawn_in_order) -> Duplicate:
    duplicates.join(public_id=waiting.public_id, user=dan)
    return Duplicate.objects.get()


def tables(row: Duplicate) -> list[Game]:
    return list(row.games.order_by("pk"))


def refusal_of(action, **arguments) -> str:
    with pytest.raises(GameError) as refusal:
        action(**arguments)
    return str(refusal.value)


# Nothing is dealt before all tables begin


def test_nothing_is_dealt_and_no_seed_exists_until_every_table_is_full(waiting, dan):
    assert not DuplicateSeed.objects.exists() and not Seed.objects.exists() and not Entry.objects.exists()
    assert {(game.status, game.seed_hash) for game in tables(waiting)} == {("open", "")}
    duplicates.join(public_id=waiting.public_id, user=dan)
    assert {game.status for game in tables(waiting)} == {"running"} and DuplicateSeed.objects.count() == 1


def test_a_full_table_shows_no_card_while_another_table_has_room(waiting, alice, come):
    game = tables(waiting)[0]
    shown = come(alice).get(game.get_absolute_url()).content.decode()
    assert (
        "fingerprint of the secret seed" not in shown
        and come(alice).get(f"/games/{game}/record.json").status_code == 404
    )


def test_players_who_join_read_once_that_they_have_a_seat_and_the_last_one_that_they_have_joined(come, dan, eve):
    row = duplicates.open_duplicate(user=eve, ruleset="legends", players=2, tables=2)
    join, joined = f"{row.get_absolute_url()}join", "You have joined."
    for number in range(2):
        page = come(person(f"Early {number}")).post(join, follow=True).content.decode()
        assert page.count("You have a seat.") == 1 and joined not in page
    page = come(dan).post(join, follow=True).content.decode()
    assert joined in page and "Go to my game" in page


def test_players_whose_table_has_finished_read_what_they_wait_for(begun, come, alice, bob, carol, dan):
    url, sentence = begun.get_absolute_url(), "Your table has finished."
    first, second = tables(begun)
    own = come(next(user for user in (alice, bob, carol, dan) if first.seats.filter(owner=user)))
    assert sentence not in text(own.get(url)) and 'button primary"' in text(own.get(url))
    play_out(first)
    page = text(own.get(url))
    assert sentence in page and 'button primary"' not in page and "Go to my game" in page
    play_out(second)
    assert sentence not in text(own.get(url))


def test_anyone_can_take_a_seat_that_was_left_before_the_start(waiting, bob, dan, eve):
    for _tap in range(2):
        duplicates.leave(public_id=waiting.public_id, user=bob)
    for user in (dan, eve):
        duplicates.join(public_id=waiting.public_id, user=user)
    assert waiting.games.filter(status="running").count() == 2 and not SeenDeal.objects.filter(who=bob.pk).exists()


def test_nobody_can_join_once_the_tables_have_begun(begun, eve):
    assert refusal_of(duplicates.join, public_id=begun.public_id, user=eve) == (
        "This duplicate has already started. Join another one."
    )


@pytest.mark.parametrize(
    ("people", "seats", "wanted", "at_each"),
    [
        (1, 2, 2, []), (3, 2, 2, []), (3, 3, 4, []), (4, 2, 4, [2, 2]), (5, 2, 4, [2, 2]), (7, 2, 4, [2, 2, 2]),
        (4, 3, 8, [2, 2]), (7, 3, 4, [3, 2, 2]), (7, 4, 2, [4, 3]), (5, 4, 8, [3, 2]), (9, 8, 2, [5, 4]),
    ],
)  # fmt: skip
def test_players_are_spread_evenly_over_as_few_tables_as_needed(people, seats, wanted, at_each):
    assert duplicates.shares(people, wanted, seats) == at_each


def test_at_the_start_people_are_moved_together_and_bots_fill_the_rest(alice, bob, carol, dan, drawn_in_order):
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as clock:
        row = duplicates.open_duplicate(
            user=alice, ruleset="legends", players=3, tables=3, starts_at=timezone.now() + 2 * DAY
        )
        for user in (bob, carol, dan):
            duplicates.join(public_id=row.public_id, user=user)
        clock.shift(2 * DAY - timedelta(minutes=1))
        duplicates.sweep_duplicates(timezone.now())
        assert not DuplicateSeed.objects.exists()
        clock.shift(timedelta(minutes=1))
        duplicates.sweep_duplicates(timezone.now())
    first, second, third = tables(row)
    assert [seat.user or seat.bot for seat in seats_of(first)] == [alice, bob, "medium"]
    assert [seat.user or seat.bot for seat in seats_of(second)] == [carol, dan, "medium"]
    assert (first.status, second.status, third.status) == ("running", "running", "closed")
    assert SeenDeal.objects.count() == 4


def test_at_the_start_nobody_is_moved_to_the_table_of_someone_who_has_blocked_them(alice, bob, carol, dan):
    blocking.block(user=carol, blocked=dan)
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as clock:
        start = timezone.now() + DAY
        row = duplicates.open_duplicate(user=alice, ruleset="legends", players=3, tables=3, starts_at=start)
        for user in (bob, carol, dan):
            duplicates.join(public_id=row.public_id, user=user)
        clock.shift(DAY)
        duplicates.sweep_duplicates(timezone.now())
    at_each = [{seat.user for seat in seats_of(game) if seat.user} for game in tables(row)]
    assert sorted(map(len, at_each)) == [0, 2, 2] and {carol, dan} not in at_each


def test_full_tables_start_without_seating_anyone_with_a_player_who_has_blocked_them(waiting, alice, bob, carol, dan):
    blocking.block(user=bob, blocked=alice)
    game = duplicates.join(public_id=waiting.public_id, user=dan)
    at_each = [{seat.user for seat in seats_of(table)} for table in tables(waiting)]
    assert {alice, bob} not in at_each and set().union(*at_each) == {alice, bob, carol, dan}
    assert dan in {seat.user for seat in seats_of(game)} and game.is_running


def test_who_sits_where_is_drawn_so_that_being_kept_apart_tells_nothing(alice, bob, carol, dan):
    arrangements = set()
    for _time in range(12):
        row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
        for user in (bob, carol, dan):
            duplicates.join(public_id=row.public_id, user=user)
        arrangements.add(tuple(seat.user.username for game in tables(row) for seat in seats_of(game)))
    with_alice = {frozenset(names[:2] if "Alice" in names[:2] else names[2:]) for names in arrangements}
    assert len(with_alice) > 1 and len({names.index("Alice") for names in arrangements}) > 1


def test_nobody_fills_the_list_with_duplicates_that_wait_for_players(alice, bob, settings):
    ask = {"ruleset": "legends", "players": 2, "tables": 2}
    for _time in range(3):
        row = duplicates.open_duplicate(user=alice, **ask)
        duplicates.leave(public_id=row.public_id, user=alice)
    message = refusal_of(duplicates.open_duplicate, user=alice, **ask)
    assert "You already have 3 duplicates waiting for players" in message
    duplicates.open_duplicate(user=bob, **ask)
    Duplicate.objects.filter(opener=alice).update(ended_at=timezone.now())
    duplicates.open_duplicate(user=alice, **ask)
    settings.NEW_ACCOUNT_DAYS, settings.NEW_ACCOUNT_TABLES = 3, 1
    eve = person("Eve", date_joined=timezone.now())
    duplicates.open_duplicate(user=eve, **ask)
    assert "New accounts can open 1 duplicate a day" in refusal_of(duplicates.open_duplicate, user=eve, **ask)


@pytest.mark.long
def test_bots_that_filled_seats_are_not_compared(alice, bob, carol, dan):
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as clock:
        row = duplicates.open_duplicate(
            user=alice, ruleset="legends", players=3, tables=2, starts_at=timezone.now() + DAY
        )
        for user in (bob, carol, dan):
            duplicates.join(public_id=row.public_id, user=user)
        clock.shift(DAY)
        duplicates.sweep_duplicates(timezone.now())
        for game in tables(row):
            play_out(game)
    row.refresh_from_db()
    assert {line["name"] for line in row.result} == {"Alice", "Bob", "Carol", "Dan"}


def test_a_result_names_its_players_as_they_are_called_now(begun, alice, come):
    for game in tables(begun):
        play_out(game)
    roles.appoint(moderator := person("Mo"), roles.MODERATORS)
    moderation.rename(by=moderator, user=alice)
    alice.refresh_from_db()
    assert alice.username != "Alice"
    page = come().get(begun.get_absolute_url()).content.decode()
    assert alice.username in page and "Alice" not in page
    delete_account(alice)
    begun.refresh_from_db()
    assert [line["user"] for line in begun.result].count(None) == 1 and alice.username not in str(begun.result)


def test_ratings_achievements_and_records_wait_until_the_duplicate_has_ended(begun):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        first, second = tables(begun)
        play_out(first)
        assert book("legends") == sweep_book() == 0
        assert Score.objects.filter(game=first, order=None).count() == 2
        for kind in (RatedPlayer, SizeRating, Earning, Achievement, Streak):
            assert not kind.objects.exists(), kind
        clock.shift(DAY)
        play_out(second)
        book("legends")
    begun.refresh_from_db()
    assert set(Score.objects.values_list("order", "ended_at")) == {(1, begun.ended_at), (2, begun.ended_at)}
    assert set(Score.objects.values_list("weight", flat=True)) == {1}  # as at tables that anyone could join
    won = Earning.objects.filter(margin__isnull=False).count()  # by one player alone
    assert RatedPlayer.objects.count() == 4 and Achievement.objects.filter(slug="first-win").count() == won
    assert Earning.objects.filter(listed=True).count() == Score.objects.filter(listed=True, seat=0).count() == 2
    assert recompute("legends", mend=False) == [] == achievements.recompute(mend=False)


def test_a_result_that_was_held_back_takes_nothing_from_what_was_earned_meanwhile(begun, alice, bob):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for n, opponent in enumerate(("Xa", "Ya", "Za")):
            for player in alice, bob:
                ends(table_of(player, person(opponent + player.username)), 1, 2)
            clock.shift(DAY)
            if n == 0:
                ends(tables(begun)[0], 1, 2)
                clock.shift(DAY)
        book("legends")
        in_a_row = Achievement.objects.filter(slug="three-in-a-row")
        assert {achievement.user for achievement in in_a_row} == {alice, bob}
        clock.shift(DAY)
        ends(tables(begun)[1], 1, 2)
        assert duplicates.settle(begun.pk, timezone.now()) and book("legends") == 2
    assert {achievement.user for achievement in in_a_row.all()} == {alice, bob}


def test_the_scores_of_a_duplicate_are_rated_if_its_last_table_is_canceled(begun):
    first, second = tables(begun)
    play_out(first)
    game, sam = again(second), person("Sam", is_staff=True)
    intervene.void(game=game, by=sam, reason="Broken.", expected_seq=game.seq)
    assert Duplicate.objects.get().ended_at and book("legends") == 1
    assert RatedPlayer.objects.count() == 2


@pytest.mark.parametrize("is_played", [True, False])
def test_a_duplicate_with_fewer_than_two_tables_left_has_no_winner(begun, come, alice, is_played):
    first, second = tables(begun)
    sam = person("Sam", is_staff=True)
    if is_played:
        play_out(first)
    for game in (second,) if is_played else (first, second):
        intervene.void(game=game, by=sam, reason="Broken.", expected_seq=again(game).seq)
    begun.refresh_from_db()
    listed = " ".join(come().get("/duplicates/").content.decode().split())
    assert begun.ended_at and "no result" in listed and " won" not in listed and "for the win" not in listed
    page = "".join(come(alice).get(begun.get_absolute_url()).content.decode().split("\n"))
    notices = [notice.lead for notice in Notice.objects.filter(about=f"duplicate.{begun.pk}", channel="email")]
    if is_played:
        assert re.search("<h1> *Duplicate", page) and "so there is nothing to compare." in page
        assert notices == ["Only your table was played to its end, so there is nothing to compare."] * 2
    else:
        assert "All tables were canceled, so there is no result." in page and "Until the last table" not in page
        assert not notices


def test_a_player_without_a_table_is_notified(alice, bob, carol, dan, eve):
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as clock:
        row = duplicates.open_duplicate(
            user=alice, ruleset="legends", players=2, tables=3, starts_at=timezone.now() + DAY
        )
        for user in (bob, carol, dan, eve):
            duplicates.join(public_id=row.public_id, user=user)
        clock.shift(DAY)
        duplicates.sweep_duplicates(timezone.now())
    assert sorted(game.status for game in tables(row)) == ["closed", "running", "running"]
    assert set(Notice.objects.filter(kind="closed").values_list("user", flat=True)) == {eve.pk}


def test_a_duplicate_without_enough_players_for_two_tables_is_canceled(alice, bob, carol, come):
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as clock:
        row = duplicates.open_duplicate(
            user=alice, ruleset="legends", players=2, tables=2, starts_at=timezone.now() + DAY
        )
        for user in (bob, carol):
            duplicates.join(public_id=row.public_id, user=user)
        clock.shift(DAY)
        duplicates.sweep_duplicates(timezone.now())
        row.refresh_from_db()
        assert row.ended_at == timezone.now() and row.started_at is None and not Entry.objects.exists()
        assert Notice.objects.filter(kind="closed").values("user").distinct().count() == 3
        assert "was canceled because too few people joined" in come(alice).get(row.get_absolute_url()).content.decode()
        assert row.public_id not in come(alice).get("/duplicates/").content.decode()


def test_lists_mark_the_duplicates_in_which_the_reader_has_a_seat(waiting, dan, come, alice, eve):
    for _state in ("open", "running"):
        assert "you have a seat" in come(alice).get("/duplicates/").content.decode()
        for stranger in (eve, None):
            assert "you have a seat" not in come(stranger).get("/duplicates/").content.decode()
        duplicates.join(public_id=waiting.public_id, user=dan)


def test_a_duplicate_without_a_start_is_canceled_after_two_weeks(alice, bob):
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as clock:
        row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
        duplicates.join(public_id=row.public_id, user=bob)
        clock.shift(15 * DAY)
        assert lobby.close_stale_tables(timezone.now()) == 0
        duplicates.sweep_duplicates(timezone.now())
    assert {game.status for game in tables(row)} == {"closed"} and Duplicate.objects.get().ended_at


def test_a_start_in_the_past_or_far_away_is_refused(alice, come):
    for starts_at in (timezone.now(), timezone.now() + 31 * DAY):
        with pytest.raises(TableError, match="within 30 days"):
            duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2, starts_at=starts_at)
    wish = {"ruleset": "legends", "players": 2, "tables": 2, "clock": "move 2d"}
    for nonsense in ("2020-01-01T10:00", "soon", "9999-12-31T23:59", "0001-01-01T00:00"):
        assert come(alice).post("/duplicates/open/", {**wish, "starts_at": nonsense}).status_code == 422
    assert not Duplicate.objects.exists()
    tomorrow = (timezone.now() + DAY).strftime("%Y-%m-%dT%H:%M")
    come(alice).post("/duplicates/open/", {**wish, "starts_at": tomorrow})
    assert "at the latest." in come(alice).get(Duplicate.objects.get().get_absolute_url()).content.decode()


# No guests


def test_guests_cannot_open_or_join_a_duplicate(waiting, come):
    guest = person("Guest", is_guest=True)
    sentence = "Guests can’t play duplicates. Sign up, then join."
    assert refusal_of(duplicates.join, public_id=waiting.public_id, user=guest) == sentence
    assert "Create an account to play" in come(guest).get(waiting.get_absolute_url()).content.decode()
    assert sentence in come(guest).post(f"{waiting.get_absolute_url()}join", follow=True).content.decode()
    wish = {"ruleset": "legends", "players": 2, "tables": 2, "clock": "move 2d"}
    assert refusal_of(duplicates.open_duplicate, user=guest, **wish) == sentence
    assert come(guest).post("/duplicates/open/", wish).url == "/accounts/signup/"
    assert Duplicate.objects.count() == 1 and not Seat.objects.filter(user=guest).exists()


def test_two_guests_cannot_play_the_deal_before_their_accounts_join(alice, come):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    duplicates.leave(public_id=row.public_id, user=alice)
    for name in ("Guest-1", "Guest-2"):
        come(person(name, is_guest=True)).post(f"{row.get_absolute_url()}join")
    assert not Seat.objects.exists() and not Entry.objects.exists()


def test_a_guest_seat_of_a_duplicate_is_not_merged_into_an_account_at_another_table(begun, bob, carol):
    User.objects.filter(pk=bob.pk).update(is_guest=True)  # a seat from before guests were kept out
    bob.refresh_from_db()
    assert bring_games(guest=bob, user=carol)[:2] == (0, 1)
    first = tables(begun)[0]
    assert [(seat.owner, seat.user) for seat in seats_of(first)][1] == (bob, None)
    assert Seat.objects.filter(owner=carol).count() == Seat.objects.filter(user=carol).count() == 1


def test_an_account_has_seen_what_its_guest_saw_of_a_deal(begun, alice, bob, carol, eve):
    User.objects.filter(pk=bob.pk).update(is_guest=True)
    bob.refresh_from_db()
    handover.transfer(seat=seats_of(tables(begun)[0])[1], to=person("Fay"))
    assert bring_games(guest=bob, user=eve)[:2] == (0, 0)
    seat = seats_of(tables(begun)[1])[0]
    assert refusal_of(handover.ask, seat=seat, user=carol, name="Eve") == "Eve has already seen cards from this deal."


# Each account only ever has one seat in a duplicate


def test_nobody_can_substitute_or_take_over_at_a_second_table(begun, alice, carol):
    seat = seats_of(tables(begun)[0])[0]
    sentence = "Carol already plays this deal at another table."
    assert refusal_of(handover.ask, seat=seat, user=alice, name="Carol") == sentence
    assert refusal_of(handover.transfer, seat=seat, to=carol) == sentence
    game = again(tables(begun)[0])
    sam = person("Sam", is_staff=True)
    replacing = {"game": game, "seat": 0, "name": "Carol", "reason": "Away.", "expected_seq": game.seq, "by": sam}
    assert refusal_of(intervene.replace, **replacing) == sentence


def test_two_tables_cannot_hand_seats_to_the_same_person(begun, alice, carol, eve):
    first, second = (seats_of(game)[0] for game in tables(begun))
    handover.ask(seat=first, user=alice, name="Eve")
    handover.ask(seat=second, user=carol, name="Eve")
    handover.accept(seat=first, user=eve)
    assert refusal_of(handover.accept, seat=second, user=eve) == "Eve already plays this deal at another table."


def test_a_replaced_player_or_substitute_never_plays_at_another_table(begun, alice, carol, eve):
    first, second = (seats_of(game)[0] for game in tables(begun))
    handover.ask(seat=first, user=alice, name="Eve")
    handover.accept(seat=first, user=eve)
    handover.hand_to_bot(seat=first, user=eve)
    handover.transfer(seat=first, to=person("Fay"))
    for name in ("Alice", "Eve"):
        sentence = f"{name} has already seen cards from this deal."
        assert refusal_of(handover.ask, seat=second, user=carol, name=name) == sentence
        assert refusal_of(handover.transfer, seat=second, to=User.objects.get(username=name)) == sentence


def test_a_player_may_return_to_their_former_seat(begun, alice, eve):
    seat = seats_of(tables(begun)[0])[0]
    handover.transfer(seat=seat, to=eve)
    handover.transfer(seat=seat, to=alice)
    assert seats_of(tables(begun)[0])[0].owner == alice


def test_a_new_account_with_the_address_of_a_deleted_one_is_kept_out(begun, alice, carol, eve):
    number = str(alice.pk)
    delete_account(alice)
    assert SeenDeal.objects.filter(who=number).exists()
    returned = person("Alicia")
    returned.emailaddress_set.update(email="ALICE@example.org")
    seat = seats_of(tables(begun)[1])[0]
    sentence = "Alicia has already seen cards from this deal."
    assert refusal_of(handover.transfer, seat=seat, to=returned) == sentence
    # Nobody else learns that she was Alice, nor that a moderator has read what was said about the deal
    places.remember_reader(seat.game, eve)
    for name in ("Alicia", "Eve", "Nobody"):
        refusal = refusal_of(handover.ask, seat=seat, user=carol, name=name)
        assert refusal == f"You can’t ask “{name}”. Check the spelling."


@pytest.mark.long
def test_hashes_of_addresses_are_deleted_when_the_duplicate_ends(begun, alice):
    delete_account(alice)
    assert SeenDeal.objects.filter(who__startswith="address:").count() == 1
    assert not SeenDeal.objects.filter(who__contains="alice").exists()
    for game in tables(begun):
        while (now := again(game)).is_running:
            if not play_bots(now):
                play_turns(now, 1)
    assert Duplicate.objects.get().ended_at and not SeenDeal.objects.filter(who__startswith="address:").exists()


def play_bots(game: Game) -> bool:
    seat = Seat.objects.filter(game=game, owes=True, user=None).first()
    return seat is not None and bots.play_bot(game=game.pk, seat=seat.number)


def test_the_database_refuses_a_second_seat_in_a_duplicate(begun, alice):
    seat = seats_of(tables(begun)[1])[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        SeenDeal.objects.create(duplicate=begun, who=str(alice.pk), seat=seat, at=timezone.now())


def test_a_player_of_one_seat_never_plays_another_seat_of_the_game(alice, bob, carol, eve):
    game = table_of(alice, bob, carol)
    first, second = seats_of(game)[:2]
    handover.ask(seat=first, user=alice, name="Eve")
    handover.accept(seat=first, user=eve)
    handover.come_back(seat=first, user=alice)
    sentence = "Eve has played another seat in this game. Ask someone else."
    assert refusal_of(handover.ask, seat=second, user=bob, name="Eve") == sentence
    handover.transfer(seat=first, to=person("Fay"))
    assert refusal_of(handover.transfer, seat=second, to=alice).startswith("Alice has played another seat")


# Nobody else sees a running duplicate


def test_the_invitation_of_a_table_shows_nobody_a_running_duplicate(begun, eve):
    game = tables(begun)[0]
    seats = seats_of(game)
    assert game.invite_token and not rights.may_see(game=game, seats=seats, user=eve, invite=game.invite_token)
    assert rights.may_see(game=game, seats=seats, user=seats[0].user)


def addresses(game: Game) -> list[str]:
    """Every address of a game that needs only its id."""
    routes = get_resolver().reverse_dict
    return sorted(
        {
            "/" + pattern % {"public_id": game.public_id}
            for name in routes
            if isinstance(name, str)
            for pattern, names in routes.getlist(name)[0][0]
            if names == ["public_id"] and pattern.startswith(("games/", "live/"))
        }
    )


def test_no_address_of_a_running_table_answers_someone_who_does_not_play_there(begun, alice, carol, eve, come):
    first = play_turns(tables(begun)[0], 2)
    second = play_turns(tables(begun)[1], 2)
    boss = person("Boss", is_staff=True, is_superuser=True)
    urls = addresses(first)
    assert len(urls) > 8 and come(alice).get(urls[0]).status_code == 200
    for game, reader in ((first, carol), (second, alice), (first, eve), (first, boss), (first, None)):
        browser = come(reader)
        for address in addresses(game):
            answer = browser.get(address, {"invite": game.invite_token})
            is_same_for_all = address.endswith("/here") and not answer.content
            assert answer.status_code in (302, 404, 405) or is_same_for_all, (address, reader)
            ways = ("/accounts/login/", f"{game.get_absolute_url()}?invite=")  # the table does not answer either
            assert answer.status_code != 302 or answer["Location"].startswith(ways), address


def test_the_pages_of_full_games_and_players_tell_nothing_of_a_running_duplicate(
    alice, bob, carol, dan, come, drawn_in_order
):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2, full=True)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    first = Game.objects.filter(duplicate=row).order_by("pk")[0]
    play_out(first)
    following = Game.objects.get(full_game=first.full_game, number=2)
    assert following.is_withheld and following.duplicate == row
    boss = person("Boss", is_staff=True, is_superuser=True)
    page = f"/full-games/{first.full_game_id}/"
    assert come(alice).get(page).status_code == 200
    for reader in (carol, boss, None):
        assert come(reader).get(page).status_code == 404
        assert first.public_id not in come(reader).get("/players/Alice/").content.decode()


def test_staff_see_no_result_in_a_running_duplicate(alice, bob, carol, dan, come, drawn_in_order):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2, full=True)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    full = Game.objects.filter(duplicate=row).order_by("pk")[0].full_game
    while Game.objects.filter(full_game=full, status="running").exists():
        play_out(Game.objects.get(full_game=full, status="running"))
    last = Game.objects.get(full_game=full, number=3)
    won = Notice.objects.filter(kind="full", user=alice)[0]
    chief = come(person("Boss", is_staff=True, is_superuser=True))

    def shown() -> list[bool]:
        html = chief.get(reverse("admin:tables_game_change", args=[last.pk])).content.decode()
        return [
            "field-result" in html, "field-total" in html or "field-place" in html,
            *(
                chief.get(reverse(f"admin:{name}_change", args=[pk])).status_code == 200
                for name, pk in (
                    ("contests_score", Score.objects.filter(game=last)[0].pk), ("tables_fullgame", full.pk),
                    ("notices_notice", won.pk),
                )
            ),
        ]  # fmt: skip

    assert shown() == [False] * 5
    for game in Game.objects.filter(duplicate=row).exclude(full_game=full):
        intervene.void(game=game, by=person("Sam", is_staff=True), reason="Broken.", expected_seq=game.seq)
    assert Duplicate.objects.get().ended_at and shown() == [True] * 5
