"""The world is made once for all tests of a file, and every visit is undone."""

import logging
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import transaction
from django.test import override_settings

from tests.walk.visits import Visitors
from tests.walk.world import NOWHERE, made


@pytest.fixture(scope="module")
def untouched(django_db_setup, django_db_blocker) -> Iterator[None]:
    """What is made from here on is gone when the tests of the file are done; nobody is told that they are too quick."""
    calm = override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        SITE_URL="http://testserver", OUTGOING_HOSTS=[NOWHERE],
        ACCOUNT_RATE_LIMITS=False, RATE_LIMITS=dict.fromkeys(settings.RATE_LIMITS, ""),
    )  # fmt: skip
    logging.disable()  # thousands of refusals
    try:
        with django_db_blocker.unblock(), calm, transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        logging.disable(logging.NOTSET)


@pytest.fixture(scope="module")
def visitors(untouched: None) -> Iterator[Visitors]:
    with made() as world:
        everybody = Visitors(world)
        yield everybody
        everybody.wire.close()
