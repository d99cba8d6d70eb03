"""Concurrent changes to one game, each with its own connection; on PostgreSQL by test_postgresql.py, and on SQLite."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from threading import Barrier, Event
from time import sleep
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.forms import PreferencesForm
from accounts.models import BotAccount, User
from accounts.moderation import roles
from accounts.moderation import services as moderation
from accounts.services import bring_games, delete_account, make_guest, save_preferences
from games.contests import corrections, pools
from games.contests import interventions as organizing
from games.contests.duplicates import services as duplicates
from games.contests.ladders import services as ladder
from games.contests.ladders import sweep as ladder_sweep
from games.contests.leagues import news as season_news
from games.contests.leagues import services as seasons
from games.contests.leagues import sweep as season_steps
from games.contests.models import (
    Climb,
    Entrant,
    Intervention,
    Match,
    Member,
    RatedPlayer,
    RatingBook,
    Score,
    Seek,
    Tally,
)
from games.contests.ratings import book
from games.contests.ratings.recompute import recompute
from games.contests.seeks import services as seeks
from games.contests.tournaments import arenas
from games.contests.tournaments import services as tournaments
from games.contests.tournaments import sweep as tournament_steps
from games.errors import GameError, NotFound, Stale, TableError
from games.notices.models import Notice
from games.tables import keys
from games.tables.models import Draft, Entry, Game, Handover, Invitation, Message, Replacement, Seat, SeenDeal, Status
from games.tables.models.absence import HandoverReason
from games.tables.selectors.table import open_undo_request
from games.tables.services import (
    blocking,
    bots,
    chat,
    commit,
    deadlines,
    friends,
    full_games,
    handover,
    interventions,
    lobby,
    people,
    play,
    records,
    replacement,
    time_off,
    timeouts,
    undo_requests,
)  # fmt: skip
from games.tables.services.play import give_orders
from tests.cast import again, in_turns, person, play_out, play_turns, seats_of, some_turn, state_of, table_of
from tests.contests import cups, ladders, leagues
from tests.contests import seasons as rated_seasons
from tests.rules.kingdoms.positions import position, spelt
from tests.tables.kingdoms import ASK, do, kingdoms, put

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql, pytest.mark.processes]
if connection.vendor == "sqlite":  # the short tests run them on PostgreSQL, which permits more at once
    pytestmark.append(pytest.mark.long)

MOVERS = 8
SIGN_UP = {"username": "Gilbert", "email": "gil@example.org", "password1": "a quiet harbour", "accepts": "1"}


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Make all calls at the same time. Return each one's result or refusal."""
    barrier = Barrier(len(calls))

    def wait_and_call(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait(60)
            return call()
        except GameError as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(wait_and_call, calls))


def until_another_waits(has_answered: Event | None = None) -> None:
    """Wait until another connection waits for a lock, or has answered. SQLite cannot tell: wait a second there."""
    if connection.vendor == "sqlite":
        sleep(1)
        return
    for _try in range(1200):
        with connection.cursor() as cursor:
            cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
            (is_waiting,) = cursor.fetchone()
        if is_waiting or (has_answered is not None and has_answered.is_set()):
            return
        sleep(0.05)
    raise AssertionError("nobody waited for a lock within a minute")


def different_turns(game: Game) -> list[list[str]]:
    """Return eight different whole turns of the acting seat."""
    rules, state = game.rules, state_of(game)
    seat, turns = state.turn, []
    for take in rules.legal(state, seat):
        taken = state.copy()
        for event in rules.decide(taken, seat, take, None):
            rules.evolve(taken, event)
        steps = map(rules.text, rules.legal(taken, seat))
        turns += [[rules.text(take), *([] if step == "done" else [step]), "done"] for step in steps]
    legal = [turn for turn in turns if ends(game, seat, turn)]
    return [[*turn] for turn in dict.fromkeys(map(tuple, legal))][:MOVERS]


def ends(game: Game, seat: int, turn: list[str]) -> bool:
    try:
        play.lay_out(game=game, who=seat, actions=turn, expected_seq=game.seq)
    except GameError:
        return False
    return True


def mover(game: Game, seat: int, actions: list[str]) -> Callable[[], Game]:
    return lambda: play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)


def test_one_of_eight_simultaneous_turns_counts_and_seven_are_refused(alice, bob):
    game = in_turns(alice, bob)
    turns = different_turns(game)
    assert len(turns) == MOVERS
    answers = at_once([mover(game, 0, turn) for turn in turns])
    assert sum(isinstance(answer, Game) for answer in answers) == 1
    assert [str(answer) for answer in answers if not isinstance(answer, Game)] == [str(Stale())] * 7
    assert again(game).seq == game.seq + 1
    assert records.verify(game=again(game)) == []


