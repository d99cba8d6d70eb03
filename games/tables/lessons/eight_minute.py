"""Learn a game of the family in three minutes: six turns, each with one card that the deal offers for few coins."""

from typing import NamedTuple

from games.rules.eight_minute.view import View
from games.rules.words import gettext_noop
from games.tables.lessons.lesson import LEARNER, TEACHER, Lesson, Prompt


class Turn(NamedTuple):
    """The learner's card with the sentences for taking and using it, and the teacher's turn after it."""

    card: str
    take: str
    use: str
    why: str
    answer: tuple[str, ...] = ()
    aim: str = ""  # with the sentence for taking it
    crosses: bool = False  # whether the learner is to move an army to another island


USES = ("place", "move", "build", "destroy", "done")  # wherever the learner likes
CONFIRM = gettext_noop("Press Confirm to play your turn.")
CROSS = gettext_noop("No army has crossed the water yet. Undo a move to try it, or press Confirm.")
SPREAD_OUT = gettext_noop(
    "Spread out to win more regions. Gray armies are a third color: they belong to nobody, but they count."
)
TURNS = {
    "legends": (
        Turn(
            "ancient-tree-spirit",
            gettext_noop("Take the Ancient Tree Spirit."),
            gettext_noop("Place 4 armies: tap the outlined region."),
            gettext_noop("The most armies in a region: 1 point."),
            ("take forest-gnome", "move i2 i1", "move i2 i1"),
            gettext_noop("Use its action now, and keep its power. The player with the most points wins."),
        ),
        Turn(
            "ancient-phoenix",
            gettext_noop("Take the Ancient Phoenix."),
            gettext_noop("Move armies: tap your region, then the next one."),
            SPREAD_OUT,
            ("take cursed-gargoyles", "move i2 i3"),
        ),
        Turn(
            "cursed-tower",
            gettext_noop("Take the Cursed Tower."),
            gettext_noop("Build a city where you have an army."),
            gettext_noop("It counts as an army, and new armies can start there."),
            ("take cursed-king", "place i2", "place i2", "place i2"),
        ),
        Turn(
            "cursed-banshee",
            gettext_noop("Take the Cursed Banshee. It costs 1 coin."),
            gettext_noop("Move an army across the water. That uses 2 moves."),
            gettext_noop("The most regions on an island: 1 point."),
            ("take cursed-mausoleum", "build i1"),
            crosses=True,
        ),
        Turn(
            "dire-giant",
            gettext_noop("Take the Dire Giant."),
            gettext_noop("Place 3 armies, then destroy one of the teacher’s."),
            gettext_noop("Tap a region where you both have armies."),
            ("take dire-ogre", "move i2 i1"),
        ),
        Turn(
            "ancient-sage",
            gettext_noop("Take the Ancient Sage: 1 point for each Ancient card."),
            gettext_noop("Make your last 3 moves."),
            gettext_noop("Watch your points change before you confirm."),
        ),
    ),
    "prototype": (
        Turn(
            "ancient-tree-spirit",
            gettext_noop("Take the Ancient Tree Spirit."),
            gettext_noop("Place 4 armies: tap the outlined region."),
            gettext_noop("Everyone starts in this region. The most armies in a region: 1 point."),
            ("take cursed-king", "move m4 m2", "move m4 m3"),
            gettext_noop("Use its action now, and keep its power. The player with the most points wins."),
        ),
        Turn(
            "cursed-banshee",
            gettext_noop("Take the Cursed Banshee. It costs 1 coin."),
            gettext_noop("Move armies: tap your region, then the next one."),
            SPREAD_OUT,
            ("take night-hydra", "move m4 m5"),
        ),
        Turn(
            "cursed-mausoleum",
            gettext_noop("Take the Cursed Mausoleum: 1 more move each time."),
            gettext_noop("Build a city where you have an army."),
            gettext_noop("It counts as an army, and new armies can start there."),
            ("take dire-dragon", "place m4", "place m4", "place m4"),
        ),
        Turn(
            "ancient-sage",
            gettext_noop("Take the Ancient Sage: 1 point for each Ancient card."),
            gettext_noop("Move an army across the water. That uses 3 moves."),
            gettext_noop("The most regions on a continent: 1 point."),
            ("take noble-hills", "place m4"),
            crosses=True,
        ),
        Turn(
            "noble-knight",
            gettext_noop("Take the Noble Knight."),
            gettext_noop("Place 4 armies, then destroy one of the teacher’s."),
            gettext_noop("Tap a region where you both have armies."),
            ("take noble-unicorn", "move m4 m3"),
        ),
        Turn(
            "dire-ogre",
            gettext_noop("Take the Dire Ogre: 1 point for every 2 coins you have left."),
            gettext_noop("Make your last moves."),
            gettext_noop("Watch your points change before you confirm."),
            aim=gettext_noop("In Legends, it takes 3 coins."),
        ),
    ),
    "classic": (
        Turn(
            "o02",
            gettext_noop("Take the Crystal. It costs 1 coin."),
            gettext_noop("Place 2 armies: tap the outlined region."),
            gettext_noop("The most armies in a region: 1 point."),
            ("take o24", "build a12"),
            gettext_noop("Use its action now, and keep its good. The player with the most points wins."),
        ),
        Turn(
            "o35",
            gettext_noop("Take the Anvil with 4 moves."),
            gettext_noop("Move armies: tap your region, then the next one."),
            SPREAD_OUT,
            ("take o40", "place a12", "place a12"),
        ),
        Turn(
            "o31",
            gettext_noop("Take the Anvil that builds a city."),
            gettext_noop("Build a city where you have an army."),
            gettext_noop("It counts as an army, and new armies can start there."),
            ("take o25", "place a12"),
            gettext_noop("2 Anvils are worth 1 point, 4 are worth 2."),
        ),
        Turn(
            "o34",
            gettext_noop("Take the Anvil with the ship."),
            gettext_noop("Move an army across the water. That uses 1 move."),
            gettext_noop("The most regions on a continent: 1 point."),
            ("take o37", "move a12 a13", "move a12 a16"),
            gettext_noop("Without a ship, armies can’t cross the water."),
            crosses=True,
        ),
        Turn(
            "o15",
            gettext_noop("Take the Carrot."),
            gettext_noop("Destroy one of the teacher’s armies anywhere, and place one army."),
            gettext_noop("In either order."),
            ("take o03", "place a12"),
        ),
        Turn(
            "o41",
            gettext_noop("Take the Wild card: one more of any good you have."),
            gettext_noop("Make your last 2 moves."),
            gettext_noop("Watch your points change before you confirm."),
            aim=gettext_noop("It counts where it brings you the most."),
        ),
    ),
}


