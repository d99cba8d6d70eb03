"""Whole games from sign-up to result by keyboard, by players who know only what the accessibility tree says."""

import re
import time
from collections.abc import Callable
from itertools import count

import pytest

from tests.browser.conftest import DESKTOP
from tests.browser.evening import Evening
from tests.browser.screen_reader import PATIENCE, Node, ScreenReader

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

PASSWORD = "a horse of four colours"
TURNS = 60  # more than two players take in a game of Legends, with bids
ACTIONS = 200  # more than three rounds of Kingdoms have
IS_OVER = re.compile(r"\b(won|wins?|share)\b", re.IGNORECASE)
IS_MINE = re.compile(r"^(Your turn|You won the bid|You may take)")
IS_STEP = re.compile(r"^(Place|Move|Build|Destroy|Choose what)\b(?!.*\bgives? up\b)(?!.*one of your armies)")
IS_SLOW = "Waiting for the server…"  # what comes after it tells what was done
CHOOSE = ("Move from ", "Choose what to do in ")
QUESTIONS = ("Keep playing", "Not yet")  # each has a link to answer no
numbers = count(1)


class Player(ScreenReader):
    """A player who knows only what the screen reader announces."""

    def sign_up(self, name: str) -> None:
        self.name = f"{name}{next(numbers)}"
        self.press("link", "Sign up")
        self.write("Player name", self.name)
        self.write("Email address", f"{self.name.lower()}@example.org")
        self.write("Password", PASSWORD)
        for box in self.find("checkbox", re.compile("^I accept")):  # a site may have terms
            self.go_to(box)
            self.page.keyboard.press("Space")
        self.press("button", "Sign up")
        self.wait_for("disclosure", f"Account menu: {self.name}")
        self.hear("we’ve emailed")

    def confirm_email(self) -> None:
        self.press("link", "Emails on this machine")
        self.press("link", re.compile(f"^Confirm your email address {self.name.lower()}@"))
        self.press("link", re.compile("confirm-email"))
        self.press("button", "Confirm")
        self.hear("You have confirmed")

    def go(self, menu: str, entry: str) -> None:
        self.press("disclosure", menu)
        self.press("link", entry)

    def hear(self, *parts: str) -> str:
        """Wait until the page has announced all of this. Return everything that it announced meanwhile."""
        announced, end = "", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            announced += self.heard.replace(IS_SLOW, "") + " "
            if all(part in announced for part in parts) and announced.strip():
                return announced.strip()
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{parts} was not announced, only {announced.strip()!r} on\n{self.aloud()}")

    def do(self, node: Node, key: str = "Enter") -> str:
        """Use a button or link at the table. The page must say what that did, and leave the focus somewhere."""
        self.heard  # noqa: B018  what was said before
        self.go_to(node)
        self.page.keyboard.press(key)
        announced = self.hear()
        assert self.focus, f"the focus is lost after {node}, which said {announced!r}"
        return announced

    def buttons(self, name: re.Pattern[str], where: list[Node] | None = None) -> list[Node]:
        """Return the buttons with such a name that can be pressed, on the page or in a part of it."""
        buttons = [node for node in (self.read() if where is None else where) if node.role == "button"]
        return [node for node in buttons if node.is_called(name) and node.states.get("disabled") not in (True, "true")]

    def answer(self) -> str:
        """Agree if the page asks a question. The button is described by the question. Return the announcement."""
        if not any(self.find("link", question) for question in QUESTIONS):
            return ""
        agreeing = [button for button in self.buttons(re.compile("")) if "?" in button.description]
        assert len(agreeing) == 1, self.aloud()
        return self.do(agreeing[0])

    def send(self, button: Node) -> None:
        """End the turn, even if something is given up, and send it at once, unless the five seconds are over sooner."""
        announced = self.do(button)
        if "sent in 5 seconds" not in (self.answer() or announced):
            return
        while now := self.find("button", "Send now"):
            self.page.keyboard.press("Enter" if self._focus() == now[0].key else "Tab")
        self.hear()
        assert self.focus, "the focus is lost after the turn was sent"


