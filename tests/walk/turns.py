"""Tables in the middle of games of every ruleset, and random posts to the forms of a turn."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from hypothesis import strategies as st

from games.rules.fairness import Quick
from games.rules.play import Walk, walk
from games.rules.protocol import State
from games.tables.models import Game, Seed
from games.tables.services import records
from tests.cast import again, person, seats_of, state_of, submit, table_of
from tests.nonsense import Texts, garbled, odd
from tests.rules.tables import at_random
from tests.walk.visits import Visitors
from tests.walk.wire import Sent
from tests.walk.world import World

RULESETS = ("legends", "classic", "prototype", "kingdoms")
VERBS = ("step", "submit", "decide", "submit", "decide", "undo", "orders", "undo-turn", "seat/", "chat/say")
FORM = (b"content-type", b"application/x-www-form-urlencoded")
JOINTS = " ;+:-"
LONGEST = 40  # actions of a turn
WATCHERS_MAY = {"tables_game", "tables_message", "tables_seat"}  # spectators chat among themselves


Legal = tuple[str, str]  # player, text


@dataclass(frozen=True)
class Table:
    """A running game: whole `turns` and single `steps` that are legal now, with their players, and past actions."""

    game: Game
    players: tuple[str, ...]
    turns: tuple[Legal, ...]
    steps: tuple[Legal, ...]
    heard: tuple[str, ...]


class Tables:
    """Tables of each ruleset, with random options, each a few turns further than the one before."""

    def __init__(self, each: int) -> None:
        self.people = {name.lower(): person(name) for name in ("Alice", "Bob", "Carol", "Eve")}
        self.people["sam"] = person("Sam", is_staff=True, is_superuser=True)
        self.all = [self.table(slug, number) for slug in RULESETS for number in range(each)]
        self.world = World(self.people, {str(n): table.game for n, table in enumerate(self.all)}, {})
        for table in self.all:
            seed = bytes(Seed.objects.get(game=table.game).secret).hex()
            if table.turns:
                self.world.hide("a seed", seed, within=table.game.get_absolute_url())  # the last turn reveals it
                self.world.hide_hands(table.game, *table.players)
            self.world.hide("an invitation", table.game.invite_token, *table.players)

    def table(self, slug: str, number: int) -> Table:
        seats = 2 + number % 2
        players = ("alice", "bob", "carol")[:seats]
        options = json.loads(at_random(slug, seats, number).options)
        appearance = [self.people[name] for name in players]
        game = table_of(*appearance, ruleset=slug, options=options, listed=bool(number % 3))
        heard = [text for turn in _played(game, number * 5, Quick(number)) for text in turn]
        state = state_of(game)
        owing = game.rules.to_act(state)
        turns = [(players[seat], ";".join(_turn(game, state, seat, Quick(n)))) for seat in owing for n in range(4)]
        steps = [(players[seat], game.rules.text(action)) for seat in owing for action in game.rules.legal(state, seat)]
        return Table(again(game), players, tuple(turns), tuple(steps[:200]), (*heard, "done"))


def _turn(game: Game, state: State, seat: int, chance: Quick) -> list[str]:
    """A random legal turn, up to a step after which nothing can follow."""
    rules, here, actions = game.rules, Walk(state), list[str]()
    while not here.is_closed and len(actions) < LONGEST:
        legal = rules.legal(here.state, seat)
        actions.append(rules.text(legal[chance.below(len(legal))]))
        here = walk(rules, here.state, seat, actions[-1:])
    if not here.is_closed and (end := rules.end_of_turn(here.state, seat)):
        actions.append(rules.text(end))
    return actions


def _played(game: Game, turns: int, chance: Quick) -> Iterator[list[str]]:
    for _turns in range(turns):
        state = state_of(game)
        owing = [seat.number for seat in seats_of(game) if seat.owes]
        if not owing:
            break
        actions = _turn(game, state, owing[0], chance)
        submit(game, owing[0], *actions)
        yield actions


@st.composite
def attempts(draw: st.DrawFn, tables: Tables) -> Sent:
    """A random submission: mostly by a player, on the latest entry, and nearly legal."""
    table = draw(st.sampled_from(tables.all))
    verb = draw(st.sampled_from(VERBS))
    legal = (table.turns if verb == "submit" else table.steps) or (("alice", table.heard[0]),)
    whose, text = draw(st.sampled_from(legal))
    who = draw(st.sampled_from((*[whose] * 6, *table.players, "eve", "sam", "nobody")))
    if draw(st.booleans()):
        own = (text for _whose, text in (*table.turns, *table.steps[:20]))
        text = draw(garbled(text, Texts((*own, *draw(st.sampled_from(tables.all)).heard)), JOINTS))
    seq = str(table.game.seq) if draw(st.integers(0, 5)) else draw(st.one_of(st.integers(-1, 9).map(str), odd))
    fields = [("seq", seq), ("action", text), *draw(more(verb))]
    headers = [FORM, *([(b"hx-request", b"true")] if draw(st.booleans()) else [])]
    body = urlencode(fields, errors="surrogatepass").encode()
    return Sent(who, "POST", table.game.get_absolute_url() + verb, b"", headers, body)


@st.composite
def more(draw: st.DrawFn, verb: str) -> list[tuple[str, str]]:
    """More fields, as forms of other kinds have them."""
    fields = {
        "undo": [("keep", "0"), ("keep", "1"), ("keep", ""), ("action", "undo")],
        "undo-turn": [("action", action) for action in ("ask", "agree", "refuse", "withdraw", "💥")],
        "orders": [("protect", "leave"), ("stop", "True"), ("wave", "False")],
        "seat/": [("action", action) for action in ("bot", "ask", "back", "stop", "withdraw", "💥")],
        "chat/say": [("text", "hello"), ("text", "")],
    }.get(verb, [])
    chosen = draw(st.lists(st.sampled_from(fields), max_size=2)) if fields else []
    return [(name, draw(odd) if draw(st.integers(0, 3)) == 0 else value) for name, value in chosen]


def wrong_with(visitors: Visitors, tables: Tables, sent: Sent) -> list[str]:
    """Complain if a refusal leaves a trace, a spectator writes, or the log no longer verifies."""
    table = next(candidate for candidate in tables.all if sent.path.startswith(candidate.game.get_absolute_url()))
    answer = visitors.send(sent, lambda heard: records.verify(game=again(table.game)))
    wrong = visitors.complaints(answer)
    if answer.status >= 400 and answer.wrote:
        wrong.append(f"{answer}: it was refused, and wrote {sorted(answer.wrote)}")
    if sent.who not in table.players and answer.wrote - WATCHERS_MAY:
        wrong.append(f"{answer}: they only watch, and wrote {sorted(answer.wrote)}")
    return wrong
