"""The board in words: for screen readers, for text emails, and for the title of every region."""

from collections.abc import Sequence

from games.boards.eight_minute.geometry import drawn, picture
from games.boards.eight_minute.lying import PLACE_NAMES, shown
from games.boards.themes import Colour, colours
from games.rules.eight_minute.boards import Map, map_of
from games.rules.eight_minute.tokens import FACE_DOWN, PORTAL, gifts
from games.rules.eight_minute.view import RegionView, View
from games.rules.words import Translate, gettext_noop, untranslated

_ARMIES = (gettext_noop("1 army"), gettext_noop("{n} armies"))
_CITIES = (gettext_noop("1 city"), gettext_noop("{n} cities"))

_TOWN = (gettext_noop("merchants with 1 coin"), gettext_noop("merchants with {n} coins"))


def describe(view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """Describe every region with its exits, and every island, one per line; first the free places of an unfinished map.

    `names` are the players' names by seat.
    """
    lines = [_region_line(view, region, names, translate) for region in view.regions]
    table = [table_words(view, translate)] if view.setup and view.setup.places else []
    return "\n".join([*table, *lines, *_islands(view, names, translate)])


def table_words(view: View, translate: Translate = untranslated) -> str:
    """Describe which board is where, and which places are free."""
    lies, free = translate(gettext_noop("{place}: {board}.")), translate(gettext_noop("{place}: free."))
    table = picture(shown(view))
    laid = [lies.format(place=place_name(one.place, translate), board=drawn(one.side).title) for one in table.sheets]
    return " ".join([*laid, *(free.format(place=place_name(slot.place, translate)) for slot in table.slots)])


def place_name(place: str, translate: Translate = untranslated) -> str:
    name = translate(PLACE_NAMES[place])
    return name[:1].upper() + name[1:]


def region_words(view: View, region: str, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """Describe a region in one line: its name, controller and pieces."""
    people = _people(view, names, translate)
    here = view.regions[region]
    parts = [
        *([translate(gettext_noop("start region"))] if region == view.start else []),
        *([translate(gettext_noop("overseas start"))] if region == view.outpost else []),
        *_token_words(view, region, people, translate),
        _holder(here, people, translate),
        *_strengths(here, people, translate),
    ]
    return f"{region_name(view, region)}: {'; '.join(parts)}."


def region_name(view: View, region: str) -> str:
    """Return the region's name on the map."""
    return picture(shown(view)).regions[region].name


def _token_words(view: View, region: str, people: list[str], translate: Translate) -> list[str]:
    """Describe the tokens in a region, and who has looked at them."""
    here, said = view.regions[region], []
    if here.token == FACE_DOWN:
        said.append(_face_down(here, people, translate))
    elif here.token == PORTAL and view.portals:
        other = next(portal for portal in view.portals if portal != region)
        said.append(translate(gettext_noop("Magic Portal to {region}")).format(region=region_name(view, other)))
    elif here.token:
        said.append(gifts()[here.token].name)
    if here.town:
        said.append(translate(_TOWN[here.town != 1]).format(n=here.town))
    return said


def _face_down(here: RegionView, people: list[str], translate: Translate) -> str:
    words = translate(gettext_noop("a face-down token"))
    if here.looked:
        seen = translate(gettext_noop("{token}, seen by {players}"))
        words = seen.format(token=words, players=", ".join(people[seat] for seat in here.looked))
    if here.face:
        words = translate(gettext_noop("{token}, which you know is {face}")).format(
            token=words, face=gifts()[here.face].name
        )
    return words


def person(paint: Colour, seat: int, names: Sequence[str], translate: Translate = untranslated) -> str:
    """Return a player as `Alice (red circle)`, or only the colour if nobody plays it."""
    colour = translate(paint.name)
    return f"{names[seat]} ({colour})" if seat < len(names) else colour


def _people(view: View, names: Sequence[str], translate: Translate) -> list[str]:
    return [person(paint, seat, names, translate) for seat, paint in enumerate(colours(len(view.players)))]


def _holder(here: RegionView, people: list[str], translate: Translate) -> str:
    if here.controller is not None:
        return translate(gettext_noop("controlled by {player}")).format(player=people[here.controller])
    if any(here.armies) or any(here.cities):
        return translate(gettext_noop("controlled by nobody"))
    return translate(gettext_noop("empty"))


def _strengths(here: RegionView, people: list[str], translate: Translate) -> list[str]:
    strengths = zip(people, here.armies, here.cities, strict=True)
    return [
        f"{player} {', '.join(_count(n, words, translate) for n, words in ((armies, _ARMIES), (cities, _CITIES)) if n)}"
        for player, armies, cities in strengths
        if armies or cities
    ]


def _count(n: int, words: tuple[str, str], translate: Translate) -> str:
    return translate(words[n != 1]).format(n=n)


def _region_line(view: View, region: str, names: Sequence[str], translate: Translate) -> str:
    ways = _ways(view)
    number = ways.index[region]
    found = [region_words(view, region, names, translate)]
    if land := ways.land[number]:
        found.append(translate(gettext_noop("By land: {regions}.")).format(regions=_listed(view, land)))
    if sea := ways.sea[number]:
        found.append(translate(gettext_noop("Over water: {regions}.")).format(regions=_listed(view, sea)))
    return " ".join(found)


def _ways(view: View) -> Map:
    """Return the map as armies can move on it, including portals."""
    return map_of(";".join((view.layout, *view.portals)))


def _listed(view: View, numbers: tuple[int, ...]) -> str:
    regions = _ways(view).regions
    return ", ".join(region_name(view, regions[number]) for number in numbers)


def _islands(view: View, names: Sequence[str], translate: Translate) -> list[str]:
    people = _people(view, names, translate)
    held = translate(gettext_noop("Island of {regions}: controlled by {player}."))
    free = translate(gettext_noop("Island of {regions}: controlled by nobody."))
    return [
        (free if holder is None else held).format(
            regions=", ".join(region_name(view, region) for region in island),
            player="" if holder is None else people[holder],
        )
        for island, holder in view.islands
    ]
