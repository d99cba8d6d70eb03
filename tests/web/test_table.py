"""The table page: taking a turn with and without scripts, refusals, and what must stay hidden."""

import json
import re
from collections.abc import Iterator, Set
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.template import Context, Engine, Template
from django.template.base import FilterExpression, Node, NodeList, Parser, TokenType, Variable
from django.template.defaulttags import ForNode, IfNode, WithNode
from django.template.loader import render_to_string
from django.template.loader_tags import IncludeNode
from django.template.smartif import TokenBase
from django.templatetags.i18n import BlockTranslateNode
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from django.utils.safestring import mark_safe

from accounts.models import User
from empire.web.static_files import release
from games.families import FAMILIES
from games.rules.eight_minute.edition import edition
from games.rules.registry import RULESETS
from games.tables.models import Draft, Entry, Game, Seat
from games.tables.selectors.lessons import FEW_TURNS
from games.tables.services import chat, lobby
from games.tables.templatetags import parts
from games.tables.views.table import OF_PAGE
from tests.cast import (
    again,
    bid,
    everything_written,
    in_turns,
    play_out,
    play_turns,
    some_turn,
    state_of,
    submit,
    table_of,
)
from tests.kept import kept_if_first, played_out
from tests.tables.readings import SCRIPT, refresh_headers
from tests.web.at_table import WITH_AND_WITHOUT_SCRIPT, first_turn
from tests.web.kingdoms import kingdoms_of
from tests.web.reading import actions, alert, head, seq, text, whole_turn, without_token

pytestmark = pytest.mark.django_db
FIRST = SCRIPT | {"HX-Target": "table"}


@WITH_AND_WITHOUT_SCRIPT
def test_a_turn_is_taken_step_by_step(sit, alice, bob, htmx):
    game = first_turn(alice, bob)
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=actions(table.look())[0])
    while steps := [action for action in actions(table.look("?region=")) if ";" not in action and action != "done"]:
        table.press("step", action=steps[0], sure="1")
    laid_out = whole_turn(table.look())
    answer = table.press("submit", action=laid_out, sure="1")
    assert answer.status_code == 200 and "It is Bob’s turn" in text(answer)
    assert Entry.objects.filter(game=game).latest("seq").actions == laid_out.split(";")


@pytest.mark.parametrize(
    "terms",
    [{}, {"options": dict(RULESETS["legends"].presets[-1].options)}, {"ruleset": "classic"}, {"ruleset": "kingdoms"}],
    ids=["legends", "legends with a preset", "classic", "kingdoms"],
)
def test_the_answer_to_a_step_and_to_a_turn_is_what_a_fresh_look_shows(sit, alice, bob, terms):
    """Answers are drawn from the rows that the turn has locked, not read again."""
    game = table_of(alice, bob, **terms)
    with time_machine.travel(timezone.now(), tick=False):  # addresses are signed with the time
        for _turn in range(7):
            seat, texts = some_turn(game)
            table = sit((alice, bob)[seat], game, htmx=True)
            table.look()
            if len(texts) > 1:  # a single action is sent without steps
                step = table.press("step", action=texts[0], sure="1")
                assert without_token(step) == without_token(table.look())
            answer = table.press("submit", action=";".join(texts), sure="1")
            assert answer.status_code == 200 and without_token(answer) == without_token(table.look())
    assert again(game).seq > 6


@WITH_AND_WITHOUT_SCRIPT
def test_bids_are_sealed_changed_and_revealed(sit, alice, bob, htmx):
    game = table_of(alice, bob)
    table = sit(alice, game, htmx=htmx)
    assert actions(table.look()) == [f"bid {n}" for n in range(13)]
    assert "You bid 3 coins" in text(table.press("decide", action="bid 3"))
    assert "You bid 5 coins" in text(table.press("decide", action="bid 5"))
    sit(bob, game, htmx=htmx).press("decide", action="bid 4")
    assert again(game).seq == 2 and "Alice 5, Bob 4" in text(table.look())


@WITH_AND_WITHOUT_SCRIPT
def test_the_highest_bidder_chooses_who_goes_first(sit, alice, bob, htmx):
    game = bid(table_of(alice, bob), 0, 1)
    assert actions(sit(alice, game).look()) == []
    answer = sit(bob, game, htmx=htmx).press("decide", action="first 0")
    assert "It is Alice’s turn" in text(answer)


def test_a_fragment_is_only_the_table_and_a_page_is_complete(sit, alice, bob):
    game = first_turn(alice, bob)
    page, fragment = text(sit(alice, game).look()), text(sit(alice, game, htmx=True).look())
    assert "<html" in page and "<html" not in fragment
    assert fragment.strip().startswith("<article") and re.search('data-said="[^"]*Your turn', fragment)


