"""A walk over every address of the site, as everybody, and random requests: whoever sends whatever, there is no error
of ours, no leak and no write that was not allowed.

Addresses are found in the resolver, forms on the pages. What one may do is what the pages offer: who posts where they
are offered nothing must change nothing, and nobody ever changes what is somebody else's. `make test-long` sends 14,000
requests, which FUZZ_SEED chooses.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cast import some_turn
from tests.nonsense import always, seeded
from tests.walk import hostile
from tests.walk.addresses import paths, routes
from tests.walk.fuzzing import wrong_with
from tests.walk.requests import Known, requests
from tests.walk.visits import Visitors
from tests.walk.walking import BY_LOOKING, Looked, look, post, use_forms_of_others, visited

pytestmark = [pytest.mark.django_db, pytest.mark.early]


@pytest.fixture(scope="module")
def looked(visitors: Visitors) -> Looked:
    return look(visitors, 2)


def test_the_walk_knows_where_every_address_leads(visitors):
    unknown = []
    for route in routes():
        try:
            paths(visitors.world, route)
        except LookupError as sentence:
            unknown.append(str(sentence))
    assert not unknown, "\n".join(unknown)


def test_looking_breaks_nothing_writes_nothing_and_tells_no_secret(looked):
    assert not looked.wrong, "\n".join(looked.wrong)


def test_posting_nothing_or_rubbish_breaks_nothing_and_does_only_what_pages_offer(visitors, looked):
    wrong = post(visitors, looked, 1, by_turns=True)
    assert not wrong, "\n".join(wrong)


def test_what_is_offered_to_others_is_refused_and_changes_nothing(visitors, looked):
    wrong = use_forms_of_others(visitors, looked, 1)
    assert not wrong, "\n".join(wrong)


def test_other_methods_break_nothing_and_do_nothing(visitors):
    wrong = []
    for route, path in visited(visitors.world, 1):
        for who, method in (("alice", "PUT"), ("bob", "HEAD"), ("nobody", "DELETE"), ("alice", "OPTIONS")):
            answer = visitors.ask(who, method, path)
            wrong += visitors.complaints(answer)
            if answer.wrote - BY_LOOKING.get(route.name, set()):
                wrong.append(f"{answer}: it wrote {sorted(answer.wrote)}")
            if method == "HEAD" and answer.text:
                wrong.append(f"{answer}: it has a body")
    assert not wrong, "\n".join(wrong)


def test_a_private_table_is_not_there_for_others(visitors):
    game = visitors.world.games["private"].public_id
    for route in routes():
        if route.parameters == ("public_id",) and route.text.startswith("games/"):
            for who in ("nobody", "gil", "eve"):
                answers = {method: visitors.ask(who, method, f"/{route.text}".replace("<str:public_id>", game))
                           for method in ("GET", "POST")}  # fmt: skip
                assert {answer.status for answer in answers.values()} <= {302, 404, 405}, route
                assert not any(answer.wrote for answer in answers.values())


def test_the_walk_would_notice_a_leak_an_error_and_a_write(visitors):
    talk = f"/games/{visitors.world.games['private'].public_id}/talk/"
    heard = visitors.ask("alice", "GET", talk)
    assert visitors.complaints(heard) == []
    assert "tells what is said in private" in visitors.complaints(heard._replace(who="eve"))[0]
    assert "an error of ours" in visitors.complaints(heard._replace(status=500))[0]
    assert "something inline" in visitors.complaints(heard._replace(text="<p onclick='x()'>"))[0]
    noted = visitors.ask("alice", "POST", talk + "note", {"note": "mine"})
    assert noted.wrote == {"tables_note", "tables_seat"} and visitors.complaints(noted) == []
    assert "a row of tables_note is that of person" in visitors.complaints(noted._replace(who="bob"))[0]


def test_the_walk_would_notice_a_hand_that_is_seen_and_a_turn_that_others_take(visitors):
    cards = visitors.ask("alice", "GET", visitors.world.games["kingdoms"].get_absolute_url())
    assert visitors.complaints(cards) == []
    assert "tells a card in the hand of seat 0" in visitors.complaints(cards._replace(who="bob"))[0]
    game = visitors.world.games["watched"]
    seat, actions = some_turn(game)
    mover, other = ("alice", "bob") if seat == 0 else ("bob", "alice")
    turn = {"seq": game.seq, "action": ";".join(actions)}
    taken = visitors.ask(mover, "POST", game.get_absolute_url() + "submit", turn)
    assert "tables_entry" in taken.wrote and visitors.complaints(taken) == []
    wrong = visitors.complaints(taken._replace(who=other))
    assert any(f"entry {game.seq + 1} was not theirs to write" in complaint for complaint in wrong)


def test_control_characters_in_a_query_break_nothing_and_come_back_in_no_header(visitors, looked):
    sent = list(hostile.queries(visitors, looked, (hostile.CONTROLS,)))
    names = {one.query.decode().partition("=")[0] for one in sent}
    assert names >= {"sort", "marks", "at", "log", "page", "player", "next", "ruleset"}, "names that views read"
    assert not (wrong := [line for one in sent for line in hostile.complaints(visitors, one)]), "\n".join(wrong)


def test_hostile_values_in_paths_and_forms_break_nothing_and_come_back_in_no_header(visitors, looked):
    """Each place gets one of the values; `make test-long` puts each value into each place."""
    for n, value in enumerate(hostile.VALUES):
        sent = [*hostile.paths(visitors, (value,)), *hostile.fields(looked, (value,))][n :: len(hostile.VALUES)]
        assert not (wrong := [line for one in sent for line in hostile.complaints(visitors, one)]), "\n".join(wrong)


@pytest.mark.long
def test_each_hostile_value_in_each_place_breaks_nothing_and_comes_back_in_no_header(visitors, looked):
    values = hostile.VALUES
    sent = [
        *hostile.queries(visitors, looked, values), *hostile.paths(visitors, values), *hostile.fields(looked, values),
    ]  # fmt: skip
    assert not (wrong := [line for one in sent for line in hostile.complaints(visitors, one)]), "\n".join(wrong)


@pytest.fixture(scope="module")
def known(visitors: Visitors, looked: Looked) -> Known:
    return Known(visitors, looked)


def test_random_requests_break_nothing_tell_nothing_and_write_only_what_is_allowed(visitors, looked, known):
    @always(250)
    @given(st.data())
    def send(data: st.DataObject) -> None:
        assert wrong_with(visitors, looked, data.draw(requests(known))) == []

    send()
    assert visitors.rows.before == visitors.rows.now(), "what was undone is not as it was"


@pytest.mark.long
def test_fourteen_thousand_random_requests_break_nothing_and_tell_nothing(visitors, looked, known):
    @seeded(14_000)
    @given(st.data())
    def send(data: st.DataObject) -> None:
        assert wrong_with(visitors, looked, data.draw(requests(known))) == []

    send()
    assert visitors.rows.before == visitors.rows.now()


@pytest.mark.long
def test_everybody_walks_everywhere(visitors):
    everywhere = look(visitors, 99)
    wrong = everywhere.wrong + post(visitors, everywhere, 99, by_turns=False)
    wrong += use_forms_of_others(visitors, everywhere, 99)
    assert not wrong, "\n".join(wrong)
