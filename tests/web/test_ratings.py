"""The rating list and the statistics."""

import pytest

from games.contests.models import RatedPlayer, Tally
from games.contests.models.scores import WIN
from games.contests.ratings import book
from games.contests.ratings import selectors as selector
from tests.cast import person
from tests.kept import played_out

pytestmark = pytest.mark.django_db


def listed(*shown: int) -> list[RatedPlayer]:
    return RatedPlayer.objects.bulk_create(
        RatedPlayer(
            ruleset="legends", user=person(f"Player{n}"), mu=(rating - 1000) / 20, sigma=3, contests=30, shown=rating,
            is_provisional=False,
        )
        for n, rating in enumerate(shown)
    )  # fmt: skip


def page(client, url: str = "/ratings/legends/") -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_list_starts_at_the_top_and_shows_how_certain_ratings_are(come, eve):
    listed(1490, 1720, 1610)
    said = page(come(eve))
    assert said.index("Player1") < said.index("Player2") < said.index("Player0")
    assert "± 60" in said


def test_i_see_my_rank_and_my_page_of_the_list(come, django_assert_max_num_queries):
    rows = listed(*range(1600, 1540, -1))
    reader = come(rows[55].user)
    with django_assert_max_num_queries(8):
        said = page(reader)
    assert "Rank 56" in said and "?page=2#me" in said
    assert 'id="me"' in page(reader, "/ratings/legends/?page=2")


def test_a_provisional_rating_has_no_rank_and_is_not_on_the_list(come, alice, bob):
    played_out(alice, bob)
    book.sweep()
    said = page(come(alice))
    assert "Provisional after 1 match." in said and "Nobody has a reliable rating yet" in said


def test_statistics_show_how_seats_bids_and_cards_performed(come, alice, bob, eve):
    played_out(alice, bob)
    book.sweep()
    said = page(come(eve), "/ratings/legends/statistics/?players=2")
    assert "would win 50% of games" in said and "Based on 1 game." in said
    for kind in ("Seat", "Bid", "Card", "Turn order"):
        assert f">{kind}</h2>" in said
    assert "too few games" in said
    assert "No rated match" in page(come(eve), "/ratings/legends/statistics/?players=4")


def test_four_wins_of_four_do_not_count_as_certain(come, eve):
    Tally.objects.create(
        ruleset="legends", players=2, kind="bid", value="7", games=4, wins=4 * WIN, places=4, points=40
    )
    assert "<b>100%</b>" in (said := page(come(eve), "/ratings/legends/statistics/?players=2")) and "± 30" in said


def test_each_page_of_the_list_continues_the_previous_one(come, eve):
    listed(*sorted([1500 + n % 7 for n in range(120)], reverse=True))
    pages = [selector.ranking(ruleset="legends", reader=eve, page=str(n)).lines for n in (1, 2, 3)]
    found = [(line.rank, line.row) for lines in pages for line in lines]
    assert found == list(enumerate(selector.settled("legends"), start=1))


@pytest.mark.parametrize(
    "url",
    ["/ratings/chess/", "/ratings/chess/statistics/", "/ratings/legends/statistics/?players=9", "/ratings/kingdoms/x/"],
)
def test_unknown_lists_are_not_found(come, eve, url: str):
    assert come(eve).get(url).status_code == 404


def test_nonsense_in_the_query_shows_the_first_page(come, eve):
    listed(1500)
    assert "Player0" in page(come(eve), "/ratings/legends/?page=x")
    assert come(eve).get("/ratings/").url == "/ratings/legends/"
    assert come(eve).get("/ratings/legends/statistics/?players=²").status_code == 200