def test_the_button_that_unfolds_a_players_cards_is_labeled_with_their_name(sit, alice, bob):
    page = text(sit(alice, first_turn(alice, bob)).look())
    labels = re.findall(r'<summary id="(cards-\d)"\s+aria-labelledby="\1 (name-\d)"', page)
    names = [re.search(rf'(?s)<h3 id="{name}">.*?</h3>', page)[0] for _cards, name in labels]
    assert "Alice" in names[0] and "Bob" in names[1]


def test_a_draft_is_kept_and_only_its_player_sees_it(sit, alice, bob):
    game = first_turn(alice, bob)
    sit(bob, game).look()
    before = without_token(sit(bob, game).look())
    taken = actions(sit(alice, game).look())[0]
    sit(alice, game).press("step", action=taken)
    assert taken in whole_turn(sit(alice, game).look())
    assert without_token(sit(bob, game).look()) == before


def test_steps_can_be_undone_one_by_one_and_all_at_once(sit, alice, bob):
    game, card, _start = offering("place", alice, bob)
    table = sit(alice, game)
    table.press("step", action=card)
    for _step in range(2):
        step = next(action for action in actions(table.look("?region=")) if action.startswith("place"))
        table.press("step", action=step)
    table.press("undo")
    assert whole_turn(table.look()).count("place") == 1
    table.press("undo", keep=1)
    assert "place" not in whole_turn(table.look()) and "take " in whole_turn(table.look())
    table.press("undo")
    assert 'id="confirm"' not in text(table.look())


def offering(verb: str, *people):
    """A table where seat 0 can take a card that begins with several steps of this kind.

    Also the action that takes the card, and the start region, which has a land neighbor.
    """

    def play():
        while True:
            game = in_turns(*people)
            if fitting(game):
                return game

    def fitting(game):
        state = state_of(game)
        view = game.rules.view(state, 0)
        if not state.map.land[state.map.index[view.start]]:
            return []  # the first move would be by sea, and might use up the card
        first = {offer.card: edition("legends").cards[offer.card].parts[0] for offer in view.row if offer.affordable}
        return [card for card, part in first.items() if part.kind == verb and part.n > 1]

    game = kept_if_first("offering", verb, people, play=play)
    return game, f"take {fitting(game)[0]}", game.rules.view(state_of(game), 0).start


def test_a_region_with_several_possible_actions_is_selected_first(sit, alice, bob):
    game, card, start = offering("move", alice, bob)
    table = sit(alice, game)
    table.press("step", action=card)
    assert f'href="?region={start}#board"' in text(table.look())
    chosen = text(table.look(f"?region={start}"))
    assert 'id="let-go"' in chosen and 'class="target cancel"' in chosen
    assert f'data-action="move {start} ' in chosen


def test_a_region_without_actions_cannot_be_selected(sit, alice, bob):
    game = first_turn(alice, bob)
    for query in ("?region=nowhere", "?region=%3Cscript%3E", "?region=" + "x" * 500):
        answer = sit(alice, game).look(query)
        assert answer.status_code == 200 and 'id="let-go"' not in text(answer) and "%3Cscript" not in text(answer)


def test_a_card_that_costs_too_much_says_so_and_cannot_be_pressed(sit, alice, bob):
    game = table_of(alice, bob)
    bid(game, 12, 0)
    sit(alice, game).press("decide", action="first 0")
    answer = sit(alice, game).look()
    assert len(actions(answer)) == 1 and "Costs 3, you have 0 coins" in text(answer)


# Refusals


REFUSED = [
    ("step", "sing a song", "not something you can do"),
    ("step", "place atlantis", "no region"),
    ("step", "take no-such-card", "That card is gone"),
    ("decide", "bid 3", "the first turn has started"),
    ("decide", "first 1", "the first turn has started"),
    ("submit", "done", "card"),
    ("submit", "", "not something you can do"),
]


@WITH_AND_WITHOUT_SCRIPT
def test_an_illegal_action_is_refused_with_a_sentence_and_nothing_is_written(sit, alice, bob, htmx):
    game = first_turn(alice, bob)
    table = sit(alice, game, htmx=htmx)
    table.look()
    before = everything_written(game)
    for form, action, sentence in REFUSED:
        answer = table.press(form, seq=game.seq, action=action)
        assert answer.status_code == (200 if htmx else 409), (form, action)
        assert alert(answer) and sentence in alert(answer), (form, action)
        assert everything_written(game) == before, (form, action)


@WITH_AND_WITHOUT_SCRIPT
def test_a_bid_of_more_coins_than_one_has_is_refused(sit, alice, bob, htmx):
    game = table_of(alice, bob)
    answer = sit(alice, game, htmx=htmx).press("decide", action="bid 13")
    assert "you bid 13 and have 12" in alert(answer) and not Draft.objects.exists()


