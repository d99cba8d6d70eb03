"""Game histories, full games, and the pages to read."""

import csv
import json
import re
from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from empire.web import documents
from games.contests.models import Score, Size, SizeRating
from games.contests.ratings import book, charts, history
from games.contests.ratings import history as selector
from games.contests.ratings.history import HistoryFilter, Person
from games.contests.templatetags.scores import signed
from games.rules.registry import RULESETS, get
from games.tables.models import Game, Seat
from games.tables.selectors.reviews import LuckTally, PlayedGame
from games.tables.services import lobby
from tests.cast import in_turns, play_out, play_turns, table_of
from tests.kept import kept_if_first
from tests.tables.interventions import take_over
from tests.web.reading import main

pytestmark = pytest.mark.django_db


def text(answer) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def ended(*people, **more) -> Game:
    return kept_if_first(people, *more.items(), play=lambda: play_out(in_turns(*people, **more)))


def ended_kingdoms(*people) -> Game:
    terms = {"ruleset": "kingdoms", "options": {"mode": "quickplay"}}
    return kept_if_first("kingdoms", people, play=lambda: play_out(table_of(*people, **terms)))


def three_ended(*people, **more) -> list[Game]:
    """Three such games, in the order in which they were played. They are the first of the test."""

    def play() -> Game:
        return [play_out(in_turns(*people, **more)) for _game in range(3)][-1]

    kept_if_first("three", people, *more.items(), play=play)
    return list(Game.objects.order_by("pk"))


def ended_with_bot(user, games=1) -> list[Game]:
    """This many games against a random bot. They are the first of the test."""

    def play() -> Game:
        return [play_out(lobby.play_now(user=user, bots=["random"])) for _game in range(games)][-1]

    kept_if_first("bot", user, games, play=play)
    return list(Game.objects.order_by("pk"))


def first_of_three(*people) -> Game:
    """The first game of a full game; it has ended and the second one runs."""
    kept_if_first("first of three", people, play=lambda: play_out(table_of(*people, full=True)))
    return Game.objects.get(number=1)


def ended_full_game(*people, **more) -> Game:
    def play() -> Game:
        game = table_of(*people, full=True, **more)
        for number in (1, 2, 3):
            play_out(Game.objects.get(full_game=game.full_game, number=number))
        return game

    return kept_if_first("full", people, *more.items(), play=play)


def test_my_history_lists_each_contest_with_the_points_of_all(come, alice, bob):
    game = ended(alice, bob, listed=False)
    page = text(come(alice).get("/history/"))
    assert f"/games/{game.public_id}/" in page
    alices_score, bobs_score = game.scores.order_by("seat")
    assert f'Alice <b class="number">{alices_score.points}</b>' in page
    assert f'<a href="?against=Bob">Bob</a> <b class="number">{bobs_score.points}</b>' in page


def test_a_history_of_kingdoms_shows_the_hands_values_like_the_desk(come, alice, bob):
    game = ended_kingdoms(alice, bob)
    counted = Seat.objects.filter(game=game).order_by("number").values_list("counted", flat=True)
    assert max(counted) > game.players, "not what the scores count: one point for each opponent beaten"
    page = text(come(alice).get("/history/"))
    assert f'Alice <b class="number">{counted[0]}</b>' in page
    assert f'Bob</a> <b class="number">{counted[1]}</b>' in page
    assert not set(Score.objects.values_list("points", flat=True)) - {0, 1}, "ratings and files keep them"


def test_a_history_of_kingdoms_shows_average_places_because_points_only_count_them(come, alice, bob):
    ended_kingdoms(alice, bob)
    mine, bobs = (Score.objects.get(user=user).place for user in (alice, bob))
    against = text(come(alice).get("/history/?against=Bob"))
    assert f"Average place: {mine}.0 to {bobs}.0." in against and "Average points" not in against
    page = text(come(alice).get("/history/?game=kingdoms"))
    assert f"average place {mine}.0" in page and "points per game" not in page
    assert "Points by source" not in page
    ended(alice, bob)
    assert "points per game" in text(come(alice).get("/history/?game=legends"))
    assert "Average place: " in text(come(alice).get("/history/?against=Bob")), "of both games together"