def test_the_same_turn_sent_eight_times_counts_once_and_all_are_accepted(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    answers = at_once([mover(game, seat, actions)] * MOVERS)
    assert [answer.seq for answer in answers] == [game.seq + 1] * MOVERS
    assert Entry.objects.filter(game=game, seq__gt=game.seq).count() == 1
    assert Notice.objects.filter(kind="turn", seq=game.seq + 1).count() == 1


def test_only_one_of_a_turn_and_a_simultaneous_intervention_counts(alice, bob):
    game = play_turns(in_turns(alice, bob), 1)
    seat, actions = some_turn(game)
    facts = {"game": game, "reason": "The mail was down.", "expected_seq": game.seq, "by": None}
    answers = at_once([mover(game, seat, actions), lambda: interventions.give_time(seat=None, hours=5, **facts)] * 2)
    assert sorted(str(answer) for answer in answers) == sorted([str(Stale())] * 2 + [str(game)] * 2)
    assert again(game).seq == game.seq + 1 and records.verify(game=again(game)) == []


@pytest.mark.long
def test_a_game_voided_eight_times_at_once_is_voided_once(alice, bob):
    game = in_turns(alice, bob)
    facts = {"game": game, "reason": "The mail was down.", "expected_seq": game.seq, "by": None}
    answers = at_once([lambda: interventions.void(**facts)] * MOVERS)
    assert [answer.seq for answer in answers] == [game.seq + 1] * MOVERS
    assert Notice.objects.filter(kind="decision").count() == 2
    assert records.verify(game=again(game)) == []


@pytest.mark.long
def test_simultaneous_bids_all_count(alice, bob, carol, dan):
    game = table_of(alice, bob, carol, dan)
    at_once([mover(game, seat, [f"bid {seat}"]) for seat in range(4)] * 2)
    assert state_of(game).bids == [0, 1, 2, 3]
    assert again(game).seq == 4 and not Draft.objects.exists()


def renaming(user: User, name: str, zone: str) -> Callable[[], None]:
    """Return a call that changes the name and the time zone of a player."""
    person = User.objects.get(pk=user.pk)
    form = PreferencesForm({"username": name, "time_zone": zone, "theme": "auto", "language": "en"}, instance=person)
    assert form.is_valid()
    return lambda: save_preferences(form)


@pytest.mark.parametrize("disturbs", ["chatting", "renaming"])
def test_what_players_do_during_a_turn_does_not_make_it_fail(alice, bob, disturbs):
    """PostgreSQL ends one of two transactions that wait for each other, which can be the turn."""
    game = in_turns(alice, bob)
    for n in range(9):
        game = again(game)
        seat, turn = some_turn(game)
        if disturbs == "chatting":
            others = [partial(chat.say, public_id=game.public_id, user=user, text="Hello") for user in (alice, bob)]
        else:
            zone = ["UTC", "Asia/Tokyo"][n % 2]
            others = [renaming(user, f"Player {user.pk} {'x' * (n + 1)}", zone) for user in (alice, bob)]
        answers = at_once([mover(game, seat, turn), *others])
        assert isinstance(answers[0], Game) and again(game).seq == game.seq + 1


@pytest.mark.parametrize("change", ["signing up", "renamed by a moderator", "substitute on vacation"])
def test_changes_of_a_player_that_wait_for_a_turn_do_not_make_it_fail(change, alice, bob):
    """A turn locks its game, then counts for the player. So what locks both takes the game first."""
    gil = make_guest(name="Gil") if change == "signing up" else person("Gil")
    game = in_turns(alice, bob) if "substitute" in change else in_turns(alice, gil)
    is_held, browser, today = Event(), Client(), timezone.localdate()
    if "substitute" in change:
        handover.ask(seat=seats_of(game)[1], user=bob, name="Gil")
        handover.accept(seat=seats_of(game)[1], user=gil)
    browser.force_login(gil, backend="django.contrib.auth.backends.ModelBackend")
    roles.appoint(bob, roles.SENIOR)
    User.objects.update(punctuality="")
    changes = {
        "signing up": partial(browser.post, "/accounts/signup/", SIGN_UP),
        "renamed by a moderator": partial(moderation.rename, by=User.objects.get(pk=bob.pk), user=gil),
        "substitute on vacation": partial(time_off.announce, user=gil, first=today, last=today),
    }

    def turn() -> None:
        with transaction.atomic():
            commit.lock_row(game)
            is_held.set()
            until_another_waits()
            deadlines.ADD_TURN[True](gil.pk)

    def wait_and_change() -> Any:
        assert is_held.wait(60)
        return changes[change]()

    _turn, answer = at_once([turn, wait_and_change])
    gil = User.objects.get(pk=gil.pk)
    assert gil.punctuality == "1" and not isinstance(answer, GameError)
    if change == "signing up":
        assert answer.status_code == 302 and (gil.username, gil.is_guest) == ("Gilbert", False)


def test_a_renamed_players_games_are_locked_in_order(alice, bob):
    games, is_held = [table_of(alice, bob) for _game in range(6)], Event()
    Game.objects.filter(pk=games[0].pk).update(version=F("version") + 1)  # PostgreSQL now finds the first one last

    def hold() -> None:
        with transaction.atomic():
            commit.lock_row(games[0])
            is_held.set()
            until_another_waits()
            for game in games[1:]:
                commit.lock_row(game)

    def rename() -> None:
        assert is_held.wait(60)
        with transaction.atomic():
            people.rename_seats(alice)

    at_once([hold, rename])
    assert {again(game).version - game.version for game in games[1:]} == {1}


def test_the_games_of_a_guest_who_signs_in_are_locked_in_order(alice, bob):
    guest, is_held = make_guest(name="Gil"), Event()
    running, waiting = in_turns(bob, guest), lobby.open_table(user=bob, players=3, listed=True)
    lobby.join_table(game=waiting, user=guest)
    blocking.block(user=bob, blocked=alice)  # so that the account gets no seat at the open table

    def hold() -> None:
        with transaction.atomic():
            commit.lock_row(running)
            is_held.set()
            until_another_waits()
            commit.lock_row(waiting)

    def sign_in() -> None:
        assert is_held.wait(60)
        bring_games(guest=guest, user=alice)

    at_once([hold, sign_in])
    assert [seat.owner for seat in seats_of(running)] == [bob, alice] and len(seats_of(waiting)) == 1


@pytest.mark.parametrize("is_game_first", [True, False])
def test_an_entrant_is_renamed_while_an_organizer_decides_their_match(is_game_first):
    people = [person(name) for name in ("Alice", "Bob", "Carol", "Dan")]
    season, is_held = leagues.latest(leagues.league_of(*people)), Event()
    season_steps.start(season.pk, leagues.START)
    pools.sweep(leagues.START)
    game, rename = Game.objects.filter(seats__owner=people[0]).first(), renaming(people[0], "Alicia", "Asia/Tokyo")

    alice = Entrant.objects.get(user=people[0])
    steps = [lambda: pools.update_sums([alice.pk]), lambda: commit.lock_row(game)]

    def decide() -> None:
        first, second = reversed(steps) if is_game_first else steps
        with transaction.atomic():
            pools.lock(alice.pool_id)
            first()
            is_held.set()
            until_another_waits()
            second()

    def wait_and_rename() -> None:
        assert is_held.wait(60)
        rename()

    at_once([decide, wait_and_rename])
    assert Entrant.objects.get(user=people[0]).name == Seat.objects.get(game=game, owner=people[0]).name == "Alicia"


def test_a_player_sets_a_pace_while_dropping_out():
    people = [person(name) for name in ("Alice", "Bob", "Carol", "Dan")]
    league, is_held = leagues.league_of(*people), Event()
    season = leagues.latest(league)
    season_steps.start(season.pk, leagues.START)
    alice = Entrant.objects.get(user=people[0])

    def drop_out() -> None:
        with transaction.atomic():
            pools.lock(alice.pool_id)
            is_held.set()
            until_another_waits()
            organizing.leave(entrant=alice, user=people[0])

    def set_pace() -> Member:
        assert is_held.wait(60)
        return seasons.set_pace(league=league, user=people[0], at_once=3)

    at_once([drop_out, set_pace])
    member = Member.objects.get(user=people[0])
    assert (member.at_once, member.sits_out) == (3, True)


def test_an_organizer_who_intervenes_while_deleting_their_account():
    olga, is_held = person("Olga"), Event()
    people = [person(name) for name in ("Alice", "Bob", "Carol", "Dan")]
    season = leagues.latest(leagues.league_of(*people, organizer=olga))
    season_steps.start(season.pk, leagues.START)

    def extend() -> None:
        with transaction.atomic():
            seasons.extend_season(season=season, by=olga, days=3, reason="A storm.")
            is_held.set()
            until_another_waits()

    def delete() -> None:
        assert is_held.wait(60)
        delete_account(User.objects.get(pk=olga.pk))

    at_once([extend, delete])
    assert Intervention.objects.get().by is None and not User.objects.filter(username="Olga").exists()


def test_a_guest_who_signs_up_twice_at_once_has_one_account(alice):
    guest, is_held = make_guest(name="Gil"), Event()
    game, browsers = in_turns(alice, guest), [Client(), Client()]
    browsers[0].force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
    browsers[1].cookies = browsers[0].cookies

    def hold() -> None:
        with transaction.atomic():
            commit.lock_row(game)
            is_held.set()
            until_another_waits()
            sleep(1)  # until both wait

    def sign_up(browser: Client) -> int:
        assert is_held.wait(60)
        return browser.post("/accounts/signup/", SIGN_UP).status_code

    assert at_once([hold, *(partial(sign_up, browser) for browser in browsers)])[1:] == [302, 302]
    account = User.objects.get(pk=guest.pk)
    assert (account.username, account.is_guest, account.emailaddress_set.count()) == ("Gilbert", False, 1)


def test_a_step_about_a_guest_who_signs_in_at_that_moment_moves_to_the_account(alice, bob):
    guest, is_held = make_guest(name="Gil"), Event()
    roles.appoint(bob, roles.SENIOR)
    moderator = User.objects.get(pk=bob.pk)

    def suspend() -> None:
        with transaction.atomic():
            moderation.take(by=moderator, user=guest, kind="suspend", days=7, reason="Insults.", expected=0)
            is_held.set()
            until_another_waits()

    def sign_in() -> None:
        assert is_held.wait(60)
        bring_games(guest=guest, user=alice)

    at_once([suspend, sign_in])
    assert User.objects.get(pk=alice.pk).is_suspended and not guest.steps.exists()


def test_a_moderator_does_not_replace_the_name_that_a_player_has_just_chosen(alice, bob):
    roles.appoint(bob, roles.MODERATORS)
    moderator, is_held, rename = User.objects.get(pk=bob.pk), Event(), renaming(alice, "Alicia", "UTC")

    def choose() -> None:
        with transaction.atomic():
            rename()
            is_held.set()
            until_another_waits()

    def replace() -> User:
        assert is_held.wait(60)
        return moderation.rename(by=moderator, user=alice)

    assert str(at_once([choose, replace])[1]) == "The player’s name has changed in the meantime."
    assert User.objects.get(pk=alice.pk).username == "Alicia"


def test_a_player_drops_out_while_a_sweep_looks_whether_the_season_ends():
    people = [person(name) for name in ("Alice", "Bob", "Carol", "Dan")]
    season, due, is_held = leagues.latest(leagues.league_of(*people, late=0)), leagues.START, Event()
    season_steps.start(season.pk, due)

    def drop_out() -> None:
        with transaction.atomic():
            seasons.drop_out(season=season, user=people[0])
            is_held.set()
            until_another_waits()

    def sweep() -> bool:
        assert is_held.wait(60)
        return season_steps.end(season.pk, due)

    assert at_once([drop_out, sweep])[1] is False
    assert Entrant.objects.get(user=people[0]).left_at is not None


def test_an_account_is_deleted_while_an_organizer_removes_the_player():
    people = [person(name) for name in ("Alice", "Bob", "Carol", "Dan")]
    season, is_held = leagues.latest(leagues.league_of(*people)), Event()
    season_steps.start(season.pk, leagues.START)
    pools.sweep(leagues.START)
    alice = Entrant.objects.select_related("pool").get(name="Alice")
    game = Game.objects.filter(seats__owner=people[0]).first()

    def remove() -> None:
        with transaction.atomic():
            pools.lock(alice.pool.pk)
            is_held.set()
            until_another_waits()
            commit.lock_row(game)

    def delete() -> None:
        assert is_held.wait(60)
        delete_account(people[0])

    at_once([remove, delete])
    alice.refresh_from_db()
    assert alice.user is None and alice.left_at is not None
    assert Seat.objects.filter(game=game, owner=None, has_given_up=True).count() == 1


def test_an_account_deleted_while_it_accepts_a_seat_leaves_that_seat_too(alice, bob, carol):
    game, is_held = in_turns(alice, bob), Event()
    staff = person("Sam", is_staff=True)
    interventions.replace(game=game, seat=0, name="Carol", reason="Ill.", expected_seq=game.seq, by=staff)
    request = Replacement.objects.get(user=carol)

    def accept() -> None:
        with transaction.atomic():
            commit.lock_row(game)
            replacement.find(request.pk, carol)
            is_held.set()
            until_another_waits()
            interventions.accept(pk=request.pk, user=carol)

    def delete() -> None:
        assert is_held.wait(60)
        delete_account(User.objects.get(pk=carol.pk))

    at_once([accept, delete])
    seat = seats_of(game)[0]
    assert not User.objects.filter(username="Carol").exists() and (seat.owner, seat.user) == (None, None)
    assert seat.has_given_up and Handover.objects.filter(seat=seat, why=HandoverReason.GOOD).exists()


def test_an_account_is_deleted_after_its_outside_bot(alice, bob):
    """The games of the bot are locked after the divisions in which its owner plays."""
    people = [alice, *(person(name) for name in ("Carol", "Dan", "Eve"))]
    season, is_held = leagues.latest(leagues.league_of(*people)), Event()
    season_steps.start(season.pk, leagues.START)
    robot = User.objects.create(username="Robot Bot", is_bot=True)
    BotAccount.objects.create(user=robot, owner=alice)
    game, pool = in_turns(bob, robot, admits_bots=True), Entrant.objects.get(user=alice).pool_id

    def hold() -> None:
        with transaction.atomic():
            pools.lock(pool)
            is_held.set()
            until_another_waits()
            commit.lock_row(game)

    def delete() -> None:
        assert is_held.wait(60)
        delete_account(User.objects.get(pk=alice.pk))

    at_once([hold, delete])
    assert not User.objects.filter(username__in=["Alice", "Robot Bot"]).exists()


def test_a_request_that_was_just_accepted_is_not_withdrawn_by_a_block(alice, bob, carol):
    game, is_held = in_turns(alice, bob), Event()
    staff = person("Sam", is_staff=True)
    interventions.replace(game=game, seat=0, name="Carol", reason="Ill.", expected_seq=game.seq, by=staff)
    request = Replacement.objects.get(user=carol)

    def accept() -> None:
        with transaction.atomic():
            interventions.accept(pk=request.pk, user=carol)
            is_held.set()
            until_another_waits()

    def block() -> None:
        assert is_held.wait(60)
        blocking.block(user=bob, blocked=carol)

    at_once([accept, block])
    request.refresh_from_db()
    assert seats_of(game)[0].owner == carol and request.answer == "accepted"


def test_an_answer_to_a_request_that_was_deleted_at_that_moment_is_no_server_error(alice, bob, carol):
    game, is_held, browser = in_turns(alice, bob), Event(), Client()
    staff = person("Sam", is_staff=True)
    interventions.replace(game=game, seat=0, name="Carol", reason="Ill.", expected_seq=game.seq, by=staff)
    request = Replacement.objects.get(user=carol)
    browser.force_login(carol, backend="django.contrib.auth.backends.ModelBackend")

    def delete() -> None:
        with transaction.atomic():
            Replacement.objects.filter(pk=request.pk).delete()
            is_held.set()
            until_another_waits()

    def answer() -> int:
        assert is_held.wait(60)
        return browser.post(f"/replacements/{request.pk}/", {"answer": "decline"}).status_code

    assert at_once([delete, answer])[1] == 404


@pytest.mark.parametrize(
    ("url", "changes"),
    [("/accounts/preferences/", {"username": "Alicia"}), ("/accounts/preferences/", {"time_zone": "Asia/Tokyo"}),
     ("/accounts/preferences/", {"language": "fr"}), ("/accounts/notices/", {"preset": "digest"}),
     ("/lobby/open/", {"players": "2"})],
)  # fmt: skip
def test_a_form_sent_while_the_account_is_deleted_leads_to_the_page_to_sign_in(alice, url, changes):
    browser, is_deleted = Client(raise_request_exception=False), Event()
    browser.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    form = browser.get(url).context["form"]
    sent = {name: form[name].value() for name in form.fields} | changes
    sent = {name: value for name, value in sent.items() if value not in (None, False)}

    def delete() -> None:
        with transaction.atomic():
            delete_account(User.objects.get(pk=alice.pk))
            is_deleted.set()
            until_another_waits()

    def send() -> Any:
        assert is_deleted.wait(60)
        return browser.post(url, sent)

    answer = at_once([delete, send])[1]
    assert answer.status_code == 302 and answer.url.startswith("/accounts/login/")
    assert not User.objects.filter(pk=alice.pk).exists()


def test_a_player_who_joins_while_deleting_their_account_keeps_no_seat(alice):
    for n in range(5):
        leaver = person(f"Leaver {n}")
        tables = [lobby.open_table(user=alice, players=3) for _table in range(3)]

        def join(game: Game, user: User) -> None:
            with suppress(IntegrityError, User.DoesNotExist):  # the account is gone
                lobby.join_table(game=game, user=user, invite=game.invite_token)

        at_once(
            [partial(delete_account, leaver), *(partial(join, game, User.objects.get(pk=leaver.pk)) for game in tables)]
        )
        assert set(Seat.objects.filter(game__in=tables).values_list("owner", flat=True)) == {alice.pk}
        for game in tables:
            lobby.close_table(game=game, user=alice)


@pytest.mark.long
def test_all_who_ask_for_a_rematch_at_once_meet_at_one_table(alice, bob, carol, dan):
    game = table_of(alice, bob, carol, dan)
    Game.objects.update(status=Status.FINISHED)
    asking = [lambda user=user: lobby.rematch(game=game, user=user) for user in (alice, bob, carol, dan)]
    answers = at_once(asking * 2)
    table = Game.objects.get(rematch_of=game)
    assert answers == [table] * 8 and table.is_running
    assert [seat.name for seat in seats_of(table)] == ["Bob", "Carol", "Dan", "Alice"]


def test_one_of_eight_players_gets_the_last_seat(alice):
    game = lobby.open_table(user=alice, players=2, listed=True)
    guests = [person(f"Guest {n}") for n in range(MOVERS)]
    answers = at_once([lambda guest=guest: lobby.join_table(game=game, user=guest) for guest in guests])
    assert sum(isinstance(answer, TableError) for answer in answers) == MOVERS - 1
    assert Seat.objects.filter(game=game).count() == 2 and again(game).is_running


def test_a_player_who_joins_while_being_blocked_is_refused_or_removed(alice, bob):
    for _time in range(5):
        tables = [lobby.open_table(user=alice, players=3, listed=True) for _table in range(3)]
        joins = [lambda game=game: lobby.join_table(game=game, user=bob) for game in tables]
        at_once([*joins, lambda: blocking.block(user=alice, blocked=bob)])
        # A rated public table that Bob joined before is closed
        assert not Seat.objects.filter(owner=bob, game__in=tables).exclude(game__status=Status.CLOSED).exists()
        for game in tables:
            lobby.close_table(game=game, user=alice)
        blocking.unblock(user=alice, name="Bob")


def test_a_player_who_joins_a_duplicate_while_being_blocked_plays_at_another_table(alice, bob, carol, dan):
    for _time in range(5):
        row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
        joins = partial(duplicates.join, public_id=row.public_id)
        at_once([partial(joins, user=bob), lambda: blocking.block(user=alice, blocked=bob)])
        for user in (carol, dan):
            joins(user=user)
        assert Game.objects.filter(duplicate=row, status=Status.RUNNING).count() == 2
        assert not Game.objects.filter(duplicate=row, seats__owner=alice).filter(seats__owner=bob).exists()
        blocking.unblock(user=alice, name="Bob")


def test_invitations_sent_at_once_share_their_limits(alice, bob):
    tables = [lobby.open_table(user=alice, players=3) for _time in range(MOVERS)]
    at_once([lambda game=game: friends.invite(game=game, user=alice, name="Bob") for game in tables])
    assert Invitation.objects.filter(user=bob).count() == friends.MOST_TO_ONE < MOVERS


def test_tables_opened_at_once_are_not_too_many(alice, settings):
    settings.NEW_ACCOUNT_DAYS, settings.NEW_ACCOUNT_TABLES = 3, 3
    User.objects.filter(pk=alice.pk).update(date_joined=timezone.now())
    alice.refresh_from_db()
    at_once([lambda: lobby.open_table(user=alice, players=3, listed=True)] * MOVERS)
    assert Game.objects.filter(opener=alice).count() == 3


def test_two_concurrent_sweeps_play_an_overdue_turn_once(alice, bob):
    game = in_turns(alice, bob, clock="move 1h")
    later = timezone.now() + timedelta(hours=1, minutes=1)
    at_once([lambda: timeouts.sweep_overdue(later)] * 2)
    assert Entry.objects.filter(game=game, by="clock").count() == 1
    assert again(game).seq == game.seq + 1


def test_concurrent_workers_play_a_bots_turn_once(alice):
    game = lobby.play_now(user=alice, bots=["medium"])
    at_once([lambda: bots.play_bot(game=game.pk, seat=1)] * 4)
    play.submit_turn(game=game, seat=0, actions=["bid 12"], expected_seq=0)
    assert Entry.objects.filter(game=game, seat=1, seq__lte=2).count() == 1
    assert records.verify(game=again(game)) == []


def test_an_attack_sent_eight_times_and_its_answer_by_standing_orders_count_once(alice, bob, carol):
    game = put(kingdoms(alice, bob, carol), position(hands={0: "A8 C9", 1: "A7 A4"}, towers={1: "E"}))
    attack = spelt(state_of(game), 0, "attack 1 with A8")
    at_once([mover(game, 0, [attack])] * MOVERS)
    entries = list(Entry.objects.filter(game=game, seq__gt=game.seq).values_list("seat", "by"))
    assert entries == [(0, "seat"), (1, "orders")]


@pytest.mark.long
def test_an_answer_and_standing_orders_at_once_make_one_defense(alice, bob, carol):
    game = kingdoms(alice, bob, carol, orders=ASK)
    put(game, position(hands={0: "A8 C9", 1: "A7 A4"}, towers={1: "E"}))
    game = do(game, 0, "attack 1 with A8")
    defend = spelt(state_of(game), 1, "defend A4")
    at_once([mover(game, 1, [defend]), lambda: give_orders(game=game, seat=1, orders={})])
    assert Entry.objects.filter(game=game, seq__gt=game.seq, seat=1).count() == 1


def test_orders_of_a_stand_in_that_wait_while_the_owner_comes_back_are_refused(alice, bob, carol):
    game = kingdoms(alice, bob)
    handover.ask(seat=seats_of(game)[0], user=alice, name="Carol")
    handover.accept(seat=seats_of(game)[0], user=carol)
    before, is_held, browser = seats_of(game)[0].orders, Event(), Client()
    browser.force_login(carol, backend="django.contrib.auth.backends.ModelBackend")

    def come_back() -> None:
        with transaction.atomic():
            commit.lock_row(game)
            is_held.set()
            until_another_waits()
            handover.come_back(seat=seats_of(game)[0], user=alice)

    def give() -> int:
        assert is_held.wait(60)
        return browser.post(f"{game.get_absolute_url()}orders", {"defend": "concede"}).status_code

    assert at_once([come_back, give]) == [None, 422]
    assert (seats_of(game)[0].user, seats_of(game)[0].orders) == (alice, before)


def test_a_step_saved_while_the_seat_changes_hands_is_not_laid_out_for_the_next_player(alice, bob, carol):
    game, is_laid = in_turns(alice, bob), Event()
    handover.ask(seat=seats_of(game)[0], user=alice, name="Carol")

    def lay() -> None:
        with transaction.atomic():
            play.add_steps(game=game, who=alice, actions=some_turn(game)[1][:1], expected_seq=game.seq)
            is_laid.set()
            until_another_waits()

    def accept() -> None:
        assert is_laid.wait(60)
        handover.accept(seat=seats_of(game)[0], user=carol)

    at_once([lay, accept])
    assert seats_of(game)[0].user == carol and not Draft.objects.exists()


def test_a_message_that_waits_while_the_seat_changes_hands_is_refused(alice, bob, carol):
    """Players would read what a spectator writes. The one who takes over writes to players only from then on."""
    game, is_held = in_turns(alice, bob), Event()
    handover.ask(seat=seats_of(game)[0], user=alice, name="Carol")

    def accept() -> None:
        with transaction.atomic():
            commit.lock_row(game)
            is_held.set()
            until_another_waits()
            handover.accept(seat=seats_of(game)[0], user=carol)

    def say(user: User) -> Message:
        assert is_held.wait(60)
        return chat.say(public_id=game.public_id, user=user, text="I will attack")

    _accepted, from_player, from_spectator = at_once([accept, partial(say, alice), partial(say, carol)])
    assert "You no longer play this seat" in str(from_player)
    assert "You now play at this table" in str(from_spectator)
    assert not Message.objects.exists()
    assert chat.say(public_id=game.public_id, user=alice, text="Good luck").seat is None


@pytest.mark.parametrize("way", ["hint", "take"])
def test_a_hint_or_card_that_waits_while_the_seat_changes_hands_is_not_laid_out(alice, bob, carol, way):
    """The page finds the seat before it waits, and must not lay out steps for someone else's seat."""
    if way == "hint":
        game = lobby.play_now(user=alice, options={"opening": "drawn"})
        game = again(game) if seats_of(game)[0].owes else play_turns(game, 1)
    else:
        game = in_turns(alice, bob)
    card, is_held, browser = some_turn(game)[1][0], Event(), Client()
    handover.ask(seat=seats_of(game)[0], user=alice, name="Carol")
    browser.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")

    def accept() -> None:
        with transaction.atomic():
            Seat.objects.select_for_update().get(game=game, number=0)
            is_held.set()
            until_another_waits()
            handover.accept(seat=seats_of(game)[0], user=carol)

    def lay() -> int:
        assert is_held.wait(60)
        if way == "hint":
            steps = {"action": card, "seq": game.seq}
            return browser.post(f"{game.get_absolute_url()}hint/", steps).status_code
        url = keys.card_urls(seats_of(game)[0], [card.removeprefix("take ")])[0]
        return browser.post(url.removeprefix("http://testserver")).status_code

    assert at_once([accept, lay]) == [None, 302]
    assert seats_of(game)[0].user == carol and not Draft.objects.exists()


def test_a_turn_that_waits_while_a_bot_takes_over_is_refused(alice, bob):
    game = in_turns(alice, bob, clock="move 1h", time_out="seat")
    (number, turn), is_held = some_turn(game), Event()
    late = seats_of(game)[number]

    def time_out() -> None:
        with transaction.atomic():
            commit.lock_row(game)
            is_held.set()
            until_another_waits()
            assert timeouts.time_out(seat=late, now=late.deadline)

    def submit() -> None:
        assert is_held.wait(60)
        play.submit(game=game.public_id, who=late.user, actions=turn, expected_seq=game.seq)

    refusal = at_once([time_out, submit])[1]
    # On SQLite, the turn waits before it looks for its player, who has no seat afterward
    assert isinstance(refusal, NotFound if connection.vendor == "sqlite" else Stale)
    assert Entry.objects.filter(game=game, seq__gt=game.seq).exists() and seats_of(game)[number].user is None


def test_a_time_out_waits_for_a_game_that_others_hold_if_the_seat_is_long_overdue(alice, bob):
    """Otherwise a player gains time with many turns that are refused, one of which always holds the game."""
    seat = seats_of(in_turns(alice, bob, clock="move 1h"))[0]

    def was_timed_out(late: timedelta) -> bool:
        """Return whether the seat is timed out that long after its deadline, while another one holds the game."""
        is_held, has_answered = Event(), Event()

        def hold() -> None:
            with transaction.atomic():
                commit.lock_row(seat.game)
                is_held.set()
                until_another_waits(has_answered)

        def time_out() -> bool:
            assert is_held.wait(60)
            was_late = timeouts.time_out(seat=seat, now=seat.deadline + late)
            has_answered.set()
            return was_late

        return at_once([hold, time_out])[1]

    assert connection.vendor == "sqlite" or was_timed_out(timedelta(seconds=1)) is False
    assert was_timed_out(timedelta(hours=1)) is True


def test_a_turn_and_a_time_out_at_once_make_one_entry(alice, bob):
    game = in_turns(alice, bob, clock="move 1h")
    seat, actions = some_turn(game)
    later = timezone.now() + timedelta(hours=2)
    at_once([mover(game, seat, actions), lambda: timeouts.sweep_overdue(later)])
    assert Entry.objects.filter(game=game, seq__gt=game.seq, seat=0).count() == 1


@pytest.mark.long
def test_a_turn_and_a_change_of_quiet_nights_at_once_leave_a_correct_deadline(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    changes = [
        lambda user=user: time_off.set_night(user=user, zone="UTC", window="22:00-06:00") for user in (alice, bob)
    ]
    assert not [answer for answer in at_once([mover(game, seat, actions), *changes]) if isinstance(answer, GameError)]
    next_seat = Seat.objects.select_related("user").get(game=game, owes=True)
    assert next_seat.user == bob and next_seat.deadline == deadlines.runs_out_at(next_seat, game.parsed_clock)
    assert next_seat.deadline > next_seat.since + game.parsed_clock.at_start, "the deadline does not include a night"


def test_turns_and_changes_of_the_same_players_never_deadlock(alice, bob):
    games = [table_of(*pair) for pair in ((alice, bob), (bob, alice)) * 3]
    bids = [mover(game, seat, ["bid 1"]) for game in games for seat in (0, 1)]
    changes = [
        lambda user=user, n=n: time_off.set_night(user=user, zone="UTC", window=f"2{n}:00-06:00")
        for n in range(2) for user in (alice, bob)
    ]  # fmt: skip
    answers = at_once([*bids, *changes])
    assert not [answer for answer in answers if isinstance(answer, GameError)]
    assert all(again(game).seq == 2 for game in games)
    assert {len(person.punctuality) for person in User.objects.all()} == {6}


@pytest.mark.long
def test_concurrent_hand_overs_of_a_seat_happen_one_after_another(alice, bob, carol):
    game = in_turns(alice, bob, clock="move 1h", time_out="seat")
    seat = seats_of(game)[0]
    handover.ask(seat=seat, user=alice, name="Carol")
    later = timezone.now() + timedelta(hours=2)
    answers = at_once(
        [
            lambda: handover.accept(seat=seat, user=carol), lambda: handover.accept(seat=seat, user=carol),
            lambda: handover.hand_to_bot(seat=seat, user=alice), lambda: handover.come_back(seat=seat, user=alice),
            lambda: handover.withdraw(seat=seat, user=alice), lambda: timeouts.time_out(seat=seat, now=later),
        ]
    )  # fmt: skip
    # In nearly any order something is refused, but not if the owner comes back between accepting and withdrawing
    assert all(str(answer) for answer in answers if isinstance(answer, GameError))
    now, last = seats_of(game)[0], Handover.objects.latest("pk")
    assert (now.user, now.bot) == (last.to, last.bot) and now.owner == alice
    assert Handover.objects.filter(to=carol).count() <= 1
    assert records.verify(game=again(game)) == []


def test_an_answer_to_an_undo_request_and_the_next_turn_at_once_make_one_entry(alice, bob):
    game = play_turns(in_turns(alice, bob, rated=False), 1)
    undo_requests.ask(game=game, seat=0, expected_seq=game.seq)
    seat, actions = some_turn(game)
    answers = at_once(
        [lambda: undo_requests.agree(game=game, seat=1, expected_seq=game.seq), mover(game, seat, actions)] * 3
        + [lambda: undo_requests.refuse(game=game, seat=1, expected_seq=game.seq)]
    )
    assert any(isinstance(answer, Game) for answer in answers)
    assert Entry.objects.filter(game=game, seq__gt=game.seq).count() <= 1
    assert records.verify(game=again(game)) == []


@pytest.mark.long
def test_an_undo_request_and_the_next_turn_at_once_leave_no_open_request(alice, bob):
    game = play_turns(in_turns(alice, bob, rated=False), 1)
    seat, actions = some_turn(game)
    asking = [lambda: undo_requests.ask(game=game, seat=0, expected_seq=game.seq)] * 4
    at_once([*asking, mover(game, seat, actions)])
    last = again(game)
    assert last.seq == game.seq + 1 and records.verify(game=last) == []
    assert not open_undo_request(Game.objects.select_related("undo_request").get(pk=game.pk))


def test_a_turn_that_revealed_nothing_is_undone_once(alice, bob):
    game = in_turns(alice, bob)
    at_once([lambda: undo_requests.ask(game=game, seat=1, expected_seq=game.seq)] * MOVERS)
    assert again(game).seq == game.seq + 1


def test_two_devices_cannot_add_the_same_step_to_a_draft(alice, bob):
    game = in_turns(alice, bob)
    adders = [lambda: play.add_steps(game=game, who=0, actions=some_turn(game)[1][:1], expected_seq=game.seq)] * 2
    answers = at_once(adders)
    assert sum(isinstance(answer, GameError) for answer in answers) == 1
    assert len(Draft.objects.get().actions) == 1


@pytest.mark.long
@pytest.mark.usefixtures("no_tasks")
def test_a_full_game_continues_once_when_many_processes_see_a_game_end(alice, bob):
    game = play_out(table_of(alice, bob, full=True))
    go_on = [lambda: full_games.after_game(game=game, now=timezone.now())] * 4
    at_once([*go_on, lambda: full_games.sweep_full_games(timezone.now())])
    assert sorted(Game.objects.filter(full_game=game.full_game).values_list("number", flat=True)) == [1, 2]


@pytest.mark.long
def test_a_duplicate_joined_by_all_at_once_starts_once_and_seats_each_player_once(alice, bob, carol, dan):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    at_once(
        [lambda who=who: duplicates.join(public_id=row.public_id, user=who) for who in (alice, bob, carol, dan)] * 2
    )
    assert set(row.games.values_list("status", flat=True)) == {"running"} and SeenDeal.objects.count() == 4
    assert sorted(Seat.objects.values_list("name", flat=True)) == ["Alice", "Bob", "Carol", "Dan"]


@pytest.mark.long
def test_a_player_is_renamed_while_their_duplicate_ends(alice, bob, carol, dan):
    row, is_held = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2), Event()
    for who in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=who)
    last = Game.objects.get(duplicate=row, seats__owner=alice)
    play_out(Game.objects.filter(duplicate=row).exclude(pk=last.pk).get())
    rename = renaming(alice, "Alicia", "UTC")

    def end() -> None:
        with transaction.atomic():
            commit.lock_row(last)
            is_held.set()
            until_another_waits()
            play_out(last)

    def wait_and_rename() -> None:
        assert is_held.wait(60)
        rename()

    at_once([end, wait_and_rename])
    row.refresh_from_db()
    assert [line["name"] for line in row.result or [] if line["user"] == alice.pk] == ["Alicia"]