@WITH_AND_WITHOUT_SCRIPT
def test_a_stale_tab_gets_the_current_table_and_a_sentence(sit, alice, bob, htmx):
    game = play_turns(first_turn(alice, bob), 2)
    table = sit(alice, game, htmx=htmx)
    for form in ("step", "undo", "submit", "decide"):
        answer = table.press(form, seq=game.seq - 1, action="take night-hydra")
        assert "The game has changed" in alert(answer) and seq(answer) == str(game.seq)


def test_a_refusal_of_a_turn_sent_by_leaving_is_a_message_on_the_next_page(sit, alice, bob):
    game = play_turns(first_turn(alice, bob), 2)
    table = sit(alice, game, htmx=False)
    answer = table.press("submit", seq=game.seq - 1, action="take night-hydra", left="1")
    assert answer.status_code == 204 and answer["Refused"] == "1"
    sentence = "Your turn was sent when you left the table, but it was refused. The game has changed"
    desk = text(table.browser.get("/desk/"))
    assert sentence in desk and sentence not in text(table.browser.get("/desk/"))
    answer = table.press("submit", action=";".join(some_turn(game)[1]), sure="1", left="1")
    assert again(game).seq == game.seq + 1 and "Refused" not in answer


@WITH_AND_WITHOUT_SCRIPT
def test_a_page_from_before_a_restore_gets_the_current_table_and_keeps_the_draft(sit, alice, bob, htmx):
    game = first_turn(alice, bob)
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=actions(table.look())[0])
    laid_out, own = whole_turn(table.look()), head(table.look())
    assert len(own) == 12 and game.head.startswith(own)
    other = ("1" if own[0] == "0" else "0") + own[1:]
    before = everything_written(game)
    for form in ("step", "undo", "submit", "decide"):
        answer = table.press(form, head=other, action="take night-hydra")
        assert "The game has changed" in alert(answer) and head(answer) == own and whole_turn(answer) == laid_out
    assert "The game has changed" in text(table.press("undo-turn", head=other, action="ask"))
    assert everything_written(game) == before
    assert not alert(table.press("undo", head=own))


@pytest.mark.parametrize("shown", [True, False], ids=["as the page has it", "as programs may leave it out"])
def test_a_turn_sent_twice_with_or_without_the_digest_counts_once(sit, alice, bob, shown):
    game = first_turn(alice, bob)
    table, turn = sit(alice, game), ";".join(some_turn(game)[1])
    fields = {"seq": game.seq, "action": turn, "sure": "1"} | ({"head": head(table.look())} if shown else {})
    for _time in range(2):
        assert "It is Bob’s turn" in text(table.press("submit", **fields))
    assert again(game).seq == game.seq + 1


def test_every_form_of_the_table_contains_the_digest(sit, alice, bob):
    game = first_turn(alice, bob)
    table = sit(alice, game)
    table.press("step", action=actions(table.look())[0])
    page = text(table.look())
    assert page.count('name="seq"') == page.count(f'name="head" value="{game.head[:12]}"') > 1


def test_a_refused_step_leaves_the_draft_unchanged(sit, alice, bob):
    game = first_turn(alice, bob)
    table = sit(alice, game)
    table.press("step", action=actions(table.look())[0])
    before = whole_turn(table.look())
    assert alert(table.press("step", action="place nowhere"))
    assert whole_turn(table.look()) == before


@WITH_AND_WITHOUT_SCRIPT
def test_nobody_can_take_the_turn_of_someone_else(sit, alice, bob, eve, htmx):
    game = first_turn(alice, bob)
    card = actions(sit(alice, game).look())[0]
    before = everything_written(game)
    assert "not your turn" in alert(sit(bob, game, htmx=htmx).press("step", seq=game.seq, action=card))
    assert "not your turn" in alert(sit(bob, game, htmx=htmx).press("submit", seq=game.seq, action=f"{card};done"))
    assert "You are a spectator" in alert(sit(eve, game, htmx=htmx).press("step", seq=game.seq, action=card))
    assert everything_written(game) == before


def test_a_form_without_a_valid_entry_number_is_refused(sit, alice, bob):
    game = first_turn(alice, bob)
    for wrong in ("", "seven", "-1"):
        assert alert(sit(alice, game).press("step", seq=wrong, action="take night-hydra"))


def test_a_turn_sent_twice_counts_once_without_an_error(sit, alice, bob):
    game = first_turn(alice, bob)
    table = sit(alice, game)
    table.press("step", action=actions(table.look())[0])
    turn = whole_turn(table.look())
    for _time in range(2):
        answer = table.press("submit", seq=game.seq, action=turn, sure="1")
        assert answer.status_code == 200 and not alert(answer)
    assert again(game).seq == game.seq + 1


def test_a_finished_game_takes_no_more_turns(sit, alice, bob):
    game = played_out(alice, bob)
    before = everything_written(game)
    for form in ("step", "undo", "submit", "decide"):
        assert "over" in alert(sit(alice, game).press(form, seq=game.seq, action="take night-hydra"))
    assert everything_written(game) == before