@pytest.mark.long
def test_the_games_of_a_full_game_are_grouped_with_their_sum(come, alice, bob):
    ended(alice, bob)
    game = ended_full_game(alice, bob)
    full, single = selector.history(person=Person(alice), reader=alice).contests
    assert (len(full.score.games), len(single.score.games)) == (3, 1)
    points = Seat.objects.filter(game__full_game=game.full_game, user=alice).values_list("total", flat=True)
    assert full.score.points == sum(points)


def test_once_a_contest_is_rated_the_page_shows_the_rating_its_change_and_the_bids(come, alice, bob):
    ended(alice, bob)
    assert '<svg class="progress' not in text(come(alice).get("/history/"))
    book.sweep()
    page = text(come(alice).get("/history/"))
    score = Score.objects.get(user=alice)
    assert signed(score.change) in page and str(score.after.shown) in page and "(bid 0)" in page
    assert '<svg class="progress' in page and " style=" not in page


def test_a_players_page_shows_ratings_by_size_once_both_sizes_have_been_played(come, alice, bob, carol):
    ended(alice, bob)
    book.sweep()
    assert "Two players" not in text(come().get("/players/Alice/"))
    play_out(in_turns(alice, bob, carol))
    book.sweep()
    two, more = SizeRating.objects.filter(user=alice).order_by("-size")
    assert (two.size, more.size) == (Size.TWO, Size.MORE)
    page = " ".join(text(come().get("/players/Alice/")).split())
    assert f'Two players: <b class="number">{two.shown}</b>' in page
    assert f'Three or more: <b class="number">{more.shown}</b>' in page


@pytest.mark.long
def test_charts_show_the_rating_places_and_sources(alice, bob, carol):
    three_ended(alice, bob, carol)
    book.sweep()
    history = selector.history(person=Person(alice), reader=alice)
    assert [step.rating for step in history.steps] == [
        score.after for score in Score.objects.filter(user=alice).order_by("order")
    ]
    assert sum(place.contests for place in history.places) == 3
    points = [score.points for score in Score.objects.filter(user=alice)]
    assert history.games == 3 and sum(history.sources.values()) == pytest.approx(sum(points) / 3)


def test_the_places_of_a_chart_are_in_the_language_of_the_reader(alice, bob):
    ended(alice, bob)
    book.sweep()
    histories = [selector.history(person=Person(user), reader=user) for user in (alice, bob)]
    for language, first in (("en", ">1st: 1<"), ("de", ">Platz 1: 1<"), ("fr", ">1er\N{NO-BREAK SPACE}: 1<")):
        with translation.override(language):
            drawings = [picture.drawing for history in histories for picture in charts.pictures(history)]
        assert first in "".join(drawings)


def test_the_rating_chart_shows_the_latest_steps(alice, bob, monkeypatch):
    monkeypatch.setattr(selector, "IN_THE_PICTURE", 2)
    three_ended(alice, bob)
    book.sweep()
    history = selector.history(person=Person(alice), reader=alice)
    latest = Score.objects.filter(user=alice, order__gte=2).order_by("order")
    assert [step.rating for step in history.steps] == [score.after for score in latest]


def test_running_games_are_not_history(come, alice, bob):
    game = in_turns(alice, bob)
    page = text(come(alice).get("/history/"))
    assert game.public_id not in page and "No finished games yet." in page


@pytest.mark.parametrize("url", ["/history/", "/players/Alice/"])
def test_my_history_names_full_games_that_are_still_running(come, alice, bob, url):
    full_game = f'<a href="/full-games/{first_of_three(alice, bob).full_game_id}/">'
    page = " ".join(text(come(alice).get(url)).split())
    assert "No finished games yet." not in page
    assert "A full game is listed here when its third game is finished." in page
    assert f"{full_game}Legends: Game 2 of 3</a>" in page
    assert full_game not in text(come(alice).get(f"{url}?game=legends"))
    assert full_game not in text(come(bob).get("/players/Alice/"))


def test_only_their_players_see_private_games_on_a_players_page(come, alice, bob, eve):
    game = ended(alice, bob, listed=False)
    assert game.public_id in text(come(bob).get("/players/Alice/"))
    for visit in (come(eve), come()):
        page = text(visit.get("/players/Alice/"))
        assert game.public_id not in page and "No finished games to show." in page
        assert game.public_id not in visit.get("/players/Alice/scores.json").content.decode()


