"""Filters and sorting of the desk and the lobby, which work without scripts, and a lobby that is never empty."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.contests.models import Challenge
from games.rules.registry import RULESETS
from games.tables.models import Game, Seat
from games.tables.services import lobby
from tests.cast import in_turns, person, play_turns, table_of
from tests.contests.cups import cup, in_days
from tests.contests.ladders import challenges, ladder_of
from tests.tables.kingdoms import kingdoms
from tests.web.reading import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def games(alice, bob) -> dict[str, str]:
    """Public ids of Alice's games: two wait for her, in one she waits for Bob, one waits for players."""
    soon, calm = in_turns(alice, bob, clock="move 12h"), in_turns(alice, bob, clock="move 96h")
    away = in_turns(bob, alice)
    game = kingdoms(alice, bob)
    Seat.objects.filter(game=game).update(owes=False, deadline=None, since=None, time_left=None)
    Seat.objects.filter(game=game, number=0).update(
        owes=True, deadline=timezone.now() + timedelta(days=2), since=timezone.now(), time_left=timedelta(days=2)
    )
    games_by_name = {"soon": soon, "calm": calm, "away": away, "kingdoms": game, "open": lobby.open_table(user=alice)}
    return {name: game.public_id for name, game in games_by_name.items()}


def shown(page: str, games: dict[str, str]) -> list[str]:
    """The names of the games on a page, in its order."""
    places = {name: page.find(f'href="/games/{public_id}/"') for name, public_id in games.items()}
    return sorted((name for name, place in places.items() if place >= 0), key=places.__getitem__)


def test_the_desk_shows_the_games_that_were_asked_for_in_order(come, alice, games):
    page, fragment = come(alice), come(alice, htmx=True)
    for query, expected in (
        ("", ["soon", "kingdoms", "calm", "away", "open"]),
        ("turn=mine", ["soon", "kingdoms", "calm"]),
        ("turn=others", ["away"]),
        ("game=kingdoms", ["kingdoms"]),
        ("game=legends&turn=mine", ["soon", "calm"]),
        ("due=day", ["soon"]),
        ("due=days", ["soon", "kingdoms", "away"]),
        ("due=days&turn=mine&game=kingdoms", ["kingdoms"]),
        ("sort=game", ["soon", "calm", "kingdoms", "away", "open"]),
        ("game=classic", []),
    ):
        for browser in (page, fragment):
            assert shown(text(browser.get(f"/desk/?{query}")), games) == expected, query


def test_the_latest_move_can_come_first(come, alice, bob):
    first, second = in_turns(alice, bob), in_turns(alice, bob)
    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        play_turns(first, 1)
    ids = {"first": first.public_id, "second": second.public_id}
    assert shown(text(come(bob).get("/desk/?sort=news&turn=mine")), ids) == ["first"]
    play_turns(second, 1)
    assert shown(text(come(bob).get("/desk/")), ids) == ["second", "first"]
    assert shown(text(come(bob).get("/desk/?sort=news")), ids) == ["first", "second"]


@pytest.mark.long
def test_an_unknown_filter_shows_everything_and_is_not_repeated(come, alice, games):
    browser = come(alice)
    for query in ("turn=nobodys", "game=chess", "due=%20", "sort=<script>", "game=legends&game=", "x=y"):
        page = text(browser.get(f"/desk/?{query}"))
        assert len(shown(page, games)) == 5, query
        assert 'hx-get="/desk/"' in page and "<script>" not in page
        assert browser.get(f"/lobby/?{query}").status_code == 200


def test_the_desk_refreshes_itself_with_its_filter_and_the_count_stays_whole(come, alice, games):
    page = text(come(alice).get("/desk/?turn=others&game=legends"))
    assert 'hx-get="/desk/?turn=others&amp;game=legends"' in page
    assert "<title>(3) Desk" in page and 'action="/desk/"' in page
    assert '<option value="others" selected>' in page and "None of these games is waiting for you." in page