def test_others_do_not_find_a_private_table(sit, alice, bob, eve):
    game = table_of(alice, bob, listed=False)
    for reader in (eve, None):
        assert sit(reader, game).look().status_code == 404
        for form in ("step", "undo", "submit", "decide"):
            assert sit(reader, game).press(form, seq=0, action="bid 1").status_code == 404, form


def test_following_a_link_cannot_take_a_turn_and_leads_to_the_table(sit, alice, bob):
    game = first_turn(alice, bob)
    before = everything_written(game)
    for form in ("step", "undo", "submit", "decide"):
        for query in ("", "?region=r1&seq=2"):
            answer = sit(alice, game).look(form + query)
            assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url() + query)
        assert sit(alice, game).browser.put(game.get_absolute_url() + form).status_code == 405
    assert everything_written(game) == before


def test_the_links_of_a_refusal_without_scripts_lead_to_the_table(sit, alice, bob):
    table = sit(alice, first_turn(alice, bob))
    table.press("step", action=actions(table.look())[0])
    refusal = table.press("step", action="place nowhere", laid=whole_turn(table.look()))
    assert refusal.status_code == 409 and refusal.request["PATH_INFO"] == table.url + "step"
    links = set(re.findall(r'href="(\?[^"#]*)', refusal.content.decode()))
    assert any("region=" in link for link in links) and any("at=" in link for link in links)
    for link in links:
        answer = table.browser.get(table.url + "step" + unescape(link), follow=True)
        assert answer.status_code == 200 and 'id="table"' in answer.content.decode(), link


def test_an_undo_that_is_refused_without_scripts_leads_to_the_table(sit, alice, bob):
    table = sit(alice, first_turn(alice, bob))
    refusal = table.press("undo-turn", action="agree")
    assert refusal.request["PATH_INFO"] == table.url and 'class="note error"' in refusal.content.decode()


def test_forms_need_their_token(sit, alice, bob):
    table = sit(alice, first_turn(alice, bob))
    table.browser.handler.enforce_csrf_checks = True
    assert table.press("step", action="take night-hydra").status_code == 403


# What must stay hidden


def test_a_sealed_bid_changes_nothing_on_the_pages_of_others(sit, alice, bob, eve):
    game = table_of(alice, bob)
    sit(bob, game).look()
    before = {reader: without_token(sit(reader, game).look()) for reader in (bob, eve)}
    sit(alice, game).press("decide", action="bid 3")
    assert {reader: without_token(sit(reader, game).look()) for reader in (bob, eve)} == before


def test_the_page_shows_the_seed_only_after_the_game_has_ended(sit, alice, bob):
    game = first_turn(alice, bob)
    secret = bytes(game.seed.secret).hex()
    page = text(sit(alice, game).look())
    assert game.seed_hash in page and secret not in page
    assert secret in text(sit(alice, play_out(game)).look())


def test_those_who_wait_without_scripts_are_told_to_reload_the_page(sit, alice, bob, eve):
    game = first_turn(alice, bob)
    hint = "Without JavaScript, you need to reload this page to see new moves."
    assert [hint in text(sit(person, game).look()) for person in (alice, bob, eve)] == [False, True, True]


def test_a_spectator_is_offered_no_actions(sit, alice, bob, eve):
    game = first_turn(alice, bob)
    answer = sit(eve, game).look()
    assert actions(answer) == [] and "data-action" not in text(answer) and "Cards on offer" in text(answer)


def test_a_turn_after_the_session_has_ended_is_refused_with_what_to_do(sit, alice, bob):
    answer = sit(None, first_turn(alice, bob)).press("decide", action="bid 3")
    assert "You’re signed out. Reload the page and sign in to play." in text(answer)


# What an open page is told


def refreshed(reader, page=None):
    """Return the answer to an open page that asks for the table again after news.

    `page` is the answer that it shows; without one it has nothing to keep.
    """
    return reader.browser.get(reader.url, headers=refresh_headers(page) if page else {"Release": release(), **FIRST})