def test_a_substitute_asked_by_two_tables_of_a_duplicate_joins_only_one(alice, bob, carol, dan):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for who in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=who)
    eve = person("Eve")
    seats = [seats_of(game)[0] for game in row.games.all()]
    for seat in seats:
        handover.ask(seat=seat, user=seat.owner, name="Eve")
    answers = at_once([lambda seat=seat: handover.accept(seat=seat, user=eve) for seat in seats])
    assert [str(answer) for answer in answers if not isinstance(answer, Seat)] == [
        "Eve already plays this deal at another table."
    ]
    assert Seat.objects.filter(user=eve).count() == SeenDeal.objects.filter(who=eve.pk).count() == 1


def test_a_guest_who_signs_in_while_the_account_joins_the_same_table_has_one_seat(alice, bob):
    guest = person("Guest", is_guest=True)
    game = lobby.open_table(user=bob, players=4, listed=True)
    lobby.join_table(game=game, user=guest)
    at_once([lambda: lobby.join_table(game=game, user=alice), lambda: people.move_seats(giver=guest, taker=alice)])
    assert [seat.owner for seat in seats_of(game)] == [bob, alice]


def test_a_challenge_is_accepted_once_and_moves_the_rungs_once(alice, bob, carol):
    ladders.ladder_of(alice, bob, carol)
    challenge = ladders.challenges(carol, alice)
    games = at_once([lambda: ladder.accept(pk=challenge.pk, user=alice)] * 4)
    assert len({game.pk for game in games}) == 1 and Game.objects.count() == 1
    ladders.ends(games[0], 1, 2)
    now = timezone.now()
    at_once([lambda: ladder_sweep.sweep(now), lambda: ladder_sweep.contest_ended(games[0].pk, now)] * 3)
    assert ladders.order() == ["Carol", "Alice", "Bob"]
    assert Climb.objects.filter(why="won").count() == 1


