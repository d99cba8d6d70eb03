"""Steps in batches: what the plan of a turn says, small answers, and two windows laying out the same turn."""

import gzip
import json
import re
from html import unescape
from itertools import islice, pairwise

import pytest
from django.template.context import Context

from empire.web.static_files import release
from games.rules.eight_minute.edition import edition
from games.rules.play import MOST_STEPS, walk
from games.tables.models import Draft
from games.tables.services import lobby, play
from games.tables.templatetags.parts import drawing
from tests.bench import answers
from tests.cast import again, in_turns, play_turns, state_of, submit
from tests.web.at_table import first_turn
from tests.web.reading import actions, alert, text, whole_turn
from tests.web.test_table import offering

pytestmark = pytest.mark.django_db
KB = 1024


def plan_of(answer):
    return json.loads(re.search(r'<script id="plan" type="application/json">(.*?)</script>', text(answer))[1])


def farthest(plan, start):
    """Return the steps of the dearest way from a region, and what it costs."""
    ways = plan["ways"][start]
    target = max(ways, key=lambda region: ways[region][0])
    stops = [target]
    while stops[0] != start:
        stops.insert(0, ways[stops[0]][1])
    return [f"move {previous} {following}" for previous, following in pairwise(stops)], ways[target][0]


def drafted(game):
    return Draft.objects.get(seat__game=game, seat__number=0).actions


def test_several_steps_are_laid_out_with_one_request(sit, alice, bob):
    game, card, start = offering("move", alice, bob)
    table = sit(alice, game)
    table.press("step", action=card, laid="")
    plan = plan_of(table.look())
    steps, cost = farthest(plan, start)
    answer = table.press("step", action=";".join(steps), laid=card)
    assert answer.status_code == 200 and drafted(game) == [card, *steps]
    left = next(part["left"] for part in plan["parts"] if part["kind"] == "move")
    if cost < left:
        assert [part["left"] for part in plan_of(table.look())["parts"] if part["kind"] == "move"] == [left - cost]


def test_a_batch_with_one_illegal_step_is_refused_and_keeps_the_draft(sit, alice, bob):
    game, card, start = offering("move", alice, bob)
    table = sit(alice, game, htmx=True)
    table.press("step", action=card, laid="")
    ways = plan_of(table.look())["ways"][start]
    near = next(region for region, (cost, _before) in ways.items() if cost == 1)  # a move is left after it
    answer = table.press("step", action=f"move {start} {near};place atlantis", laid=card)
    assert alert(answer) and "no region" in alert(answer)
    assert drafted(game) == [card]


def test_the_plan_offers_first_steps_as_the_list_of_moves_does(sit, alice, bob):
    game, card, _start = offering("move", alice, bob)
    table = sit(alice, game)
    table.press("step", action=card, laid="")
    page = table.look()
    listed = {action for action in actions(page) if action.startswith("move ")}
    by_rules = set(game.rules.view(state_of(game), 0).legal)
    reached = plan_of(page)["ways"]
    planned = {
        f"move {origin} {target}"
        for origin, ways in reached.items()
        for target, (_cost, before) in ways.items()
        if before == origin
    }
    assert planned <= listed and not listed & by_rules  # the rules have not been told of the draft
    # An army on an island is in the plan even if the moves don't reach over the water
    assert {action.split(" ")[1] for action in listed} == {origin for origin, ways in reached.items() if ways}


def test_a_step_is_answered_with_what_changes_in_less_than_8_kb(sit, alice, bob):
    game, card, start = offering("move", alice, bob)
    table = sit(alice, game, htmx=True)
    taken = table.press("step", action=card, laid="")
    steps, _cost = farthest(plan_of(taken), start)
    moved = table.press("step", action=steps[0], laid=card)
    undone = table.press("undo", laid=f"{card};{steps[0]}")
    for answer in (taken, moved, undone):
        assert answer["HX-Reswap"] == "parts" and len(gzip.compress(answer.content, 6)) < 8 * KB
        assert 'id="on-land"' in text(answer) and 'id="log"' not in text(answer) and "clipPath" not in text(answer)
    kept = [re.findall(r'id="(owned-\d)" data-kept', text(answer)) for answer in (taken, moved)]
    assert kept == [["owned-1"], ["owned-0", "owned-1"]]


def test_a_step_at_a_full_table_is_answered_in_less_than_8_kb(sit, alice, bob, carol, dan):
    game = in_turns(alice, bob, carol, dan)
    table = sit(alice, game, htmx=True)
    page = table.look()
    parts = " ".join(re.findall(r'data-drawn="(\w+)"', text(page)))
    fields = {"seq": game.seq, "laid": "", "action": actions(page)[-1]}
    answer = table.browser.post(f"{table.url}step", fields, headers={"Parts": parts})
    assert len(gzip.compress(answer.content, 6)) < 8 * KB
    assert re.findall(r'id="(about-\d)" data-kept', text(answer)) == ["about-1", "about-2", "about-3"]