@pytest.mark.parametrize("terms", [{}, {"ruleset": "kingdoms"}], ids=["legends", "kingdoms"])
def test_spectators_who_refresh_at_the_same_moment_share_an_answer(
    sit, alice, bob, carol, eve, terms, time_machine, django_assert_num_queries
):
    time_machine.move_to(timezone.now(), tick=False)
    game = table_of(alice, bob, **terms) if terms else first_turn(alice, bob)
    eves, carols = sit(eve, game), sit(carol, game)
    pages = [refreshed(eves), refreshed(carols)]
    assert pages[0].content == pages[1].content and "csrfmiddlewaretoken" not in text(pages[0])
    play_turns(game, 1)
    first = refreshed(eves, pages[0])
    with django_assert_num_queries(2 + 3):  # the session and its user, the game, its seats and their players
        assert refreshed(carols, pages[1]).content == first.content
    assert f'data-version="{again(game).version}"' in text(first)
    # Visitors see other links, and players what is theirs
    visitor, bobs = refreshed(sit(None, game), pages[0]), refreshed(sit(bob, game), pages[0])
    assert len({first.content, visitor.content, bobs.content}) == 3
    # Nothing old is shown: neither an earlier entry nor an earlier name, vacation or language
    Seat.objects.filter(game=game, number=0).update(name="Renamed")
    assert "Renamed" in text(refreshed(carols, pages[1]))
    of_the_map = [] if terms else [{"palette": "contrast"}, {"has_keys": False}]
    for own in (*of_the_map, {"language": "de"}):
        User.objects.filter(pk=carol.pk).update(**own)
        assert refreshed(carols, pages[1]).content != refreshed(eves, pages[0]).content
        User.objects.filter(pk=carol.pk).update(palette="", has_keys=True)
    play_turns(game, 1)
    assert f'data-version="{again(game).version}"' in text(refreshed(eves, pages[0]))


def test_the_answer_that_spectators_share_does_not_tell_how_many_games_wait_for_one_of_them(
    sit, alice, bob, carol, dan, eve, time_machine
):
    time_machine.move_to(timezone.now(), tick=False)
    game = first_turn(alice, bob)
    in_turns(carol, dan)  # Carol's turn
    assert 'data-waiting="1"' in text(sit(carol, game).look())
    shared = refreshed(sit(carol, game))
    assert 'data-waiting=""' in text(shared)
    assert refreshed(sit(eve, game)).content == shared.content


def test_the_architecture_lists_the_scripts_and_their_events():
    folder = settings.BASE_DIR / "empire/static/js"
    document = (settings.BASE_DIR / "docs/architecture.md").read_text()
    scripts = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.js")}
    section = document[document.index("## The scripts of a page") : document.index("## The path of a time-out")]
    cells = " ".join(re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE))
    events = re.findall(r'new (?:Custom)?Event\("(table:\w+)"', "".join(scripts.values()))
    assert set(re.findall("`([^`]+)`", cells)) == {*scripts, *events}


def test_the_answer_that_spectators_share_depends_on_all_that_their_pages_send():
    script = (settings.BASE_DIR / "empire/static/js/table.js").read_text()
    sent = set(re.findall(r"\bdetail\.headers\.(\w+)", script))
    assert sent == {*OF_PAGE, "Refresh"}  # which only says that nobody waits for the answer


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_the_list_of_keys_and_the_setting_name_the_keys_that_the_script_knows(family):
    script = (settings.BASE_DIR / "empire/static/js/table.js").read_text()
    keys = set(re.findall(r'"?([\w?]+)"?: \[', re.search(r"^const KEYS = \{(.+)\};$", script, re.MULTILINE)[1]))
    listed = set(re.findall(r"<kbd>([^{<]+)</kbd>", render_to_string(f"tables/{family}/_keys.html")))
    names = {"ArrowLeft": "←", "ArrowRight": "→", "Escape": "Esc"}
    assert listed - {"Tab", "Enter"} == {names.get(key, key if len(key) > 1 else key.upper()) for key in keys}
    letters = {key.upper() for key in keys if key.isalpha() and len(key) == 1}
    assert letters == set(re.findall(r"\b[A-Z]\b", str(User._meta.get_field("has_keys").help_text)))


@pytest.mark.parametrize("has_keys", [True, False])
@pytest.mark.parametrize("begin", [first_turn, kingdoms_of])
def test_the_button_of_the_list_of_keys_names_its_key_unless_it_is_turned_off(sit, alice, bob, begin, has_keys):
    game = begin(alice, bob)
    User.objects.filter(pk=alice.pk).update(has_keys=has_keys)
    page = text(sit(alice, game).look())
    button = re.search(r'<button[^>]*id="show-keys"[^>]*>', page)
    assert ('aria-keyshortcuts="?"' in button[0]) == has_keys
    assert page.count('<dialog class="keys" id="keys"') == 1
    assert "<dialog" not in text(refreshed(sit(alice, game))), "an open list would be replaced"


def test_the_answers_of_private_games_are_not_shared(sit, alice, bob):
    game = first_turn(alice, bob)
    Game.objects.filter(pk=game.pk).update(listed=False, opener=alice)
    caches["spectators"].clear()
    assert refreshed(sit(alice, game)).status_code == 200 and not caches["spectators"]._cache


