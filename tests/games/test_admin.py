"""What those who run the site can look at: never the seed, never a draft, and nothing can be changed."""

import re

import pytest
from django.contrib.admin import site
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Draft, Entry, FullGame, Game, Notice, Seat, Seed, Snapshot
from games.services import play
from tests.cast import in_turns, submit, table_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(db) -> Client:
    client = Client()
    client.force_login(
        User.objects.create_superuser("Chief", "chief@example.org", "x"), "django.contrib.auth.backends.ModelBackend"
    )
    return client


def test_seeds_drafts_and_snapshots_have_no_page():
    registered = set(site._registry)
    assert not registered & {Seed, Draft, Snapshot, Seat}
    assert registered >= {Game, Entry, FullGame, Notice}


def test_no_page_shows_the_seed_the_ages_or_who_has_bid(chief, alice, bob):
    game = table_of(alice, bob)
    before = page(chief, game)
    submit(game, 1, "bid 3")
    play.lay_out(game=game, seat=0, actions=["bid 7"], expected_seq=0)
    assert page(chief, game) == before
    assert bytes(game.seed.secret).hex() not in before
    assert "Born" not in before and "Deadline" not in before and game.invite_token not in before


def page(chief: Client, game: Game) -> str:
    """Without the form's token, which is another each time."""
    html = chief.get(reverse("admin:games_game_change", args=[game.pk])).content.decode()
    return re.sub('name="csrfmiddlewaretoken" value="[^"]*"', "", html)


def test_every_list_opens(chief, alice, bob):
    in_turns(alice, bob)
    for model in (Game, Entry, FullGame, Notice):
        assert chief.get(reverse(f"admin:games_{model._meta.model_name}_changelist")).status_code == 200


def test_nothing_can_be_added_changed_or_deleted(chief, alice, bob):
    game = in_turns(alice, bob)
    assert chief.get(reverse("admin:games_game_add")).status_code == 403
    assert chief.post(reverse("admin:games_game_change", args=[game.pk]), {"status": "closed"}).status_code == 403
    assert chief.post(reverse("admin:games_game_delete", args=[game.pk]), {"post": "yes"}).status_code == 403
    assert Game.objects.get(pk=game.pk).is_running
