"""A player's page is public and has one address."""

import pytest

from accounts.models import User

pytestmark = pytest.mark.django_db


def test_anybody_sees_a_player(stranger, alice):
    answer = stranger.get(alice.get_absolute_url())
    assert answer.status_code == 200
    assert "Alice" in answer.content.decode()


def test_a_name_in_another_case_leads_to_the_one_address(stranger, alice):
    assert stranger.get("/players/aLiCe/").url == "/players/Alice/"


def test_nobody_is_not_found(stranger):
    assert stranger.get("/players/Nobody/").status_code == 404


def test_a_guests_name_with_spaces_has_an_address(stranger):
    stranger.post("/accounts/guest/")
    assert stranger.get(User.objects.get().get_absolute_url()).status_code == 200