@pytest.mark.parametrize("event", ["look", "here", "bid", "chat"])
def test_what_spectators_cannot_see_does_not_change_what_their_answers_cost(sit, come, alice, bob, event):
    game = table_of(alice, bob)  # the bids are due, in secret
    url, spectator = game.get_absolute_url(), sit(None, game)

    def answer():
        with CaptureQueriesContext(connection) as queries:
            return refreshed(spectator).content, len(queries)

    with time_machine.travel("2027-03-01T08:00:01Z", tick=False):
        answer()
        before = answer()
        if event == "bid":
            submit(game, 0, "bid 2")
        elif event == "chat":
            chat.say(public_id=game.public_id, user=alice, text="Good luck")
        else:
            come(alice).get(url + ("here" if event == "here" else ""))
        assert answer() == before


def test_the_page_of_a_full_game_says_which_game_it_is_with_a_link_to_the_points_so_far(sit, alice, bob):
    game = table_of(alice, bob, full=True)
    sentence = text(sit(alice, game).look()).split('id="full-game">')[1].split("</p>")[0]
    assert "Game 1 of 3" in sentence and f"/full-games/{game.full_game_id}/" in sentence
    assert 'id="full-game"' not in text(sit(alice, table_of(alice, bob)).look())


def test_a_sealed_bid_refreshes_the_players_other_tabs_and_no_page_of_anyone_else(sit, alice, bob):
    game = table_of(alice, bob)
    page, here = text(sit(alice, game).look()), sit(alice, game).url + "here"
    assert 'data-owes="1"' in page and 'data-owes="1"' in text(sit(bob, game).look())
    assert 'data-owes="' not in text(sit(None, game).look())

    def status_of(user, shown: str) -> int:
        return sit(user, game).browser.get(f"{here}?owes={shown}").status_code

    assert status_of(alice, "1") == status_of(bob, "1") == 204
    submit(game, 0, "bid 2")
    assert status_of(alice, "1") == 205 and status_of(alice, "0") == status_of(alice, "") == status_of(bob, "1") == 204
    assert 'data-owes="0"' in text(sit(alice, game).look()) and status_of(None, "1") == 200
    submit(game, 1, "bid 1")
    assert 'data-owes="' not in text(sit(alice, game).look())


def test_an_open_page_is_not_sent_log_lines_that_it_already_has(sit, alice, bob):
    game = play_turns(first_turn(alice, bob), 3)
    reader = sit(bob, game)
    page, seq = reader.look(), game.seq
    play_turns(game, 1)
    answer = text(refreshed(reader, page))
    assert f'data-lines="0 {seq}"' in answer and f'id="line-{seq + 1}"' in answer and f'id="line-{seq}"' not in answer
    # Lines whose words would differ come again: with another name, for another reader, or without the right digest
    assert f'id="line-{seq}"' in text(refreshed(sit(alice, game), page))
    forged = refresh_headers(page) | {"Log": f"0 {seq} 000000000000"}
    assert f'id="line-{seq}"' in text(reader.browser.get(reader.url, headers=forged))
    for nonsense in ("", "0", "x y z", f"0 {10**9} z", "5 2 z", f"²3 {seq} z"):
        assert "data-lines" not in text(
            reader.browser.get(reader.url, headers=refresh_headers(page) | {"Log": nonsense})
        )
    Seat.objects.filter(game=game, number=0).update(name="Renamed")
    assert f'id="line-{seq}"' in text(refreshed(reader, page))


def test_a_part_with_values_sees_no_other_variable_of_the_page():
    drawn = Template('{% load parts %}{% part "x" with a=a %}<p id="x">{{ a }}{{ b }}</p>{% endpart %}')
    shown = [drawn.render(Context({"a": a, "b": "hidden"})) for a in ("<i>", mark_safe("<i>"), 1, True, "<i>")]
    assert len(set(shown)) == 4 and "hidden" not in "".join(shown) and "&lt;i&gt;" in shown[0] and "<i>" in shown[1]
    assert "data-kept" in drawn.render(Context({"a": 1, "known_parts": re.findall(r'data-drawn="(\w+)"', shown[2])}))
    with pytest.raises(TypeError):
        drawn.render(Context({"a": Game()}))


def test_data_for_a_script_survives_encoding_and_cannot_close_the_script_element():
    data = {"said": "</script><b>&amp;é", "drawing": mark_safe("<g/>"), "steps": {3: [None, 1.5, True, "“”"]}}
    _before, drawn, _after = re.split("[<>]", parts.data_script(data, "film"))[1:4]
    assert _before == 'script id="film" type="application/json"' and _after == "/script" and "&" not in drawn
    assert json.loads(drawn) == json.loads(json.dumps(data))


def test_a_part_with_values_is_not_drawn_for_a_page_that_has_it():
    drawn = Template('{% load parts %}{% part "x" n with n=n %}<li id="x-{{ n }}">{{ n }}</li>{% endpart %}')
    (mark,) = re.findall(r'data-drawn="(\w+)"', drawn.render(Context({"n": 1})))
    parts.KEPT.clear()  # as in another process
    assert drawn.render(Context({"n": 1, "known_parts": [mark]})) == '<li id="x-1" data-kept></li>'
    assert not parts.KEPT
    others = [drawn.render(Context({"n": n, "known_parts": [mark]})) for n in (2, "1")]
    with translation.override("de"):
        others.append(drawn.render(Context({"n": 1, "known_parts": [mark]})))
    with timezone.override("Asia/Tokyo"):
        others.append(drawn.render(Context({"n": 1, "known_parts": [mark]})))
    assert "data-kept" not in "".join(others)