@pytest.mark.parametrize("reader", ["alice", "bob"])
def test_a_player_who_was_replaced_reads_no_points_of_later_private_games(come, alice, bob, carol, reader):
    """Neither in their own history and files, nor in those of the others."""
    first = play_out(table_of(alice, bob, full=True, listed=False))
    second = Game.objects.get(full_game=first.full_game_id, number=2)
    take_over(play_turns(second, 2), 0, carol)
    play_out(second)
    last = play_out(Game.objects.get(full_game=first.full_game_id, number=3))
    book.sweep()
    visit = come({"alice": alice, "bob": bob}[reader])
    for player, url in (("Alice", "/history/" if reader == "alice" else "/players/Alice/"), ("Bob", "/players/Bob/")):
        page = text(visit.get(f"{url}?game=legends"))
        own = visit.get(f"/players/{player}/scores.json").json()[0]
        csv = visit.get(f"/players/{player}/scores.csv").getvalue().decode()
        total = Score.objects.get(game=last, user__username=player).points
        sees_all = reader == "bob"
        assert (second.public_id in page + csv, last.public_id in page + csv) == (sees_all, sees_all)
        assert first.public_id in page and first.public_id in csv
        assert (f'{player} <b class="number">{total}</b>' in page) == sees_all
        assert (f"{total}.0 points per game" in page) == sees_all
        assert ("A private match in which someone replaced you." in page) == (not sees_all)
        assert own["points"] == (total if sees_all else None) and len(own["game_points"]) == (3 if sees_all else 1)
        assert len(own["opponent_points"]) == sees_all


def test_a_private_game_in_which_someone_replaced_the_reader_is_listed_without_points_and_links(
    come, alice, bob, carol
):
    game = in_turns(alice, bob, listed=False)
    take_over(game, 0, carol)
    play_out(game)
    page = text(come(alice).get("/history/?game=legends"))
    assert game.public_id not in page and "points per game" not in page and "Points by source" not in page
    assert "A private match in which someone replaced you." in page
    [row] = come(alice).get("/players/Alice/scores.json").json()
    assert (row["points"], row["games"], row["link"], row["game_points"]) == (None, [], "", [])
    [against] = [text(come(alice).get("/history/?against=Bob"))]
    assert "Against Bob" in against and "Average points" not in against


def test_everyone_sees_listed_games_on_a_players_page(come, alice, bob):
    game = ended(alice, bob)
    assert game.public_id in text(come().get("/players/Alice/"))


def test_a_history_can_be_filtered_by_game_opponent_and_period(come, alice, bob, carol):
    with_bob, with_carol = ended(alice, bob), ended(alice, carol)
    Score.objects.filter(game=with_bob).update(ended_at=datetime(2026, 1, 5, 12, tzinfo=UTC))
    visit = come(alice)
    for query, shown, hidden in (
        ("against=bob", with_bob, with_carol),
        ("since=2026-02-01", with_carol, with_bob),
        ("until=2026-02-01", with_bob, with_carol),
        ("game=legends&against=Carol", with_carol, with_bob),
    ):
        page = text(visit.get(f"/history/?{query}"))
        assert shown.public_id in page and hidden.public_id not in page
    assert "No games match this filter." in text(visit.get("/history/?game=kingdoms"))


def test_invalid_filters_get_an_error_next_to_their_field_and_are_ignored(come, alice, bob):
    game = ended(alice, bob)
    for query, words in (
        ("game=chess", "Select a valid choice"),
        ("against=Nobody", "There is no player with this name."),
        ("since=yesterday", "Enter a valid date."),
        ("since=2026-02-02&until=2026-02-01", "This is before the “From” date."),
    ):
        answer = come(alice).get(f"/history/?{query}")
        assert answer.status_code == 422 and words in answer.content.decode()
        assert game.public_id in answer.content.decode()


