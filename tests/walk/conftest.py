"""A world that is built once for all tests of a file; every visit is rolled back."""

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
    """Roll back everything when the tests of the file are done; meanwhile there are no rate limits."""
    calm = override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        SITE_URL="http://testserver", OUTGOING_HOSTS=[NOWHERE],
        ACCOUNT_RATE_LIMITS=False, RATE_LIMITS=dict.fromkeys(settings.RATE_LIMITS, ""),
    )  # fmt: skip
    logging.disable()  # there are thousands of refusals
    try:
        with django_db_blocker.unblock(), calm, transaction.atomic():
            yield
            transaction.set_rollback(True)
    finally:
        logging.disable(logging.NOTSET)


@pytest.fixture(scope="module")
def visitors(untouched: None) -> Iterator[Visitors]:
    with made() as world:
        everyone = Visitors(world)
        yield everyone
        everyone.wire.close()
