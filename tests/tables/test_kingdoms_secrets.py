"""Kingdoms: what differs only in what somebody cannot know reads the same to them, to the byte (section 14).

Pages, fragments, the lists of the site, drafts, refusals, what programs get, mails and talk are compared. In each pair
two hidden cards have changed places, or somebody has done the same with other cards.
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
from tests.tables.readings import SCRIPT, answer, browser_of, differing, look, readings, refused

pytestmark = [pytest.mark.django_db, pytest.mark.early]
NAMES = ("Alice", "Bob", "Carol", "Dan")
DIGEST = re.compile(rb'"digest": ?"[0-9a-f]{64}"|(?:data-head|name="head" value)="[0-9a-f]{12}"')
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
    for one in (*people, None):
        look(begun, one)
    return begun


def everything(game: Game, reader: User | None) -> dict[str, object]:
    """What the reader can get hold of. Digests, whole or short, are salted with the seed, and left out here."""
    found = readings(game, reader, history=False) | talk(game, reader)
    for seat in seats_of(game):
        if reader and seat.user_id == reader.pk:
            found |= refused(game, seat, attempts())
    return {asked: without_digests(content) for asked, content in found.items()}


def without_digests(content: object) -> object:
    if isinstance(content, tuple):
        return tuple(without_digests(part) for part in content)
    if isinstance(content, str):
        return without_digests(content.encode())
    return DIGEST.sub(b"", content) if isinstance(content, bytes) else content


def talk(game: Game, reader: User | None) -> dict[str, object]:
    return {"talk": answer(browser_of(reader).get(f"{game.get_absolute_url()}talk/"))}


def attempts() -> list[str]:
    """What somebody would send who tries to find out who holds a card."""
    return [f"{verb} {one}" for verb in ("attack 1 with", "defend", "gift 1", "take") for one in (X, Y, "?")]


def glimpse(game: Game, reader: User | None) -> dict[str, object]:
    """The least that tells of everything that can be known."""
    browser, url = browser_of(reader), game.get_absolute_url()
    asked = {"fragment": browser.get(url, headers=SCRIPT), "view": browser.get(f"{url}view.json")}
    return {name: without_digests(answer(response)) for name, response in asked.items()} | talk(game, reader)


def reads_the_same(game: Game, readers: Iterable[User | None], *actions: Action) -> None:
    """Whatever of these has been done, all readers find the same."""
    found = [
        after(game, action, lambda: {reader: everything(game, reader) for reader in readers}) for action in actions
    ]
    for other in found[1:]:
        for reader, before in found[0].items():
            assert differing(before, other[reader]) == [], f"to {reader}"


def after(game: Game, action: Action, read: Callable[[], T]) -> T:
    """What is found when it has been done; then it is taken back."""
    with transaction.atomic():
        action(game)
        found = read()
        transaction.set_rollback(True)
    return found


def tells(game: Game, reader: User | None, *actions: Action) -> None:
    """Who may know the difference is told: so that the comparison does compare what it should."""
    one, other = (after(game, action, lambda: glimpse(game, reader)) for action in actions)
    assert differing(one, other)


def swapped(**more: Any) -> list[Mapping[str, Any]]:
    """Two sets of hands: Bob and Dan hold each other's card."""
    common = {ALICE: "A4 sun-C9", CAROL: "A5"}
    bobs, dans = more.pop("bob", ""), more.pop("dan", "")
    return [
        {"hands": {**common, BOB: f"{one} {bobs}", DAN: f"{other} {dans}"}, **more}
        for one, other in (("plum-A6", "wave-Q"), ("wave-Q", "plum-A6"))
    ]


def played(hands: Mapping[str, Any], *steps: tuple[int, str]) -> Action:
    """Put the position and do the steps."""

    def action(game: Game) -> None:
        put(game, position(4, **{"options": {"collusion": True}, **hands}))
        for seat, text in steps:
            do(game, seat, text)

    return action


def both(one: tuple[int, str], *others: tuple[int, str], **more: Any) -> list[Action]:
    return [played(hands, one, *others) for hands in swapped(**more)]