def test_against_one_opponent_the_page_counts_who_finished_ahead(come, alice, bob):
    three_ended(alice, bob)
    against = selector.history(person=Person(alice), reader=alice, filters=HistoryFilter(rival=Person(bob))).against
    places = Score.objects.filter(user=alice).values_list("place", flat=True)
    assert (against.ahead + against.level, against.behind) == (sum(p == 1 for p in places), sum(p == 2 for p in places))
    rival_points = Score.objects.filter(user=bob).values_list("points", flat=True)
    assert against.rival_average == sum(rival_points) / 3
    assert "Against Bob" in text(come(alice).get("/history/?against=Bob"))


@pytest.mark.long
def test_a_history_can_be_filtered_by_bot(come, alice, bob):
    [game] = ended_with_bot(alice)
    other = ended(alice, bob)
    page = text(come(alice).get("/history/?against=Random"))
    assert "Against Random" in page and game.public_id in page and other.public_id not in page
    assert 'href="?against=random"' in text(come(alice).get("/history/"))


def test_bots_have_a_history_too(come, alice):
    ended_with_bot(alice)
    Game.objects.update(listed=True)
    Score.objects.update(listed=True)
    page = text(come().get("/bots/random/"))
    assert "Alice" in page and "1 game" in page
    assert come().get("/bots/nobody/").status_code == 404


def test_the_page_of_a_bot_says_how_it_plays_and_how_strong_it_is(come):
    page = text(come().get("/bots/master/"))
    assert "Plays out many possible continuations" in page and "How strong are the bots?" in page


def test_scores_can_be_downloaded(come, alice, bob):
    game = ended(alice, bob)
    Score.objects.filter(user=bob).update(name="=HYPERLINK(1)")
    book.sweep()
    visit, score = come(alice), Score.objects.get(user=alice)
    [row] = json.loads(visit.get("/players/Alice/scores.json").content)
    assert (row["points"], row["place"], row["rating_change"]) == (score.points, score.place, score.change)
    assert row["rating_after"] - row["rating_before"] == score.change
    assert (row["opponents"], row["opponent_places"]) == (["=HYPERLINK(1)"], [3 - score.place])
    head, line = csv_lines(visit.get("/players/Alice/scores.csv"))
    assert tuple(head) == history.COLUMNS == tuple(row)
    assert dict(zip(head, line, strict=True))["opponents"] == "'=HYPERLINK(1)"
    assert row["link"] == f"http://testserver{game.get_absolute_url()}"
    assert visit.get("/players/Alice/scores.xml").status_code == 404


def test_the_page_about_files_explains_every_column_in_order():
    section = documents.source("standings.md").split("## A player's scores")[1].split("\n## ")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == history.COLUMNS


def csv_lines(answer) -> list[list[str]]:
    return list(csv.reader(b"".join(answer.streaming_content).decode().splitlines()))


def test_a_file_has_each_of_the_three_games_with_its_bid_seat_and_points_by_source(come, alice, bob):
    first = ended_full_game(alice, bob)
    book.sweep()
    games = [game.public_id for game in first.full_game.games.order_by("number")]
    [row] = json.loads(come(bob).get("/players/Bob/scores.json").content)
    score = Score.objects.get(user=bob)
    assert row["games"] == games and row["seats"] == [2, 2, 2]
    assert row["link"].endswith(f"/full-games/{first.full_game_id}/")
    assert [link.split("/")[-2] for link in row["game_links"]] == games
    assert [sum(sources.values()) for sources in row["game_sources"]] == row["game_points"]
    assert sum(row["game_points"]) == row["points"] == score.points
    assert row["bids"] == [line["bid"] for line in score.games]
    head, line = csv_lines(come(bob).get("/players/Bob/scores.csv"))
    cells = dict(zip(head, line, strict=True))
    assert cells["games"] == "; ".join(games) and len(cells["game_sources"].split("; ")) == 3
    assert cells["full_game"] == "True" and cells["opponents"] == "Alice"


@pytest.mark.long
def test_many_contests_are_exported_in_batches_each_once(come, alice, bob, monkeypatch):
    monkeypatch.setattr(history, "BATCH", 2)
    games = three_ended(alice, bob)
    rows = json.loads(come(alice).get("/players/Alice/scores.json").content)
    assert [row["games"] for row in rows] == [[game.public_id] for game in reversed(games)]