@pytest.mark.long
def test_players_who_join_and_leave_a_ladder_at_once_leave_no_gap(alice, bob, carol, dan):
    at_once([lambda who=who: ladder.join(ruleset="legends", user=who) for who in (alice, bob, carol, dan)] * 2)
    leaving = [lambda who=who: ladder.leave(ruleset="legends", user=who) for who in (alice, bob)]
    at_once([*leaving, *[lambda: ladder_sweep.sweep(timezone.now())] * 3])
    ladder_sweep.sweep(timezone.now())
    assert sorted(ladders.order()) == ["Carol", "Dan"]


@pytest.mark.usefixtures("no_tasks")
def test_recomputing_ratings_while_games_end_gives_the_same_ratings(alice, bob):
    games = [play_out(in_turns(alice, bob)) for _n in range(2)]
    for model in (Score, RatedPlayer, Tally, RatingBook):
        model.objects.all().delete()  # as if the games had not ended yet
    ends = [lambda game=game: full_games.after_game(game=game, now=timezone.now()) for game in games]
    answers = at_once([*ends, book.sweep, *[lambda: recompute("legends", mend=True)] * 2])
    assert answers[-2:] == [[], []]
    book.sweep()
    assert RatingBook.objects.get().last == 2 and recompute("legends", mend=False) == []