def test_the_last_card_of_a_long_game_is_answered_in_less_than_8_kb(sit, alice, bob):
    game = play_turns(in_turns(alice, bob), 20)
    table = sit(alice, game, htmx=True)
    card = actions(table.look())[0]
    answer = table.press("step", action=card, laid="")
    assert answer["HX-Reswap"] == "parts" and len(gzip.compress(answer.content, 6)) < 8 * KB
    cards = re.findall(r'<li class="owned-card" id="owned-0-([\w-]+)"[^>]*?(data-kept)?>', text(answer))
    assert len(cards) == 11 and [name for name, is_kept in cards if not is_kept] == [card.removeprefix("take ")]


def test_the_question_before_the_end_of_a_turn_and_going_back_change_only_parts(sit, alice, bob):
    game, card, _start = offering("move", alice, bob)
    table = sit(alice, game, htmx=True)
    table.press("step", action=card, laid="")
    question = table.press("submit", action=f"{card};done", laid=card)
    back = unescape(re.search(r'hx-get="([^"]*)"\s+id="let-go"', text(question))[1])
    gone_back = table.browser.get(back)
    for answer, has_question in ((question, True), (gone_back, False)):
        assert answer["HX-Reswap"] == "parts" and len(gzip.compress(answer.content, 6)) < 8 * KB
        assert ('id="sure-words"' in text(answer)) == has_question and 'id="log"' not in text(answer)
    assert drafted(game) == [card]


def test_a_page_of_another_release_gets_the_whole_table_and_a_sentence_and_its_step_counts(sit, alice, bob):
    game, card, _start = offering("move", alice, bob)
    table = sit(alice, game, htmx=True)
    fields = {"seq": game.seq, "laid": "", "action": card}
    answer = table.browser.post(f"{table.url}step", fields, headers={"Release": "0123456789ab"})
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#table", "parts")
    assert "We have updated the site" in text(answer) and 'id="log"' in text(answer)
    assert drafted(game) == [card]
    same = table.browser.post(f"{table.url}step", fields | {"laid": card}, headers={"Release": release()})
    assert "We have updated the site" not in text(same)


def test_a_decision_is_answered_without_what_the_page_has(sit, alice, bob):
    game, card, _start = offering("move", alice, bob)
    table = sit(alice, game, htmx=True)
    page = text(table.look())
    headers = {
        "Release": release(), "Land": re.search(r'data-land="([^"]*)"', page)[1],
        "Parts": " ".join(re.findall(r'data-drawn="(\w+)"', page)),
    }  # fmt: skip
    fields = {"seq": game.seq, "laid": card, "action": f"{card};done", "sure": "1"}
    answer = table.browser.post(f"{table.url}submit", fields, headers=headers)
    assert again(game).seq == game.seq + 1 and len(gzip.compress(answer.content, 6)) < 8 * KB
    kept = re.findall(r'id="([\w-]+)" data-kept', text(answer))
    assert {"b-outlines", "facts"} <= set(kept)
    assert f'<li data-lines="0 {game.seq}"></li>' in text(answer)
    assert f'id="line-{game.seq + 1}" class="line' in text(answer)


def test_a_page_from_before_a_deploy_gets_the_whole_table(sit, alice, bob):
    game = first_turn(alice, bob)
    table = sit(alice, game, htmx=True)
    answer = table.press("step", action=actions(table.look())[0])
    assert "HX-Reswap" not in answer and 'id="log"' in text(answer)


@pytest.mark.parametrize("htmx", [False, True], ids=["forms alone", "htmx"])
def test_a_second_window_gets_a_sentence_and_the_turn_keeps_its_steps(sit, alice, bob, htmx):
    game, card, start = offering("move", alice, bob)
    table = sit(alice, game, htmx=htmx)
    table.press("step", action=card, laid="")
    steps, _cost = farthest(plan_of(table.look()), start)
    table.press("step", action=steps[0], laid=card)
    for form, fields in (("step", {"action": steps[0]}), ("undo", {}), ("undo", {"keep": 1})):
        answer = table.press(form, **fields, laid="take something-else")
        assert "another window" in alert(answer), form
        assert drafted(game) == [card, steps[0]] and steps[0] in whole_turn(answer)


def test_steps_sent_again_after_a_lost_answer_count_once(sit, alice, bob):
    game, card, start = offering("move", alice, bob)
    table = sit(alice, game, htmx=True)
    table.press("step", action=card, laid="")
    steps, _cost = farthest(plan_of(table.look()), start)
    for _time in range(2):
        assert not alert(table.press("step", action=steps[0], laid=card))
        assert drafted(game) == [card, steps[0]]


def purchase_and_back(game):
    """Play until seat 0 may buy a card and buy the one it paid with back. Return these two steps."""
    for _turn in range(80):
        state, now = state_of(game), again(game)
        seat = now.rules.to_act(state)[0]
        legal = [now.rules.text(action) for action in now.rules.legal(state, seat)]
        for buy in sorted((action for action in legal if action.startswith("buy")), key=len) if seat == 0 else ():
            give, take = buy.removeprefix("buy ").split(" for ")
            after = walk(now.rules, state, 0, [buy]).state
            if (back := f"buy {take} for {give}") in map(now.rules.text, now.rules.legal(after, 0)):
                return [buy, back]
        draws_or_ends = [action for word in ("draw", "end") for action in legal if action.startswith(word)]
        submit(now, seat, (draws_or_ends or legal)[0])
    raise AssertionError("no purchase")