def test_points_by_source_are_shown_under_each_contest(come, alice, bob):
    ended(alice, bob)
    score = Score.objects.filter(user__in=[alice, bob]).order_by("place")[0]  # the loser may have no points
    [line] = score.games
    page = text(come(score.user).get("/history/"))
    assert "Points by source" in page and "From 1 game." in page and "Average" not in page
    for source, points in line["sources"].items():
        if points:
            assert f'{get("legends").source_name(source)} <b class="number">{points}</b>' in page


@pytest.mark.long
def test_a_bots_page_counts_a_contest_once_however_many_seats_it_had(come, alice):
    play_out(lobby.play_now(user=alice, bots=["random", "random"]))
    best = min(Score.objects.filter(bot="random").order_by("seat"), key=lambda score: score.place)
    shown = selector.history(person=Person(bot="random"), reader=alice)
    assert [contest.score.pk for contest in shown.contests] == [best.pk] and len(shown.contests[0].scores) == 3
    assert [(place.contests, place.place) for place in shown.places] == [(1, best.place)] and shown.count == 1
    file = b"".join(come(alice).get("/bots/random/scores.csv").streaming_content).decode()
    assert [row["place"] for row in csv.DictReader(file.splitlines())] == [str(best.place)]
    assert Score.objects.filter(bot="random").count() == 2


def test_a_bots_page_shows_only_its_latest_contests(come, alice, monkeypatch):
    monkeypatch.setattr(selector, "OF_BOTS", 2)
    games = ended_with_bot(alice, games=3)
    page = text(come(alice).get("/bots/random/"))
    assert "2 games" in page and games[0].public_id not in page and games[1].public_id in page


def test_days_begin_and_end_in_the_time_zone_of_the_reader(alice, bob):
    ended(alice, bob)
    Score.objects.update(ended_at=datetime(2026, 1, 5, 23, 30, tzinfo=UTC))
    first, second = date(2026, 1, 5), date(2026, 1, 6)
    with timezone.override("Asia/Tokyo"):
        counts = [
            selector.history(person=Person(alice), reader=alice, filters=HistoryFilter(since=since, until=until)).count
            for since, until in ((first, first), (second, second), (date.min, date.max))
        ]
    assert counts == [0, 1, 1]
    book.sweep()
    with timezone.override("Asia/Tokyo"):
        [step] = selector.history(person=Person(alice), reader=alice).steps
    assert step.at == second


def test_luck_is_drawn_at_the_day_of_the_reader():
    late = datetime(2026, 1, 5, 23, 30, tzinfo=UTC)
    games = [PlayedGame(str(n), late, luck=n, accuracy=50) for n in range(2)]
    with timezone.override("Asia/Tokyo"):
        [picture] = charts.of_tallies([LuckTally("legends", games, luck=1, luck_doubt=None, reviewed=2, accuracy=50)])
    assert all("6 Jan 2026: " in drawing and "5 Jan" not in drawing for _title, drawing in picture.drawings)


@pytest.mark.long
def test_a_long_history_is_paginated_and_counts_all_contests(come, alice, bob, monkeypatch):
    monkeypatch.setattr(selector, "ON_A_PAGE", 2)
    games = three_ended(alice, bob)
    first, second = (text(come(alice).get(f"/history/?against=Bob&page={n}")) for n in (1, 2))
    assert games[2].public_id in first and games[0].public_id not in first and "3 games" in first
    assert "?against=Bob&amp;page=2" in first
    assert games[0].public_id in second and "3 games" in second


@pytest.mark.parametrize("number", ["0", "99", "-1", "x"])
def test_an_invalid_page_number_shows_the_nearest_page(come, alice, bob, number):
    game = ended(alice, bob)
    assert game.public_id in text(come(alice).get("/history/", {"page": number}))


def test_a_history_needs_few_queries(come, alice, bob, django_assert_max_num_queries):
    three_ended(alice, bob)
    book.sweep()
    visit = come(alice)
    for url in ("/history/", "/history/?against=Bob", "/players/Bob/", "/players/Bob/?against=Alice&game=legends"):
        with django_assert_max_num_queries(12):  # a player's page reads luck and accuracy with two of them
            visit.get(url)