def due(before: View, view: View, is_complete: bool) -> Prompt | None:
    """Return the prompt. The number of the learner's cards tells which turn it is."""
    turns, done = TURNS[view.ruleset], len(before.players[LEARNER].cards)
    if done >= len(turns):  # more in a lesson begun when it was longer
        return None
    turn = turns[done]
    if is_complete:
        has_crossed = _armies_by_island(view) != _armies_by_island(before)
        return Prompt(done + 1, CROSS if turn.crosses and not has_crossed else CONFIRM)
    if view.taken:
        return Prompt(done + 1, turn.use, turn.why, accepts=USES)
    return Prompt(done + 1, turn.take, turn.aim, accepts=(f"take {turn.card}",), marked=(turn.card,))


def _armies_by_island(view: View) -> list[int]:
    """Return how many armies the learner has on each island."""
    return [sum(view.regions[region].armies[LEARNER] for region in regions) for regions, _holder in view.islands]


def teacher(view: View) -> tuple[str, ...]:
    return next((turn.answer for turn in TURNS[view.ruleset][len(view.players[TEACHER].cards) :]), ())


LEGENDS = Lesson(
    slug="legends",
    minutes=3,
    steps=len(TURNS["legends"]),
    seed=bytes.fromhex("0184e52d1c85c3d297f6db85c352aa7e8a900ce7f005a23bcf03185b8c954f9d"),
    options={"setter": 0},
    opening=((LEARNER, "bid 0"), (TEACHER, "bid 0"), (LEARNER, "first 0")),
    due=due,
    teacher=teacher,
    end=gettext_noop("That’s the game. In a full one, you take 11 cards."),
)
PROTOTYPE = Lesson(
    slug="prototype",
    minutes=3,
    steps=len(TURNS["prototype"]),
    seed=bytes.fromhex("b7a6eb653d526fbe8e91aa820b334ca31ecf86e87516b109e0eaeb1fbfdaf798"),
    options={"setter": 0},
    opening=((LEARNER, "bid 0"), (TEACHER, "bid 0")),  # the learner wins the tie, and so goes first
    due=due,
    teacher=teacher,
    end=gettext_noop("That’s the game. In a full one, two players take 13 cards each."),
)
CLASSIC = Lesson(
    slug="classic",
    minutes=3,
    steps=len(TURNS["classic"]),
    seed=bytes.fromhex("d75ca9c968752d4bb242e3fc96d9859761914bbd56a88babecd864157956f7dc"),
    options={"setter": 0},
    opening=((LEARNER, "bid 0"), (TEACHER, "bid 0"), (LEARNER, "first 0")),
    due=due,
    teacher=teacher,
    end=gettext_noop("That’s the game. In a full one, two players take 13 cards each."),
)
