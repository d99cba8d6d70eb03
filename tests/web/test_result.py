"""The result of Kingdoms as players read it: a scoresheet, how each castle was made, and values on the desk."""

import re

import pytest
from django.urls import reverse

from games.rules.fairness import Quick
from games.rules.kingdoms.values import value
from games.tables.models import Game
from games.tables.pages.result import decisive_sentence
from games.tables.selectors import points
from tests.cast import again, seats_of, state_of, table_of
from tests.kept import kept
from tests.rules.kingdoms.positions import position
from tests.tables.family import seeded
from tests.tables.kingdoms import go_on
from tests.web.kingdoms import kingdoms_of, put
from tests.web.reading import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(alice, bob, monkeypatch) -> Game:
    """A game of Kingdoms that was played to its end, always the same: in some, nobody builds a Tower."""
    seeded(monkeypatch, 1)

    def play() -> Game:
        game, chance = table_of(alice, bob, ruleset="kingdoms"), Quick(3)
        while again(game).is_running:
            go_on(game, chance)
        return again(game)

    return kept("kingdoms over", alice.pk, bob.pk, play=play)


def part(page: str, name: str) -> str:
    """Return the part of the page from the element with this id to the end of its section."""
    return page.partition(f'id="{name}"')[2].partition("</section>")[0]


def test_the_scoresheet_adds_up_to_the_value_of_each_hand(come, alice, over):
    page = text(come(alice).get(over.get_absolute_url()))
    sheet = part(page, "scoresheet").partition("<h4>")[0]
    rows = {
        re.sub(r"<[^>]*>", "", cells[0]).strip(): cells[1:]
        for cells in (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in sheet.split("<tr>")[2:])
    }
    hands = state_of(over).hands
    ranked = [seat.number for seat in sorted(seats_of(over), key=lambda seat: seat.place or 0)]
    for place, seat in enumerate(ranked):
        numbers = [
            re.sub(r"\D", "", cells[place]) for name, cells in rows.items() if name not in ("Towers", "Ruled by")
        ]
        *parts, whole = [int(number or 0) for number in numbers]
        assert sum(parts) == whole == value(hands[seat]) == seats_of(over)[seat].counted


def test_the_course_of_kingdoms_is_one_of_hand_values(come, alice, over):
    page = text(come(alice).get(over.get_absolute_url()))
    assert "Hand values from turn to turn" in page and "What made up each hand" in page
    assert "Points from turn to turn" not in page and "Where the points came from" not in page
    french = text(come(alice).get(over.get_absolute_url(), headers={"accept-language": "fr"}))
    titles = re.findall(r'<path class="layer-\d"[^>]*><title>(.*?)</title>', french)
    assert titles and all(re.fullmatch(r"[^:]*[^\s:]\N{NO-BREAK SPACE}: \d+", title) for title in titles)


@pytest.mark.parametrize("why", [points.LEAD, points.SWING])
@pytest.mark.parametrize("other", ["", "Bob"])
def test_only_games_with_points_say_that_points_decided(why, other):
    decisive = points.Decisive(5, why, 12)
    assert "12 points" in decisive_sentence(decisive, "Alice", other, "", has_points=True)
    of_hands = decisive_sentence(decisive, "Alice", other, "", has_points=False)
    assert "12" in of_hands and "hand" in of_hands and "point" not in of_hands


def test_how_each_castle_was_made_links_to_the_entries(come, alice, over):
    page = text(come(alice).get(over.get_absolute_url()))
    links = re.findall(r'href="\?at=(\d+)"[^>]*>\1</a> <span>([^<]*)</span>', part(page, "scoresheet"))
    built = [sentence for _seq, sentence in links if "builds" in sentence]
    assert built and len(built) >= sum(len(towers) for towers in state_of(over).towers)
    at = come(alice).get(f"{over.get_absolute_url()}?at={links[0][0]}")
    assert links[0][1].partition(" ")[2] in text(at)


def test_the_desk_shows_the_values_that_players_count(come, alice, over):
    page = text(come(alice).get(reverse("desk")))
    assert all(f'<b class="number">{value(hand)}</b>' in page for hand in state_of(over).hands)


def test_the_table_names_each_player_once_and_unfolds_what_the_realm_does_not_show(come, alice, bob, carol):
    game = put(kingdoms_of(alice, bob, carol), position(hands={0: "A8", 1: "A5 A6", 2: "A4"}))
    folded = text(come(alice).get(game.get_absolute_url())).partition('id="in-words"')
    assert 'id="player-1"' in folded[2] and 'id="player-1"' not in folded[0]
    state = position(hands={0: "A8", 1: "A5 A6", 2: "A4"})
    state.shown[1] = state.hands[1]
    put(game, state)
    folded = text(come(alice).get(game.get_absolute_url())).partition('id="in-words"')
    assert 'id="player-1"' in folded[0] and 'id="player-2"' in folded[2]
