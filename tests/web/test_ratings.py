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


def tally(kind: str, value: str, games: int, wins: float, band: str = "") -> None:
    Tally.objects.create(
        ruleset="legends", players=2, band=band, kind=kind, value=value, games=games, wins=round(wins * WIN),
        places=games, points=10 * games,
    )  # fmt: skip


def test_statistics_show_how_seats_bids_and_first_cards_performed(come, eve, django_assert_max_num_queries):
    for value, wins in (("1", 60), ("2", 40)):
        tally("seat", value, 100, wins)
    tally("bid", "0", 150, 70)
    tally("bid", "3", 50, 30)
    tally("bid", "9", 29, 29)
    tally("opening", "forest-elf", 40, 12.5)
    visit = come(eve)
    with django_assert_max_num_queries(4):
        said = page(visit, "/ratings/legends/statistics/?players=2")
    assert "would win 50% of games" in said and "Based on 100 games." in said
    for kind in ("Seat", "Bid", "First card"):
        assert f">{kind}</h2>" in said
    assert "<b>60%</b>" in said and "50 to 69%" in said, "by Wilson"
    assert "<b>31%</b>" in said, "a shared win counts in parts"
    assert "<b>100%</b>" not in said and "1 more is not shown" in said
    assert "25%</span>" in said, "of the seats bid 3"
    assert "statistics begin with 30 games" in page(come(eve), "/ratings/legends/statistics/?players=4")


def test_statistics_of_a_rating_band_are_its_own(come, eve):
    tally("seat", "1", 100, 50)
    tally("seat", "1", 44, 33, band="high")
    said = page(come(eve), "/ratings/legends/statistics/?players=2&band=high")
    assert "<b>75%</b>" in said and "Based on 44 results" in said and "<b>50%</b>" not in said
    assert come(eve).get("/ratings/legends/statistics/?players=2&band=top").status_code == 404
    assert come(eve).get("/statistics/").url == "/ratings/legends/statistics/"


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