def mover_of(players: tuple[Player, ...]) -> Player | None:
    """Return the player who hears that it is their turn; None if the game is over."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        headings = [player.heading for player in players]
        if all(map(IS_OVER.search, headings)):
            return None
        for player, heading in zip(players, headings, strict=True):
            if IS_MINE.match(heading):
                return player
        players[0].page.wait_for_timeout(50)
    raise AssertionError(f"nobody knows whose turn it is: {headings}")


# Legends


def take_a_turn(player: Player, turn: int) -> str:
    """Do what is due in a game of Legends. Return the name of the card that was taken, if there was one."""
    heading = player.heading
    if "bid" in heading and "choose" not in heading:
        player.choose("1")
        player.do(player.wait_for("button", "Place bid"))
        return ""
    if "who goes first" in heading:
        player.do(player.wait_for("button", "Me"))
        return ""
    if "one more card" in heading:
        player.send(player.wait_for("button", "Take no card"))
        return ""
    cards = player.buttons(re.compile(r"Costs \d+ coin"))
    card = cards[turn % len(cards)]
    player.do(card)
    for step in range(4):
        if not lay_out_a_step(player, turn + step):
            break
    player.send(player.wait_for("button", "Confirm", "End turn"))
    return re.split(r"[,.]", card.name)[0].removeprefix("new ")


def lay_out_a_step(player: Player, which: int) -> bool:
    """Choose a step that gives nothing up, on the map or in the list of moves. Return whether there was one."""
    nodes = player.within("region", "Map")
    steps = [node for node in nodes if node.role == "link" and node.is_called(IS_STEP)] if which % 2 else []
    if not steps:
        folded = player.find("disclosure", "All possible moves as a list")
        if folded and not folded[0].states.get("expanded"):
            player.go_to(folded[0])
            player.page.keyboard.press("Enter")
        steps = player.buttons(IS_STEP)
    if not steps:
        return False
    step = steps[which % len(steps)]
    if step.name.startswith(CHOOSE):  # the page says what can be done there
        announced = player.do(step)
        steps = [button for button in player.buttons(IS_STEP) if button.name in announced]
        if not steps:
            player.do(player.wait_for("link", "Cancel"))
            return False
        step = steps[0]
    placed = re.match(r"Place an army in (.+)", step.name)
    before = armies_in(player, placed[1]) if placed else 0
    announced = player.do(step)
    region = re.split(r" to | in ", re.split(r" \(|:", step.name)[0])[-1]  # a long way is announced as its last part
    assert region in announced, f"{step} was not confirmed, only {announced!r}"
    player.answer()
    assert not placed or armies_in(player, placed[1]) == before + 1, player.aloud()
    return True


def armies_in(player: Player, region: str) -> int:
    """Return how many armies the map says that the player has in a region."""
    for node in player.within("region", "Map"):
        # A picture is named by what is in the region. A link is named by what it does, such as “Sunmouth: deselect”
        words = {"image": node.name, "link": node.description}.get(node.role, "")
        if words.startswith(f"{region}:"):
            count = re.search(rf"{player.name}[^(,;]* \([^)]+\) (\d+) arm", words)
            return int(count[1]) if count else 0
    raise AssertionError(f"the map does not tell what is in {region}:\n{player.aloud()}")


def play_legends(*players: Player) -> int:
    """Play to the end. Return the number of turns."""
    for turn in range(TURNS):
        if (mover := mover_of(players)) is None:
            return turn
        others = [player for player in players if player is not mover]
        for other in others:
            other.heard  # noqa: B018
        card = take_a_turn(mover, turn)
        for other in others if card else ():
            announced = other.hear(f"{mover.name} takes {card}")
            assert IS_MINE.search(announced) or "Your turn" in announced or IS_OVER.search(announced), announced
    raise AssertionError("the game did not end")


# Kingdoms

AT_ONCE = ("Draw", "Build", "Attack", "Defend")
BUY = ("Buy", "Pay with")
LEFT = ("Undo", "Start over", "Burn", "Return card", "End turn", "Confirm")


def play_kingdoms(player: Player) -> int:
    """Play to the end. Return the number of decisions."""
    bought = looked = False  # in this turn
    for action in range(ACTIONS):
        buttons, end = [], time.monotonic() + PATIENCE
        while not buttons and time.monotonic() < end:
            if IS_OVER.search(player.heading):
                return action
            buttons = [node for node in player.within("region", "Your options") if node.role in ("button", "link")]
        buttons = player.buttons(re.compile(""), buttons)
        at_once = [
            node for kind in (*AT_ONCE, *([] if bought else BUY)) for node in buttons if node.name.startswith(kind)
        ]
        others = [node for node in buttons if not node.name.startswith((*LEFT, *BUY))]
        advice = [node for node in player.within("navigation", "Suggested troops") if node.role == "link"]
        ends = [node for node in buttons if node.name in ("Confirm", "End turn")]
        if player.answer():
            continue
        if at_once:
            player.do(at_once[0])
            bought = bought or at_once[0].name.startswith("Buy")
        elif player.heading == "Your turn" and not bought and not looked:
            looked = True
            choose_to_buy(player)
        elif others or advice:
            player.do((others or advice)[0])
        elif ends:
            player.send(ends[0])
            bought = looked = False
        else:  # the page was read while an answer changed it
            player.page.wait_for_timeout(500)
    raise AssertionError(f"the game did not end:\n{player.aloud()}")


def choose_to_buy(player: Player) -> None:
    """Choose a card of the Flop, if there is one. The page says what it costs, and offers ways to pay for it."""
    wares = [node for node in player.within("group", "Cards in the Flop") if node.role == "checkbox"]
    if not wares:
        return
    ware = wares[0].name.removeprefix("new ").split(".")[0]
    announced = player.do(wares[0], "Space")
    assert f"Buy {ware} for" in announced, f"choosing {ware} said only {announced!r}"
    if not player.buttons(re.compile("^(Buy|Pay with)")):
        player.do(player.wait_for("link", "Clear"))


# The evenings


def sit_together(sit_down: Callable[..., Evening]) -> tuple[Player, Player]:
    """Two people sign up, and begin a game of Legends, for which one of them opens a table and invites the other."""
    players = tuple(Player(sit_down(viewport=DESKTOP).page) for _person in range(2))
    for player, name in zip(players, ("Ada", "Ben"), strict=True):
        player.page.goto("/")
        player.sign_up(name)
    ada, ben = players
    ben.confirm_email()
    ada.go("Play", "Open a table")
    ada.press("link", "With friends")
    ada.wait_for("heading", "Open a table")
    ada.choose("2")  # players
    ada.choose(re.compile("As in the rulebook"))  # with bids
    ada.write("Invite by name", ben.name)
    ada.press("button", "Open the table")
    ada.hear(f"{ben.name} is invited")
    ben.press("link", re.compile("^Desk"))
    ben.press("link", "See the invitation")
    ben.press("button", "Join the game")
    for player in (ben, ada):
        player.wait_for("heading", "Your turn: place your bid")
    return ada, ben


def total_of(player: Player) -> dict[str, int]:
    """Return the points by name, as the table of the result has them."""
    nodes = player.within("region", "Result")
    names = [node.name for node in nodes if node.role == "columnheader"][1:]
    last = max(place for place, node in enumerate(nodes) if node.role == "rowheader" and node.name == "Total")
    return dict(zip(names, [int(node.name) for node in nodes[last:] if node.role == "cell"], strict=False))


def test_a_turn_of_legends_with_a_screen_reader_alone(sit_down):
    player = Player(sit_down(viewport=DESKTOP).page)
    player.page.goto("/")
    player.name = "Guest"
    player.press("disclosure", "Opponents, rules and time")
    player.choose("As in the rulebook")
    player.choose(re.compile("^Easy"))
    player.press("button", "Play now against bots")
    card = ""
    for turn in range(4):
        if card := take_a_turn(mover_of((player,)) or player, turn):
            break
    assert any(node.name.endswith(f"takes {card} for free.") or card in node.name for node in player.read())


@pytest.mark.long
def test_a_whole_game_of_legends_with_screen_readers_alone(sit_down):
    players = sit_together(sit_down)
    assert play_legends(*players) > 20
    for player in players:
        points = total_of(player)
        best = [name for name in points if points[name] == max(points.values())]  # several, if a tie was broken
        assert player.heading == "You won" or any(name in player.heading for name in best), (player.heading, points)


@pytest.mark.long
def test_a_whole_game_of_kingdoms_with_a_screen_reader_alone(sit_down):
    player = Player(sit_down(viewport=DESKTOP).page)
    player.page.goto("/")
    player.sign_up("Cleo")
    player.go("Play", "Play now")
    player.wait_for("heading", "Play now")
    player.pick("Game", "King")
    player.choose("Three rounds")
    player.choose(re.compile("^Easy"))
    player.press("button", "Play now against bots")
    assert play_kingdoms(player) > 5
    words = " ".join(node.name for node in player.within("region", "Result"))
    assert "worth" in words and player.name in words