def test_a_file_of_many_contests_needs_no_query_for_each(come, alice, bob):
    three_ended(alice, bob)
    book.sweep()
    counts = []
    for contests in (Score.objects.filter(user=alice).order_by("pk")[:1], Score.objects.filter(user=alice)):
        with CaptureQueriesContext(connection) as queries:
            list(history.rows(Person(alice), contests, str, alice))
        counts.append(len(queries))
    assert counts[0] == counts[1], "a column reads a field of Score that READ does not name"


def test_a_visitor_has_no_history(come):
    assert come().get("/history/").status_code == 302


# Full games


def test_a_running_full_game_shows_results_so_far_and_links_to_the_next_game(come, alice, bob):
    game = first_of_three(alice, bob)
    page = text(come(alice).get(f"/full-games/{game.full_game_id}/"))
    second = Game.objects.get(full_game=game.full_game, number=2)
    assert f"/games/{second.public_id}/" in page and "Go to game 2" in page
    for seat in Seat.objects.filter(game=game):
        assert f'<td class="number sum">{seat.total}</td>' in page


@pytest.mark.long
def test_an_ended_full_game_ranks_the_sums(come, alice, bob):
    game = ended_full_game(alice, bob)
    page = text(come(alice).get(f"/full-games/{game.full_game_id}/"))
    lines = game.full_game.__class__.objects.get(pk=game.full_game_id).ranking
    assert "To game" not in page
    table = page.split("<tbody>")[1]
    order = [table.index(("Alice", "Bob")[line["seat"]]) for line in by_place(lines)]
    assert order == sorted(order)
    for line in lines:
        assert f'<td class="number sum">{line["points"]}</td>' in page


@pytest.mark.long
def test_a_full_game_shows_the_points_of_each_of_its_games_by_source(come, alice, bob):
    game = first_of_three(alice, bob)
    page = text(come(alice).get(f"/full-games/{game.full_game_id}/"))
    assert page.count("<li><span") == 2 and "Points by source" in page
    for line in Game.objects.get(pk=game.pk).result["seats"]:
        for source in line["lines"]:
            name = game.rules.source_name(source["source"])
            assert not source["points"] or f'{name} <b class="number">{source["points"]}</b>' in page


def by_place(lines: list[dict]) -> list[dict]:
    return sorted(lines, key=lambda line: (line["place"], line["seat"]))


def test_the_tie_break_of_a_full_game_is_described_in_words(come, alice, bob):
    game = ended_full_game(alice, bob)
    ended = Seat.objects.filter(game__full_game=game.full_game)
    ended.update(total=10)
    ended.filter(user=alice).update(place=1, left=2)
    ended.filter(user=bob).update(place=2, left=5)
    page = text(come(alice).get(f"/full-games/{game.full_game_id}/"))
    assert "Alice wins the full game" in page and "tie broken by games won" in page


@pytest.mark.long
def test_a_shared_full_game_names_all_its_winners(come, alice, bob):
    game = ended_full_game(alice, bob)
    Seat.objects.filter(game__full_game=game.full_game).update(total=10, place=1, left=0)
    assert "Alice, Bob share the win" in text(come(alice).get(f"/full-games/{game.full_game_id}/"))


def test_others_do_not_find_a_private_full_game(come, alice, bob, eve):
    game = table_of(alice, bob, full=True, listed=False)
    assert come(eve).get(f"/full-games/{game.full_game_id}/").status_code == 404
    assert come().get("/full-games/999/").status_code == 404
    assert come(bob).get(f"/full-games/{game.full_game_id}/").status_code == 200


# Pages to read


@pytest.mark.parametrize("slug", RULESETS)
def test_every_game_has_its_rules_and_a_sentence(come, slug):
    assert "<h1>" in text(come().get(f"/rules/{slug}/"))
    assert f"/rules/{slug}/" in text(come().get("/lobby/open/"))


def test_rules_of_an_unknown_game_are_not_found(come):
    assert come().get("/rules/chess/").status_code == 404


def test_the_rules_page_takes_its_numbers_from_the_edition(come):
    page = text(come().get("/rules/legends/"))
    edition = RULESETS["legends"].rules
    for numbers in (edition.players, edition.coins, edition.cards_owned):
        assert all(f">{n}</t" in page for n in numbers)


def test_the_site_explains_how_to_verify_a_game(come):
    page = main(come().get("/fair-play/"))
    assert "manage.py verify" in page and "Check this game" in page and 'href="/verify/"' in page
