"""Player names: public, readable, unique ignoring case and look-alikes."""

import time
import unicodedata
from pathlib import Path

import polib
import pytest
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import translation

from accounts.forms import PreferencesForm
from accounts.models import User
from accounts.names import (
    IN_NAMES,
    LONGEST_FOLDED,
    LONGEST_NAME,
    LONGEST_SKELETON,
    folded,
    guest_name,
    is_common,
    is_free_to_take,
    is_guest_name,
    is_readable,
    normal,
    player_name,
    skeleton,
)
from accounts.services import make_guest
from games.bots.registry import BOTS
from games.tables.forms.table import GuestForm
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db
LANGUAGES = [code for code, _own_name in settings.LANGUAGES]


WORLD = [
    "Ångström",
    "Łucja",
    "Дмитрий",
    "李雷",
    "Ελένη",
    "さくら",
    "김민준",
    "محمد",
    "נועם",
    "अनीता",
    "山田 Taro",
    "Zoë-2",
]


@pytest.mark.parametrize("name", ["Alice", "Bob the 2nd", "x-y_z", "42", "A" * LONGEST_NAME, *WORLD])
def test_readable_names_are_accepted(name):
    assert get_adapter().clean_username(name) == name


MISLEADING = [
    "A", "A" * (LONGEST_NAME + 1), " Alice", "Alice ", "A  B", "Al/ice", "<b>Al</b>", "\u0391lice", "Al\u200bice",
    "-Al", "\u0410lice", "Alic\u0435", "Дмиtрий", "Al\u0301\u0301\u0301\u0301ice", "Al\u034fice", "\u3164\u3164",
    "\u202eecila", "Alice\ufe0f",
    "\u0301Al", "4٤", "Al😀ce", "ᴬlice" + "ʰ" * 3 + "ˑ", "аdmin", "Ꭺlice", "Guеst",
    "admin", "The House", "the-house", "Guest Heron 42", "Former player 3", "Bot Bob", "GREEDY",
]  # fmt: skip


OF_SITE = [
    "Schwer", "SCHWER 2", "Leicht", "Mittel", "Maître", "Maitre", "Dificil", "Difícil 3", "Fácil-2", "Moyen", "Zufall",
    "Ehemaliger Spieler", "ehemaliger-spieler 7", "Ehemaliger_Spieler", "Ancien joueur", "Antiguo jugador 2",
    "moderadora Ana", "Administrateur",
]  # fmt: skip


@pytest.mark.parametrize("name", OF_SITE)
def test_names_that_the_site_gives_in_other_languages_are_reserved_too(name):
    with pytest.raises(ValidationError, match="reserved for the site"):
        is_free_to_take(name)


@pytest.mark.parametrize("name", MISLEADING)
def test_misleading_names_are_refused(name):
    with pytest.raises(ValidationError):
        get_adapter().clean_username(name)