def test_the_digests_of_20_000_parts_differ():
    assert len({parts.digest_of(f"<p>{n}</p>") for n in range(20_000)}) == 20_000


def test_no_two_parts_with_values_have_the_same_name():
    """They are told apart only by name and values."""
    sources = [file.read_text() for file in Path(settings.BASE_DIR, "templates").rglob("*.html")]
    names = [name for source in sources for name in re.findall(r'{% part "([\w-]+)"[^%]* with ', source)]
    assert len(names) == len(set(names)) > 8


PARSER = Parser([], Engine.get_default().template_libraries, Engine.get_default().template_builtins)


def variables(held: object, known: Set[str]) -> Iterator[str]:
    """Yield the names that a node, an expression, or a collection of them reads from the context, except known ones."""
    match held:
        case Variable():
            yield from {*(held.lookups or ())[:1]} - known
        case FilterExpression():
            arguments = [value for _filter, values in held.filters for is_variable, value in values if is_variable]
            yield from variables([held.var, *arguments], known)
        case NodeList():
            for node in held:
                yield from variables(node, known)
                known = known | {getattr(node, "target_var", None) or "", getattr(node, "asvar", None) or ""}
        case list() | tuple():
            for one in held:
                yield from variables(one, known)
        case dict():
            yield from variables([*held.values()], known)
        case Node() | TokenBase():
            for inner, names in held_by(held, known):
                yield from variables(inner, names)


def held_by(node: Node | TokenBase, known: Set[str]) -> Iterator[tuple[object, Set[str]]]:
    """Yield what a node holds, with the names that are known there. Included templates are read too.

    A branch for an argument of an included template that is None there is left out.
    """
    match node:
        case TokenBase():
            yield [node.first, node.second, getattr(node, "value", None)], known
        case IncludeNode():
            given = node.extra_context
            yield [node.template, given], known
            if isinstance(name := node.template.var, str):
                none = {f"no {argument}" for argument, value in given.items() if value.token == "None"}
                outside = set() if node.isolated_context else known
                yield Engine.get_default().get_template(name).nodelist, {*outside, *given, *none}
        case BlockTranslateNode():
            yield [node.counter, node.extra_context], known
            names = [token.contents for token in (*node.singular, *node.plural) if token.token_type == TokenType.VAR]
            inside = {*known, node.countervar or "", *node.extra_context}
            yield [PARSER.compile_filter(name) for name in names], inside
        case ForNode():
            yield [node.sequence, node.nodelist_empty], known
            yield node.nodelist_loop, {*known, *node.loopvars, "forloop"}
        case WithNode():
            yield node.extra_context, known
            yield node.nodelist, {*known, *node.extra_context}
        case IfNode():
            branches = node.conditions_nodelists
            yield [one for one in branches if f"no {getattr(one[0], 'text', '')}" not in known], known
        case _:
            yield [value for name, value in vars(node).items() if name != "origin"], known


def parts_with_values(template: Template) -> list[parts.PartNode]:
    return [part for part in template.nodelist.get_nodes_by_type(parts.PartNode) if part.values]


CONSTANTS = {"True", "False", "None"}


def test_parts_that_name_their_values_use_no_others():
    """They would be drawn without them, and kept for everyone."""
    folder, checked = Path(settings.BASE_DIR, "templates"), 0
    for file in folder.rglob("*.html"):
        template = Engine.get_default().get_template(str(file.relative_to(folder)))
        for part in parts_with_values(template):
            assert set(variables(part.nodelist, {*part.values, *CONSTANTS})) == set(), f"{file.name}: {part.names[0]}"
            checked += 1
    assert checked > 8


@pytest.mark.parametrize(
    "content",
    [
        "{{ other }}", "{{ other.name|default:url }}", "{{ url|default:other }}",
        "{% if url and not other %}x{% endif %}", "{% drawing other %}", "{% translate url as words %}{{ other }}",
        "{% for one in other %}{{ one }}{% endfor %}", "{% for one in url %}{{ other }}{% endfor %}",
        "{% with one=other.name %}{{ one }}{% endwith %}", "{% blocktranslate %}{{ other }}{% endblocktranslate %}",
        '{% include "tables/table/_unread.html" with unread=other %}',
    ],
)  # fmt: skip
def test_a_value_that_a_part_uses_without_naming_it_is_found(content):
    part_around = f'{{% part "x" with url=url %}}<p>{content}</p>{{% endpart %}}'
    [part] = parts_with_values(Engine.get_default().from_string("{% load i18n parts %}" + part_around))
    assert set(variables(part.nodelist, {*part.values, *CONSTANTS})) == {"other"}


