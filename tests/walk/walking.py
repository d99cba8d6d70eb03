"""How everybody goes everywhere: what each of them looks at, what pages offer them, and what they may post then."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from urllib.parse import parse_qsl, urljoin

from tests.walk.addresses import Route, routes, some
from tests.walk.forms import Form, forms
from tests.walk.visits import Answer, Door, Visitors, door
from tests.walk.world import World

EVERYBODY = ("nobody", "gil", "eve", "bob", "alice", "sam")
SOME = (("nobody", "bob"), ("gil", "alice"), ("eve", "sam"))  # by turns
BY_LOOKING = {  # what is noted when somebody looks at a page
    "healthz": {"empire_trouble"},
    "usersessions_list": {"usersessions_usersession"},  # that have ended
    "table": {"tables_seat"},  # how far a player has seen it
    **{
        name: {"tables_seat"} for name in ("chat", "chat_say", "chat_note", "chat_block", "chat_unblock", "chat_report")
    },
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
    **dict.fromkeys(("seq", "to", "players", "days", "number", "at_once", "entrant", "match", "member"), "9" * 30),
    **dict.fromkeys(("name", "player", "username", "reason", "text", "note", "old", "endpoint"), "x\u202e\0" * 900),
    **dict.fromkeys(("first", "last", "until", "birth_date", "starts"), "0000-99-99"),
    "action": "bid 99999999999999999999; take x; 💥", "bot": "../etc/passwd", "ruleset": "[]",
    "options": "{", "url": "javascript:alert(1)", "email": "not an address", "toml": "= [", "credential": "{",
    "preset": "x", "time_zone": "/etc", "theme": "x", "record": "{}",
}  # fmt: skip
ASKED = re.compile(r'(?:href|action|hx-get)="([^"?]*)\?([^"#]+)')


@dataclass
class Looked:
    """What everybody saw: what was wrong, the forms they were offered, and what links ask of which page."""

    wrong: list[str] = field(default_factory=list)
    offered: dict[tuple, tuple[Form, set[str]]] = field(default_factory=dict)
    doors: dict[str, set[Door]] = field(default_factory=lambda: defaultdict(set))
    asked: dict[str, dict[tuple[str, str], None]] = field(default_factory=lambda: defaultdict(dict))

    def note(self, answer: Answer) -> None:
        for form in forms(answer.path, answer.text):
            self.offered.setdefault(form.key, (form, set()))[1].add(answer.who)
            self.doors[answer.who].add(door(form.action))
        for path, query in ASKED.findall(answer.text):
            name = door(urljoin(answer.path, path))[0]
            self.asked[name] |= dict.fromkeys(parse_qsl(query.replace("&amp;", "&"), keep_blank_values=True))

    def may(self, who: str, path: str) -> bool:
        """Whether what is posted there may change something."""
        where = door(path)
        return where in self.doors[who] or who in WITHOUT_A_FORM.get(where[0], ())


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


def post(visitors: Visitors, looked: Looked, number: int, *, by_turns: bool) -> list[str]:
    """Nothing and rubbish is posted everywhere; `by_turns` one by one and the other by another."""
    wrong = []
    for n, (route, path) in enumerate(visited(visitors.world, number)):
        those = SOME[n % 3] if by_turns else who_goes(route)
        for who, sent in zip(those, ({}, RUBBISH), strict=True) if by_turns else product(those, ({}, RUBBISH)):
            answer = visitors.ask(who, "POST", path, sent)
            wrong += visitors.complaints(answer)
            more = answer.wrote - BY_LOOKING.get(route.name, set())
            if more and not looked.may(who, path):
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
            more = answer.wrote - BY_LOOKING.get(door(form.action)[0], set())
            if more and not looked.may(who, form.action):
                wrong.append(f"{answer}: offered to {sorted(readers)} alone, and it wrote {sorted(more)}")
    return wrong
