"""Player names are public, readable, and the same in any case."""

import pytest
from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from accounts.models import User
from accounts.names import LONGEST, guest_name, is_readable

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["Alice", "Bob the 2nd", "x-y_z", "42", "A" * LONGEST])
def test_readable_names_may_be_taken(name):
    assert get_adapter().clean_username(name) == name


MISLEADING = [
    "A", "A" * (LONGEST + 1), " Alice", "Alice ", "A  B", "Al/ice", "<b>Al</b>", "\u0391lice", "Al\u200bice", "-Al",
    "admin", "The House", "the-house", "Guest Heron 42", "Former player 3", "Bot Bob", "GREEDY",
]  # fmt: skip


@pytest.mark.parametrize("name", MISLEADING)
def test_names_that_mislead_may_not_be_taken(name):
    with pytest.raises(ValidationError):
        get_adapter().clean_username(name)


def test_a_name_is_taken_in_any_case():
    User.objects.create_user("Alice")
    with pytest.raises(ValidationError):
        get_adapter().clean_username("aLICE")
    with pytest.raises(IntegrityError):
        User.objects.create_user("alice")


def test_an_address_belongs_to_one_person_in_any_case():
    User.objects.create_user("Alice", "alice@example.org")
    with pytest.raises(IntegrityError):
        User.objects.create_user("Bob", "Alice@Example.org")


def test_any_number_of_people_have_no_address():
    User.objects.create_user("Alice")
    User.objects.create_user("Bob")
    assert User.objects.filter(email="").count() == 2


def test_names_of_guests_are_readable_and_short_enough():
    for name in {guest_name() for _draw in range(300)}:
        is_readable(name)
        assert len(name) <= LONGEST
