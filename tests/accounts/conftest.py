"""Alice and Bob with accounts, and a visitor without one."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User

PASSWORD = "a quiet harbour"


def member(name: str) -> User:
    user = User.objects.create_user(name, f"{name.lower()}@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


@pytest.fixture
def alice(db) -> User:
    return member("Alice")


@pytest.fixture
def bob(db) -> User:
    return member("Bob")


@pytest.fixture
def stranger(client: Client) -> Client:
    return client


@pytest.fixture
def as_alice(alice: User) -> Client:
    client = Client()
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    return client