def test_a_long_desk_links_to_the_games_of_others(come, alice, games):
    assert '<a href="#others">' in text(come(alice).get("/desk/?sort=game"))
    assert '<a href="#others">' not in text(come(alice).get("/desk/?turn=mine"))


def test_the_link_to_the_games_of_others_counts_sent_challenges(come, alice, bob, games):
    def link(query: str) -> str:
        return text(come(alice).get(f"/desk/{query}")).partition('<a href="#others">')[2].partition("</a>")[0]

    assert '<span class="count quiet">1</span>' in link("?sort=game")
    ladder_of(bob, alice)
    challenges(alice, bob)
    assert '<span class="count quiet">2</span>' in link("?sort=game")
    assert '<span class="count quiet">2</span>' in link("?game=legends") and link("?game=kingdoms") == ""
    Challenge.objects.update(answer_by=timezone.now() + timedelta(hours=20))
    assert '<span class="count quiet">1</span>' in link("?due=day"), "the challenge alone: the game has more time"
    Challenge.objects.update(answer_by=timezone.now() + timedelta(hours=30))
    assert link("?due=day") == ""


@pytest.mark.long
def test_a_desk_with_few_games_needs_no_filter(come, alice, bob):
    in_turns(alice, bob)
    assert "filter-fields" not in text(come(alice).get("/desk/"))
    for _game in range(5):
        in_turns(alice, bob)
    assert "filter-fields" in text(come(alice).get("/desk/"))


# The lobby


def test_the_lobby_filters_and_sorts_tables_and_games_to_watch(come, alice, bob):
    games_by_name = {
        "old": lobby.open_table(user=alice, players=2, listed=True, clock="move 12h"),
        "new": lobby.open_table(user=bob, players=4, listed=True),
        "kingdoms": lobby.open_table(user=bob, players=3, listed=True, ruleset="kingdoms", clock="move 96h"),
        "watched": table_of(alice, bob, ruleset="kingdoms"),
    }
    ids = {name: game.public_id for name, game in games_by_name.items()}
    for query, expected in (
        ("", ["kingdoms", "new", "old", "watched"]),
        ("game=kingdoms", ["kingdoms", "watched"]),
        ("game=classic", []),
        ("sort=free", ["old", "kingdoms", "new", "watched"]),
        ("sort=pace", ["old", "new", "kingdoms", "watched"]),
    ):
        assert shown(text(come().get(f"/lobby/?{query}")), ids) == expected, query


def test_an_empty_lobby_offers_bots_of_every_game(come):
    page = text(come().get("/lobby/"))
    assert all(f'name="ruleset" value="{ruleset}"' in page for ruleset in RULESETS)
    started = come().post("/play-now/", {"ruleset": "kingdoms"})
    assert started.status_code == 302 and started.headers["Location"].startswith("/games/")


def test_when_nobody_plays_the_lobby_shows_finished_games_but_not_private_ones(come, alice, bob):
    game, private = table_of(alice, bob), table_of(alice, bob, listed=False)
    Game.objects.update(status="finished", ended_at=timezone.now())
    page = text(come().get("/lobby/"))
    assert "Finished games to watch" in page and game.public_id in page and private.public_id not in page
    in_turns(alice, bob)
    assert "Finished games to watch" not in text(come().get("/lobby/"))


def test_the_lobby_shows_the_two_tournaments_that_start_next(come, alice, bob):
    olga = person("Olga")
    whenever, later, soon = (
        cup(olga, [alice], name=name, starts=starts)
        for name, starts in (("Any Cup", None), ("Late Cup", in_days(9)), ("Soon Cup", in_days(2)))
    )
    page = text(come().get("/lobby/"))
    assert page.index(soon.get_absolute_url()) < page.index(later.get_absolute_url())
    assert whenever.get_absolute_url() not in page
    assert "1 of 8 places taken" in page
    assert soon.get_absolute_url() not in text(come().get("/lobby/?game=kingdoms"))
