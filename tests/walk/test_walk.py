"""A walk over every address of the site as every kind of reader, and random requests: no request causes a server error,
a leak, or a write that is not allowed.

Addresses come from the resolver, forms from the pages. Readers may do what pages offer them: a post that no page offers
must change nothing, and nobody ever changes what belongs to someone else. The short tests walk a sample that has every
address. `make test-long` walks everywhere as everyone, and sends 14,000 requests that FUZZ_SEED chooses.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.notices.models import Notice
from games.tables.models import Seat
from tests.cast import some_turn
from tests.nonsense import always, seeded
from tests.walk import hostile
from tests.walk.addresses import paths, routes
from tests.walk.fuzzing import wrong_with
from tests.walk.requests import SiteMap, requests
from tests.walk.visits import Visitors
from tests.walk.walking import Looked, follow_links, look, post, use_forms_of_others, use_other_methods

pytestmark = [pytest.mark.django_db, pytest.mark.early]


@pytest.fixture(scope="module")
def looked(visitors: Visitors, request: pytest.FixtureRequest) -> Looked:
    """Return what a sample of readers sees, a smaller one where long tests are left out."""
    return look(visitors, paths=2 if request.config.getoption("markexpr") else 1)


def test_the_walk_knows_arguments_for_every_address(visitors):
    unknown = []
    for route in routes():
        try:
            paths(visitors.world, route)
        except LookupError as sentence:
            unknown.append(str(sentence))
    assert not unknown, "\n".join(unknown)


def test_get_requests_break_nothing_write_nothing_and_reveal_no_secret(looked):
    assert not looked.wrong, "\n".join(looked.wrong)


@pytest.mark.long
def test_posting_nothing_or_rubbish_breaks_nothing_and_does_only_what_pages_offer(visitors, looked):
    wrong = post(visitors, looked)
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_forms_offered_only_to_others_are_refused_and_change_nothing(visitors, looked):
    wrong = use_forms_of_others(visitors, looked)
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_other_methods_break_nothing_and_change_nothing(visitors):
    wrong = use_other_methods(visitors)
    assert not wrong, "\n".join(wrong)


def test_others_do_not_find_a_private_table(visitors):
    game = visitors.world.games["private"].public_id
    for route in routes():
        # `here` answers everyone but players with the same empty page, whether there is such a game or not
        if route.parameters == ("public_id",) and route.text.startswith("games/") and route.name != "here":
            for who in ("nobody", "gil", "eve"):
                answers = {method: visitors.ask(who, method, f"/{route.text}".replace("<str:public_id>", game))
                           for method in ("GET", "POST")}  # fmt: skip
                assert {answer.status for answer in answers.values()} <= {302, 404, 405}, route
                assert not any(answer.wrote for answer in answers.values())


@pytest.mark.long
def test_links_lead_to_pages_that_their_readers_may_see(visitors, looked):
    wrong = follow_links(visitors, looked)
    assert not wrong, "\n".join(wrong)


def test_each_notice_leads_its_reader_to_a_page(visitors):
    names = {user.pk: name for name, user in visitors.world.people.items()}
    to_users = Notice.objects.filter(user__in=names).exclude(url="").values_list("user", "url").distinct()
    to_players = Seat.objects.filter(user__in=names, notices__isnull=False).select_related("game").distinct()
    pages = {*to_users, *((seat.user_id, seat.game.get_absolute_url()) for seat in to_players)}
    assert len(pages) > 30
    answers = [visitors.ask(names[reader], "GET", page) for reader, page in sorted(pages)]
    assert not [str(answer) for answer in answers if answer.status not in (200, 302)]


@pytest.mark.long
def test_the_walk_would_notice_a_leak_an_error_and_a_write(visitors):
    talk = f"/games/{visitors.world.games['private'].public_id}/chat/"
    heard = visitors.ask("alice", "GET", talk)
    assert visitors.complaints(heard) == []
    assert "tells what is said in private" in visitors.complaints(heard._replace(who="eve"))[0]
    assert "an error of ours" in visitors.complaints(heard._replace(status=500))[0]
    assert "something inline" in visitors.complaints(heard._replace(text="<p onclick='x()'>"))[0]
    split_tag = heard._replace(text="<p>{{ card.picture\n}}")
    assert "shows the template's '{{ card.picture'" in visitors.complaints(split_tag)[0]
    noted = visitors.ask("alice", "POST", talk + "note", {"note": "mine"})
    assert noted.wrote == {"tables_note", "tables_seat"} and visitors.complaints(noted) == []
    assert "a row of tables_note belongs to user" in visitors.complaints(noted._replace(who="bob"))[0]


def test_the_walk_would_notice_a_revealed_hand_and_a_turn_taken_by_someone_else(visitors):
    cards = visitors.ask("alice", "GET", visitors.world.games["kingdoms"].get_absolute_url())
    assert visitors.complaints(cards) == []
    assert "tells a card in the hand of seat 0" in visitors.complaints(cards._replace(who="bob"))[0]
    game = visitors.world.games["watched"]
    seat, actions = some_turn(game)
    mover, other = ("alice", "bob") if seat == 0 else ("bob", "alice")
    turn = {"seq": game.seq, "action": ";".join(actions), "sure": "1"}
    taken = visitors.ask(mover, "POST", game.get_absolute_url() + "submit", turn)
    assert "tables_entry" in taken.wrote and visitors.complaints(taken) == []
    wrong = visitors.complaints(taken._replace(who=other))
    assert any(f"entry {game.seq + 1} was not theirs to write" in complaint for complaint in wrong)


@pytest.mark.long
def test_control_characters_in_a_query_break_nothing_and_appear_in_no_header(visitors, looked):
    sent = list(hostile.queries(visitors, looked, (hostile.CONTROLS,)))
    names = {request.query.decode().partition("=")[0] for request in sent}
    assert names >= {"sort", "marks", "at", "log", "page", "player", "next", "ruleset"}, "names that views read"
    assert not (wrong := [line for request in sent for line in hostile.complaints(visitors, request)]), "\n".join(wrong)


@pytest.mark.long
def test_hostile_values_in_paths_and_forms_break_nothing_and_appear_in_no_header(visitors, looked):
    """Every fourth place gets one of the values; `make test-long` puts each value into each place."""
    places = [*hostile.paths(visitors, hostile.VALUES), *hostile.fields(visitors, looked, hostile.VALUES)]
    sent = places[:: 4 * len(hostile.VALUES) + 1]  # the next value each time
    assert not (wrong := [line for request in sent for line in hostile.complaints(visitors, request)]), "\n".join(wrong)


@pytest.mark.long
def test_each_hostile_value_in_each_place_breaks_nothing_and_appears_in_no_header(visitors, looked):
    values = hostile.VALUES
    places = [*hostile.paths(visitors, values), *hostile.fields(visitors, looked, values)]
    sent = [*hostile.queries(visitors, looked, values), *places]
    assert not (wrong := [line for request in sent for line in hostile.complaints(visitors, request)]), "\n".join(wrong)


@pytest.fixture(scope="module")
def site_map(visitors: Visitors, looked: Looked) -> SiteMap:
    return SiteMap(visitors, looked)


def test_random_requests_break_nothing_leak_nothing_and_write_only_what_is_allowed(visitors, looked, site_map):
    @always(75)
    @given(st.data())
    def send(data: st.DataObject) -> None:
        assert wrong_with(visitors, looked, data.draw(requests(site_map))) == []

    send()
    assert visitors.rows.before == visitors.rows.now(), "undoing the requests left changes"


@pytest.mark.long
def test_14000_random_requests_break_nothing_leak_nothing_and_write_only_what_is_allowed(visitors, looked, site_map):
    @seeded(14_000)
    @given(st.data())
    def send(data: st.DataObject) -> None:
        assert wrong_with(visitors, looked, data.draw(requests(site_map))) == []

    send()
    assert visitors.rows.before == visitors.rows.now()


@pytest.mark.long
def test_everyone_walks_everywhere(visitors):
    everywhere = look(visitors, whole=True)
    wrong = everywhere.wrong + post(visitors, everywhere, whole=True)
    wrong += use_forms_of_others(visitors, everywhere, whole=True) + use_other_methods(visitors, whole=True)
    assert not wrong, "\n".join(wrong)