def chiefs(number: int) -> list[User]:
    return [person(f"Chief{n}", is_staff=True, is_superuser=True) for n in range(number)]


@pytest.mark.long
def test_of_organizers_who_decide_a_match_at_once_one_succeeds_and_the_others_are_told(alice, bob):
    pool = rated_seasons.division_of(alice, bob, rated=True)
    rated_seasons.look(pool)
    match = rated_seasons.match_of(pool, "Alice", "Bob")
    how = {"match": match, "reason": "Both wrote to me.", "expected": match.version}
    decisions = [
        lambda chief=chief, n=n: corrections.award(by=chief, places=(1 + n % 2, 2 - n % 2), **how)
        for n, chief in enumerate(chiefs(MOVERS))
    ]
    answers = at_once(decisions)
    refusals = [str(answer) for answer in answers if isinstance(answer, GameError)]
    assert len(refusals) == MOVERS - 1 and all(
        "has changed since you opened the page" in refusal for refusal in refusals
    )
    intervention = Intervention.objects.get()
    assert list(match.appearances.values_list("place", flat=True)) == intervention.details["places"]
    answers = at_once(
        [
            lambda chief=chief: corrections.undo(intervention=intervention, by=chief, reason="x")
            for chief in chiefs_again()
        ]
    )
    assert sum(isinstance(answer, GameError) for answer in answers) == MOVERS - 1 and Intervention.objects.count() == 2