# What the page is made of


def test_news_since_the_last_visit_is_shown_once(sit, alice, bob):
    game = first_turn(alice, bob)
    sit(bob, game).look()
    play_turns(game, 1)
    Seat.objects.filter(game=game).update(looked_at=timezone.now() - timedelta(hours=1))
    assert "1 move since your last visit" in text(sit(bob, game).look())
    assert "since your last visit" not in text(sit(bob, game).look())


def test_a_fragment_does_not_count_as_a_visit(sit, alice, bob):
    game = play_turns(first_turn(alice, bob), 1)
    sit(bob, game, htmx=True).look()
    assert Seat.objects.get(game=game, user=bob).seen_seq < game.seq


def test_the_page_needs_no_more_than_eight_queries_for_the_table(sit, alice, bob, django_assert_max_num_queries):
    """Three more load the session, its user, and the number of waiting games in the header."""
    game = play_turns(first_turn(alice, bob), 6)
    sit(alice, game).press("step", action=actions(sit(alice, game).look())[0])
    table = sit(alice, game)
    table.look()
    with django_assert_max_num_queries(8 + 3):
        table.look()


def test_a_step_and_a_turn_with_their_answers_take_few_queries(sit, alice, bob, django_assert_max_num_queries):
    """Two load the session and its user, two begin and end the transaction, two read where to send the notice."""
    game = play_turns(first_turn(alice, bob), 6)
    User.objects.update(punctuality="1" * FEW_TURNS)  # newcomers are offered a lesson, which takes another one
    seat, texts = some_turn(game)
    table, seq = sit((alice, bob)[seat], game, htmx=True), game.seq
    with time_machine.travel(timezone.now(), tick=False):  # so that the visit is not noted again
        table.look()
        with django_assert_max_num_queries(11 + 1):  # the whole table has the number of waiting games
            table.press("step", action=texts[0], sure="1", seq=seq)
        with django_assert_max_num_queries(20):
            table.press("submit", action=";".join(texts), sure="1", seq=seq)
    assert again(game).seq == seq + 1


def test_the_page_has_no_inline_script_or_style(sit, alice, bob):
    game = first_turn(alice, bob)
    sit(alice, game).press("step", action=actions(sit(alice, game).look())[0])
    for page in (text(sit(alice, game).look()), text(sit(alice, play_out(table_of(alice, bob))).look())):
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*(?:\ssrc=|application/json))|javascript:", page)


def test_ids_are_unique(sit, alice, bob):
    game, card, start = offering("move", alice, bob)
    table = sit(alice, game)
    table.press("step", action=card)
    ids = re.findall(r'\sid="([^"]+)"', text(table.look(f"?region={start}")))
    assert sorted({element_id for element_id in ids if ids.count(element_id) > 1}) == []


def test_the_page_links_to_the_next_game_that_waits(sit, alice, bob):
    other = first_turn(alice, bob)
    game = play_turns(first_turn(alice, bob), 1)
    assert other.get_absolute_url() in text(sit(alice, game).look())
    assert "Next game waiting" not in text(sit(alice, other).look())


def test_an_open_table_shows_its_seats_and_refuses_turns(sit, alice):
    game = lobby.open_table(user=alice, players=2, listed=True)
    assert "Waiting for players" in text(sit(alice, game).look())
    answer = sit(alice, game).press("decide", seq=0, action="bid 1")
    assert "not started" in alert(answer)


def test_a_confirmed_turn_waits_unless_its_player_prefers_otherwise(sit, alice, bob):
    game = first_turn(alice, bob)
    assert 'id="sending" data-hold' in text(sit(alice, game).look())
    alice.holds_turns = False
    alice.save()
    assert 'id="sending">' in text(sit(alice, game).look())


# The land


def test_the_land_is_fetched_once_and_cached(sit, alice, bob, client):
    game = first_turn(alice, bob)
    addresses = re.findall(r'(?:src|srcset)="(/boards/[^"]+)"', text(sit(alice, game).look()))
    assert len(addresses) == 2
    for address in addresses:
        answer = client.get(address)
        assert answer["Content-Type"] == "image/svg+xml" and "immutable" in answer["Cache-Control"]
        assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    "name", ["centre:atlantis:0.light", "nonsense.dark", "centre:desert:0.pink", "x" * 3000 + ".light"]
)
def test_an_unknown_land_is_not_found(client, db, name):
    assert client.get(f"/boards/{name}.svg").status_code == 404


def test_the_theme_of_the_reader_selects_the_picture(sit, alice, bob):
    game = first_turn(alice, bob)
    alice.theme = "dark"
    alice.save()
    assert re.findall(r"\.(light|dark)\.svg", text(sit(alice, game).look())) == ["dark"]
