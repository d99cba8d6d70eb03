"""Games that differ only in the seed and in what a seat can't know answer its requests alike, to the byte.

The twin of a game has another seed and other hidden cards, faces and bids. Random submissions, drafts, orders and
undo requests go to both through the site, and as an outside bot through its API; pages, hints and the live stream are
read from both. Only answers to accepted submissions may differ, because those draw cards.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts import bots
from empire.web.live import Versions
from games.bots import search
from games.rules import play
from games.rules.eight_minute.state import TURN
from games.rules.fairness import Fair, Quick
from games.rules.protocol import State
from games.tables.models import Game, Seat, Seed, Snapshot
from games.tables.selectors import chat
from games.tables.selectors.live import versions
from games.tables.services import lobby, reviews
from tests.cast import again, person, state_of, table_of
from tests.rules.families import FAMILIES
from tests.rules.tables import at_random, plain_and_full
from tests.rules.test_submissions import FIXED, probes, submission, twin
from tests.tables.family import SWAMP, seeded
from tests.tables.kingdoms import go_on, owing
from tests.tables.readings import SCRIPT, answer, browser_of
from tests.web.reading import text as readable

pytestmark = pytest.mark.django_db
PEOPLE = ("Alice", "Bob", "Carol", "Dan")
FULL = {(table.slug, table.players): table for table in plain_and_full()}
TABLES = [  # one of each family in the short run
    ("legends", 3),
    ("kingdoms", 2),
    *(pytest.param(*table, marks=pytest.mark.long) for table in (("prototype", 2), ("classic", 4), ("kingdoms", 3))),
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
        compare_programs(again(game), owing(again(game))[0], chance)
    assert not outcomes or "refused" in outcomes  # a few games end before the first moment


def compare(game: Game, seat: int, people: list, chance: Quick) -> set[str]:
    """Send the same requests to the game and to its twin; return which outcomes there were."""
    rules, state = game.rules, state_of(game)
    other = twin(rules, state, seat, chance)
    sent = submissions(game, (state, other), seat, chance)
    browser, outcomes = browser_of(people[seat]), set()
    for number, (path, fields) in enumerate(requests(game, sent)):
        headers = SCRIPT if number % 2 else {}
        (result, was_accepted), (twin_result, was_accepted_too) = (
            answered(game, position, path, fields, browser, headers) for position in (state, other)
        )
        # Whether a turn of Kingdoms may be undone follows from what the log revealed, which a twin does not follow
        if path != "undo-turn" or rules.family != "kingdoms":
            assert was_accepted == was_accepted_too, (path, fields)
            assert was_accepted or result == twin_result, (path, fields)
        if path == "undo-turn":
            browser = browser_of(people[seat])  # the next page of the other one shows the message of this answer
        outcomes.add("accepted" if was_accepted else "refused")
    # What is shown without asking for anything
    for reader in (people[seat], None):
        shown = []
        for position in (state, other):
            with inside(game, position):
                shown.append(pages(game, seat, browser_of(reader)))
        assert shown[0] == shown[1]
    return outcomes


def compare_programs(game: Game, seat: int, chance: Quick) -> None:
    """Give the seat to an outside bot, and send the same requests over its API in the game and in its twin."""
    rules, state = game.rules, state_of(game)
    other = twin(rules, state, seat, chance)
    sent = submissions(game, (state, other), seat, chance)
    for method, path, body in calls(game, sent):
        answers = []
        for position in (state, other):
            with inside(game, position):
                answers.append(answer_to_bot(game, seat, method, path, body))
        (_status, _content, was_accepted), (_its_status, _its_content, was_accepted_too) = answers
        assert was_accepted == was_accepted_too, (path, body)
        assert was_accepted or answers[0] == answers[1], (path, body)


def calls(game: Game, sent: list[list[str]]) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield requests to the API with their bodies: what the bot is told, steps that are tried, and turns."""
    game_path = f"games/{game.public_id}"
    yield from (("get", path, {}) for path in ("games/", f"{game_path}/view"))
    yield "post", f"{game_path}/back", {}
    for actions in sent:
        yield "get", f"{game_path}/view", {"laid": "; ".join(actions)}
        yield "post", f"{game_path}/turn", {"seq": game.seq, "actions": actions, "head": game.head[:12]}
    for actions in sent[::9]:
        yield "post", f"{game_path}/turn", {"seq": max(0, game.seq - 1), "actions": actions}
        yield "post", f"{game_path}/turn", {"seq": game.seq, "actions": actions, "head": "0" * 12}


