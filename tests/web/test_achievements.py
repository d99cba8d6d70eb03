"""Achievements on a player's page and at the result, and the page of records."""

import pytest

from games.contests.models import Achievement
from games.contests.ratings import book
from tests.contests.test_scores import played

pytestmark = pytest.mark.django_db


def test_the_result_the_winners_page_and_the_records_show_what_was_earned(come, alice, bob):
    game = played(alice, bob)
    book.sweep()
    winner = Achievement.objects.get(slug="first-win").user
    loser = bob if winner == alice else alice
    result = come(alice).get(game.get_absolute_url()).content.decode()
    assert f"{winner.username} earned “First win”: Win a rated match." in result
    for reader in (winner, loser, None):
        page = (come(reader) if reader else come()).get(f"/players/{winner.username}/").content.decode()
        assert "First win" in page and ("What you can still earn" in page) == (reader == winner)
        assert game.get_absolute_url() in page
    assert "First win" not in come(winner).get(f"/players/{loser.username}/").content.decode()
    records = come().get("/ratings/legends/records/").content.decode()
    assert "Closest games" in records and game.get_absolute_url() in records and "Highest scores" in records
    assert "There are no records yet." in come().get("/ratings/classic/records/").content.decode()
    assert come().get("/ratings/nothing/records/").status_code == 404