@pytest.mark.parametrize("letter", ["\ufdfa", "a", "a b ", "\u03c9\u0314\u0342\u0345", "\u1112\u1161\u11ab"])
def test_a_name_as_long_as_a_book_is_refused_at_once(letter):
    """One character of the first name becomes eighteen, and looking at each took a minute."""
    began = time.process_time()
    form = GuestForm({"name": letter * (900_000 // len(letter.encode()))}, user=AnonymousUser())
    assert not form.is_valid() and time.process_time() - began < 0.5
    assert folded(letter * 100_000) == folded(letter * 100_001)


def test_names_are_unique_ignoring_case():
    User.objects.create_user("Alice")
    with pytest.raises(ValidationError):
        get_adapter().clean_username("aLICE")
    with pytest.raises(IntegrityError):
        User.objects.create_user("alice")


TWINS = [
    ("Alice", "AIice"), ("Alice", "A1ice"), ("Alice", "ALlCE"), ("Al-ice", "Al_ice"), ("Alice", "Al ice"),
    ("Bob", "B0b"), ("Marie", "rnarie"), ("Walter", "VValter"),
    ("Alice", "\u0410lice"), ("Alice", "Al\u0456ce"), ("Alice", "\uff21lice"), ("Alice", "Ali\u0301ce"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "other"), TWINS)
def test_names_that_look_alike_have_the_same_skeleton(name, other):
    assert skeleton(name) == skeleton(other)


@pytest.mark.parametrize(("name", "other"), [("Alice", "Alicia"), ("Bob", "Rob"), ("Anna", "Ana"), ("P1", "P2")])
def test_names_that_differ_in_a_letter_or_number_have_different_skeletons(name, other):
    assert skeleton(name) != skeleton(other)


@pytest.mark.parametrize("name", ["AIice", "Al-ice", "A1ICE", "a l i c e"])
def test_signing_up_with_a_look_alike_name_is_refused(client, alice, name):
    sent = {"username": name, "email": "eve@example.org", "password1": PASSWORD, "accepts": "1"}
    answer = client.post("/accounts/signup/", sent)
    assert "That name is taken or looks too much like another one." in answer.content.decode()
    assert list(User.objects.all()) == [alice]


def test_a_guest_cannot_sign_up_with_a_look_alike_name(client, alice):
    client.post("/accounts/guest/")
    client.post(
        "/accounts/signup/", {"username": "AIice", "email": "eve@example.org", "password1": PASSWORD, "accepts": "1"}
    )
    assert User.objects.filter(is_guest=True).count() == 1
    client.post(
        "/accounts/signup/", {"username": "Eve", "email": "eve@example.org", "password1": PASSWORD, "accepts": "1"}
    )
    assert User.named("Eve").skeleton == skeleton("Eve")


def test_the_second_of_two_simultaneous_sign_ups_with_one_name_is_refused(client, alice, monkeypatch):
    monkeypatch.setattr(
        User, "is_name_taken", lambda *_names, **_options: False
    )  # both were checked before either was saved
    sent = {"username": "AIice", "email": "eve@example.org", "password1": PASSWORD, "accepts": "1"}
    answer = client.post("/accounts/signup/", sent, follow=True)
    assert "Someone has just signed up with this name" in answer.content.decode()
    assert list(User.objects.all()) == [alice]


def test_the_database_refuses_a_look_alike_name(alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(username="AIice")])
    with pytest.raises(IntegrityError):
        User.objects.create(username="Al_ice")


def test_an_account_from_before_the_rule_keeps_its_name_but_gets_no_other_look_alike(alice, bob):
    twin = User.objects.create_user("Twin")
    User.objects.filter(pk=twin.pk).update(username="AIice", folded="aiice", skeleton=None)
    twin.refresh_from_db()
    twin.save()
    choices = {"username": "AIice", "time_zone": "UTC", "theme": "dark"}
    assert PreferencesForm(choices, instance=twin).is_valid()
    assert not PreferencesForm({**choices, "username": "B0b"}, instance=twin).is_valid()


def test_staff_cannot_rename_a_user_to_a_look_alike_name(admin_client, alice, bob):
    page = admin_client.get(f"/admin/accounts/user/{bob.pk}/change/")
    form = page.context["adminform"].form
    sent = {name: value for name, value in form.initial.items() if isinstance(value, str)}
    joined = {"date_joined_0": f"{bob.date_joined:%Y-%m-%d}", "date_joined_1": f"{bob.date_joined:%H:%M:%S}"}
    answer = admin_client.post(f"/admin/accounts/user/{bob.pk}/change/", {**sent, **joined, "username": "AIice"})
    assert "looks too much like another" in answer.content.decode()


def test_guest_names_have_skeletons_too(db):
    guest = make_guest()
    assert guest.skeleton == skeleton(guest.username)


STAFF = [
    "Site Admin", "SiteAdmin", "siteadmin", "admin2", "S1te Adm1n", "Webmaster", "WebMaster", "webrnaster",
    "Web Master", "Moderator", "Bob Moderator", "Support", "Supp0rt Desk", "Staff 2", "Eight Minutes", "EightMinutes",
    "E1ght-Minutes", "Eight Minutes Team", "Greedy bot", "GreedyBot", "Greedy 2", "Random", "Former player", "Guest",
    "Guest Wren 12", "You", "you 2",
]  # fmt: skip


@pytest.mark.parametrize("name", STAFF)
def test_names_of_staff_the_site_bots_and_guests_are_reserved(name):
    with pytest.raises(ValidationError):
        is_free_to_take(name)


@pytest.mark.parametrize("name", ["Han", "Will", "La", "You finished"])
def test_names_that_are_also_words_of_the_site_are_free_to_take(name):
    assert is_common(name)
    is_free_to_take(name)


@pytest.mark.parametrize("name", ["Alice", "Han Meier", "Jon"])
def test_a_name_with_a_word_that_the_site_does_not_use_is_not_common(name):
    assert not is_common(name)


def test_every_bot_has_a_reserved_name(settings):
    for bot in BOTS.values():
        with pytest.raises(ValidationError):
            is_free_to_take(str(bot.name))
    settings.SITE_NAME = "Harbour Games"
    with pytest.raises(ValidationError):
        is_free_to_take("harbour-games")


@pytest.mark.parametrize(
    "name", ["Falstaff", "Badmintonia", "Robot Rob", "Talbot", "Eight", "Guestav", "Alice 2", "42"]
)
def test_names_that_merely_contain_reserved_letters_are_accepted(name):
    is_free_to_take(name)


def test_addresses_are_unique_ignoring_case():
    User.objects.create_user("Alice", "alice@example.org")
    with pytest.raises(IntegrityError):
        User.objects.create_user("Bob", "Alice@Example.org")


def test_any_number_of_users_can_have_no_address():
    User.objects.create_user("Alice")
    User.objects.create_user("Bob")
    assert User.objects.filter(email="").count() == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_that_the_site_chooses_are_readable_short_and_many_in_each_language(language):
    with translation.override(language):
        names = [guest_name(f"{seed}") for seed in range(2000)] + [player_name() for _draw in range(1000)]
    for name in names:
        is_readable(name)
        assert len(name) <= LONGEST_NAME
    birds = {name.split(" ")[1] for name in names}
    assert len({skeleton(bird) for bird in birds}) == len(birds) > 40
    for catalog in Path(settings.LOCALE_PATHS[0]).glob(f"{language}/LC_MESSAGES/django.po"):  # English has none
        [listed] = [entry for entry in polib.pofile(catalog) if entry.msgctxt == IN_NAMES and "," in entry.msgid]
        assert set(listed.msgstr.split(", ")) == birds, "none is too long"


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_guests_in_any_language_are_known_and_reserved(language):
    with translation.override(language):
        name = guest_name()
    for reader in LANGUAGES:
        with translation.override(reader):
            assert is_guest_name(name)
            for alike in (name, name.upper(), name.replace(" ", ""), name.replace("i", "1"), name.split(" ")[0]):
                with pytest.raises(ValidationError):
                    is_free_to_take(alike)


@pytest.mark.parametrize("name", ["Gaston", "Gast", "Invitados"])
def test_other_names_are_not_names_of_guests(name):
    assert not is_guest_name(name)


def test_birds_in_names_of_guests_are_not_words_of_the_site():
    """A name of such words stays in texts after its account is deleted, because nobody can tell it from a word."""
    assert not is_common("Merlin") and not is_common("Milan")


# Names of all scripts


TWINS_ABROAD = [
    ("Alice", "Аlice"), ("Хор", "Xop"), ("Ροή", "Poή"), ("Ångström", "Angstrom"),
    ("Łucja", "Lucja"),
    ("Søren", "Soren"), ("Straße", "Strasse"), ("Ольга", "Oльга"), ("Zoë", "Zoe\u0308"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "other"), TWINS_ABROAD)
def test_names_of_other_scripts_that_look_alike_have_the_same_skeleton(name, other):
    assert skeleton(name) == skeleton(other)


@pytest.mark.parametrize(
    ("name", "other"), [("Дмитрий", "Дмитрии2"), ("李雷", "李雨"), ("कि कु", "का की"), ("Ελένη", "Ελένα")]
)
def test_names_of_other_scripts_that_differ_have_different_skeletons(name, other):
    assert skeleton(name) != skeleton(other)


@pytest.mark.parametrize("name", WORLD)
def test_a_name_of_any_script_works_in_sign_up_addresses_and_searches(client, alice, name):
    sent = {
        "username": unicodedata.normalize("NFD", name),
        "email": "w@example.org",
        "password1": PASSWORD,
        "accepts": "1",
    }
    assert client.post("/accounts/signup/", sent).status_code == 302
    user = User.objects.get(email="w@example.org")
    assert user.username == name and user.username.isprintable()
    assert User.named(name.upper()) == User.named(name.lower()) == User.named(f" {name} ") == user
    assert "%" in user.get_absolute_url() or name.isascii()
    page = Client().get(user.get_absolute_url())
    assert page.status_code == 200 and name in page.content.decode()
    scores = Client().get(f"{user.get_absolute_url()}scores.json")
    assert scores.status_code == 200
    assert name in mail.outbox[-1].body
    searching = Client()
    searching.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    assert name in searching.get("/people/", {"q": name}).content.decode()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/accounts/delete/", {"name": name.upper()}).status_code in (302, 403)


def test_nobody_can_sign_up_with_a_name_of_another_script_that_looks_like_one_of_ours(client, alice):
    bob = User.objects.create_user("Хор")  # Cyrillic throughout
    for name in ("Xop", "XOP", "хор", "A1ice"):
        sent = {"username": name, "email": "eve@example.org", "password1": PASSWORD, "accepts": "1"}
        assert "looks too much like another" in client.post("/accounts/signup/", sent).content.decode()
    assert set(User.objects.all()) == {alice, bob}


def test_skeletons_fit_their_column():
    for name in ("한" * LONGEST_NAME, "W" * LONGEST_NAME, "ậ" * LONGEST_NAME, "ß" * LONGEST_NAME, "ﷺ"):
        assert len(skeleton(name)) <= LONGEST_SKELETON and len(folded(normal(name)[:LONGEST_NAME])) <= LONGEST_FOLDED
