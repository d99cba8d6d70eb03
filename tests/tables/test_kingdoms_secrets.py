"""Kingdoms: games that differ only in what a reader can't know read the same to them, to the byte (section 14).

The tests compare pages, fragments, lists, drafts, refusals, JSON, emails and chat. In each pair of games two hidden
cards have changed places, or a player has done the same with other cards.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.rules import log
from games.rules.fairness import Quick
from games.rules.registry import get
from games.tables.models import Entry, Game
from games.tables.selectors import position as positions
from games.tables.services import chat, play, records
from games.tables.services.play import give_orders
from tests.cast import again, person, seats_of, state_of
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, DAN, position, spelt
from tests.tables.family import seeded
from tests.tables.kingdoms import ASK, do, go_on, kingdoms, put
from tests.tables.readings import SCRIPT, answer, browser_of, difference, differing, look, readings, step_refusals

pytestmark = [pytest.mark.django_db, pytest.mark.early]
NAMES = ("Alice", "Bob", "Carol", "Dan")
DIGEST = re.compile(
    rb'"(?:digest|head)": ?"[0-9a-f]{64}"|(?:data-head|name="head" value)="[0-9a-f]{12}"'
    rb'| [0-9a-f]{12}(?=">\s*<h2 id="log-title")'
)
# The film plays the log, which these positions don't follow from; tests/boards/kingdoms/test_film.py compares films.
FILM = re.compile(
    rb'<script id="film".*?</script>\s*|<div id="film" data-kept></div>\s*'
    rb'|<button [^>]*id="film-play".*?</div>\s*</div>'
    rb'|(?<=<details id="since") open(?=>)',
    re.DOTALL,
)
SPACE = re.compile(rb"\s*\n\s*")
X, Y = "plum-attack-6-1", "wave-kingdom-queen-1"

Action = Callable[[Game], object]
T = TypeVar("T")


@pytest.fixture(autouse=True)
def nine_o_clock():
    with time_machine.travel("2027-03-01T09:00Z", tick=False):
        yield


@pytest.fixture
def people(db) -> list[User]:
    return [person(name) for name in NAMES]


@pytest.fixture
def game(people) -> Game:
    begun = kingdoms(*people, orders=ASK, options={"collusion": True})
    for reader in (*people, None):
        look(begun, reader)
    return begun


def everything(game: Game, reader: User | None) -> dict[str, object]:
    """Return everything that the reader can learn, without the film, and without digests, which the seed salts."""
    answers = readings(game, reader, history=False) | chat_page(game, reader)
    for seat in seats_of(game):
        if reader and seat.user_id == reader.pk:
            answers |= step_refusals(game, seat, attempts())
    return {key: comparable(content) for key, content in answers.items()}


def comparable(content: object) -> object:
    if isinstance(content, tuple):
        return tuple(comparable(part) for part in content)
    if isinstance(content, dict):
        return {name: comparable(part) for name, part in content.items()}
    if isinstance(content, str):
        return comparable(content.encode())
    # White space differs between pages with and without a film, and the random setup decides which one it is
    return SPACE.sub(b"\n", FILM.sub(b"", DIGEST.sub(b"", content))) if isinstance(content, bytes) else content


def chat_page(game: Game, reader: User | None) -> dict[str, object]:
    return {"chat": answer(browser_of(reader).get(f"{game.get_absolute_url()}chat/"))}


def attempts() -> list[str]:
    """Return actions that someone might send to find out who holds a card."""
    return [f"{verb} {card}" for verb in ("attack 1 with", "defend", "gift 1", "take") for card in (X, Y, "?")]


def glimpse(game: Game, reader: User | None) -> dict[str, object]:
    """Return the few answers that show everything the reader may know."""
    browser, url = browser_of(reader), game.get_absolute_url()
    responses = {"fragment": browser.get(url, headers=SCRIPT), "view": browser.get(f"{url}view.json")}
    return {name: comparable(answer(response)) for name, response in responses.items()} | chat_page(game, reader)


def reads_the_same(game: Game, readers: Iterable[User | None], *actions: Action) -> None:
    """Check that no reader can tell which of these actions was done."""
    results = [
        after(game, action, lambda: {reader: everything(game, reader) for reader in readers}) for action in actions
    ]
    for other in results[1:]:
        for reader, before in results[0].items():
            assert differing(before, other[reader]) == [], f"to {reader}: {difference(before, other[reader])}"


def after(game: Game, action: Action, read: Callable[[], T]) -> T:
    """Return what `read` returns after the action, then roll the action back."""
    with transaction.atomic():
        action(game)
        result = read()
        transaction.set_rollback(True)
    return result


def reads_differently(game: Game, reader: User | None, *actions: Action) -> None:
    """Check that a reader who may know the difference sees it, so that `reads_the_same` compares the right things."""
    first, second = (after(game, action, lambda: glimpse(game, reader)) for action in actions)
    assert differing(first, second)


def swapped(**more: Any) -> list[Mapping[str, Any]]:
    """Return two sets of hands, in which Bob and Dan have swapped a card."""
    common = {ALICE: "A4 sun-C9", CAROL: "A5"}
    bobs, dans = more.pop("bob", ""), more.pop("dan", "")
    return [
        {"hands": {**common, BOB: f"{bobs_card} {bobs}", DAN: f"{dans_card} {dans}"}, **more}
        for bobs_card, dans_card in (("plum-A6", "wave-Q"), ("wave-Q", "plum-A6"))
    ]


def played(hands: Mapping[str, Any], *steps: tuple[int, str]) -> Action:
    """Return an action that sets the position and then submits these steps."""

    def action(game: Game) -> None:
        put(game, position(4, **{"options": {"collusion": True}, **hands}))
        for seat, text in steps:
            do(game, seat, text)

    return action


def both(first: tuple[int, str], *others: tuple[int, str], **more: Any) -> list[Action]:
    return [played(hands, first, *others) for hands in swapped(**more)]


def test_hands_are_hidden(game, people):
    actions = [played(hands) for hands in swapped()]
    reads_the_same(game, [people[ALICE], people[CAROL], None], *actions)
    reads_differently(game, people[BOB], *actions)


@pytest.mark.long
def test_committed_troops_are_hidden(game, people):
    hands = {"hands": {ALICE: "A4 A6 C9", BOB: "A7", CAROL: "A5", DAN: "A8"}}
    actions = [played(hands, (ALICE, f"attack 1 with {card}")) for card in ("A4", "A6")]
    reads_the_same(game, [people[BOB], people[CAROL], None], *actions)
    reads_differently(game, people[ALICE], *actions)


@pytest.mark.long
def test_k82_the_first_of_two_defenses_is_hidden(game, people):
    hands = {"hands": {ALICE: "A8 C9", BOB: "A7", CAROL: "A5 E", DAN: "A8"}, "rulers": "- 2 - -"}
    before = ((ALICE, "attack 1 with A8"), (CAROL, "protect with"))
    actions = [played(hands, *before, (CAROL, f"defend {card}")) for card in ("A5", "E")]
    reads_the_same(game, [people[ALICE], people[BOB], people[DAN], None], *actions)
    reads_differently(game, people[CAROL], *actions)


@pytest.mark.long
def test_the_next_wave_after_a_tie_is_hidden(game, people):
    hands = {"hands": {ALICE: "A8 A4 A6", BOB: "A8 A7", CAROL: "A5"}, "towers": {BOB: "E"}}
    before = ((ALICE, "attack 1 with A8"), (BOB, "defend A8"))
    actions = [played(hands, *before, (ALICE, f"wave {card}")) for card in ("A4", "A6")]
    reads_the_same(game, [people[BOB], people[CAROL], None], *actions)


@pytest.mark.long
def test_blind_picks_are_hidden(game, people):
    actions = both((ALICE, "blind-pick 1"), rulers="- 0 - -")
    reads_the_same(game, [people[CAROL], None], *actions)
    reads_differently(game, people[ALICE], *actions)
    reads_differently(game, people[BOB], *actions)


@pytest.mark.long
def test_tribute_is_hidden(game, people):
    def action(hands: Mapping[str, Any]) -> Action:
        def paid(game: Game) -> None:
            state = position(4, **{"options": {"collusion": True}, **hands})
            state.queue = ("epic-fox",)
            state.hands[ALICE] = (*state.hands[ALICE], "epic-fox")
            state.deck.remove("epic-fox")
            put(game, state)
            do(game, ALICE, "tribute 1+2")

        return paid

    actions = [action(hands) for hands in swapped()]
    reads_the_same(game, [people[CAROL], None], *actions)
    reads_differently(game, people[ALICE], *actions)


@pytest.mark.long
def test_gifts_are_hidden(game, people):
    hands = {"hands": {ALICE: "A4 A6 C9", BOB: "A7", CAROL: "A5", DAN: "A8"}, "rulers": "- 0 - -"}
    actions = [played(hands, (ALICE, f"gift 1 {card}")) for card in ("A4", "A6")]
    reads_the_same(game, [people[CAROL], people[DAN], None], *actions)
    reads_differently(game, people[BOB], *actions)


@pytest.mark.long
def test_infiltrate_hides_the_look_and_the_taken_card(game, people):
    looks = [played({**hands, "hands": {**hands["hands"], ALICE: "A4 spymaster"}}, (ALICE, "boss spymaster 1"))
             for hands in swapped(bob="A7")]  # fmt: skip
    reads_the_same(game, [people[CAROL], None], *looks)
    reads_differently(game, people[ALICE], *looks)
    hands = {"hands": {ALICE: "A4 spymaster", BOB: "A7 wave-Q", CAROL: "A5", DAN: "A8"}}
    takes = [played(hands, (ALICE, "boss spymaster 1"), (ALICE, f"take {card}")) for card in ("A7", "Q")]
    reads_the_same(game, [people[CAROL], people[DAN], None], *takes)
    reads_differently(game, people[BOB], *takes)


@pytest.mark.long
def test_k54_values_within_a_band_and_k55_cards_not_shown_are_hidden(game, people):
    def rich(*cards: str) -> list[Action]:
        return [played({"hands": {ALICE: "A4", BOB: f"sun-E sun-Q pine-E pine-Q wave-E {bobs}", DAN: dans}})
                for bobs, dans in (cards, cards[::-1])]  # fmt: skip

    reads_the_same(game, [people[ALICE], people[CAROL], None], *rich("plum-A4", "plum-C12"))
    reads_differently(game, people[CAROL], *rich("", "plum-P plum-X pine-P pine-X wave-P"))


@pytest.mark.long
def test_drawn_cards_are_hidden(game, people):
    def draws(drawn: str, held: str) -> Action:
        hands = {ALICE: "A4", BOB: f"A5 {held}-A7"}
        return played({"hands": hands, "drawn": False, "deck": f"{drawn}-A7"}, (ALICE, "draw"))

    actions = [draws("sun", "wave"), draws("wave", "sun")]
    reads_the_same(game, [people[CAROL], None], *actions)
    reads_differently(game, people[ALICE], *actions)


@pytest.mark.long
def test_orders_are_hidden(game, people):
    def ordered(defence: str) -> Action:
        def action(game: Game) -> None:
            put(game, position(4, hands={ALICE: "A4"}, options={"collusion": True}))
            give_orders(game=game, seat=BOB, orders={"defend": defence})

        return action

    reads_the_same(game, [people[ALICE], people[CAROL], None], ordered("ask"), ordered("concede"))


@pytest.mark.long
def test_a_defense_by_standing_orders_reads_like_one_by_hand(game, people):
    """All but its time can be the same: an answer by orders changes the page together with the attack."""

    def defended(by_orders: bool) -> Action:
        def action(game: Game) -> None:
            hands = {ALICE: "A8 C9", BOB: "A7 A4", CAROL: "A5"}
            put(game, position(4, hands=hands, towers={BOB: "E"}, options={"collusion": True}))
            if by_orders:
                give_orders(game=game, seat=BOB, orders={"defend": "best", "protect": "ask"})
            do(game, ALICE, "attack 1 with A8")
            if not by_orders:
                do(game, BOB, "defend A7+A4")
            assert Entry.objects.filter(game=game).latest("seq").by == ("orders" if by_orders else "seat")
            Game.objects.filter(pk=game.pk).update(version=9)

        return action

    reads_the_same(game, [people[ALICE], people[CAROL], None], defended(by_orders=True), defended(by_orders=False))
    reads_differently(game, people[BOB], defended(by_orders=True), defended(by_orders=False))


@pytest.mark.long
def test_drafts_are_hidden(game, people):
    def laid_out(game: Game) -> None:
        played({"hands": {ALICE: "E A4", BOB: "A5"}})(game)
        text = spelt(state_of(game), ALICE, "build E")
        play.lay_out(game=game, who=ALICE, actions=[text], expected_seq=again(game).seq)

    nothing = played({"hands": {ALICE: "E A4", BOB: "A5"}})
    reads_the_same(game, [people[BOB], None], laid_out, nothing)
    reads_differently(game, people[ALICE], laid_out, nothing)


@pytest.mark.long
def test_k62_private_messages_are_hidden(game, people):
    def whispered(text: str) -> Action:
        def action(game: Game) -> None:
            put(game, position(4, hands={ALICE: "A4"}, options={"collusion": True}))
            if text:
                chat.say(public_id=game.public_id, user=people[ALICE], text=text, to=BOB)

        return action

    actions = [whispered("Attack Carol now, I shall protect you"), whispered("")]
    reads_the_same(game, [people[CAROL], people[DAN], None], *actions)
    reads_differently(game, people[BOB], *actions)


# Whole games


@pytest.mark.long
def test_records_of_running_games_name_only_cards_that_the_reader_has_seen(monkeypatch, people):
    seeded(monkeypatch, 3)
    game, chance = kingdoms(*people, options={"collusion": True}), Quick(3)
    for turn in range(90):
        if again(game).is_finished:
            break
        if turn % 10 == 9:
            for seat in (*range(4), None):
                _check_record(game, seat)
        go_on(game, chance, "random" if turn % 3 else "medium")


def _check_record(game: Game, seat: int | None) -> None:
    rules = get("kingdoms")
    record = json.loads(records.export_for(game=again(game), seats=seats_of(game), seat=seat))
    entries = json.dumps(record["entries"])
    unknown = set(rules.view(state_of(game), seat).hidden.deck)
    seen = json.dumps([
        log.stored(shown for fact in log.facts(rules, positions.plain(row)) if (shown := rules.seen(fact, seat)))
        for row in Entry.objects.filter(game=game)
    ])  # fmt: skip
    for card in unknown:
        assert f'"{card}"' in seen or card not in entries, f"{card} to seat {seat}"
    assert all(not entry["actions"] or entry["seat"] == seat or is_open(entry) for entry in record["entries"])


def is_open(entry: Mapping[str, Any]) -> bool:
    secret = ("attack", "defend", "wave", "gift", "take")
    return not any(text.split()[0] in secret for text in entry["actions"])


def test_staff_see_entries_of_running_games_like_spectators(game, people):
    chief = Client()
    boss = User.objects.create_superuser("Chief", "chief@example.org", "x")
    chief.force_login(boss, "django.contrib.auth.backends.ModelBackend")
    played({"hands": {ALICE: "A4 A6 C9", BOB: "A7", CAROL: "A5"}}, (ALICE, "attack 1 with A6"))(game)
    entry = Entry.objects.filter(game=game).latest("seq")
    pages = (reverse("admin:tables_entry_changelist"), reverse("admin:tables_entry_change", args=[entry.pk]))
    shown = "".join(chief.get(page).content.decode() for page in pages)
    assert "attack-6" not in shown and "&quot;count&quot;: 1" in shown
    Game.objects.filter(pk=game.pk).update(status="finished")
    assert "attack-6" in chief.get(pages[0]).content.decode()
