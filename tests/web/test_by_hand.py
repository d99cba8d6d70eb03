"""Setup by hand on its page: every choice is offered, can be undone, is submitted, or is refused with a sentence."""

import re

import pytest

from games.rules.eight_minute.state import BID
from games.tables.models import Draft, Entry
from games.tables.services import play
from tests.cast import again, everything_written, state_of, submit, table_of
from tests.kept import kept_if_first
from tests.tables import family
from tests.web.at_table import WITH_AND_WITHOUT_SCRIPT, offered, pick_links, repeated_ids
from tests.web.reading import alert, seq, text, whole_turn

pytestmark = [pytest.mark.django_db, pytest.mark.early]

CHOICES = ("lay ", "start ", "outpost ", "token ", "neutral ")
EVERYTHING = {
    **dict.fromkeys(("explore", "poison_swamp", "citadels", "portals", "rogues", "leaders", "merchants"), True),
    "dragon": "6",
}
FIRST_BOARD = "lay fern centre 0"


def by_hand(*people, ruleset="legends", **options):
    """A table that seat 0 sets up by hand."""
    return table_of(*people, ruleset=ruleset, options={"setup": "by-hand", "setter": 0, **options})


def laid_out(*people, until=None, **options):
    """A table where seat 0 has made the first choice each time, up to the first one that starts with `until`."""

    def made():
        game = by_hand(*people, **options)
        actions = family.choices(game, 0)
        if until is not None:
            actions = actions[: next(n for n, action in enumerate(actions) if action.startswith(until))]
        play.lay_out(game=game, who=0, actions=actions, expected_seq=game.seq)
        return game

    return kept_if_first("laid out", until, people, *options.items(), play=made)


def choices(answer):
    return [action for action in offered(answer) if action.startswith(CHOICES)]


def next_choices(table, answer):
    """Return what can be chosen on this page. For a board, first pick a side and a place as the page shows them."""
    for kind in ("side", "place"):
        if not choices(answer) and (links := pick_links(answer, kind)):
            answer = table.look(links[0])
    return choices(answer)


def set_up(table):
    """Make the first choice each time until the page asks for no more."""
    made, answer = [], table.look()
    while offers := next_choices(table, answer):
        made.append(offers[0])
        answer = table.press("step", action=offers[0])
        assert answer.status_code == 200
    return made


@pytest.mark.long
@pytest.mark.parametrize("htmx", [False, True], ids=["forms alone", "htmx"])
def test_players_set_up_a_game_from_the_first_board_to_the_bids(sit, alice, bob, htmx):
    game = by_hand(alice, bob)
    table = sit(alice, game, htmx=htmx)
    assert [action.split()[0] for action in set_up(table)] == ["lay"] * 4 + ["start", "outpost"]
    assert "Your part of the setup is done" in text(table.look())
    table.press("submit", action=whole_turn(table.look()))
    assert "Bob is placing a third-color army" in text(table.look())
    for turn in range(10):
        if turn in range(2, 8):  # like the turns before and after
            submit(game, (turn + 1) % 2, *family.choices(again(game), (turn + 1) % 2))
            continue
        movers_table = sit((bob, alice)[turn % 2], game, htmx=htmx)
        assert len(set_up(movers_table)) == 1
        movers_table.press("submit", action=whole_turn(movers_table.look()))
    assert state_of(game).phase == BID and "Your turn: place your bid" in text(table.look())


@pytest.mark.parametrize(
    ("ruleset", "people", "options", "boards"),
    [
        ("legends", 4, {"layout": "t", **EVERYTHING}, 4),
        pytest.param("legends", 4, {"layout": "rectangle", **EVERYTHING}, 4, marks=pytest.mark.long),
        pytest.param("prototype", 3, {"layout": "l"}, 3, marks=pytest.mark.long),
        ("prototype", 3, {"layout": "row", "citadels": True}, 3),
        pytest.param("prototype", 3, {"layout": "row", "explore": True, "citadels": True}, 3, marks=pytest.mark.long),
        pytest.param("prototype", 4, {}, 4, marks=pytest.mark.long),
    ],
)
@pytest.mark.long
def test_every_layout_can_be_laid_and_each_page_on_the_way_is_valid(
    sit, alice, bob, carol, dan, ruleset, people, options, boards
):
    game = by_hand(*(alice, bob, carol, dan)[:people], ruleset=ruleset, **options)
    table = sit(alice, game)
    made, answer = [], table.look()
    while offers := next_choices(table, answer):
        answer = table.press("step", action=offers[0])
        assert answer.status_code == 200 and not alert(answer) and repeated_ids(answer) == set()
        made.append(offers[0])
    assert [action.split()[0] for action in made].count("lay") == boards
    table.press("submit", action=whole_turn(table.look()))
    assert state_of(game).phase == BID and Entry.objects.filter(game=game).latest("seq").actions == made


