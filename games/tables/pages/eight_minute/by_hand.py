"""Set-up by hand, for the seat that does it: its progress, and the choice that is due with all its options.

A board needs three choices: side, place and rotation. They can be made in any order; the last one places the board.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.boards.eight_minute.geometry import drawn, region_name
from games.boards.eight_minute.lying import PLACE_NAMES, side_thumbnail
from games.help.eight_minute.words import token_name
from games.rules.eight_minute import boards
from games.rules.eight_minute.boards import boards_needed
from games.rules.eight_minute.state import LAY, NEUTRAL, OUTPOST, START, TOKENS
from games.rules.eight_minute.tokens import to_lay
from games.rules.eight_minute.view import View
from games.rules.words import labelled
from games.tables.pages.eight_minute.choices import Choice, Picked, Spot
from games.tables.pages.eight_minute.players import effect

ROTATIONS = (
    gettext_noop("upright"), gettext_noop("turned right"), gettext_noop("upside down"),
    gettext_noop("turned left"),
)  # fmt: skip
ARROWS = ("↑", "→", "↓", "←")  # where the top of a board points, by number of quarter turns
BUTTONS = {
    START: gettext_noop("Start here"),
    OUTPOST: gettext_noop("Overseas army here"),
    NEUTRAL: gettext_noop("Third-color army here"),
}
SENTENCES = {
    START: gettext_noop("Start in {region}"),
    OUTPOST: gettext_noop("Overseas army in {region}"),
    NEUTRAL: gettext_noop("Third-color army in {region}"),
}


@dataclass(frozen=True)
class Stage:
    """A part of the set-up, `done` out of `total`. `is_current`: it is the one that is due."""

    words: str
    done: int
    total: int
    is_current: bool

    @property
    def is_done(self) -> bool:
        return self.done >= self.total


@dataclass(frozen=True)
class Pick:
    """A selectable option: its name, the query that selects it, and whether it is selected."""

    id: str
    name: str
    query: str
    picked: bool
    words: str = ""
    n: int = 0
    picture: str = ""


@dataclass(frozen=True)
class Rotation:
    """A rotation of the selected board in the selected place, by a number of quarter turns."""

    choice: Choice
    turns: int
    picture: str


@dataclass(frozen=True)
class ByHand:
    """The choice that is due; `phase` is empty when the seat's part is done."""

    phase: str
    hint: str
    stages: tuple[Stage, ...]
    sides: tuple[Pick, ...] = ()
    places: tuple[Pick, ...] = ()
    rotations: tuple[Rotation, ...] = ()
    tray: tuple[Pick, ...] = ()
    side: str = ""
    deselect_side: str = ""  # the query that does

    @property
    def picture(self) -> str:
        return side_thumbnail(self.side, 0)

    @property
    def current_stage(self) -> Stage | None:
        return next((stage for stage in self.stages if stage.is_current), None)

    @property
    def side_name(self) -> str:
        return _(drawn(self.side).title) if self.side else ""


def by_hand(view: View, picked: Picked, draft: Sequence[str], *, is_done: bool) -> ByHand:
    """Return the seat's choice with the current selection. With `is_done` its part only needs confirmation."""
    phase, rules = "" if is_done else view.phase, view.hidden.rules
    stages = _stages(view, phase)
    if phase == LAY:
        return _laying(view, picked, stages)
    if phase == TOKENS:
        chosen, left = picked_token(view, picked, draft), Counter(view.setup.tokens if view.setup else ())
        hint = _("{token}. {effect} Tap a region to place it.")
        tray = tuple(
            Pick(token, token_name(token), selecting(token=token), token == chosen, effect(token, view), n)
            for token, n in left.items()
        )
        return ByHand(phase, hint.format(token=token_name(chosen), effect=effect(chosen, view)), stages, tray=tray)
    if phase == START:
        n = rules.start_armies
        hint = ngettext(
            "Each player starts with {n} army there. Tap a marked region.",
            "Each player starts with {n} armies there. Tap a marked region.",
            n,
        ).format(n=n)
    elif phase == OUTPOST:
        hint = _("Each player starts with one more army there, overseas. Tap a marked region.")
    elif phase == NEUTRAL:
        hint = _(
            "Nobody plays the third color, but its armies count for control. Take turns placing them: tap any region."
        )
    else:
        hint = _("Nobody has seen your setup yet. It becomes final when you confirm it.")
    return ByHand(phase, hint, stages)


