"""What has been played: histories, full games, and the pages to read."""

import pytest

from games.models import Game, Seat
from games.rules.registry import RULESETS
from games.selectors import history as selector
from tests.cast import in_turns, play_out, table_of

pytestmark = pytest.mark.django_db


def text(answer) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def play_out_full_game(*people, **more) -> Game:
    game = table_of(*people, full=True, **more)
    for number in (1, 2, 3):
        play_out(Game.objects.get(full_game=game.full_game, number=number))
    return game


def test_my_history_tells_each_game_with_everybodys_points(come, alice, bob):
    game = play_out(in_turns(alice, bob, listed=False))
    page = text(come(alice).get("/history/"))
    assert f"/games/{game.public_id}/" in page
    for seat in Seat.objects.filter(game=game):
        assert f'{seat.name} <b class="number">{seat.total}</b>' in page


def test_the_games_of_a_full_game_stand_together_with_their_sum(come, alice, bob):
    play_out(in_turns(alice, bob))
    game = play_out_full_game(alice, bob)
    contests = selector.history(person=alice, reader=alice).contests
    assert [len(contest.games) for contest in contests] == [3, 1]
    points = Seat.objects.filter(game__full_game=game.full_game, user=alice).values_list("total", flat=True)
    assert contests[0].total == sum(points)
    assert f'<b class="number">{sum(points)}</b> points' in text(come(alice).get("/history/"))


def test_the_picture_has_a_mark_for_each_game_and_no_inline_style(come, alice, bob):
    for _n in range(3):
        play_out(in_turns(alice, bob))
    page = text(come(alice).get("/history/"))
    assert page.count('class="chart-game') == 3 and " style=" not in page


def test_running_games_are_not_history(come, alice, bob):
    game = in_turns(alice, bob)
    page = text(come(alice).get("/history/"))
    assert game.public_id not in page and "No game of yours has ended yet." in page


def test_private_games_are_on_a_players_page_for_those_who_played_them_alone(come, alice, bob, eve):
    game = play_out(in_turns(alice, bob, listed=False))
    assert game.public_id in text(come(bob).get("/players/Alice/"))
    for visit in (come(eve), come()):
        page = text(visit.get("/players/Alice/"))
        assert game.public_id not in page and "No ended game that you may see." in page


def test_listed_games_are_on_a_players_page_for_everybody(come, alice, bob):
    game = play_out(in_turns(alice, bob))
    assert game.public_id in text(come().get("/players/Alice/"))


def test_a_long_history_comes_in_pages_and_counts_them_all(come, alice, bob, monkeypatch):
    monkeypatch.setattr(selector, "GAMES_ON_A_PAGE", 2)
    games = [play_out(in_turns(alice, bob)) for _n in range(3)]
    first, second = (text(come(alice).get(f"/history/?page={n}")) for n in (1, 2))
    assert games[2].public_id in first and games[0].public_id not in first and "3 games" in first
    assert games[0].public_id in second and "3 games" in second
    assert 'class="chart' in first and '<svg class="chart' not in second


@pytest.mark.parametrize("number", ["0", "99", "-1", "x"])
def test_a_page_that_is_not_there_shows_the_nearest(come, alice, bob, number):
    game = play_out(in_turns(alice, bob))
    assert game.public_id in text(come(alice).get("/history/", {"page": number}))


def test_a_history_asks_few_questions(come, alice, bob, django_assert_max_num_queries):
    for _n in range(3):
        play_out(in_turns(alice, bob))
    visit = come(alice)
    with django_assert_max_num_queries(7):
        visit.get("/history/")


def test_a_stranger_has_no_history(come):
    assert come().get("/history/").status_code == 302


# Full games


def test_a_running_full_game_shows_what_was_played_and_leads_to_the_next(come, alice, bob):
    game = table_of(alice, bob, full=True)
    play_out(game)
    page = text(come(alice).get(f"/full-games/{game.full_game_id}/"))
    second = Game.objects.get(full_game=game.full_game, number=2)
    assert f"/games/{second.public_id}/" in page and "To game 2" in page
    for seat in Seat.objects.filter(game=game):
        assert f'<td class="number sum">{seat.total}</td>' in page


def test_an_ended_full_game_ranks_the_sums(come, alice, bob):
    game = play_out_full_game(alice, bob)
    page = text(come(alice).get(f"/full-games/{game.full_game_id}/"))
    lines = game.full_game.__class__.objects.get(pk=game.full_game_id).standing
    assert "To game" not in page
    table = page.split("<tbody>")[1]
    order = [table.index(("Alice", "Bob")[line["seat"]]) for line in by_place(lines)]
    assert order == sorted(order)
    for line in lines:
        assert f'<td class="number sum">{line["points"]}</td>' in page


def by_place(lines: list[dict]) -> list[dict]:
    return sorted(lines, key=lambda line: (line["place"], line["seat"]))


def test_the_tie_break_of_a_full_game_is_said_in_words(come, alice, bob):
    game = play_out_full_game(alice, bob)
    ended = Seat.objects.filter(game__full_game=game.full_game)
    ended.update(total=10)
    ended.filter(user=alice).update(place=1, coins=2)
    ended.filter(user=bob).update(place=2, coins=5)
    page = text(come(alice).get(f"/full-games/{game.full_game_id}/"))
    assert "Alice wins the full game" in page and "behind by games won" in page


def test_a_shared_full_game_names_all_its_winners(come, alice, bob):
    game = play_out_full_game(alice, bob)
    Seat.objects.filter(game__full_game=game.full_game).update(total=10, place=1, coins=0)
    assert "Alice, Bob share the win" in text(come(alice).get(f"/full-games/{game.full_game_id}/"))


def test_a_private_full_game_is_unknown_to_strangers(come, alice, bob, eve):
    game = table_of(alice, bob, full=True, listed=False)
    assert come(eve).get(f"/full-games/{game.full_game_id}/").status_code == 404
    assert come().get("/full-games/999/").status_code == 404
    assert come(bob).get(f"/full-games/{game.full_game_id}/").status_code == 200


# Pages to read


@pytest.mark.parametrize("slug", RULESETS)
def test_every_game_has_its_rules_and_a_sentence(come, slug):
    assert "<h1>" in text(come().get(f"/rules/{slug}/"))
    assert f"/rules/{slug}/" in text(come().get("/lobby/open/"))


def test_rules_of_a_game_that_we_do_not_have_are_not_found(come):
    assert come().get("/rules/chess/").status_code == 404


def test_the_rules_page_takes_its_numbers_from_the_edition(come):
    page = text(come().get("/rules/legends/"))
    edition = RULESETS["legends"].rules
    for numbers in (edition.players, edition.coins, edition.cards_owned):
        assert all(f">{n}</t" in page for n in numbers)


def test_how_to_check_a_game_is_explained(come):
    assert "manage.py verify" in text(come().get("/about/"))