def test_hands(game, people):
    actions = [played(hands) for hands in swapped()]
    reads_the_same(game, [people[ALICE], people[CAROL], None], *actions)
    tells(game, people[BOB], *actions)


@pytest.mark.long
def test_committed_troops(game, people):
    hands = {"hands": {ALICE: "A4 A6 C9", BOB: "A7", CAROL: "A5", DAN: "A8"}}
    actions = [played(hands, (ALICE, f"attack 1 with {one}")) for one in ("A4", "A6")]
    reads_the_same(game, [people[BOB], people[CAROL], None], *actions)
    tells(game, people[ALICE], *actions)


@pytest.mark.long
def test_k82_the_first_of_two_defences(game, people):
    hands = {"hands": {ALICE: "A8 C9", BOB: "A7", CAROL: "A5 E", DAN: "A8"}, "rulers": "- 2 - -"}
    before = ((ALICE, "attack 1 with A8"), (CAROL, "protect with"))
    actions = [played(hands, *before, (CAROL, f"defend {one}")) for one in ("A5", "E")]
    reads_the_same(game, [people[ALICE], people[BOB], people[DAN], None], *actions)
    tells(game, people[CAROL], *actions)


@pytest.mark.long
def test_the_next_wave_after_a_tie(game, people):
    hands = {"hands": {ALICE: "A8 A4 A6", BOB: "A8 A7", CAROL: "A5"}, "towers": {BOB: "E"}}
    before = ((ALICE, "attack 1 with A8"), (BOB, "defend A8"))
    actions = [played(hands, *before, (ALICE, f"wave {one}")) for one in ("A4", "A6")]
    reads_the_same(game, [people[BOB], people[CAROL], None], *actions)


@pytest.mark.long
def test_blind_picks(game, people):
    actions = both((ALICE, "blind-pick 1"), rulers="- 0 - -")
    reads_the_same(game, [people[CAROL], None], *actions)
    tells(game, people[ALICE], *actions)
    tells(game, people[BOB], *actions)


@pytest.mark.long
def test_tribute(game, people):
    def action(hands: Mapping[str, Any]) -> Action:
        def paid(game: Game) -> None:
            state = position(4, **{"options": {"collusion": True}, **hands})
            state.queue = ("epic-fox",)
            state.hands[ALICE], state.deck = (*state.hands[ALICE], "epic-fox"), tuple(
                one for one in state.deck if one != "epic-fox"
            )  # fmt: skip
            put(game, state)
            do(game, ALICE, "tribute 1+2")

        return paid

    actions = [action(hands) for hands in swapped()]
    reads_the_same(game, [people[CAROL], None], *actions)
    tells(game, people[ALICE], *actions)


@pytest.mark.long
def test_gifts(game, people):
    hands = {"hands": {ALICE: "A4 A6 C9", BOB: "A7", CAROL: "A5", DAN: "A8"}, "rulers": "- 0 - -"}
    actions = [played(hands, (ALICE, f"gift 1 {one}")) for one in ("A4", "A6")]
    reads_the_same(game, [people[CAROL], people[DAN], None], *actions)
    tells(game, people[BOB], *actions)


@pytest.mark.long
def test_infiltrate_the_look_and_what_is_taken(game, people):
    looks = [played({**hands, "hands": {**hands["hands"], ALICE: "A4 spymaster"}}, (ALICE, "boss spymaster 1"))
             for hands in swapped(bob="A7")]  # fmt: skip
    reads_the_same(game, [people[CAROL], None], *looks)
    tells(game, people[ALICE], *looks)
    hands = {"hands": {ALICE: "A4 spymaster", BOB: "A7 wave-Q", CAROL: "A5", DAN: "A8"}}
    takes = [played(hands, (ALICE, "boss spymaster 1"), (ALICE, f"take {one}")) for one in ("A7", "Q")]
    reads_the_same(game, [people[CAROL], people[DAN], None], *takes)
    tells(game, people[BOB], *takes)