def _stages(view: View, phase: str) -> tuple[Stage, ...]:
    """Return all parts of the set-up at this table, in order."""
    state, setup = view.hidden, view.setup
    assert setup is not None
    rules, tokens = state.rules, to_lay(state.rules, state.options, state.players)
    stages = []
    if rules.start_rule != "printed":
        stages.append(Stage(_("Boards"), len(state.map.laid), boards_needed(setup.shape), phase == LAY))
        stages.append(Stage(_("Start region"), int(bool(view.start)), 1, phase == START))
    if rules.outpost_armies:
        stages.append(Stage(_("Overseas region"), int(bool(view.outpost)), 1, phase == OUTPOST))
    if tokens:
        stages.append(Stage(_("Tokens"), len(tokens) - len(setup.tokens), len(tokens), phase == TOKENS))
    if state.colours > state.players:
        placed = rules.third_colour - setup.third_colour
        stages.append(Stage(_("Third color"), placed, rules.third_colour, phase == NEUTRAL))
    return tuple(stages)


def _laying(view: View, picked: Picked, stages: tuple[Stage, ...]) -> ByHand:
    """Return the sides, places and rotations that fit what is selected. An only place is selected automatically."""
    options = [(side, place, int(turns)) for _verb, side, place, turns in map(str.split, view.legal)]
    chosen_side = picked.side if any(side == picked.side for side, _place, _turns in options) else ""
    places = sorted({place for side, place, _turns in options if chosen_side in ("", side)}, key=boards.PLACES.index)
    chosen_place = picked.place if picked.place in places else places[0] if chosen_side and len(places) == 1 else ""
    sides = {side for side, place, _turns in options if chosen_place in ("", place)}
    rotations = [turns for side, place, turns in options if (side, place) == (chosen_side, chosen_place)]
    if chosen_side and chosen_place:
        hint = _("Choose its rotation. Boards connect where dotted lines meet.")
    elif chosen_side:
        hint = _("Tap a free place on the table for this board.")
    elif chosen_place:
        hint = _("Choose the board and side for this place: {place}.").format(place=_(PLACE_NAMES[chosen_place]))
    else:
        hint = _("Choose the next board and its side.")
    return ByHand(
        view.phase, hint, stages,
        sides=tuple(
            Pick(
                side, _(drawn(side).title), selecting(side=side, place=chosen_place), side == chosen_side,
                picture=side_thumbnail(side, 0),
            )
            # Both sides of a board together
            for side in sorted(sides, key=lambda side: (boards.sides()[side].board, side))
        ),
        places=tuple(
            Pick(place, _(PLACE_NAMES[place]), selecting(side=chosen_side, place=place), place == chosen_place)
            for place in places
        ),
        rotations=tuple(
            Rotation(lay_choice(chosen_side, chosen_place, turns), turns, side_thumbnail(chosen_side, turns))
            for turns in rotations
        ),
        side=chosen_side, deselect_side=selecting(place=chosen_place),
    )  # fmt: skip


def lay_choice(side: str, place: str, turns: int) -> Choice:
    """Return in words the choice to place a board with this side up, after this number of quarter turns."""
    title, place_words, turned = _(drawn(side).title), _(PLACE_NAMES[place]), _(ROTATIONS[turns])
    full = _("{board}, {place}, {turned}").format(board=title, place=place_words, turned=turned)
    return Choice(f"lay {side} {place} {turns}", turned, full, f"{title} {ARROWS[turns]} {place_words}")


def setup_choice(action: str) -> Choice:
    """Return a set-up choice in words."""
    verb, *rest = action.split(" ")
    if verb == "lay":
        return lay_choice(rest[0], rest[1], int(rest[2]))
    region = _(region_name(rest[-1]))
    if verb == "token":
        name = token_name(rest[0])
        full = _("Place {token} in {region}").format(token=name, region=region)
        return Choice(action, _("{token} here").format(token=name), full, labelled(name, region, _))
    return Choice(action, _(BUTTONS[verb]), _(SENTENCES[verb]).format(region=region), region)


def setup_spots(view: View, picked: Picked, draft: Sequence[str]) -> dict[str, Spot]:
    """Return the regions with a choice; for tokens only those for the selected one."""
    if view.phase in (LAY, ""):
        return {}
    token = picked_token(view, picked, draft) if view.phase == TOKENS else ""
    spots = {}
    for action in view.legal:
        words = action.split(" ")
        if not token or words[1] == token:
            region = words[-1]
            spots[region] = Spot(region, _(region_name(region)), [setup_choice(action)])
    return spots


def picked_token(view: View, picked: Picked, draft: Sequence[str]) -> str:
    """Return the token to place next: the selected one, else one like the last, else the first left."""
    tokens_left = view.setup.tokens if view.setup else ()
    last = draft[-1].split(" ")[1] if draft and draft[-1].startswith("token ") else ""
    return next(
        (token for token in (picked.token, last) if token in tokens_left), tokens_left[0] if tokens_left else ""
    )


def selecting(**picked: str) -> str:
    """Return the query that selects these, without the empty ones."""
    return "?" + urlencode({name: value for name, value in picked.items() if value})
