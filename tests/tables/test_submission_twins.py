"""Games that differ only in the seed and in what a seat can't know answer its requests alike, to the byte.

The twin of a game has another seed and other hidden cards, faces and bids. Random submissions, drafts, orders and
undo requests go to both through the site. Only answers to accepted submissions may differ, because those draw cards.
"""

import hashlib
import json
from collections.abc import Iterator

import msgspec
import pytest
from django.db import transaction
from django.test import Client

from games.rules import play
from games.rules.fairness import Fair, Quick
from games.rules.protocol import State
from games.tables.models import Game, Seed, Snapshot
from tests.cast import again, person, state_of, table_of
from tests.rules.families import FAMILIES
from tests.rules.tables import at_random, plain_and_full
from tests.rules.test_submissions import FIXED, probes, submission, twin
from tests.tables.family import seeded
from tests.tables.kingdoms import go_on, owing
from tests.tables.readings import SCRIPT, answer, browser_of
from tests.web.reading import text as readable

pytestmark = pytest.mark.django_db
PEOPLE = ("Alice", "Bob", "Carol", "Dan")
FULL = {(table.slug, table.players): table for table in plain_and_full()}
TABLES = [  # one of each family in the short run
    ("legends", 3),
    ("kingdoms", 3),
    *(pytest.param(*table, marks=pytest.mark.long) for table in (("prototype", 2), ("classic", 4), ("kingdoms", 2))),
]


@pytest.mark.parametrize(
    ("number", "moments"), [(0, 1), *(pytest.param(n, 2, marks=pytest.mark.long) for n in range(8))]
)
@pytest.mark.parametrize(("slug", "players"), TABLES, ids=str)
def test_a_game_and_its_twin_answer_all_requests_of_a_seat_alike(slug, players, number, moments, monkeypatch) -> None:
    seeded(monkeypatch, number)
    people = [person(name) for name in PEOPLE[:players]]
    table = FULL[slug, players] if number % 2 else at_random(slug, players, number)
    game = table_of(*people, ruleset=slug, options=json.loads(table.options))
    chance, outcomes = Quick(number), set()
    for _moment in range(moments):
        for _turn in range(6 + 3 * players):
            if owing(again(game)):
                go_on(again(game), chance, "random" if slug == "kingdoms" else "medium")
        if not owing(again(game)):
            break
        outcomes |= compare(again(game), owing(again(game))[0], people, chance)
    assert not outcomes or "refused" in outcomes  # a few games end before the first moment


def compare(game: Game, seat: int, people: list, chance: Quick) -> set[str]:
    """Send the same requests to the game and to its twin; return which outcomes there were."""
    rules, state = game.rules, state_of(game)
    other = twin(rules, state, seat, chance)
    words = FAMILIES[rules.slug].vocabulary(state)
    sent = [submission(rules, state, seat, words, chance) for _ in range(6)]
    sent += list(probes(rules, state, seat))[:: 17 if rules.family == "kingdoms" else 5]
    sent += revealing(game, (state, other), seat)
    browser, outcomes = browser_of(people[seat]), set()
    for number, (asked, fields) in enumerate(requests(game, sent)):
        headers = SCRIPT if number % 2 else {}
        (one, was_accepted), (its_twin, was_accepted_too) = (
            answered(game, position, asked, fields, browser, headers) for position in (state, other)
        )
        # Whether a turn of Kingdoms may be undone follows from what the log revealed, which a twin does not follow
        if asked != "back" or rules.family != "kingdoms":
            assert was_accepted == was_accepted_too, (asked, fields)
            assert was_accepted or one == its_twin, (asked, fields)
        outcomes.add("accepted" if was_accepted else "refused")
    return outcomes


def revealing(game: Game, twins: tuple[State, State], seat: int) -> list[list[str]]:
    """Return steps that need chance, each with a step that is legal only after the draw of one of the twins."""
    rules, found = game.rules, []
    legal = [rules.text(action) for action in rules.legal(twins[0], seat)]
    for text in [one for one in legal if play.walk(rules, twins[0], seat, [one]).needs_chance][:3]:
        then: list[set[str]] = []
        for state in twins:
            after = state.copy()
            play.apply(rules, after, seat, [rules.parse(text)], Fair(secret(state)).at(game.seq + 1))
            then.append({rules.text(action) for action in rules.legal(after, seat)})
        found += [[text, only_here] for only_here in sorted(then[0] ^ then[1])[:2]]
    return found


def secret(state: State) -> bytes:
    """Return the seed for this position; its twin has another one."""
    return hashlib.sha256(msgspec.json.encode(state)).digest()


def requests(game: Game, sent: list[list[str]]) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield addresses of the table with forms: whole submissions, drafts step by step, undo requests and orders."""
    for actions in sent:
        yield "submit", {"action": ";".join(actions), "sure": "1"}
    for actions in sent[::5]:  # the answer may be a question, whether something is given up
        yield "submit", {"action": ";".join(actions)}
    for actions in sent[::3]:
        yield "step", {"action": actions[-1], "before": actions[:-1]}
    yield "back", {"action": "ask"}
    if game.rules.order_fields():
        yield from (("orders", {"defend": value}) for value in ("best", "ask", "take everything"))


def answered(
    game: Game, state: State, asked: str, fields: dict, browser: Client, headers: dict[str, str]
) -> tuple[object, bool]:
    """Return the answer in this position and whether an entry was written, then roll everything back."""
    url, seq = game.get_absolute_url(), again(game).seq
    with transaction.atomic():
        Snapshot.objects.filter(game=game).update(state=msgspec.json.encode(state).decode())
        Seed.objects.filter(game=game).update(secret=secret(state))
        for earlier in fields.get("before", ()):
            browser.post(f"{url}step", {"seq": seq, "action": earlier}, headers=SCRIPT)
        form = {name: value for name, value in fields.items() if name != "before"}
        found = answer(browser.post(f"{url}{asked}", {"seq": seq, **form}, headers=headers))
        was_accepted = again(game).seq != seq
        transaction.set_rollback(True)
    return found, was_accepted


def test_probing_for_the_next_card_gets_the_same_sentence_for_every_card() -> None:
    alice, bob = person("Alice"), person("Bob")
    game = table_of(alice, bob, ruleset="kingdoms")
    seat = owing(game)[0]
    browser, url = browser_of((alice, bob)[seat]), game.get_absolute_url()
    cards = FAMILIES["kingdoms"].vocabulary(state_of(game))
    for probe in [text for text in cards if text.startswith(("build ", "take ", "burn "))][::9]:
        refused = browser.post(f"{url}submit", {"seq": again(game).seq, "action": f"draw;{probe}"})
        assert refused.status_code == 409
        assert FIXED in readable(refused)
    assert again(game).seq == game.seq


@pytest.mark.long
def test_a_bid_cannot_follow_a_setup_by_hand_in_one_submission() -> None:
    alice, bob = person("Alice"), person("Bob")
    game = table_of(alice, bob, ruleset="classic", options={"setup": "by-hand", "setter": 0})
    refused = 0
    while not again(game).sealed:
        seat = owing(game)[0]
        action = game.rules.text(game.rules.legal(state_of(game), seat)[0])
        if action.startswith("neutral"):
            sent = {"seq": again(game).seq, "action": f"{action};bid 2"}
            answered = browser_of((alice, bob)[seat]).post(f"{game.get_absolute_url()}submit", sent)
            assert answered.status_code == 409
            refused += 1
        go_on(again(game), Quick(1), "random")
    assert refused