def test_a_draft_that_never_ends_is_refused_with_a_sentence(come, alice):
    game = lobby.open_table(user=alice, ruleset="kingdoms", players=2, bots=("easy",))
    pair = purchase_and_back(game)
    form = {"seq": again(game).seq, "action": ";".join(pair * 20), "sure": "1"}
    for _time in range(8):
        answer = come(alice).post(f"/games/{game.public_id}/step", form)
    assert len(Draft.objects.get().actions) == MOST_STEPS
    assert "A turn can have at most 200 steps." in answer.content.decode()
    answer = come(alice).post(f"/games/{game.public_id}/submit", form | {"action": ";".join([*pair * 100, "end"])})
    assert "A turn can have at most 200 steps." in answer.content.decode() and again(game).seq == form["seq"]


def test_a_long_turn_can_be_continued_undone_and_confirmed(come, alice, monkeypatch):
    game = lobby.open_table(user=alice, ruleset="kingdoms", players=2, bots=("easy",))
    pair = purchase_and_back(game)
    seq, draft = again(game).seq, pair * 70

    def post(to: str, **form: str) -> str:
        sent = {"seq": seq, "laid": ";".join(Draft.objects.get().actions), **form}
        return come(alice).post(f"/games/{game.public_id}/{to}", sent, follow=True).content.decode()

    play.lay_out(game=game.public_id, who=0, actions=draft, expected_seq=seq)
    assert len(";".join(draft)) > 4000
    post("step", action=pair[0])
    assert Draft.objects.get().actions == [*draft, pair[0]]
    monkeypatch.setattr(play, "LONGEST_TURN", len(";".join(draft)) + 100)
    refused = post("step", action=";".join([pair[1], *pair]))
    assert "Your turn is too long to send. Confirm it or undo some of its steps." in refused
    assert Draft.objects.get().actions == [*draft, pair[0]]
    post("undo")
    assert Draft.objects.get().actions == draft
    post("submit", action=";".join([*draft, "end"]), sure="1")
    assert again(game).seq > seq


def test_a_crossing_says_what_it_costs_and_what_is_left(sit, alice, bob):
    while True:
        game = in_turns(alice, bob)
        view = game.rules.view(state_of(game), 0)
        seas = state_of(game).map.sea[state_of(game).map.index[view.start]]
        cards = [edition("legends").cards[offer.card] for offer in view.row if offer.affordable]
        plain = [card for card in cards if not any(gift.kind in ("flying", "movement") for gift in card.abilities)]
        fit = [card for card in plain if card.parts[0].kind == "move" and card.parts[0].n >= 3]
        if fit and seas:
            break
    table = sit(alice, game)
    table.press("step", action=f"take {fit[0].id}")
    left = fit[0].parts[0].n
    page = text(table.look(f"?region={view.start}"))
    assert f": 3 of {left} moves</button>" in page and f"uses 3 of {left} moves and leaves {left - 3}" in page
    assert again(game).seq == game.seq


def test_nobody_else_gets_the_plan(sit, alice, bob, eve):
    game, card, _start = offering("move", alice, bob)
    sit(alice, game).press("step", action=card, laid="")
    for other in (bob, eve):
        assert 'id="plan"' not in text(sit(other, game).look())


def test_nested_parts_of_the_drawing_are_left_out_unless_they_changed():
    drawn = '<svg><defs><g id="a"/><g id="b"/></defs><g><g data-of="0"><g class="stronghold"><g/></g>{}</g></g></svg>'
    page = drawing(Context(), drawn.format("here"))
    context = {"known_parts": re.findall(r'data-drawn="(\w+)"', page)}
    assert len(context["known_parts"]) == 4
    same, moved = (drawing(Context(context), drawn.format(place)) for place in ("here", "there"))
    assert same.count("data-kept") == 3 and "stronghold" not in same and "here" not in same
    assert moved.count("data-kept") == 3 and "stronghold" not in moved and "there</g>" in moved


def test_answers_at_the_beginning_of_a_game_have_at_most_8_kb():
    case = next(case for case in answers.cases() if case.name.endswith("Kingdoms for 4"))
    measured = list(islice(answers.played(case, answers.people_for_all(), 1), 25))
    assert len(measured) == 25 and max(answer.size for answer in measured) <= answers.BUDGET


@pytest.mark.long  # `python -m tests.bench --only answers` plays the other numbers of players too
@pytest.mark.parametrize(
    "case", [case for case in answers.cases() if case.players in (4, 8)], ids=lambda case: case.name
)
def test_answers_in_a_random_game_have_at_most_8_kb(case):
    sizes = [(answer.size, answer.kind) for answer in answers.played(case, answers.people_for_all(), 1)]
    assert sizes and max(sizes)[0] <= answers.BUDGET, max(sizes)
