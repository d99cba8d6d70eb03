"""The rating list and the statistics."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from games.contests.models import RatedPlayer, Size, SizeRating, Tally
from games.contests.models.scores import WIN
from games.contests.ratings import book, calibration
from games.contests.ratings import selectors as selector
from games.contests.ratings.model import Rating
from games.tables.models import Game
from tests.cast import person
from tests.kept import played_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


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
    html = page(come(eve))
    assert html.index("Player1") < html.index("Player2") < html.index("Player0")
    assert "± 60" in html


def test_i_see_my_rank_and_my_page_of_the_list(come, django_assert_max_num_queries):
    rows = listed(*range(1600, 1540, -1))
    reader = come(rows[55].user)
    with django_assert_max_num_queries(12):
        html = page(reader)
    assert "Rank 56" in html and "?page=2#me" in html
    assert 'id="me"' in page(reader, "/ratings/legends/?page=2")


def test_provisional_players_have_no_rank_and_are_listed_apart(come, alice, bob):
    assert "No rated match has finished yet." in page(come(alice))
    played_out(alice, bob)
    book.sweep()
    html = page(come(alice))
    assert "Provisional after 1 match." in html and "Nobody has a reliable rating yet" in html
    apart = html[html.index("Provisional ratings</h2>") :]
    assert "Alice" in apart and "Bob" in apart and "Rank" not in apart and html.count('class="me"') == 1


def test_provisional_players_have_pages_of_their_own(come, eve):
    listed(*range(1500, 1525))
    RatedPlayer.objects.update(is_provisional=True)
    first, second = page(come(eve)), page(come(eve), "/ratings/legends/?provisional=2")
    assert "Player24" in first and "?provisional=2#provisional" in first and "Player4<" not in first
    assert "Player4<" in second and "Player24" not in second


def test_absent_players_lose_their_rank_and_are_told_why(come, clock):
    [row] = listed(1600)
    row.become(Rating(30, 4), timezone.now())
    row.save()
    reader = come(row.user)
    assert "Rank 1" in page(reader) and "± 80" in page(reader)
    clock.shift(timedelta(days=100))
    book.sweep()
    assert "Rank 1" in page(reader) and "± 94" in page(reader)
    clock.shift(timedelta(days=200))
    book.sweep()
    cache.clear()
    html = page(come(row.user))  # the session has expired
    assert "Rank 1" not in html and "Provisional, because your last match was on" in html
    assert "Player0" in html[html.index("Provisional ratings</h2>") :]


def test_sizes_have_lists_of_their_own_once_enough_players_are_rated_there(come, eve):
    rows = listed(1500, 1520, 1540, 1560, 1580)
    size_ratings = [
        SizeRating(ruleset="legends", user=row.user, size=Size.TWO, shown=1900 - n, is_provisional=False)
        for n, row in enumerate(rows)
    ]
    SizeRating.objects.bulk_create(size_ratings[:4])
    assert "?size=two" not in page(come(eve)) and "1900" not in page(come(eve), "/ratings/legends/?size=two")
    size_ratings[4].save()
    html = page(come(eve), "/ratings/legends/?size=two")
    assert html.index("1900") < html.index("1899") and "?size=two" in html and "?size=more" not in html
    assert "1580" not in html and "1900" not in page(come(eve))


def test_a_reader_sees_their_ratings_by_size(come, alice, bob):
    played_out(alice, bob)
    book.sweep()
    rated = SizeRating.objects.get(user=alice)
    assert (rated.size, rated.contests, rated.shown) == ("two", 1, RatedPlayer.objects.get(user=alice).shown)
    SizeRating.objects.create(ruleset="legends", user=alice, size=Size.MORE, shown=1444)
    assert 'Three or more: <b class="number">1444</b>' in page(come(alice))


def test_the_calibration_shows_predicted_and_actual_results_of_last_night(
    come, alice, bob, eve, monkeypatch, django_assert_max_num_queries
):
    url = "/ratings/legends/calibration/"
    assert "there were 0 results between two players" in page(come(eve), url)
    played_out(alice, bob)
    book.sweep()
    calibration.collect()
    assert "there was 1 result between two players" in page(come(eve), url)
    monkeypatch.setattr(calibration, "FEWEST", 1)
    monkeypatch.setattr(calibration, "FEWEST_OF_ONE", 1)
    assert "there was 1 result" in page(come(eve), url), "not before the next night"
    calibration.collect()
    visit = come(eve)
    with django_assert_max_num_queries(4):
        html = page(visit, url)
    assert "ratings predicted a 50.0% chance" in html and "<svg" in html and "as predicted" in html
    assert "Seats: Two players" in html and "Bids in single games" in html
    assert f'href="{url}"' in page(come(eve))


def test_the_calibration_shows_no_seat_or_bid_of_a_few_contests_and_no_deal_that_is_still_played(
    alice, bob, monkeypatch
):
    monkeypatch.setattr(calibration, "FEWEST", 1)
    game = played_out(alice, bob)
    book.sweep()
    result = calibration.work_out("legends")
    assert result.deciles and not result.seats and not result.bids
    monkeypatch.setattr(calibration, "FEWEST_OF_ONE", 1)
    assert calibration.work_out("legends").bids
    Game.objects.filter(pk=game.pk).update(is_withheld=True)
    assert calibration.work_out("legends").contests == 0


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
        html = page(visit, "/ratings/legends/statistics/?players=2")
    assert "would win 50% of games" in html and "Based on 100 games." in html
    for kind in ("Seat", "Bid", "First card"):
        assert f">{kind}</h2>" in html
    assert "<b>60%</b>" in html and "50 to 69%" in html, "by Wilson"
    assert "<b>31%</b>" in html, "a shared win counts in parts"
    assert "<b>100%</b>" not in html and "1 more is not shown" in html
    assert "25%</span>" in html, "of the seats bid 3"
    assert "Statistics appear once there are 30 games" in page(come(eve), "/ratings/legends/statistics/?players=4")


def test_statistics_of_kingdoms_show_average_places_because_points_only_count_them(come, eve):
    tally("seat", "1", 100, 50)
    Tally.objects.update(ruleset="kingdoms", places=150)
    html = page(come(eve), "/ratings/kingdoms/statistics/?players=2")
    assert "Average place" in html and ">Points<" not in html and "1.50" in html


def test_statistics_of_a_rating_band_are_its_own(come, eve):
    tally("seat", "1", 100, 50)
    tally("seat", "1", 44, 33, band="high")
    html = page(come(eve), "/ratings/legends/statistics/?players=2&band=high")
    assert "<b>75%</b>" in html and "Based on 44 results" in html and "<b>50%</b>" not in html
    assert come(eve).get("/ratings/legends/statistics/?players=2&band=top").status_code == 404
    assert come(eve).get("/statistics/").url == "/ratings/legends/statistics/"


def test_each_page_of_the_list_continues_the_previous_one(come, eve):
    listed(*sorted([1500 + n % 7 for n in range(120)], reverse=True))
    pages = [selector.ranking(ruleset="legends", reader=eve, page=str(n)).lines for n in (1, 2, 3)]
    ranked = [(line.rank, line.rated_player) for lines in pages for line in lines]
    assert ranked == list(enumerate(selector.settled("legends"), start=1))


@pytest.mark.parametrize(
    "url",
    [
        "/ratings/chess/",
        "/ratings/chess/calibration/",
        "/ratings/chess/statistics/",
        "/ratings/legends/statistics/?players=9",
        "/ratings/kingdoms/x/",
    ],
)
def test_unknown_lists_are_not_found(come, eve, url: str):
    assert come(eve).get(url).status_code == 404


def test_nonsense_in_the_query_shows_the_first_page(come, eve):
    listed(1500)
    assert "Player0" in page(come(eve), "/ratings/legends/?page=x")
    assert come(eve).get("/ratings/").url == "/ratings/legends/"
    assert come(eve).get("/ratings/legends/statistics/?players=²").status_code == 200