@pytest.mark.long
def test_on_the_classic_board_only_the_third_color_is_set_up(sit, alice, bob):
    game = by_hand(alice, bob, ruleset="classic")
    answer = sit(bob, game).look()
    assert "Place a third-color army" in text(answer)
    assert {action.split()[0] for action in choices(answer)} == {"neutral"}
    assert "Start region" not in text(answer) and "Overseas" not in text(answer)


def test_a_board_is_picked_by_side_and_place_in_any_order(sit, alice, bob):
    table = sit(alice, by_hand(alice, bob))
    for query in ("?side=fern&place=west", "?place=west&side=fern"):
        assert choices(table.look(query)) == [f"lay fern west {turns}" for turns in range(4)]
    assert choices(table.look("?side=fern")) == []
    assert "?side=fern&amp;place=north#hand" in text(table.look("?side=fern"))
    there = pick_links(table.look("?place=north"), "side")
    assert there and all(query.endswith("place=north") for query in there)


def test_the_choice_of_a_board_is_in_the_dock_like_all_other_choices(sit, alice, bob):
    table = sit(alice, by_hand(alice, bob))
    for query in ("", "?side=fern", "?side=fern&place=west"):
        assert re.search(r'<section class="hand setup dock[ "]', text(table.look(query))), query


def test_a_side_is_offered_only_where_it_may_lie(sit, alice, bob):
    table = sit(alice, by_hand(alice, bob))
    assert not any("desert" in query for query in pick_links(table.look("?place=north"), "side"))
    assert choices(table.look("?side=desert"))[0] == "lay desert centre 0"


def test_nonsense_in_the_address_picks_nothing(sit, alice, bob):
    table = sit(alice, by_hand(alice, bob))
    for query in ("?side=atlantis&place=moon", "?token=sword&region=x", "?place=%3Cscript%3E", "?side=" + "x" * 500):
        answer = table.look(query)
        assert answer.status_code == 200 and choices(answer) == [] and "%3Cscript" not in text(answer)


def test_tokens_are_laid_one_at_a_time_and_the_next_of_the_same_kind_follows(sit, alice, bob, carol):
    table = sit(alice, laid_out(alice, bob, carol, until="token", explore=True, citadels=True))
    assert len(pick_links(table.look(), "token")) == 6  # five explore tokens, and citadels
    offers = choices(table.look("?token=citadel"))
    assert offers and all(action.startswith("token citadel ") for action in offers)
    laid = table.press("step", action=offers[0])
    following = choices(table.look())
    assert following and all(action.startswith("token citadel ") for action in following)
    assert "×2" in text(laid) and offers[0] not in choices(laid)


def test_the_map_leads_to_the_same_choices_without_scripts(sit, alice, bob, carol):
    table = sit(alice, laid_out(alice, bob, carol, until="token", explore=True))
    link = re.search(r'href="(\?token=stable&amp;region=(\w+))#board"', text(table.look("?token=stable")))
    assert f"token stable {link[2]}" in choices(table.look(link[1].replace("&amp;", "&")))
    assert 'id="let-go"' in text(table.look(link[1].replace("&amp;", "&")))


def test_choices_can_be_undone_one_by_one_and_all_at_once(sit, alice, bob):
    game = by_hand(alice, bob)
    table = sit(alice, game)
    for _step in range(3):
        table.press("step", action=next_choices(table, table.look())[0])
    table.press("undo")
    assert len(Draft.objects.get(seat__game=game).actions) == 2
    table.press("undo", keep=0)
    assert Draft.objects.get(seat__game=game).actions == [] and "1 of 4" in text(table.look())


