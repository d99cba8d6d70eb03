"""A player's card: the badges they have earned, and where they play now."""

import pytest
from django.utils import timezone

from games.contests.models import Badge, Entrant, Honor, Tournament
from tests.contests.seasons import division_of

pytestmark = pytest.mark.django_db


def card(come, user) -> str:
    answer = come().get(user.get_absolute_url())
    assert answer.status_code == 200
    return answer.content.decode()


def earns(user, honor: str, **of: object) -> None:
    Badge.objects.create(user=user, honor=honor, at=timezone.now(), **of)


def test_a_card_names_each_badge_and_where_it_was_earned(come, alice, bob):
    season = division_of(alice, bob).season
    cup = Tournament.objects.create(name="Winter Cup", ruleset="legends", terms={"name": "x"}, opened_at=timezone.now())
    earns(alice, Honor.CHAMPION, season=season)
    earns(alice, Honor.SECOND, season=season, tier=3)
    earns(alice, Honor.TOURNAMENT, tournament=cup)
    html = card(come, alice)
    assert "Champion of the league" in html and '<a href="/leagues/harbour/1/">Harbour League, season 1</a>' in html
    assert "Harbour League, season 1, tier 3" in html
    assert f'<a href="/tournaments/{cup.public_id}/">Winter Cup</a>' in html
    assert html.count("badges.svg#") == 3 and "Winner of the division" not in html
    assert "Badges" not in card(come, bob)


def test_a_card_names_the_division_of_a_running_season(come, alice, bob):
    pool = division_of(alice, bob)
    assert '<a href="/leagues/harbour/1/1-1/">Harbour League, season 1: division 1-1</a>' in card(come, alice)
    pool.tier, pool.number = 3, 2
    pool.save()
    assert '<a href="/leagues/harbour/1/3-2/">Harbour League, season 1: division 3-2</a>' in card(come, alice)
    Entrant.objects.filter(user=alice).update(left_at=timezone.now())
    assert "Currently playing in" not in card(come, alice)


def test_badges_take_one_query(come, alice, bob, django_assert_num_queries, django_assert_max_num_queries):
    from games.contests.leagues import badges

    season = division_of(alice, bob).season
    for honor in ("champion", "promoted", "steadfast"):
        earns(alice, honor, season=season)
    with django_assert_num_queries(1):
        assert len(badges.card(alice).earned) == 3
    with django_assert_max_num_queries(8):
        card(come, alice)