@pytest.mark.long
def test_k54_a_value_within_its_band_and_k55_what_is_not_shown(game, people):
    def rich(*cards: str) -> list[Action]:
        return [played({"hands": {ALICE: "A4", BOB: f"sun-E sun-Q pine-E pine-Q wave-E {one}", DAN: other}})
                for one, other in (cards, cards[::-1])]  # fmt: skip

    reads_the_same(game, [people[ALICE], people[CAROL], None], *rich("plum-A4", "plum-C12"))
    tells(game, people[CAROL], *rich("", "plum-P plum-X pine-P pine-X wave-P"))


@pytest.mark.long
def test_what_is_drawn(game, people):
    def draws(one: str, other: str) -> Action:
        hands = {ALICE: "A4", BOB: f"A5 {other}-A7"}
        return played({"hands": hands, "drawn": False, "deck": f"{one}-A7"}, (ALICE, "draw"))

    actions = [draws("sun", "wave"), draws("wave", "sun")]
    reads_the_same(game, [people[CAROL], None], *actions)
    tells(game, people[ALICE], *actions)


def test_orders(game, people):
    def ordered(defence: str) -> Action:
        def action(game: Game) -> None:
            put(game, position(4, hands={ALICE: "A4"}, options={"collusion": True}))
            give_orders(game=game, seat=BOB, orders={"defend": defence})

        return action

    reads_the_same(game, [people[ALICE], people[CAROL], None], ordered("ask"), ordered("concede"))


def test_a_defence_by_standing_orders_reads_like_one_by_hand(game, people):
    """When it was played aside: at the moment of the attack, which is one change of the page and not two."""

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
    tells(game, people[BOB], defended(by_orders=True), defended(by_orders=False))


def test_drafts(game, people):
    def laid_out(game: Game) -> None:
        played({"hands": {ALICE: "E A4", BOB: "A5"}})(game)
        text = spelt(state_of(game), ALICE, "build E")
        play.lay_out(game=game, seat=ALICE, actions=[text], expected_seq=again(game).seq)

    nothing = played({"hands": {ALICE: "E A4", BOB: "A5"}})
    reads_the_same(game, [people[BOB], None], laid_out, nothing)
    tells(game, people[ALICE], laid_out, nothing)


def test_k62_whispers(game, people):
    def whispered(text: str) -> Action:
        def action(game: Game) -> None:
            put(game, position(4, hands={ALICE: "A4"}, options={"collusion": True}))
            if text:
                chat.say(public_id=game.public_id, user=people[ALICE], text=text, to=BOB)

        return action

    actions = [whispered("Attack Carol now, I shall protect you"), whispered("")]
    reads_the_same(game, [people[CAROL], people[DAN], None], *actions)
    tells(game, people[BOB], *actions)


# Whole games


def test_no_record_of_a_running_game_names_a_card_that_its_reader_has_never_seen(monkeypatch, people):
    seeded(monkeypatch, 3)
    game, chance = kingdoms(*people, options={"collusion": True}), Quick(3)
    for turn in range(90):
        if again(game).is_finished:
            break
        if turn % 10 == 9:
            for seat in (*range(4), None):
                _check_record(game, seat)
        go_on(game, chance, "random" if turn % 3 else "greedy")


def _check_record(game: Game, seat: int | None) -> None:
    rules = get("kingdoms")
    told = json.loads(records.export_for(game=again(game), seats=seats_of(game), seat=seat))
    entries = json.dumps(told["entries"])
    unknown = set(rules.view(state_of(game), seat).hidden.deck)
    seen = json.dumps([
        log.stored(one for one in (rules.seen(event, seat) for event in log.facts(rules, positions.plain(row))) if one)
        for row in Entry.objects.filter(game=game)
    ])  # fmt: skip
    for one in unknown:
        assert f'"{one}"' in seen or one not in entries, f"{one} to seat {seat}"
    assert all(not entry["actions"] or entry["seat"] == seat or is_open(entry) for entry in told["entries"])


def is_open(entry: Mapping[str, Any]) -> bool:
    secret = ("attack", "defend", "wave", "gift", "take")
    return not any(text.split()[0] in secret for text in entry["actions"])


def test_those_who_run_the_site_see_entries_of_running_games_as_watchers_do(game, people):
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
