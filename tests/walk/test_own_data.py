"""What the lists of personal data say about a world with one of everything: the archive, the deletion, and the page."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Model
from django.test import Client

from accounts import personal
from accounts.models import AddressChange, Deletion, User
from accounts.services import delete_account
from games.contests.models import CompetitionHook, Tournament
from games.rules.record import FORMER_PLAYER
from games.tables.models import Report, Subject
from tests.running import ROOT
from tests.walk.visits import Visitors
from tests.walk.world import World

pytestmark = pytest.mark.django_db

PAGE = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
LINES = re.findall(r"^\| (\w[\w-]*) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)[1:]
WORDS = {"gone": "deleted", "cleared": "name", "replaced": "name", "kept": "kept"}


@pytest.fixture
def world(visitors: Visitors) -> Iterator[World]:
    """The world of the walk, in which Alice has some more of what names or identifies her; afterwards as it was."""
    with transaction.atomic():
        alice = visitors.world.people["alice"]
        of_people = ContentType.objects.get_for_model(User)
        sam = visitors.world.people["sam"]
        LogEntry.objects.create(
            user=sam, content_type=of_people, object_id=str(alice.pk), object_repr=alice.username, action_flag=CHANGE,
            change_message="Cleared the date of birth.",
        )  # fmt: skip
        AddressChange.objects.create(user=alice, old="alice.before@example.org", at=alice.date_joined)
        tournament = Tournament.objects.filter(organizer=alice).first()
        CompetitionHook.objects.create(
            tournament=tournament, by=alice, url="https://hooks.example.org/hook-of-alice", at=alice.date_joined,
        )  # fmt: skip
        yield visitors.world
        transaction.set_rollback(True)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def models() -> list[type[Model]]:
    return list(apps.get_models(include_auto_created=True))


# The lists


def test_every_field_of_every_model_is_listed_once_as_personal_or_as_another_one() -> None:
    wrong = {}
    for model in models():
        kept = personal.personal_fields().get(model)
        fields = sorted(field.name for field in model._meta.concrete_fields)
        if kept is None or sorted([*kept.personal, *kept.other]) != fields:
            wrong[model._meta.label] = set(fields) ^ set([*kept.personal, *kept.other] if kept else [])
    assert not wrong, (
        f"Add these fields to the package's personal.toml, and if they are new to docs/privacy.md: {wrong}"
    )
    assert set(personal.personal_fields()) == set(models())


def test_every_relation_to_a_person_and_every_address_is_listed_as_personal() -> None:
    for model, kept in personal.personal_fields().items():
        for field in model._meta.concrete_fields:
            is_about_people = field.related_model is User or re.search(r"email|\bip\b|address|agent", field.name)
            assert not is_about_people or field.name in kept.personal, f"{model.__name__}.{field.name}"
        assert set(kept.hidden) <= {field.name for field in model._meta.concrete_fields}, model
        assert bool(kept.about) == bool(kept.personal), model


def test_the_privacy_page_has_a_line_for_each_kind_of_data_and_no_other() -> None:
    assert {line for line, _what, _then in LINES} == {
        kept.about for kept in personal.personal_fields().values() if kept.about
    }


def test_the_privacy_page_says_what_becomes_of_each_kind_when_an_account_is_deleted() -> None:
    for about, _what, then in LINES:
        outcomes = {
            name
            for kept in personal.personal_fields().values() if kept.about == about
            for name in WORDS if getattr(kept, name)
        }  # fmt: skip
        if outcomes == {"gone"}:
            assert then == "deleted", about
        elif "kept" in outcomes:
            assert "kept" in then, about
        if {"cleared", "replaced"} & outcomes and outcomes != {"gone"}:
            assert "name" in then, about


# The deletion


def texts(skipped: frozenset[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """Yield each text in the database with the name of its field, and what sessions hold."""
    for model in models():
        names = [
            field.attname for field in model._meta.concrete_fields if f"{model.__name__}.{field.name}" not in skipped
        ]
        for row in model._base_manager.values(*names):
            for name, value in row.items():
                content = json.dumps(value) if isinstance(value, dict | list) else value
                if isinstance(content, str):
                    yield f"{model.__name__}.{name}", content
                elif isinstance(content, bytes | memoryview):
                    yield f"{model.__name__}.{name}", bytes(content).decode("latin-1")
    for session in Session.objects.all():
        yield "Session", json.dumps(session.get_decoded())


def names_left(name: str, *others: str) -> set[str]:
    whole = re.compile("|".join([rf"(?<![\w@.-]){name}(?![\w-])", *map(re.escape, others)]))
    return {f"{field}: {text[:100]}" for field, text in texts() if whole.search(text)}


def test_nothing_in_the_database_names_a_person_who_has_left(world: World) -> None:
    alice = world.people["alice"]
    traces = ["Robin Bot", "alice@example.org", "alice.before@", "10.1.2.3", "token-of-alice", "hook-of-alice",
             "endpoint-of-alice", "session-of-alice", "whispered by players", "noted by Alice"]  # fmt: skip
    before = names_left("Alice", *traces)
    assert all(any(trace in text for text in before) for trace in traces), "the world has all of it"
    delete_account(User.objects.get(pk=alice.pk))
    assert not (left := names_left("Alice", *traces)), "\n".join(sorted(left))


def test_rows_and_fields_of_a_person_who_has_left_become_what_the_lists_say(world: World) -> None:
    for name in ("alice", "bob", "gil"):
        user = User.objects.get(pk=world.people[name].pk)
        rows: dict[type[Model], dict[str, list[object]]] = {}
        for model in personal.personal_fields():
            relations = {
                field.name: list(model._base_manager.filter(**{field.name: user}).values_list("pk", flat=True))
                for field in model._meta.concrete_fields
                if field.related_model is User
            }
            rows[model] = relations
        with undone():
            delete_account(user)
            for model, relations in rows.items():
                kept = personal.personal_fields()[model]
                for field, pks in relations.items():
                    there = model._base_manager.filter(pk__in=pks)
                    if field in kept.gone:
                        assert not there.exists(), f"{model.__name__}.{field}"
                    else:
                        assert field in kept.cleared, f"{model.__name__}.{field}"
                        assert not there.exclude(**{field: None}).exists(), f"{model.__name__}.{field}"


def test_a_reported_message_loses_its_text_and_the_report_stays(world: World) -> None:
    report = Report.objects.get(subject=Subject.MESSAGE)
    assert "whispered by players" in str(report.context)
    assert report.message is not None and report.message.text
    delete_account(User.objects.get(pk=world.people["alice"].pk))
    report.refresh_from_db()
    assert report.message is not None
    assert (report.player, report.message.text, report.message.name) == (None, "", FORMER_PLAYER)
    assert (report.context["name"], report.context["lines"][0]["text"]) == (FORMER_PLAYER, "")


def test_staff_who_delete_an_account_delete_what_its_owner_would(world: World) -> None:
    sam = world.people["sam"]
    browser = Client()
    browser.force_login(sam, backend="django.contrib.auth.backends.ModelBackend")
    people = f"/admin/accounts/user/{world.people['alice'].pk}/delete/"
    assert browser.post(people, {"post": "yes"}).status_code == 302
    for name in ("bob", "carol"):
        chosen = {"action": "delete_selected", "_selected_action": [world.people[name].pk], "post": "yes"}
        browser.post("/admin/accounts/user/", chosen)
    assert not User.objects.filter(username__in=["Alice", "Bob", "Carol", "Robin Bot"]).exists()
    assert Deletion.objects.count() == 4
    assert not (left := names_left("Alice", "alice@example.org", "whispered by players")), "\n".join(sorted(left))


# The archive


def archive_of(user: User) -> dict[str, str]:
    with ZipFile(BytesIO(personal.archive(user))) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_an_archive_has_every_row_of_the_person(world: World) -> None:
    alice = world.people["alice"]
    files = archive_of(alice)
    for model, kept in personal.personal_fields().items():
        for path in kept.of:
            if model._base_manager.filter(**{path: alice.pk}).exists():
                assert any(name.endswith(f"/{model.__name__}.json") for name in files), model
    everything = "\n".join(files.values())
    for text in ("alice@example.org", "10.1.2.3", "whispered by players", "noted by Alice", "Robin Bot", "2027-05-03"):
        assert text in everything, text
    assert f"games/records/{world.games['ended'].public_id}.json" in files


@pytest.mark.parametrize("name", ["alice", "bob", "dan", "eve", "gil", "sam"])
def test_an_archive_has_nothing_that_only_others_may_know(world: World, name: str) -> None:
    files = archive_of(world.people[name])
    everything = "\n".join(files.values())
    for secret in world.secrets:
        of_game = files.get(f"games/records/{secret.within.split('/')[-2]}.json", "") if secret.within else everything
        assert name in secret.known_to or secret.text not in of_game, secret.description
    for model, kept in personal.personal_fields().items():
        for row in model._base_manager.all() if kept.hidden else ():
            for field in kept.hidden:
                value = getattr(row, field, None)
                if isinstance(value, str) and len(value) > 12:
                    assert value not in everything, f"{model.__name__}.{field}"
