"""Learn Kingdoms in five minutes: three rounds with a purchase, a Tower, a defense, a hand worth 100 and a battle."""

from typing import NamedTuple

from games.rules.kingdoms.state import DEFEND
from games.rules.kingdoms.view import View
from games.rules.words import gettext_noop
from games.tables.lessons.lesson import LEARNER, Lesson, Prompt

EMPEROR, SECOND_EMPEROR = "pine-kingdom-emperor-1", "wave-kingdom-emperor-2"
BEARER, RIDER, TACTICIAN, HEALER = "wave-support-3-1", "plum-attack-6-1", "plum-champion-10-1", "sun-support-2-1"
SWORDSMAN, GENERAL = "pine-attack-7-1", "plum-champion-12-1"  # the teacher's


class Step(NamedTuple):
    action: str
    todo: str
    why: str = ""
    marked: tuple[str, ...] = ()


CONFIRM = gettext_noop("Press Confirm.")
STEPS = (
    Step(
        "draw",
        gettext_noop("Draw a card."),
        gettext_noop(
            "Every turn starts like this. You win with four Towers, by ruling everyone, or with a hand worth 300."
        ),
    ),
    Step(
        f"buy {BEARER}+{RIDER} for {EMPEROR}",
        gettext_noop("Buy the Emperor: tap him in the Flop, then your Standard Bearer and Rider."),
        gettext_noop("The dots must match: 2 and 2 for 4."),
        (EMPEROR, BEARER, RIDER),
    ),
    Step(
        f"build {EMPEROR}",
        gettext_noop("Build the Emperor as a Tower."),
        gettext_noop("A Tower guards your Castle and draws you 1 more card each turn."),
        (EMPEROR,),
    ),
    Step("end", gettext_noop("End your turn.")),
    Step("draw", gettext_noop("Draw your 2 cards.")),
    Step(
        "end",
        gettext_noop("End your turn."),
        gettext_noop("Your hand is worth 99. At 100, everyone is notified, and at 300, you win."),
    ),
    Step(
        f"defend {TACTICIAN}",
        gettext_noop("You are attacked: defend with the Tactician."),
        gettext_noop("The higher total takes the whole Flop."),
        (TACTICIAN,),
    ),
    Step("draw", gettext_noop("You won the Flop, and your hand is now worth more than 100. Draw."), ""),
    Step(
        f"attack 1 with {HEALER}+{SECOND_EMPEROR}",
        gettext_noop("Attack with the Emperor and the Healer."),
        gettext_noop("A Kingdom Hero is 21, and one Support adds to it: 23."),
        (SECOND_EMPEROR, HEALER),
    ),
)


def due(before: View, view: View, is_complete: bool) -> Prompt | None:
    """Return the prompt. The round, the phase and the learner's cards tell which step it is."""
    if before.over:
        return None
    learner, has_drawn = view.players[LEARNER], view.flags.drawn
    if before.phase == DEFEND:
        number = 6
    elif view.phase == DEFEND:  # the learner's attack is laid out
        number = 8
    elif view.round == 1:
        number = 0 if not has_drawn else 1 if EMPEROR in view.flop else 2 if EMPEROR in learner.hand else 3
    else:
        number = {2: 4, 3: 7}.get(view.round, len(STEPS)) + has_drawn
    if number >= len(STEPS):  # in a lesson begun when it was longer
        return None
    step = STEPS[number]
    if is_complete:
        return Prompt(number + 1, CONFIRM)
    return Prompt(number + 1, step.todo, step.why, (step.action,), step.marked)


def teacher(view: View) -> tuple[str, ...]:
    if view.phase == DEFEND:
        return (f"defend {GENERAL}",)
    return ("draw", f"attack {LEARNER} with {SWORDSMAN}", "end") if view.round == 2 else ("draw", "end")


KINGDOMS = Lesson(
    slug="kingdoms",
    minutes=5,
    steps=len(STEPS),
    seed=bytes.fromhex("584f4625ae5fd0ae202119232fed924212ed5778542c3197cd42d1fc8423a301"),
    options={"mode": "quickplay", "opening_truce": "1"},
    opening=(),
    due=due,
    teacher=teacher,
    end=gettext_noop("You rule the teacher. Ruling everyone wins longer games; here the best hand won."),
    orders={"defend": "ask"},
)