def chiefs_again() -> list[User]:
    return list(User.objects.filter(username__startswith="Chief"))


@pytest.mark.long
@pytest.mark.usefixtures("no_tasks")
def test_a_game_that_ends_while_its_match_is_decided_is_rated_by_the_decision(alice, bob):
    pool = rated_seasons.division_of(alice, bob, rated=True)
    rated_seasons.look(pool)
    match = rated_seasons.match_of(pool, "Alice", "Bob")
    game, (chief, other) = play_turns(match.game, 4), chiefs(2)
    match.refresh_from_db()
    at_once([
        lambda: interventions.end(game=game, reason="Time.", expected_seq=again(game).seq, by=other),
        lambda: corrections.award(match=match, by=chief, places=(2, 1), reason="x", expected=match.version),
        book.sweep, book.sweep,
    ])  # fmt: skip
    book.sweep()
    rated_seasons.look(pool)
    assert list(Score.objects.order_by("seat").values_list("ruled", flat=True)) == [2, 1]
    assert Entrant.objects.get(name="Bob").points == 2 and recompute("legends", mend=False) == []


@pytest.mark.long
def test_bots_play_a_game_without_people_to_its_end(alice):
    game = lobby.play_now(user=alice, bots=["medium", "random", "medium"])
    alice.delete()
    bots.sweep_bots()  # from here each turn triggers the next
    ended = again(game)
    assert ended.is_finished and records.verify(game=ended) == []
    assert {seat.place for seat in seats_of(ended)} >= {1}


