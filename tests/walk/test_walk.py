"""A walk over every address of the site, as everybody: no error of ours, no leak, no write that was not allowed.

Addresses are found in the resolver, forms on the pages. What one may do is what the pages offer: who posts where they
are offered nothing must change nothing.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import pytest
from django.urls import resolve

from tests.walk.addresses import Route, paths, routes, some
from tests.walk.forms import Form, forms
from tests.walk.visits import Answer, Visitors
from tests.walk.world import World

pytestmark = pytest.mark.django_db

EVERYBODY = ("nobody", "gil", "eve", "bob", "alice", "sam")
SOME = (("nobody", "bob"), ("gil", "alice"), ("eve", "sam"))  # by turns
BY_LOOKING = {  # what is noted when somebody looks at a page
    "healthz": {"empire_trouble"},
    "usersessions_list": {"usersessions_usersession"},  # that have ended
    "table": {"games_seat"},  # how far a player has seen it
    **{name: {"games_seat"} for name in ("chat", "chat_say", "chat_note", "chat_block", "chat_unblock", "chat_report")},
}
WITHOUT_A_FORM = {  # what may be posted by whom though they are shown no form for it, or not now
    "unsubscribe": EVERYBODY,  # whoever holds the link; mail programs post there
    "join": EVERYBODY,  # whoever holds the link
    "guest": EVERYBODY,
    "play_now": EVERYBODY,  # on the first page, which those with games do not see
    "end_session": {"alice"},  # hers, which has ended by itself
    "revive_hook": {"alice"},  # hers, which is well
    "chat_block": {"bob"},  # who has heard it
}
RUBBISH = {
    **dict.fromkeys(("seq", "to", "players", "days", "number", "at_once", "entrant", "meeting", "member"), "9" * 30),
    **dict.fromkeys(("name", "player", "username", "reason", "text", "note", "old", "endpoint"), "x\u202e\0" * 900),
    **dict.fromkeys(("first", "last", "until", "birth_date", "starts"), "0000-99-99"),
    "action": "bid 99999999999999999999; take x; 💥", "deed": "💥", "bot": "../etc/passwd", "ruleset": "[]",
    "options": "{", "url": "javascript:alert(1)", "email": "not an address", "toml": "= [", "credential": "{",
    "preset": "x", "time_zone": "/etc", "theme": "x", "record": "{}",
}  # fmt: skip


@dataclass
class Looked:
    """What everybody saw: what was wrong, and the forms they were offered."""

    wrong: list[str] = field(default_factory=list)
    offered: dict[tuple, tuple[Form, set[str]]] = field(default_factory=dict)
    doors: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def note(self, answer: Answer) -> None:
        for form in forms(answer.path, answer.text):
            self.offered.setdefault(form.key, (form, set()))[1].add(answer.who)
            self.doors[answer.who].add(form.action)


def visited(world: World, number: int) -> Iterator[tuple[Route, str]]:
    for route in routes():
        for path in some(world, route, number):
            yield route, path


def who_goes(route: Route) -> tuple[str, ...]:
    """The pages of the admin are one and the same to all who may not see them."""
    return ("eve", "sam") if route.text.startswith("admin/") else EVERYBODY


def look(visitors: Visitors, number: int) -> Looked:
    looked = Looked()
    for route, path in visited(visitors.world, number):
        for who in who_goes(route):
            answer = visitors.ask(who, "GET", path)
            looked.wrong += visitors.complaints(answer)
            if more := answer.wrote - BY_LOOKING.get(route.name, set()):
                looked.wrong.append(f"{answer}: looking at it wrote {sorted(more)}")
            looked.note(answer)
    return looked


def may(looked: Looked, who: str, path: str) -> bool:
    """Whether what is posted there may change something."""
    return path in looked.doors[who] or who in WITHOUT_A_FORM.get(resolve(path).url_name or "", ())


def post(visitors: Visitors, looked: Looked, number: int, *, by_turns: bool) -> list[str]:
    """Nothing and rubbish is posted everywhere; `by_turns` one by one and the other by another."""
    wrong = []
    for n, (route, path) in enumerate(visited(visitors.world, number)):
        those = SOME[n % 3] if by_turns else who_goes(route)
        for who, sent in zip(those, ({}, RUBBISH), strict=True) if by_turns else product(those, ({}, RUBBISH)):
            answer = visitors.ask(who, "POST", path, sent)
            wrong += visitors.complaints(answer)
            more = answer.wrote - BY_LOOKING.get(route.name, set())
            if more and not may(looked, who, path):
                wrong.append(f"{answer}: no page offers it, and it wrote {sorted(more)}")
    return wrong


def use_forms_of_others(visitors: Visitors, looked: Looked, most: int) -> list[str]:
    """Who is not offered a form posts it all the same; of each address so many."""
    wrong, used = [], defaultdict[str, int](int)
    for form, readers in looked.offered.values():
        used[form.action] += 1
        if used[form.action] > most or form.action.startswith("/admin/"):
            continue
        for who in sorted(set(EVERYBODY) - readers):
            answer = visitors.ask(who, "POST", form.action, form.fields)
            wrong += visitors.complaints(answer)
            more = answer.wrote - BY_LOOKING.get(resolve(form.action).url_name or "", set())
            if more and not may(looked, who, form.action):
                wrong.append(f"{answer}: offered to {sorted(readers)} alone, and it wrote {sorted(more)}")
    return wrong


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
    assert visitors.ask("alice", "POST", talk + "note", {"note": "mine"}).wrote == {"games_note", "games_seat"}


@pytest.mark.long
def test_everybody_walks_everywhere(visitors):
    everywhere = look(visitors, 99)
    wrong = everywhere.wrong + post(visitors, everywhere, 99, by_turns=False)
    wrong += use_forms_of_others(visitors, everywhere, 99)
    assert not wrong, "\n".join(wrong)
