"""Backups of SQLite: taken while people play, restored whole, and played on. PostgreSQL is in test_upkeep.py."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from threading import Event, Thread

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection
from django.utils import timezone

from accounts import bots, deletions, personal
from accounts.models import DataExport, Deletion, User
from accounts.services import delete_account
from empire.models import Heartbeat
from games.contests.models import Challenge
from games.notices.models import OPEN, Notice, NoticeReason, NoticeState
from games.rules import staff
from games.staff import restoring as putting_back
from games.tables.models import Entry, Game, Message, Seat, Seed
from games.tables.selectors.table import table
from games.tables.services import chat, records
from games.tables.services import interventions as intervene
from tests.cast import again, in_turns, play_out, play_turns, some_turn, submit, table_of
from tests.contests.ladders import challenges, ladder_of
from tests.notices.emails import send_due
from tests.services.restoring import (
    backup,
    database_at,
    everything,
    manifest,
    output_of,
    refusal,
    restore,
)
from tests.tables.readings import browser_of

MONDAY = datetime(2027, 3, 1, 8, tzinfo=UTC)
PATIENCE = 60.0  # seconds
AGES = timedelta(hours=23, minutes=30)
pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="It is about files of SQLite."),
    pytest.mark.usefixtures("no_tasks"),
]


@pytest.fixture(autouse=True)
def deletions_list(settings, tmp_path_factory) -> None:
    """A list of deleted accounts for each test: others may have written to that of the process."""
    settings.DELETIONS_LIST = tmp_path_factory.mktemp("list") / "deletions.txt"


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


# The restored database


def test_a_backup_during_play_is_consistent_and_every_log_verifies(alice, bob, carol, dan, tmp_path, elsewhere):
    finished, games = play_out(table_of(alice, bob)), [in_turns(carol, dan), in_turns(alice, bob)]
    with playing(games[0]) as turn:
        assert turn.wait(PATIENCE)
        words = backup(tmp_path / "kept.zip")
    play_turns(games[1], 1)
    about, before = manifest(tmp_path / "kept.zip"), everything()
    assert (about["games"], about["accounts"]) == (3, 4) and words.startswith(f"{tmp_path / 'kept.zip'}: 3 games with ")
    with database_at(elsewhere):
        words = restore(tmp_path / "kept.zip")
        assert "3 games verified in " in words and "none differ" in words
        kept = Entry.objects.exclude(events__0__kind="give-time").order_by("pk").values_list()
        assert len(kept) == about["entries"] < len(before["tables.Entry"])
        assert all(entry in before["tables.Entry"] for entry in kept)
        for model in ("tables.Seed", "account.EmailAddress", "contenttypes.ContentType"):
            assert everything()[model] == before[model]
        assert Game.objects.get(pk=finished.pk).result == finished.result
    assert everything() == before


class playing:  # noqa: N801 - used as a function
    """Take turns at the table in the background. The event is set after the first one."""

    def __init__(self, game: Game) -> None:
        self.turn, self.enough = Event(), Event()
        self.thread = Thread(target=self.play, args=(game,))

    def play(self, game: Game) -> None:
        while again(game).is_running and not (self.enough.wait(0.02) and self.turn.is_set()):
            play_turns(game, 1)
            self.turn.set()
        connection.close()

    def __enter__(self) -> Event:
        self.thread.start()
        return self.turn

    def __exit__(self, *how: object) -> None:
        self.enough.set()
        self.thread.join()


@pytest.mark.long
def test_a_restored_log_is_insert_only_and_changed_keys_are_reported(kept, elsewhere, settings):
    settings.SECRET_KEY = "another text of which nobody knows anything at all"
    with database_at(elsewhere):
        assert "SECRET_KEY has changed" in restore(kept)
        for change in ("UPDATE tables_entry SET digest = ''", "DELETE FROM tables_entry"):
            with pytest.raises(DatabaseError, match="only ever added to"):
                connection.cursor().execute(change)


def test_clocks_get_the_lost_time_back_and_the_log_says_why(clock, alice, bob, tmp_path, elsewhere):
    game = in_turns(alice, bob, clock="move 1d")
    backup(tmp_path / "kept.zip")
    clock.shift(AGES)
    with database_at(elsewhere):
        words = restore(tmp_path / "kept.zip")
        assert "Games given 24 h more: 1." in words
        seat = Seat.objects.get(game=game, owes=True)
        assert seat.deadline == MONDAY + timedelta(days=2)
        (line,) = [line.sentences[0] for line in table(public_id=game.public_id, user=None).log if line.by_staff]
        assert line == (
            "Staff gave Alice 1 day of extra time. Reason: “The site was restored to its state of "
            "1 March 2027, 08:00 UTC. Anything after that is lost.”"
        )


def test_a_page_from_before_the_restore_is_refused_even_if_the_log_has_the_same_length(
    clock, alice, bob, tmp_path, elsewhere
):
    game = in_turns(alice, bob)
    backup(tmp_path / "kept.zip")
    clock.shift(AGES)
    intervene.give_time(game=game, seat=0, hours=24, reason="The mail was down.", expected_seq=game.seq, by=None)
    left_open, turn = again(game), ";".join(some_turn(game)[1])
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        assert again(game).seq == left_open.seq
        form = {"seq": left_open.seq, "head": left_open.head[:12], "action": turn, "sure": "1"}
        answer = browser_of(alice).post(f"{game.get_absolute_url()}submit", form)
        assert answer.status_code == 409 and "The game has changed" in answer.content.decode()
        assert again(game).seq == left_open.seq
        now = browser_of(alice).post(f"{game.get_absolute_url()}submit", form | {"head": again(game).head[:12]})
        assert now.status_code == 302 and again(game).seq == left_open.seq + 1


def test_notices_due_before_the_restore_are_dropped_and_later_ones_are_kept(clock, alice, bob, tmp_path, elsewhere):
    game = in_turns(alice, bob, clock="move 2d")
    waiting = set(Notice.objects.filter(state__in=OPEN, due_at__lte=MONDAY).values_list("pk", flat=True))
    assert waiting
    backup(tmp_path / "kept.zip")
    clock.shift(AGES)
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        dropped = Notice.objects.filter(state=NoticeState.DROPPED, why=NoticeReason.RESTORED)
        assert set(dropped.values_list("pk", flat=True)) == waiting
        open_now = Notice.objects.filter(state__in=OPEN)
        assert {(notice.kind, notice.user) for notice in open_now.filter(due_at__lte=clock_now())} == {
            ("decision", alice),
            ("decision", bob),
        }
        (reminder,) = open_now.filter(kind="time", seq=game.seq + 1)
        assert reminder.due_at > clock_now() + timedelta(days=1)
        assert send_due() == 2


def clock_now() -> datetime:
    return MONDAY + AGES


@pytest.mark.long
def test_emails_about_turns_replayed_after_a_restore_have_new_message_ids(clock, alice, bob, tmp_path, elsewhere):
    game = in_turns(alice, bob)
    backup(tmp_path / "kept.zip")

    def names_of_emails() -> set[tuple[int, str]]:
        for _turn in range(4):
            play_turns(game, 1)
            send_due()
        return set(Notice.objects.filter(kind="turn", state=NoticeState.SENT).values_list("seq", "message_id"))

    before = names_of_emails()
    clock.shift(AGES)
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        after = names_of_emails()
    assert {seq for seq, _name in before} & {seq for seq, _name in after}
    assert not {name for _seq, name in before} & {name for _seq, name in after}


def test_challenges_get_more_time_for_the_outage(clock, alice, bob, tmp_path, elsewhere):
    ladder_of(alice, bob)
    until = challenges(bob, alice).answer_by
    backup(tmp_path / "kept.zip")
    clock.shift(AGES)
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        assert Challenge.objects.get().answer_by == until + timedelta(hours=24)


def test_the_time_given_does_not_reveal_who_has_bid(clock, alice, bob, tmp_path, elsewhere):
    game = table_of(alice, bob, clock="move 1d")
    submit(game, 0, "bid 0")
    backup(tmp_path / "kept.zip")
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        last = Entry.objects.filter(game=game).latest("seq")
        assert last.events[0]["kind"] == "give-time" and last.events[0]["seats"] == [0, 1]


def test_every_game_that_does_not_verify_is_named(alice, bob, tmp_path, elsewhere):
    wrong, broken, _sound = [play_turns(table_of(alice, bob), 2) for _n in range(3)]
    Game.objects.filter(pk=wrong.pk).update(head="0" * 64)
    Seed.objects.filter(game=broken).delete()
    backup(tmp_path / "kept.zip")
    out = StringIO()
    with database_at(elsewhere), pytest.raises(CommandError, match="Failed verification: 2 games"):
        call_command("restore", str(tmp_path / "kept.zip"), stdout=out)
    assert f"{wrong}: The game’s row and its log end at different entries." in out.getvalue()
    assert f"{broken}: Cannot verify this game" in out.getvalue() and "Games given 1 h more: 1." in out.getvalue()


def test_a_restore_interrupted_after_the_rows_continues_and_gives_no_time_twice(clock, alice, bob, tmp_path, elsewhere):
    games = [in_turns(alice, bob, clock="move 1d") for _n in range(2)]
    backup(tmp_path / "kept.zip")
    taken_at = datetime.fromisoformat(manifest(tmp_path / "kept.zip")["taken_at"])
    clock.shift(AGES)
    with database_at(elsewhere):
        restore(tmp_path / "kept.zip")
        Heartbeat.objects.create(name="restore", at=taken_at)
        words = restore(tmp_path / "kept.zip")
        assert "Continuing an interrupted restore" in words and "Games given 24 h more: 0." in words
        assert not Heartbeat.objects.exists()
        assert [Entry.objects.filter(game=game).count() for game in games] == [game.seq + 2 for game in games]
        assert Notice.objects.filter(kind="decision").exclude(state=NoticeState.DROPPED).count() == 4


@pytest.mark.long
def test_time_is_given_once_to_each_table_that_waits_for_a_person(clock, alice, bob, carol):
    first, second = in_turns(alice, bob, clock="move 1d"), in_turns(bob, carol, clock="move 1d")
    play_out(in_turns(alice, carol))
    clock.shift(AGES)
    tables = putting_back.give_time_back(taken_at=MONDAY)
    assert next(tables) == first
    tables.close()
    assert list(putting_back.give_time_back(taken_at=MONDAY)) == [second]
    assert list(putting_back.give_time_back(taken_at=MONDAY)) == []
    assert [last_action(game).hours for game in (first, second)] == [24, 24]


def last_action(game: Game) -> staff.TimeGiven:
    action = staff.read(Entry.objects.filter(game=game).latest("seq").events[0])
    assert isinstance(action, staff.TimeGiven)
    return action


# Deleted accounts


def test_accounts_deleted_after_the_backup_are_deleted_again_by_a_restore(alice, bob, carol, tmp_path, elsewhere):
    running, done = in_turns(alice, bob), play_out(table_of(alice, bob))
    chat.say(public_id=running.public_id, user=alice, text="Nobody should read this")
    bots.create_bot(owner=alice, name="Robin")
    personal.make(personal.ask(bob).pk)
    backup(tmp_path / "kept.zip")
    delete_account(alice)
    with database_at(elsewhere):
        words = restore(tmp_path / "kept.zip")
        assert "The list of deleted accounts has 2 entries, until " in words and "Accounts deleted again: 1." in words
        assert set(User.objects.values_list("username", flat=True)) == {"Bob", "Carol"}
        assert [seat.name for seat in done.seats.all()] == ["Former player", "Bob"]
        assert Message.objects.get().text == "" and not EmailAddress.objects.filter(email=alice.email).exists()
        assert records.verify(game=done) == [] and again(running).is_running
        assert not DataExport.objects.exists(), "a link that was used could be used again"
        assert Deletion.objects.count() == 2
        later = tmp_path / "later"
        later.mkdir()
        backup(later / "kept.zip")
        assert len(deletions.read([later / deletions.NAME])[0]) == 2, "the list survives the restore"


def test_another_account_with_the_number_of_a_deleted_one_is_not_deleted(alice, bob):
    deletions.save({deletions.digest(bob.pk, alice.date_joined - timedelta(days=1)): timezone.now()})
    assert deletions.restored() == []
    deletions.save({deletions.digest(bob.pk, bob.date_joined): timezone.now()})
    assert deletions.restored() == [bob]


def test_a_restore_without_a_list_of_deleted_accounts_is_refused_with_a_sentence(kept, elsewhere, settings, tmp_path):
    settings.DELETIONS_LIST = tmp_path / "nowhere.txt"
    with database_at(elsewhere):
        sentence = refusal("restore", kept)
        assert (
            sentence.startswith("There is no list of deleted accounts: neither ") and "--without-deletions" in sentence
        )
        assert not connection.introspection.table_names()
        other = tmp_path / "other.txt"
        other.write_text("shopping: two apples\n")
        assert refusal("restore", kept, "--deletions", other) == f"{other} is not a list of deleted accounts."
        assert not connection.introspection.table_names()
        assert "Accounts deleted again: 0." in output_of("restore", kept, "--without-deletions")


def test_a_list_no_newer_than_the_backup_is_reported(clock, alice, bob, settings, tmp_path, elsewhere):
    settings.DELETIONS_LIST = tmp_path / "own.txt"
    in_turns(alice, bob)
    backup(tmp_path / "kept.zip")
    clock.shift(AGES)
    delete_account(alice)
    settings.DELETIONS_LIST.unlink()
    with database_at(elsewhere):
        assert "It is no newer than the backup" in restore(tmp_path / "kept.zip")


def test_the_list_of_deleted_accounts_says_nothing_about_them(alice, settings, tmp_path):
    settings.DELETIONS_LIST = tmp_path / "list.txt"
    settings.DELETIONS_LIST.write_text("2027-03-01T08:00:00+00:00 " + "a" * 40)  # cut off
    delete_account(alice)
    deletions.write()
    lines = settings.DELETIONS_LIST.read_text().splitlines()
    assert all(re.fullmatch(r"\S+ ([0-9a-f]{64}|-)", line) for line in lines[1:])
    assert len(deletions.read([settings.DELETIONS_LIST])[0]) == 1
    deletions.add(tmp_path / "new.txt")
    assert (tmp_path / "new.txt").stat().st_mode & 0o777 == 0o600


def test_a_list_that_cannot_be_written_prevents_no_deletion(alice, settings, tmp_path, caplog):
    settings.DELETIONS_LIST = tmp_path / "nowhere" / "list.txt"
    delete_account(alice)
    deletions.write()
    assert not User.objects.filter(pk=alice.pk).exists() and Deletion.objects.exists()
    assert "Cannot write the list of deleted accounts" in caplog.text