@pytest.mark.long
def test_concurrent_sweeps_start_a_season_once():
    league = leagues.league_of(*(person(name) for name in ("Alice", "Bob", "Carol", "Dan")))
    season, due = leagues.latest(league), leagues.START
    started = at_once([lambda: season_steps.start(season.pk, due)] * MOVERS)
    assert sorted(started) == [False] * (MOVERS - 1) + [True]
    at_once([lambda: pools.sweep(due)] * MOVERS)
    pools.sweep(due)
    assert Entrant.objects.count() == Match.objects.filter(state="playing").count() == Game.objects.count() == 4
    at_once([season_news.sweep] * MOVERS)
    assert Notice.objects.filter(kind="season").count() == 4


def test_concurrent_sweeps_end_a_season_once_and_open_the_next():
    league = leagues.league_of(*(person(name) for name in ("Alice", "Bob", "Carol", "Dan")), late=0)
    season, due = leagues.latest(league), leagues.START
    season_steps.start(season.pk, due)
    Match.objects.update(state="annulled")
    ended = at_once([lambda: season_steps.end(season.pk, due)] * MOVERS)
    assert sorted(ended) == [False] * (MOVERS - 1) + [True]
    assert list(league.seasons.order_by("number").values_list("state", flat=True)) == ["ended", "sign_up"]


