"""Searches for a game: who meets whom, when bots fill in, what is refused, and what players are told of the wait."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from accounts.models import User
from accounts.services import delete_account, make_guest
from games.contests.models import RatedPlayer, Seek, SeekState
from games.contests.seeks import rules, selectors, services
from games.contests.seeks.rules import Apart, GameKind, Wish
from games.errors import GameError
from games.notices.models import Notice
from games.tables.models import Game, Seat, Status
from games.tables.services import blocking
from tests.cast import person, seats_of
from tests.contests.ladders import goes_on_vacation

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

MONDAY = datetime(2027, 3, 1, 12, tzinfo=UTC)
LEGENDS, TRIO = GameKind("legends", 2, "move 2d"), GameKind("legends", 3, "move 2d")


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


def seek(user: User, **more: Any) -> Seek:
    usual = {"rulesets": ["legends"], "sizes": [2], "clocks": ["move 2d"]}
    return services.seek(user=user, **usual | more)


def sweep(clock: time_machine.Traveller, **later: int) -> None:
    clock.shift(timedelta(**later))
    services.sweep(timezone.now())


def rated(user: User, shown: int, contests: int = 20) -> None:
    RatedPlayer.objects.create(user=user, ruleset="legends", shown=shown, contests=contests)


def states() -> dict[str, str]:
    return {search.user.username: search.state for search in Seek.objects.select_related("user")}


def refused(action: Any) -> str:
    before = list(Seek.objects.values_list()), Game.objects.count()
    with pytest.raises(GameError) as refusal:
        action()
    assert (list(Seek.objects.values_list()), Game.objects.count()) == before
    return str(refusal.value)


# Who meets whom


def test_q1_two_who_want_the_same_get_a_rated_listed_game_and_are_notified(alice, bob, carol):
    seek(alice, rulesets=["legends", "kingdoms"], sizes=[2, 3])
    seek(carol, clocks=["move 7d"])
    search = seek(bob, clocks=["move 1d", "move 2d"])
    game = Game.objects.get()
    assert search.state == SeekState.FOUND and search.game == game
    assert (game.ruleset, game.players, game.clock, game.status) == ("legends", 2, "move 2d", Status.RUNNING)
    assert game.counts and game.listed
    assert {seat.user for seat in seats_of(game)} == {alice, bob}
    assert states() == {"Alice": "found", "Bob": "found", "Carol": "waiting"}
    notified = Notice.objects.filter(seat__game=game, kind="started").values_list("user__username", flat=True)
    assert set(notified) == {"Alice"}, "Bob is on the site and sees the table"


def test_q1_the_longest_waiting_go_first(alice, bob, carol, clock):
    seek(alice, distance=200)
    clock.shift(timedelta(minutes=1))
    rated(bob, 1900)
    seek(bob)
    clock.shift(timedelta(minutes=1))
    seek(carol)
    assert states() == {"Alice": "found", "Bob": "waiting", "Carol": "found"}


def test_q2_everyone_at_a_table_suits_everyone_else(alice, bob, carol, dan):
    """Alice and Bob are 300 points apart, so the first table of three is without one of them."""
    for user, shown in ((alice, 1500), (bob, 1800), (carol, 1600), (dan, 1700)):
        rated(user, shown)
        seek(user, sizes=[3], distance=200 if user in (alice, bob) else 0)
    assert states() == {"Alice": "found", "Bob": "waiting", "Carol": "found", "Dan": "found"}


def test_q2_ratings_and_turns_on_time_hold_in_both_directions(alice, bob):
    rated(bob, 1800)
    seek(alice)
    seek(bob, distance=200)
    assert not Game.objects.exists(), "players without a rating count as 1500"
    Seek.objects.all().delete()
    User.objects.filter(pk=alice.pk).update(punctuality="1" * 8 + "0" * 4)
    seek(alice)
    seek(bob, reliability=90)
    assert not Game.objects.exists()
    User.objects.filter(pk=alice.pk).update(punctuality="1" * 8)  # few turns say nothing
    services.begin_tables(timezone.now())
    assert Game.objects.count() == 1


def test_q2_a_range_is_at_least_200_points_on_each_side(alice):
    assert "200" in refused(lambda: seek(alice, distance=50))


@pytest.mark.parametrize("who", [("alice", "bob"), ("bob", "alice")])
def test_q3_two_people_do_not_meet_if_one_has_blocked_the_other(alice, bob, who):
    people = {"alice": alice, "bob": bob}
    blocking.block(user=people[who[0]], blocked=people[who[1]])
    seek(alice)
    seek(bob)
    assert not Game.objects.exists()


def test_q3_a_block_while_a_table_begins_counts(alice, bob, monkeypatch):
    """The group is found before Bob is blocked, and begins after."""
    kind = GameKind("legends", 2, "move 2d")
    for user in (alice, bob):
        services._create_seek(user, ["legends"], [2], ["move 2d"], 0, 0, "yes", None)
    groups = list(rules.groups(services.wishes_of(Seek.objects.all(), timezone.now()), Apart(), timezone.now()))
    assert [group.kind for group in groups] == [kind]
    blocking.block(user=alice, blocked=bob)
    assert not services._begin(groups[0], timezone.now(), None)
    assert not Game.objects.exists() and set(states().values()) == {"waiting"}


def test_q4_the_same_two_meet_in_a_rated_game_once_a_day(alice, bob, clock):
    for user in (alice, bob):
        seek(user)
    clock.shift(timedelta(minutes=2))
    for user in (alice, bob):
        seek(user)
    assert Game.objects.count() == 1
    services.leave(user=alice)
    services.leave(user=bob)
    for user in (alice, bob):
        seek(user, rated="no")
    assert Game.objects.filter(counts=False).count() == 1
    for user in (alice, bob):
        seek(user)
    sweep(clock, hours=24, minutes=1)
    assert Game.objects.filter(counts=True).count() == 2


def test_q4_two_who_take_either_play_rated_and_with_one_who_does_not_unrated(alice, bob, carol, dan):
    seek(alice, rated="either")
    seek(bob, rated="either")
    assert Game.objects.get().counts
    seek(carol, rated="either")
    seek(dan, rated="no")
    assert not Game.objects.latest("pk").counts


def test_q9_searches_that_suit_nobody_keep_no_other_from_a_table(alice, bob, carol, clock, monkeypatch):
    monkeypatch.setattr(services, "LOOKED_AT", 3)
    for n in range(4):
        seek(person(f"Odd{n}"), rulesets=["classic"], sizes=[5])
    clock.shift(timedelta(minutes=1))
    seek(carol, sizes=[3], bots_after=timedelta(minutes=15))
    seek(alice)
    assert seek(bob).state == SeekState.FOUND, "only searches with a kind in common count"
    sweep(clock, minutes=15)
    assert states()["Carol"] == "filled"


def test_q9_a_sweep_looks_at_any_two_sooner_or_later(alice, bob, monkeypatch):
    """A rest or a rating may keep two apart who suit each other later, when nobody new begins to search."""
    for n in range(4):
        seek(person(f"Odd{n}"), rulesets=["classic"], sizes=[5])
    for user in (alice, bob):
        services._create_seek(user, ["legends"], [2], ["move 2d"], 0, 0, "yes", None)
    monkeypatch.setattr(services, "LOOKED_AT", 5)
    begun = sum(services.begin_tables(timezone.now()) for _minute in range(40))
    assert begun == 1 and states()["Alice"] == states()["Bob"] == "found"


# Bots


def test_q5_bots_take_the_empty_seats_after_the_time_chosen_and_the_game_is_unrated_and_private(alice, bob, clock):
    seek(alice, sizes=[3], bots_after=timedelta(minutes=15))
    seek(bob, sizes=[3])
    sweep(clock, minutes=14)
    assert not Game.objects.exists()
    sweep(clock, minutes=1)
    game = Game.objects.get()
    assert [(seat.name, seat.bot) for seat in seats_of(game)] == [
        ("Alice", ""), ("Medium", "medium"), ("Medium 2", "medium"),
    ]  # fmt: skip
    assert not game.counts and not game.listed
    assert states() == {"Alice": "filled", "Bob": "waiting"}, "Bob wanted no bots"
    assert Notice.objects.filter(seat__game=game, user=alice, kind="started").exists()


def test_q5_people_whose_time_is_over_share_the_table_with_the_bots(alice, bob, clock):
    for user in (alice, bob):
        seek(user, sizes=[4], bots_after=timedelta(minutes=15))
    sweep(clock, minutes=15)
    assert [seat.bot for seat in seats_of(Game.objects.get())] == ["", "", "medium", "medium"]
    assert not Game.objects.get().counts


# Guests, limits and ends


def test_q6_guests_play_unrated_and_wait_minutes_unless_their_page_is_open(alice, clock):
    guest = make_guest()
    assert "Guests can’t play rated games" in refused(lambda: seek(guest))
    seek(guest, rated="no")
    sweep(clock, minutes=9)
    services.stay(seek=Seek.objects.get(), now=timezone.now())
    sweep(clock, minutes=9)
    assert Seek.objects.get().state == "waiting"
    sweep(clock, minutes=1)
    assert Seek.objects.get().state == "expired"
    search = seek(alice)
    services.stay(seek=search, now=timezone.now())
    assert Seek.objects.get(pk=search.pk).expires_at == timezone.now() + services.LASTS, "members may go"
    services.leave(user=alice)
    seek(guest, rated="no")
    seek(alice, rated="either")
    assert not Game.objects.get().counts


def test_q6_a_guest_who_signs_in_leaves_the_search_and_takes_along_what_was_found(alice, bob):
    guest = make_guest()
    seek(guest, rated="no")
    services.move(guest, alice)
    assert Seek.objects.get().state == "left" and Seek.objects.get().user == alice


def test_q7_a_person_has_one_search_and_ten_games_from_searches_at_a_time(alice, bob, clock, monkeypatch):
    seek(alice)
    assert "already looking" in refused(lambda: seek(alice, rulesets=["kingdoms"]))
    monkeypatch.setattr(services, "MOST_RUNNING", 1)
    seek(bob)
    clock.shift(timedelta(minutes=2))
    assert "You are already playing 1 game" in refused(lambda: seek(alice))
    Game.objects.update(status=Status.FINISHED, ended_at=timezone.now())
    seek(alice)


def test_q7_people_on_vacation_are_not_seated(alice, bob):
    goes_on_vacation(bob, 3)
    assert "vacation" in refused(lambda: seek(bob))
    seek(alice)
    goes_on_vacation(alice, 3)
    seek(person("Frank"))
    assert not Game.objects.exists()


def test_q8_a_search_ends_after_seven_days_with_a_notice(alice, clock, django_capture_on_commit_callbacks):
    seek(alice)
    sweep(clock, days=6, hours=23)
    assert Seek.objects.get().state == "waiting"
    with django_capture_on_commit_callbacks(execute=True):
        sweep(clock, hours=1)
    assert Seek.objects.get().state == "expired"
    notice = Notice.objects.get(user=alice)
    assert (notice.kind, notice.title, notice.url) == ("closed", "We didn’t find a game for you", "/find/")
    assert "Nobody matched your search in time" in mail.outbox[0].body and "/find/" in mail.outbox[0].body
    sweep(clock, days=91)
    assert not Seek.objects.exists()


def test_a_search_can_be_canceled_until_a_game_is_found(alice, bob):
    seek(alice)
    services.leave(user=alice)
    assert states() == {"Alice": "left"}
    seek(bob)
    seek(alice)
    assert "not looking" in refused(lambda: services.leave(user=alice))


def test_a_deleted_account_leaves_no_search(alice, bob):
    seek(alice)
    delete_account(alice)
    seek(bob)
    assert not Game.objects.exists() and states() == {"Bob": "waiting"}


def test_wrong_searches_are_refused(alice):
    assert "don’t have this game" in refused(lambda: seek(alice, rulesets=["chess"]))
    assert "that many players" in refused(lambda: seek(alice, sizes=[7]))
    assert "that many players" in refused(lambda: seek(alice, clocks=[]))
    refused(lambda: seek(alice, clocks=["move 1y"]))
    refused(lambda: seek(alice, rated="maybe"))
    refused(lambda: seek(alice, bots_after=timedelta(days=30)))


def test_a_search_found_by_someone_else_meanwhile_is_left_alone(alice, bob, carol):
    """The group was read, then Bob got a table elsewhere."""
    for user in (alice, bob):
        services._create_seek(user, ["legends"], [2], ["move 2d"], 0, 0, "yes", None)
    groups = list(rules.groups(services.wishes_of(Seek.objects.all(), timezone.now()), Apart(), timezone.now()))
    services.leave(user=bob)
    assert not services._begin(groups[0], timezone.now(), None)
    assert states() == {"Alice": "waiting", "Bob": "left"} and not Seat.objects.exists()


# The wait


def test_the_expected_wait_is_shown_only_after_five_games_like_this(alice, clock):
    for n in range(5):
        search = seek(alice)
        assert selectors.wait(search, timezone.now()) is None
        services.leave(user=alice)
        seek(person(f"First{n}"))
        clock.shift(timedelta(minutes=10 * (n + 1)))
        seek(person(f"Then{n}"))
    seek(person("Patient"), bots_after=timedelta(minutes=5))
    sweep(clock, minutes=5)
    search = seek(alice)
    assert selectors.wait(search, timezone.now()) == selectors.Wait(11, 10, timedelta())
    Seek.objects.filter(user=alice, state="waiting").update(rulesets=["kingdoms"])
    assert selectors.wait(selectors.current(alice), timezone.now()) is None
    clock.shift(timedelta(days=31))
    assert selectors.wait(search, timezone.now()) is None


# The rules alone


def wish(n: int, *kinds: GameKind, minutes: int = 0, **more: Any) -> Wish:
    ratings = {"legends": more.pop("rating", 1500)}
    return Wish(n, n, MONDAY + timedelta(minutes=minutes), kinds or (LEGENDS,), ratings, **more)


def test_nobody_is_in_two_groups_and_all_who_can_play_do():
    wishes = [wish(n, LEGENDS, TRIO, minutes=n) for n in range(101)]
    groups = list(rules.groups(wishes, rules.NOBODY, MONDAY))
    seated = [member.user for group in groups for member in group.wishes]
    assert len(seated) == len(set(seated)) == 100


@pytest.fixture
def work(monkeypatch) -> Counter[str]:
    """How often two searches are compared (`suit`), and how often the partners of one are looked up (`to`)."""
    done = Counter[str]()

    def counted(owner: object, name: str) -> None:
        call = getattr(owner, name)

        def count(*args: Any, **more: Any) -> Any:
            done[name] += 1
            return call(*args, **more)

        monkeypatch.setattr(owner, name, count)

    counted(rules, "suit")
    counted(rules.Suited, "to")
    return done


def test_many_searches_that_suit_nobody_take_little_work(work):
    """300 searches of eight, of whom each has a block with two thirds of the others."""
    eight = GameKind("legends", 8, "move 2d")
    blocked = {frozenset((n, m)) for n in range(300) for m in range(n) if (n + m) % 3}
    list(rules.groups([wish(n, eight) for n in range(300)], Apart(blocked), MONDAY))
    assert work["suit"] <= 300 * 300 and work["to"] <= 300 * (1 + rules.STEPS)


@pytest.mark.parametrize(
    "trait", [{"on_time": 50, "reliability": 100}, {"blocked": 1}, {"blocked": 2}], ids=["late", "nobody", "pairs"]
)
def test_searches_for_everything_that_suit_nobody_take_little_work(trait, work):
    """Size and clock make no difference to which of 300 searches suit each other."""
    kinds = [GameKind("legends", size, f"move {days}d") for size in range(3, 9) for days in range(1, 9)]
    parts = trait.pop("blocked", 0)
    blocked = {frozenset((n, m)) for n in range(300) for m in range(n) if parts and n % parts == m % parts}
    wishes = [wish(n, *kinds, unrated=True, **trait) for n in range(300)]
    assert not list(rules.groups(wishes, Apart(blocked), MONDAY))
    # Each pair is compared once for rated and once for unrated games, and each kind of game takes a few steps
    assert work["suit"] <= 2 * 300 * 300 and work["to"] <= 2 * 300 * len(kinds) * (1 + rules.STEPS)
