"""The archive of one's own data, deleting an account in the middle of things, and what is removed each night."""

import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.conf import settings as site
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client

from accounts import hooks, personal, tasks
from accounts.models import DataExport, User
from accounts.services import make_guest
from empire.web import documents
from games.contests.models import Score
from games.errors import GameError
from games.notices.models import Notice, NoticeState
from games.tables.models import Draft, Game, Replacement, Seat
from games.tables.services import handover, people, play
from tests.accounts.conftest import PASSWORD
from tests.cast import again, in_turns, play_out, play_turns, some_turn, submit, table_of
from tests.contests.cups import begun
from tests.notices.emails import send_due
from tests.tables.interventions import take_over

pytestmark = pytest.mark.django_db

MONDAY = datetime(2027, 3, 1, 8, tzinfo=UTC)
DATA = "/accounts/data/"


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


def confirmed(user: User) -> Client:
    """Return a browser whose user has just entered their password."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def page(answer) -> str:
    return answer.content.decode()


def test_the_owner_of_a_seat_does_not_learn_from_the_archive_when_a_substitute_looked(alice, bob, carol):
    seat = Seat.objects.get(game=in_turns(alice, bob), owner=alice)
    handover.ask(seat=seat, user=alice, name="Carol")
    handover.accept(seat=seat, user=carol)
    play.look(seat=Seat.objects.get(pk=seat.pk))
    (row,) = seats_in_archive(alice)
    assert "looked_at" not in row and "owes" not in row and row["name"] == "Alice"
    (row,) = seats_in_archive(bob)
    assert "looked_at" in row and "owes" in row


def seats_in_archive(user: User) -> list[dict[str, object]]:
    return json.loads(dict(personal.files(user))["games/Seat.json"])


def archive_link(user: User) -> str:
    """Return the link to a new archive of the person."""
    personal.make(personal.ask(user).pk)
    return personal.link(DataExport.objects.get(user=user))


# The archive


def test_the_notice_of_an_archive_is_in_the_language_of_its_reader(alice):
    User.objects.filter(pk=alice.pk).update(language="de")
    archive_link(User.objects.get(pk=alice.pk))
    notice = Notice.objects.get(user=alice)
    assert "7 Tagen" in notice.lead and notice.title != "Your data is ready"


def test_an_archive_is_made_in_the_background_announced_and_fetched_once(clock, alice):
    browser = confirmed(alice)
    answer = browser.post(DATA, follow=True)
    assert "We are preparing your archive" in page(answer) and "Prepare my archive" not in page(answer)
    assert DataExport.objects.get().content is None, "the request itself does not make it"
    tasks.make_export(alice.pk)
    clock.shift(60)
    send_due()
    assert [email.subject for email in mail.outbox] == ["Your data is ready"]
    link = re.search(rf"{site.SITE_URL}({DATA}[^/\s]+/)", mail.outbox[0].body)[1]
    assert "Download" in page(browser.get(link)), "looking does not use it up"
    taps = [browser.post(link) for _tap in range(2)]
    answer = taps[1]
    assert taps[0].content == answer.content
    assert answer["Content-Type"] == "application/zip" and "no-store" in answer["Cache-Control"]
    with ZipFile(BytesIO(answer.content)) as archive:
        assert b"alice@example.org" in archive.read("account/User.json")
    clock.shift(timedelta(minutes=1))
    for again_ in (browser.get(link), browser.post(link)):
        assert again_.status_code == 410 and "This link doesn’t work" in page(again_)
    tasks.sweep_exports()
    assert DataExport.objects.get().content is not None
    clock.shift(1)
    tasks.sweep_exports()
    assert DataExport.objects.get().content is None


def test_asking_ten_times_gives_sentences_and_one_archive(clock, alice):
    browser = confirmed(alice)
    for _tap in range(2):
        answer = page(browser.post(DATA, follow=True))
        assert "We are preparing your archive" in answer and "already" not in answer
    clock.shift(timedelta(minutes=1))
    answers = [page(browser.post(DATA, follow=True)) for _time in range(10)]
    assert all("We are already preparing your archive" in answer for answer in answers)
    assert DataExport.objects.get().number == 1
    personal.make(alice.pk)
    assert "Your archive is ready. Download it below." in page(browser.post(DATA, follow=True))
    browser.post(personal.link(DataExport.objects.get()))
    assert "You can ask for one archive a day" in page(browser.post(DATA, follow=True))
    clock.shift(timedelta(days=1))
    assert personal.ask(alice).number == 2


def test_a_link_is_of_no_use_to_anyone_else_and_reveals_nothing(alice, bob):
    link = archive_link(alice)
    eve, nobody = confirmed(bob), Client()
    of_alice, forged = eve.get(link), eve.get(f"{DATA}x:y/")
    assert of_alice.status_code == forged.status_code == eve.post(link).status_code == 410
    same = [re.sub(r'(Token": ?"|token" value=")\w+', "", page(response)) for response in (of_alice, forged)]
    assert same[0].replace(link, "") == same[1].replace(f"{DATA}x:y/", "")
    assert nobody.post(link).url.startswith("/accounts/")
    assert DataExport.objects.get().fetched_at is None


def test_a_link_holds_for_its_own_archive_alone(clock, alice):
    old = archive_link(alice)
    clock.shift(timedelta(days=8))
    assert confirmed(alice).post(old).status_code == 410, "it has expired"
    tasks.sweep_exports()
    assert DataExport.objects.get().content is None
    new = archive_link(alice)
    assert new != old and confirmed(alice).post(old).status_code == 410
    assert confirmed(alice).post(new).status_code == 200


@pytest.mark.parametrize("step", ["ask", "look", "fetch"])
def test_an_open_session_is_not_enough_for_an_archive(as_alice, alice, step):
    link = archive_link(alice) if step == "fetch" else DATA
    answer = as_alice.get(link) if step == "look" else as_alice.post(link)
    assert answer.url.startswith("/accounts/reauthenticate/")
    assert DataExport.objects.filter(fetched_at=None).count() == (step == "fetch")


def test_forms_for_the_archive_need_a_csrf_token(alice):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    assert {strict.post(path).status_code for path in (DATA, archive_link(alice), "/accounts/delete/")} == {403}


def test_a_failed_archive_is_tried_again_and_then_can_be_asked_for_again(clock, alice, monkeypatch, caplog):
    def broken(user):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(hooks, "exported", [broken])
    personal.ask(alice)
    for _try in range(personal.TRIES + 1):
        clock.shift(timedelta(minutes=10))
        tasks.sweep_exports()
    assert DataExport.objects.get().tries == personal.TRIES and "the disk is full" in caplog.text
    assert "We couldn’t prepare your archive" in page(confirmed(alice).get(DATA))
    monkeypatch.undo()
    assert archive_link(alice)


def test_a_lost_task_and_a_killed_worker_lose_no_archive(clock, alice):
    personal.ask(alice)
    DataExport.objects.update(claimed_at=MONDAY, tries=1)  # a worker that was killed
    tasks.sweep_exports()
    assert not personal.is_ready(DataExport.objects.get())
    clock.shift(timedelta(minutes=31))
    tasks.sweep_exports()
    assert personal.is_ready(DataExport.objects.get())


def test_the_archive_of_a_guest_is_theirs_without_a_password(client):
    client.post("/accounts/guest/")
    guest = User.objects.get()
    client.post(DATA)
    personal.make(guest.pk)
    assert client.post(personal.link(DataExport.objects.get())).status_code == 200


def test_an_archive_of_a_running_game_has_only_what_the_seat_may_know(alice, bob):
    game = table_of(alice, bob)
    submit(game, 1, "bid 1")
    for user in (alice, bob):
        with ZipFile(BytesIO(personal.archive(user))) as archive:
            record = archive.read(f"games/records/{game.public_id}.json").decode()
            assert game.seed.secret.hex() not in record
    with ZipFile(BytesIO(personal.archive(alice))) as archive:
        assert "bid 1" not in "".join(archive.read(name).decode() for name in archive.namelist())


@pytest.mark.parametrize("is_full", [True, False])
def test_the_archive_of_a_player_who_was_replaced_has_no_later_points_of_private_games(alice, bob, carol, is_full):
    first = table_of(alice, bob, full=is_full, listed=False)
    games = [first]
    if is_full:
        games.append(Game.objects.get(full_game=play_out(first).full_game_id, number=2))
    take_over(play_turns(games[-1], 2), 0, carol)
    play_out(games[-1])
    if is_full:
        games.append(play_out(Game.objects.get(full_game=first.full_game_id, number=3)))
    [of_alice], [of_bob] = scores_in_archive(alice), scores_in_archive(bob)
    assert (of_alice["points"], [line["game"] for line in of_alice["games"]]) == (None, [first.public_id] * is_full)
    assert of_alice["place"] == Score.objects.get(user=alice).place, "her history has it too"
    assert of_bob["points"] == Score.objects.get(user=bob).points
    assert [line["game"] for line in of_bob["games"]] == [game.public_id for game in games]
    assert len(Score.objects.get(user=alice).games) == len(games), "the score itself stays"


def test_the_archive_does_not_say_who_of_the_staff_asked_its_owner_to_take_over_a_seat(alice, bob, carol, dan):
    seat = Seat.objects.get(game=in_turns(alice, bob), owner=alice)
    Replacement.objects.create(seat=seat, user=carol, by=dan, reason="Alice is ill.", asked_at=MONDAY)
    files = dict(personal.files(carol))
    [row] = json.loads(files["games/Replacement.json"])
    assert row["reason"] == "Alice is ill." and "by" not in row and b"Dan" not in b"".join(files.values())


def scores_in_archive(user: User) -> list[dict[str, Any]]:
    return json.loads(dict(personal.files(user))["competitions/Score.json"])


# Deleting an account


def test_the_page_says_what_deleting_means_for_everything_that_still_runs(alice, bob, carol, dan):
    begun(alice, [alice, bob, carol, dan], name="Running Cup", seats=4)  # first: a kept tournament brings its own rows
    in_turns(alice, bob)
    alice.refresh_from_db()
    shown = page(confirmed(alice).get("/accounts/delete/"))
    assert "You resign them: bots play your seats to the end" in shown and "You drop out of Running Cup." in shown
    assert "You organize Running Cup." in shown


def test_deleting_in_the_middle_of_a_tournament_keeps_what_was_promised_to_the_others(alice, bob, carol, dan):
    cup = begun(alice, [alice, bob, carol, dan], name="Running Cup", seats=4)
    game = in_turns(alice, bob)
    alice.refresh_from_db()  # a tournament that is kept for tests brings its own rows
    browser = confirmed(alice)
    answer = browser.post("/accounts/delete/", {"name": "Alice"}, follow=True)
    assert "Your account is deleted" in page(answer), answer.redirect_chain
    cup.refresh_from_db()
    assert cup.is_running and cup.organizer is None
    entrant = cup.entrants.get(user=None)
    assert entrant.name == "Former player" and entrant.left_at is not None
    assert again(game).is_running and [seat.name for seat in Seat.objects.filter(game=game)] == ["Former player", "Bob"]
    assert not Notice.objects.filter(user=bob, lead__contains="Alice").exists()


def test_a_deletion_that_is_refused_is_explained_and_deletes_nothing(alice, monkeypatch):
    def refuse(user):
        raise GameError("Wait until the round has begun.")

    monkeypatch.setattr(hooks, "before_deletion", [*hooks.before_deletion, refuse])
    answer = confirmed(alice).post("/accounts/delete/", {"name": "Alice"})
    assert answer.status_code == 409 and "Wait until the round has begun." in page(answer)
    assert User.objects.filter(pk=alice.pk).exists()


def test_a_part_of_a_word_in_what_others_were_told_is_no_name(alice, bob):
    User.objects.filter(pk=alice.pk).update(username="Ann")
    alice.refresh_from_db()
    in_turns(alice, bob)
    to_bob = {"user": bob, "kind": "invited", "state": NoticeState.SENT, "key": "a"}
    stranger = {"user": make_guest(), "kind": "invited", "state": NoticeState.SENT, "key": "b"}
    for facts in (to_bob, stranger):
        Notice.objects.create(**facts, title="Ann invited you", lead="Anna and Ann-Sophie")
    people.before_deletion(alice)
    titles = dict(Notice.objects.filter(key__in="ab").values_list("key", "title"))
    assert titles == {"a": "Former player invited you", "b": "Ann invited you"}
    assert set(Notice.objects.filter(key__in="ab").values_list("lead", flat=True)) == {"Anna and Ann-Sophie"}


def test_a_name_that_is_also_a_word_of_the_site_stays_in_what_others_were_told(alice, bob):
    User.objects.filter(pk=alice.pk).update(username="The")
    alice.refresh_from_db()
    table_of(alice, bob)
    sentence = "The match is over. The won."
    Notice.objects.create(user=bob, kind="invited", state=NoticeState.SENT, key="a", title="x", lead=sentence)
    people.before_deletion(alice)
    assert Notice.objects.get(key="a").lead == sentence


def test_every_name_is_removed_from_the_log_of_staff_about_tables_of_the_player(alice, bob, eve):
    User.objects.filter(pk=alice.pk).update(username="The")
    alice.refresh_from_db()
    game = table_of(alice, bob)
    of_games = ContentType.objects.get_for_model(Game)
    LogEntry.objects.create(
        user=eve, content_type=of_games, object_id=game.pk, action_flag=2, change_message="The was replaced."
    )
    people.before_deletion(alice)
    assert LogEntry.objects.get().change_message == "Former player was replaced."


# What is removed each night


def test_sign_ins_are_kept_as_long_as_the_settings_say(clock, alice, settings):
    settings.KEEP_SIGN_INS, settings.KEEP_GUESTS = 40, 400
    old, new, guest = Client(), Client(), Client()
    old.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    guest.post("/accounts/guest/")
    unlisted = SessionStore()
    unlisted["confirmed_address"] = alice.email  # of a device that was signed out from elsewhere
    unlisted.save()
    tasks.sweep_personal_data()
    assert Session.objects.count() == 3
    clock.shift(timedelta(days=39))
    new.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    tasks.sweep_personal_data()
    assert UserSession.objects.filter(user=alice).count() == 2 and Session.objects.count() == 3
    assert not Session.objects.filter(pk=unlisted.session_key).exists()
    clock.shift(timedelta(days=2))
    tasks.sweep_personal_data()
    assert (
        UserSession.objects.filter(user=alice).count() == 1 and not old.get("/desk/").wsgi_request.user.is_authenticated
    )
    assert new.get("/desk/").wsgi_request.user == alice and guest.get("/desk/").wsgi_request.user.is_guest
    clock.shift(timedelta(days=181))
    tasks.sweep_personal_data()
    assert not UserSession.objects.exists() and not Session.objects.exists()


def test_a_session_that_a_new_password_has_ended_is_deleted(clock, alice):
    Client().force_login(alice)  # not on the list of sign-ins, as on a device that was signed out from elsewhere
    clock.shift(timedelta(days=3))
    tasks.sweep_personal_data()
    assert Session.objects.count() == 1
    alice.set_password("another one")
    alice.save()
    tasks.sweep_personal_data()
    assert Session.objects.count() == 0


def test_notices_and_email_files_are_kept_as_long_as_the_settings_say(clock, alice, bob, settings, tmp_path):
    settings.KEEP_NOTICES, settings.EMAIL_FILE_PATH = 30, str(tmp_path)
    ended, running = play_out(table_of(alice, bob)), in_turns(alice, bob)
    Notice.objects.update(state=NoticeState.SENT)
    waiting = Notice.objects.filter(seat__game=ended).first()
    Notice.objects.filter(pk=waiting.pk).update(state=NoticeState.QUEUED)
    kept = set(Notice.objects.filter(seat__game=running)) | {waiting}
    clock.shift(timedelta(days=29))
    for name in ("old", "new"):
        (tmp_path / f"{name}.eml").write_text(name)
        written = MONDAY + timedelta(days=0 if name == "old" else 20)
        os.utime(tmp_path / f"{name}.eml", (written.timestamp(), written.timestamp()))
    before = Notice.objects.count()
    tasks.sweep_personal_data()
    assert Notice.objects.count() == before and (tmp_path / "old.eml").exists()
    clock.shift(timedelta(days=5))
    tasks.sweep_personal_data()
    assert set(Notice.objects.all()) == kept
    assert [path.name for path in tmp_path.iterdir()] == ["new.eml"]


def test_dead_drafts_are_removed_and_others_stay(clock, alice, bob, settings):
    settings.KEEP_DRAFTS = 10
    ended, gone_on, waiting = in_turns(alice, bob), in_turns(alice, bob), in_turns(alice, bob)
    for game in (ended, gone_on, waiting):
        seat, actions = some_turn(game)
        play.lay_out(game=game, who=seat, actions=actions[:1], expected_seq=again(game).seq)
    drafts = {draft.seat.game_id: draft for draft in Draft.objects.all()}
    play_out(ended)
    play_turns(gone_on, 1)
    for game in (ended, gone_on):  # as if the seat had left its draft behind
        draft = drafts[game.pk]
        Draft.objects.get_or_create(
            seat=draft.seat, sealed=False, defaults={"seq": draft.seq, "actions": draft.actions}
        )
    clock.shift(timedelta(days=9))
    assert people.sweep_drafts(datetime.now(UTC)) == 0
    clock.shift(timedelta(days=2))
    tasks.sweep_personal_data()
    assert [draft.seat.game_id for draft in Draft.objects.all()] == [waiting.pk]


def test_one_step_of_the_night_that_fails_does_not_keep_the_others(clock, alice, monkeypatch, caplog):
    def broken(now):
        raise RuntimeError("out of order")

    monkeypatch.setattr(hooks, "outdated", [broken, *hooks.outdated])
    make_guest()
    clock.shift(timedelta(days=40))
    tasks.sweep_personal_data()
    assert set(User.objects.all()) == {alice} and "out of order" in caplog.text


# The privacy page


def test_the_privacy_page_shows_the_document_with_the_numbers_of_this_site(client, settings):
    shown = re.sub(r"<[^>]+>", "", page(client.get("/privacy/")))
    for line in ("Turns that you started but never sent: 30 days after the game has moved on.", "What we store"):
        assert line in shown
    settings.KEEP_DRAFTS = 1
    assert "never sent: 1 day after" in re.sub(r"<[^>]+>", "", page(client.get("/privacy/")))
    assert "KEEP_" not in page(client.get("/privacy/"))


def test_the_document_gives_the_default_of_each_time_that_the_settings_name():
    defaults = {name: str(getattr(site, name)) for name in dir(site) if name.startswith("KEEP_")}
    documented = re.findall(r"(\d+) days \(`(KEEP_\w+)`\)", documents.source("privacy.md"))
    assert {name: days for days, name in documented} == defaults and len(documented) == len(defaults)


def test_every_text_of_the_privacy_page_goes_to_the_translators(client):
    shown = page(client.get("/privacy/"))
    texts = list(documents.texts("privacy"))
    assert len(texts) > 50 and all("KEEP_" not in re.sub(r"\{KEEP_\w+\}", "", text) for text in texts)
    plain = [text for text in texts if not re.search(r"[{`*’“”&]", text)]
    assert all(text in shown for text in plain)
