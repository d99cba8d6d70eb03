"""The walk: who looks at which address, what pages offer them, and what they post then.

A walk is `whole`, or a sample that still looks at every address and posts to it. Which readers a sample leaves out
changes from address to address and is the same in every run.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from itertools import product
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.http import QueryDict
from pytest import MonkeyPatch

from tests.walk.addresses import Route, routes, some
from tests.walk.forms import Form, forms
from tests.walk.visits import Answer, Door, Visitors, door
from tests.walk.world import World

EVERYONE = ("nobody", "gil", "eve", "bob", "alice", "sam")
PAIRS = (("nobody", "bob"), ("gil", "alice"), ("eve", "sam"))  # for samples: take turns
OUTSIDERS = ("nobody", "gil", "eve", "sam")
BY_LOOKING = {  # tables that a GET request may write
    "healthz": {"empire_trouble"},
    "usersessions_list": {"usersessions_usersession"},  # sessions that have ended
    "table": {"tables_seat"},  # how far the player has seen the game
    "here": {"tables_seat"},  # when they last looked
    "moderators_messages": {"accounts_step", "accounts_user"},  # what they have read
    **{
        name: {"tables_seat"} for name in ("chat", "chat_say", "chat_note", "chat_block", "chat_unblock", "chat_report")
    },
}
WITHOUT_A_FORM = {  # who may post there though no page shows them a form for it, or not now
    "unsubscribe": EVERYONE,  # with the link; mail programs post there
    "join": EVERYONE,  # with the link
    "guest": EVERYONE,
    "play_now": EVERYONE,  # on the front page, which players with games do not see
    "end_session": {"alice"},  # her session, which has already ended
    "revive_hook": {"alice"},  # her webhook, which works
    "chat_block": {"bob"},  # he has read the message
}
RUBBISH = {
    **dict.fromkeys(("seq", "to", "players", "days", "number", "at_once", "entrant", "match", "member"), "9" * 30),
    **dict.fromkeys(("name", "player", "username", "reason", "text", "note", "old", "endpoint"), "x\u202e\0" * 900),
    **dict.fromkeys(("first", "last", "until", "birth_date", "starts"), "0000-99-99"),
    "action": "bid 99999999999999999999; take x; 💥", "bot": "../etc/passwd", "ruleset": "[]",
    "options": "{", "url": "javascript:alert(1)", "email": "not an address", "toml": "= [", "credential": "{",
    "preset": "x", "time_zone": "/etc", "theme": "x", "record": "{}",
}  # fmt: skip
WITHOUT_SIGNING_IN = {"mute"}  # pages that show their links to anyone, for the player who got them by email
LINK = re.compile(r'<a\b[^>]*?\shref="([^"]*)"')
QUERY = re.compile(r'(?:href|action|hx-get)="([^"?]*)\?([^"#]+)')


@dataclass
class Looked:
    """Everything that readers have seen: complaints, forms that they were offered, links, and the queries of links.

    `links` maps a reader and a path to the pages that link there, by the fragment of the link. `read` maps the name of
    an address to the names that its view looked up in queries.
    """

    wrong: list[str] = field(default_factory=list)
    offered: dict[tuple, tuple[Form, set[str]]] = field(default_factory=dict)
    doors: dict[str, set[Door]] = field(default_factory=lambda: defaultdict(set))
    pages: dict[Door, set[str]] = field(default_factory=lambda: defaultdict(set))
    queries: dict[str, dict[tuple[str, str], None]] = field(default_factory=lambda: defaultdict(dict))
    links: dict[tuple[str, str], dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    read: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def note(self, answer: Answer) -> None:
        for form in forms(answer.path, answer.text):
            where = door(form.action)
            self.offered.setdefault(form.key, (form, set()))[1].add(answer.who)
            self.doors[answer.who].add(where)
            self.pages[where].add(answer.path)
        for path, query in QUERY.findall(answer.text):
            name = door(urljoin(answer.path, path))[0]
            self.queries[name] |= dict.fromkeys(parse_qsl(query.replace("&amp;", "&"), keep_blank_values=True))
        if answer.status == 200 and door(answer.path)[0] not in WITHOUT_SIGNING_IN:
            for link in set(LINK.findall(answer.text)):
                to = urlsplit(urljoin(answer.path, unescape(link)))
                if not (to.scheme or to.netloc or to.path.startswith("/admin/")):
                    path = f"{to.path}?{to.query}" if to.query else to.path
                    self.links[answer.who, path].setdefault(to.fragment, answer.path)

    def may(self, who: str, path: str) -> bool:
        """Whether a post to this path may change something: a page that they have seen offers it."""
        where = door(path)
        return where in self.doors[who] or who in WITHOUT_A_FORM.get(where[0], ())


def is_offered(visitors: Visitors, looked: Looked, who: str, path: str) -> bool:
    """Whether a page offers them to post there.

    If no page seen so far does, ask for the page itself, those above it, and those where others saw such a form.
    """
    parts = path.split("/")
    above = ["/".join(parts[:n]) + "/" for n in range(len(parts) - 1, 1, -1)]
    for page in (path, *above, *sorted(looked.pages[door(path)])):
        if looked.may(who, path):
            return True
        looked.note(visitors.ask(who, "GET", page))
    return looked.may(who, path)


def visited(world: World, number: int) -> Iterator[tuple[Route, str]]:
    for route in routes():
        for path in some(world, route, number):
            yield route, path


def who_goes(route: Route) -> tuple[str, ...]:
    """The readers of an address. Admin pages are the same for everyone who may not see them."""
    return ("eve", "sam") if route.text.startswith("admin/") else EVERYONE


def readers(world: World, *, whole: bool, paths: int) -> Iterator[tuple[Route, str, tuple[str, ...]]]:
    """Each path with its readers.

    A sample has one path of each route for three readers, up to `paths` - 1 others for two, the table of both families
    of games, and every admin page for Sam.
    """
    for n, route in enumerate(routes()):
        for number, path in enumerate(some(world, route, 99 if whole else paths)):
            if whole:
                yield route, path, who_goes(route)
            elif route.text.startswith("admin/"):
                yield route, path, ("sam",) if n % 3 else ("eve", "sam")
            else:
                yield route, path, PAIRS[n % 3] if number else ("alice", "bob", OUTSIDERS[n % 4])
        if route.name == "table" and not whole:
            yield route, world.games["kingdoms"].get_absolute_url(), ("nobody", "alice")


def follow_links(visitors: Visitors, looked: Looked) -> list[str]:
    """Return which links that readers have seen lead them to no page, or to no place on it."""
    wrong = []
    for (who, path), fragments in sorted(looked.links.items()):
        answer = visitors.ask(who, "GET", path)
        if answer.status not in (200, 302):
            wrong.append(f"{answer}, to which {sorted(fragments.values())[0]} links")
        elif answer.status == 200:
            missing = (fragment for fragment in fragments if fragment and f'id="{fragment}"' not in answer.text)
            wrong += [f"{path} has no #{fragment}, to which {fragments[fragment]} links" for fragment in missing]
    return wrong


def look(visitors: Visitors, *, whole: bool = False, paths: int = 2) -> Looked:
    looked = Looked()
    with noted_names() as names:
        for route, path, those in readers(visitors.world, whole=whole, paths=paths):
            names.clear()
            for who in those:
                answer = visitors.ask(who, "GET", path)
                looked.wrong += visitors.complaints(answer)
                if more := answer.wrote - BY_LOOKING.get(route.name, set()):
                    looked.wrong.append(f"{answer}: looking at it wrote {sorted(more)}")
                looked.note(answer)
                looked.read[route.name] |= names | names_in_forms(answer.text)
    return looked


GET_FORM = re.compile(r'<form\b(?![^>]*method="post")[^>]*>(.*?)</form>', re.DOTALL | re.IGNORECASE)
NAME = re.compile(r'\sname="([^"]+)"')


def names_in_forms(text: str) -> set[str]:
    """The names of the fields of forms that are sent as a query."""
    return {name for form in GET_FORM.findall(text) for name in NAME.findall(form)}


@contextmanager
def noted_names() -> Iterator[set[str]]:
    """The names that views look up in queries meanwhile."""
    names = set[str]()

    def noting(usual: Callable[..., Any]) -> Callable[..., Any]:
        def note(query: QueryDict, key: str, *rest: Any) -> Any:
            names.add(key)
            return usual(query, key, *rest)

        return note

    with MonkeyPatch.context() as patch:
        for method in ("__getitem__", "__contains__", "get", "getlist"):
            patch.setattr(QueryDict, method, noting(getattr(QueryDict, method)))
        yield names


def post(visitors: Visitors, looked: Looked, *, whole: bool = False) -> list[str]:
    """Post nothing and rubbish to every address. In a sample, one reader posts nothing and another one rubbish."""
    wrong = []
    for n, (route, path) in enumerate(visited(visitors.world, 99 if whole else 1)):
        posts = product(who_goes(route), ({}, RUBBISH)) if whole else zip(PAIRS[n % 3], ({}, RUBBISH), strict=True)
        for who, sent in posts:
            answer = visitors.ask(who, "POST", path, sent)
            wrong += visitors.complaints(answer)
            more = answer.wrote - BY_LOOKING.get(route.name, set())
            if more and not is_offered(visitors, looked, who, path):
                wrong.append(f"{answer}: no page offers it, and it wrote {sorted(more)}")
    return wrong


def use_forms_of_others(visitors: Visitors, looked: Looked, *, whole: bool = False) -> list[str]:
    """Readers post forms that pages offer only to others. A sample has one form of each address, and fewer readers."""
    wrong, used = [], defaultdict[str, int](int)
    for n, (form, offered_to) in enumerate(list(looked.offered.values())):
        used[form.action] += 1
        if (used[form.action] > 1 and not whole) or form.action.startswith("/admin/"):
            continue
        others = sorted(set(EVERYONE) - offered_to)
        for who in others if whole else others[n % 2 :: 2]:
            answer = visitors.ask(who, "POST", form.action, form.fields)
            wrong += visitors.complaints(answer)
            more = answer.wrote - BY_LOOKING.get(door(form.action)[0], set())
            if more and not is_offered(visitors, looked, who, form.action):
                wrong.append(f"{answer}: offered only to {sorted(offered_to)}, and it wrote {sorted(more)}")
    return wrong


METHODS = (("alice", "PUT"), ("bob", "HEAD"), ("nobody", "DELETE"), ("alice", "OPTIONS"))


def use_other_methods(visitors: Visitors, *, whole: bool = False) -> list[str]:
    """Use other methods than GET and POST at every address. A sample uses two of the four at each."""
    wrong = []
    for n, (route, path) in enumerate(visited(visitors.world, 1)):
        for who, method in METHODS if whole else METHODS[n % 2 :: 2]:
            answer = visitors.ask(who, method, path)
            wrong += visitors.complaints(answer)
            if answer.wrote - BY_LOOKING.get(route.name, set()):
                wrong.append(f"{answer}: it wrote {sorted(answer.wrote)}")
            if method == "HEAD" and answer.text:
                wrong.append(f"{answer}: it has a body")
    return wrong
