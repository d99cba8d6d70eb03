"""Learn Legends in three minutes: six turns, each with one card that the deal offers for few coins."""

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


USES = ("place", "move", "build", "destroy", "done")  # wherever the learner likes
CONFIRM = gettext_noop("Press Confirm to play your turn.")
TURNS = (
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
        gettext_noop(
            "Spread out to win more regions. Gray armies are a third color: they belong to nobody, but they count."
        ),
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
)


def due(before: View, view: View, is_complete: bool) -> Prompt | None:
    """Return the prompt. The number of the learner's cards tells which turn it is."""
    done = len(before.players[LEARNER].cards)
    if done >= len(TURNS):  # more in a lesson begun when it was longer
        return None
    turn = TURNS[done]
    if is_complete:
        return Prompt(done + 1, CONFIRM)
    if view.taken:
        return Prompt(done + 1, turn.use, turn.why, accepts=USES)
    return Prompt(done + 1, turn.take, turn.aim, accepts=(f"take {turn.card}",), marked=(turn.card,))


def teacher(view: View) -> tuple[str, ...]:
    return next((turn.answer for turn in TURNS[len(view.players[TEACHER].cards) :]), ())


LEGENDS = Lesson(
    slug="legends",
    minutes=3,
    steps=len(TURNS),
    seed=bytes.fromhex("0184e52d1c85c3d297f6db85c352aa7e8a900ce7f005a23bcf03185b8c954f9d"),
    options={"setter": 0},
    opening=((LEARNER, "bid 0"), (TEACHER, "bid 0"), (LEARNER, "first 0")),
    due=due,
    teacher=teacher,
    end=gettext_noop("That’s the game. In a full one, you take 11 cards."),
)