def answer_to_bot(game: Game, seat: int, method: str, path: str, body: dict[str, object]) -> tuple[int, object, bool]:
    """Return status and answer of a request to the API by a bot in this seat, and whether an entry was written."""
    bot, token = bots.create_bot(owner=person("Owner"), name="Marvin")
    Seat.objects.filter(game=game, number=seat).update(user=bot.user, owner=bot.user, name=bot.user.username)
    program, seq = Client(headers={"Authorization": f"Bearer {token}"}), again(game).seq
    if method == "get":
        response = program.get(f"/api/bot/{path}", body)
    else:
        response = program.post(f"/api/bot/{path}", json.dumps(body), content_type="application/json")
    news = Versions(*versions([game.public_id])[game.public_id])
    content = (response.content, response.headers.get("Location"), news.version, news.newest(chat.rooms(None)))
    return response.status_code, content, again(game).seq != seq


def submissions(game: Game, twins: tuple[State, State], seat: int, chance: Quick) -> list[list[str]]:
    """Return random submissions, probes for draws and hidden cards, and steps that only one of the twins allows."""
    rules, state = game.rules, twins[0]
    words = FAMILIES[rules.slug].vocabulary(state)
    sent = [submission(rules, state, seat, words, chance) for _ in range(6)]
    sent += list(probes(rules, state, seat))[:: 17 if rules.family == "kingdoms" else 5]
    return sent + revealing(game, twins, seat)


def pages(game: Game, seat: int, browser: Client) -> list[object]:
    """Return what the reader is shown of the game, and what its live stream says."""
    url, row = game.get_absolute_url(), Seat.objects.get(game=game, number=seat)
    news = Versions(*versions([game.public_id])[game.public_id])
    parts = [answer(browser.get(url + part)) for part in ("", "?log=all", "view.json", "record.json", "chat/")]
    lists = [answer(browser.get(page)) for page in ("/desk/", "/lobby/")]
    return [*parts, *lists, answer(browser.get(url, headers=SCRIPT)), news.version, news.newest(chat.rooms(row))]


def revealing(game: Game, twins: tuple[State, State], seat: int) -> list[list[str]]:
    """Return steps that need chance, each with a step that is legal only after the draw of one of the twins."""
    rules, pairs = game.rules, []
    legal = [rules.text(action) for action in rules.legal(twins[0], seat)]
    for text in [text for text in legal if play.walk(rules, twins[0], seat, [text]).needs_chance][:3]:
        then: list[set[str]] = []
        for state in twins:
            after = state.copy()
            play.apply(rules, after, seat, [rules.parse(text)], Fair(secret(state)).at(game.seq + 1))
            then.append({rules.text(action) for action in rules.legal(after, seat)})
        pairs += [[text, only_here] for only_here in sorted(then[0] ^ then[1])[:2]]
    return pairs


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
    yield "undo-turn", {"action": "ask"}
    if game.rules.order_fields():
        yield from (("orders", {"defend": value}) for value in ("best", "ask", "take everything"))


def answered(
    game: Game, state: State, path: str, fields: dict, browser: Client, headers: dict[str, str]
) -> tuple[object, bool]:
    """Return the answer in this position and whether an entry was written, then roll everything back."""
    url, seq = game.get_absolute_url(), again(game).seq

    with inside(game, state):
        for earlier in fields.get("before", ()):
            browser.post(f"{url}step", {"seq": seq, "action": earlier}, headers=SCRIPT)
        form = {name: value for name, value in fields.items() if name != "before"}
        return answer(browser.post(f"{url}{path}", {"seq": seq, **form}, headers=headers)), again(game).seq != seq


@contextmanager
def inside(game: Game, state: State) -> Iterator[None]:
    """Give the game this position and its seed, and roll everything back at the end."""
    with transaction.atomic():
        Snapshot.objects.filter(game=game).update(state=msgspec.json.encode(state).decode())
        Seed.objects.filter(game=game).update(secret=secret(state))
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("number", [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 8))])
def test_the_hint_in_a_game_and_its_twin_is_the_same(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seeded(monkeypatch, number)
    monkeypatch.setattr(search, "POSITIONS", 60)
    monkeypatch.setattr(reviews, "HINT_BUDGET", 60)
    alice, chance = person("Alice"), Quick(number)
    game = lobby.open_table(user=alice, players=2, bots=["easy"], rated=False, options=SWAMP)
    while True:  # until Alice's first turn with a token that she doesn't know
        go_on(again(game), chance, "medium")
        state = state_of(game)
        if 0 in owing(again(game)) and state.phase == TURN:
            other = twin(game.rules, state, 0, chance)
            if other.faces != state.faces:
                break
    url = reverse("hint", args=[game.public_id])
    browser = browser_of(alice)
    hints = []
    for position in (state, other):
        with inside(game, position):
            hints.append(answer(browser.get(url)))
    assert "Idea 1" in str(hints[0])
    assert hints[0] == hints[1]


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