@pytest.mark.long
def test_late_joiners_do_not_get_the_same_place():
    """One place is that of a player who dropped out; the other places are in the division of late joiners."""
    league = leagues.league_of(*(person(name) for name in ("Alice", "Bob", "Carol", "Dan")))
    season, due = leagues.latest(league), timezone.now()
    league.seasons.update(starts_at=due, ends_at=due + timedelta(weeks=8))
    season_steps.start(season.pk, due)
    seasons.drop_out(season=season, user=User.objects.get(username="Alice"))
    late = [person(f"Late{n}") for n in range(MOVERS)]
    at_once([lambda user=user: seasons.join(league=league, user=user) for user in late])
    assert Member.objects.count() == 4 + MOVERS
    assert Entrant.objects.filter(user__in=late).count() == 5 and Entrant.objects.count() == 8
    assert Match.objects.count() == 8 * 7 / 2


def test_two_of_eight_players_get_the_last_two_places_of_a_tournament():
    people = [person(f"Player{n}") for n in range(MOVERS)]
    row = cups.cup(person("Olga"), people[:2], format="round-robin", seats=4)
    joined = at_once([lambda user=user: tournaments.join(tournament=row, user=user) for user in people])
    assert sum(isinstance(answer, Entrant) for answer in joined[2:]) == 2 == row.entrants.count() - 2
    steps = [lambda: tournament_steps.sweep(timezone.now()), lambda: pools.sweep(timezone.now())]
    at_once(steps * 3)
    row = cups.sweep(row)
    assert row.round == 1 and len(cups.running(row)) == 2 == row.pools.get().matches.count()


@pytest.mark.long
def test_requests_at_once_pair_each_player_of_an_arena_once():
    """Each of five presses twice, and sweeps pair those who wait too: two matches, and one who still waits."""
    people = [person(f"Player{n}") for n in range(5)]
    row = cups.cup(person("Olga"), people, format="arena", days=20, seats=5)
    row = cups.sweep(row)
    asks = [lambda user=user: arenas.ask(tournament=row, user=user, expected=0) for user in people]
    answers = at_once([*asks, *asks, *[lambda: tournament_steps.take_due_steps(row.pk, timezone.now())] * 2])
    assert not [answer for answer in answers if not isinstance(answer, bool | GameError)]
    seated = [name for match in cups.running(row) for name in cups.names(match)]
    assert len(seated) == len(set(seated)) == 4 and row.entrants.filter(waits_since__isnull=False).count() == 1


@pytest.mark.long
def test_concurrent_sweeps_pair_the_next_round_of_a_tournament_once():
    people = [person(f"Player{n}") for n in range(6)]
    row = cups.begun(person("Olga"), people, format="knockout", seats=6)
    for _round in range(3):
        for match in cups.running(row):
            cups.play(match)
        at_once([lambda: cups.sweep(row)] * 4)
        cups.sweep(row)
    assert cups.again(row).has_ended and [len(cups.tables(row, n)) for n in (1, 2, 3)] == [2, 2, 1]
    assert Notice.objects.filter(about=f"tournament.{row.pk}.ended", channel="email").count() == 7


def test_people_who_search_at_the_same_moment_get_one_seat_each():
    """Every third also cancels meanwhile, and sweeps look at the same time."""
    people = [person(f"Seeker{n}") for n in range(MOVERS)]
    usual: Any = {"rulesets": ["legends"], "sizes": [2], "clocks": ["move 2d"]}
    at_once([lambda user=user: seeks.seek(user=user, **usual) for user in people])
    calls = [lambda: seeks.sweep(timezone.now())] * 4
    at_once([*calls, *(lambda user=user: seeks.leave(user=user) for user in people[::3])])
    taken = list(Seat.objects.values_list("user", flat=True))
    successful = Seek.objects.filter(state="found")
    assert len(taken) == len(set(taken)) == successful.count() == 2 * Game.objects.count() >= 2
    assert set(taken) == set(successful.values_list("user", flat=True))
    for seek in successful:
        assert Seat.objects.filter(game=seek.game, user=seek.user).exists()
    assert Seek.objects.filter(state="waiting").count() <= 1


@pytest.mark.long
def test_two_tabs_start_one_search():
    alice = person("Alice")
    usual: Any = {"rulesets": ["legends"], "sizes": [2], "clocks": ["move 2d"]}
    same = at_once([lambda: seeks.seek(user=alice, **usual)] * 4)
    assert same == [Seek.objects.get()] * 4
    seeks.leave(user=alice)
    clocks = ["move 1d", "move 2d", "move 3d", "move 5d"]
    different = at_once([lambda clock=clock: seeks.seek(user=alice, **usual | {"clocks": [clock]}) for clock in clocks])
    assert sum(isinstance(answer, GameError) for answer in different) == 3
    assert Seek.objects.filter(state="waiting").count() == 1