def test_nobody_else_sees_a_setup_before_it_is_submitted(sit, alice, bob, eve):
    game = by_hand(alice, bob)
    sit(alice, game).press("step", action=FIRST_BOARD)
    for reader in (bob, eve, None):
        answer = sit(reader, game).look()
        assert "Alice is setting up the game" in text(answer)
        assert choices(answer) == [] and "fern" not in text(answer) and "Fernholm" not in text(answer)


REFUSED = {
    "lay tall_islands north 0": "already been placed",
    "lay desert north 0": "it goes in the center",
    "lay fern": "not something you can do",
    "lay atlantis north 0": "no board side",
    "start v3": "Place the boards first",
    "token citadel v3": "Place the boards first",
    "neutral v3": "Place the boards first",
    "bid 3": "Place the boards first",
    "take lake": "Place the boards first",
}


@WITH_AND_WITHOUT_SCRIPT
def test_an_illegal_choice_is_refused_and_the_draft_stays(sit, alice, bob, htmx):
    game = by_hand(alice, bob)
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=FIRST_BOARD)
    before = everything_written(game)
    for action, sentence in REFUSED.items():
        answer = table.press("step", action=action)
        assert answer.status_code == (200 if htmx else 409) and sentence in alert(answer), action
        assert everything_written(game) == before and "Fernholm" in text(answer), action


@WITH_AND_WITHOUT_SCRIPT
def test_an_illegal_start_region_is_refused_in_the_words_of_the_rules(sit, alice, bob, htmx):
    game = laid_out(alice, bob, until="start")
    table = sit(alice, game, htmx=htmx)
    allowed = {action.split()[1] for action in next_choices(table, table.look())}
    assert "dotted line" in alert(table.press("step", action="start " + sorted({"f1", "f2", "f3"} - allowed)[0]))
    assert len(Draft.objects.get(seat__game=game).actions) == 4


@WITH_AND_WITHOUT_SCRIPT
def test_a_stale_setup_gets_the_current_table_and_a_sentence(sit, alice, bob, htmx):
    game = by_hand(alice, bob)
    submit(game, 0, FIRST_BOARD)
    for form in ("step", "undo", "submit"):
        answer = sit(alice, game, htmx=htmx).press(form, seq=0, action="lay volcano north 0")
        assert "The game has changed" in alert(answer) and seq(answer) == "1"


def test_only_the_seat_that_sets_up_the_game_can_do_so(sit, alice, bob, eve):
    game = by_hand(alice, bob)
    before = everything_written(game)
    assert "not your turn" in alert(sit(bob, game).press("step", seq=0, action=FIRST_BOARD))
    assert "not your turn" in alert(sit(bob, game).press("submit", seq=0, action=FIRST_BOARD))
    assert "You are a spectator" in alert(sit(eve, game).press("step", seq=0, action=FIRST_BOARD))
    assert everything_written(game) == before


def test_a_setup_sent_twice_counts_once(sit, alice, bob, carol):
    game = laid_out(alice, bob, carol)
    table = sit(alice, game)
    whole = whole_turn(table.look())
    for _time in range(2):
        assert not alert(table.press("submit", seq=0, action=whole))
    assert again(game).seq == 1


def test_a_few_sentences_describe_the_setup(sit, alice, bob, carol):
    game = laid_out(alice, bob, carol, explore=True, poison_swamp=True, citadels=True, merchants=True)
    table = sit(alice, game)
    table.press("submit", action=whole_turn(table.look()))
    page = text(sit(bob, game).look())
    assert "The start region is" in page and "Everyone’s overseas army begins in" in page
    assert page.count("Tokens on the map: face down in") == 4  # among the news, in the log, and twice read aloud
    assert "Citadel in" in page and "There are merchants in" in page and "is in the center" in page


def test_earlier_positions_of_a_setup_can_be_viewed(sit, alice, bob):
    game = submit(by_hand(alice, bob), 0, FIRST_BOARD)
    for at in range(game.seq + 1):
        answer = sit(alice, game).look(f"?at={at}")
        heading = "Earlier position" if at < game.seq else "Current position"
        assert answer.status_code == 200 and heading in text(answer) and choices(answer) == []
