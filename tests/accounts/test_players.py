"""Player pages: public, with one canonical URL each."""

import pytest

from accounts.models import User

pytestmark = pytest.mark.django_db


def test_anyone_can_see_a_player(stranger, alice):
    answer = stranger.get(alice.get_absolute_url())
    assert answer.status_code == 200
    assert "Alice" in answer.content.decode()


def test_a_name_in_another_case_redirects_to_the_canonical_url(stranger, alice):
    assert stranger.get("/players/aLiCe/").url == "/players/Alice/"


def test_an_unknown_name_is_not_found(stranger):
    assert stranger.get("/players/Nobody/").status_code == 404


def test_a_guest_name_with_spaces_has_a_url(stranger):
    stranger.post("/accounts/guest/")
    assert stranger.get(User.objects.get().get_absolute_url()).status_code == 200
