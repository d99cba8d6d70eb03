"""What a seat may do, in the order in which people think: first where on the map, then what."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.translation import gettext as _

RegionName = Callable[[str], str]
STEPS = ("place", "move", "build", "destroy")


class Picked(NamedTuple):
    """The reader's selection in the URL: a region; during set-up by hand a side, place or token.

    `then` is a step that needs confirmation.
    """

    region: str = ""
    side: str = ""
    place: str = ""
    token: str = ""
    then: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Picked":
        return cls(*(query.get(name, "") for name in cls._fields))


class Choice(NamedTuple):
    """An action in words: `words` for its button, `full` without context, `brief` for a chip."""

    action: str
    words: str
    full: str
    brief: str

    @property
    def id(self) -> str:
        return "do-" + self.action.replace(" ", "-").replace("--", "-third")


@dataclass
class Spot:
    """What can be done in a region: `here` (place, build, destroy), or by moving an army `away`."""

    region: str
    name: str
    here: list[Choice] = field(default_factory=list)
    away: list[Choice] = field(default_factory=list)

    @property
    def only(self) -> Choice | None:
        """The only possible action here, if there is just one."""
        return self.here[0] if len(self.here) == 1 and not self.away else None


class Tap(NamedTuple):
    """What a tap on a region does: `act` makes the step `action`; `choose` and `cancel` change the selected region."""

    kind: str
    action: str
    words: str


def is_step(action: str) -> bool:
    return action.partition(" ")[0] in STEPS


def spots(
    legal: Sequence[str], names: Sequence[str], region_name: RegionName, face_down: Collection[str] = ()
) -> dict[str, Spot]:
    """Return the regions where steps start, in the order of the legal texts. A city reveals tokens in `face_down`."""
    found: dict[str, Spot] = {}
    for action in filter(is_step, legal):
        verb, region = action.split(" ")[:2]
        spot = found.setdefault(region, Spot(region, region_name(region)))
        step = choice(action, names, region_name)
        if verb == "build" and region in face_down:
            step = turning_up(step, spot.name)
        (spot.away if verb == "move" else spot.here).append(step)
    return found


def turning_up(step: Choice, where: str) -> Choice:
    """Return the step of building a city that reveals a face-down token."""
    full = _("Build a city in {region} and reveal its token").format(region=where)
    return step._replace(words=_("Build a city and reveal the token"), full=full)


def choice(action: str, names: Sequence[str], region_name: RegionName) -> Choice:
    """Return a step in words."""
    verb, region, *rest = action.split(" ")
    where = region_name(region)
    if verb == "place":
        return Choice(action, _("Place an army"), _("Place an army in {region}").format(region=where), f"+ {where}")
    if verb == "build":
        full, brief = _("Build a city in {region}"), _("City in {region}")
        return Choice(action, _("Build a city"), full.format(region=where), brief.format(region=where))
    if verb == "move":
        return _move(action, where, region_name(rest[0]))
    return _destruction(action, rest[0], names, where)


def _move(action: str, origin: str, target: str) -> Choice:
    full = _("Move an army from {origin} to {target}").format(origin=origin, target=target)
    return Choice(action, _("to {target}").format(target=target), full, f"{origin} → {target}")


def _destruction(action: str, owner: str, names: Sequence[str], where: str) -> Choice:
    if owner == "-":
        words = _("Destroy a third-color army")
    else:
        words = _("Destroy one of {player}’s armies").format(player=names[int(owner)])
    return Choice(action, words, _("{what} in {region}").format(what=words, region=where), f"× {where}")


def taps(found: dict[str, Spot], chosen: str) -> dict[str, Tap]:
    """Return what a tap on each active region does while `chosen` is selected ("" for none)."""
    live = {region: _first_tap(spot) for region, spot in found.items()}
    if chosen in found:
        spot = found[chosen]
        live |= {step.action.split(" ")[2]: Tap("act", step.action, step.full) for step in spot.away}
        live[chosen] = Tap("cancel", "", _("{region}: deselect").format(region=spot.name))
    return live


def _first_tap(spot: Spot) -> Tap:
    if spot.only:
        return Tap("act", spot.only.action, spot.only.full)
    words = _("Move from {region}") if not spot.here else _("Choose what to do in {region}")
    return Tap("choose", "", words.format(region=spot.name))
