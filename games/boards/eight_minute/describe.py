"""The board in words, for screen readers: what lies in every region, and where armies can move from it."""

from collections.abc import Sequence

from games.boards.eight_minute.geometry import drawn, picture
from games.boards.eight_minute.lying import PLACE_NAMES, shown
from games.boards.themes import Colour, colours
from games.rules.eight_minute.boards import map_of
from games.rules.eight_minute.tokens import FACE_DOWN, PORTAL, gifts
from games.rules.eight_minute.view import RegionView, View
from games.rules.words import SEPARATOR, Translate, gettext_noop, labelled, untranslated

_ARMIES = (gettext_noop("1 army"), gettext_noop("{n} armies"))
_CITIES = (gettext_noop("1 city"), gettext_noop("{n} cities"))
_TOWN = (gettext_noop("merchants with 1 coin"), gettext_noop("merchants with {n} coins"))


def map_text(view: View) -> str:
    """Return the text of a view's map for `map_words`: its layout and its portals."""
    return ";".join((view.layout, *view.portals))


def map_words(text: str, translate: Translate = untranslated) -> list[list[tuple[str, list[str]]]]:
    """Describe a map: for each island the names of its regions, each with the ways of `ways_words`."""
    world, here = map_of(text), picture(text).regions
    regions = [(translate(here[region].name), ways_words(text, region, translate)) for region in world.regions]
    return [[regions[number] for number in island] for island in world.islands]


def ways_words(text: str, region: str, translate: Translate = untranslated) -> list[str]:
    """Describe where armies can move from a region of a map, including through portals: by land, and over water."""
    world, here, said = map_of(text), picture(text).regions, []
    number = world.index[region]
    for words, others in (
        (gettext_noop("By land: {regions}."), world.land[number]),
        (gettext_noop("Over water: {regions}."), world.sea[number]),
    ):
        if others:
            listed = ", ".join(translate(here[world.regions[other]].name) for other in others)
            said.append(translate(words).format(regions=listed))
    return said


def table_words(view: View, translate: Translate = untranslated) -> str:
    """Describe which board is where, and which places are free."""
    lies, free = translate(gettext_noop("{place}: {board}.")), translate(gettext_noop("{place}: empty."))
    table = picture(shown(view))
    laid = [
        lies.format(place=place_name(sheet.place, translate), board=translate(drawn(sheet.side).title))
        for sheet in table.sheets
    ]
    return " ".join([*laid, *(free.format(place=place_name(slot.place, translate)) for slot in table.slots)])


def place_name(place: str, translate: Translate = untranslated) -> str:
    name = translate(PLACE_NAMES[place])
    return name[:1].upper() + name[1:]


def all_words(view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> dict[str, str]:
    """Describe all regions, by region, each in one line: its name, controller and pieces."""
    people, regions = _people(view, names, translate), picture(shown(view)).regions
    return {region: _words(view, region, translate(regions[region].name), people, translate) for region in view.regions}


def _words(view: View, region: str, name: str, people: list[str], translate: Translate) -> str:
    here, said = view.regions[region], []
    if region == view.start:
        said.append(translate(gettext_noop("start region")))
    if region == view.outpost:
        said.append(translate(gettext_noop("overseas region")))
    if here.token == FACE_DOWN:
        said.append(_face_down(here, people, translate))
    elif here.token == PORTAL and view.portals:
        other = next(portal for portal in view.portals if portal != region)
        said.append(
            translate(gettext_noop("Magic Portal to {region}")).format(region=region_name(view, other, translate))
        )
    elif here.token:
        said.append(translate(gifts()[here.token].name))
    if here.town:
        said.append(translate(_TOWN[here.town != 1]).format(n=here.town))
    if here.controller is not None:
        said.append(translate(gettext_noop("controlled by {player}")).format(player=people[here.controller]))
    elif any(here.armies) or any(here.cities):
        said.append(translate(gettext_noop("controlled by nobody")))
    else:
        said.append(translate(gettext_noop("empty")))
    for player, armies, cities in zip(people, here.armies, here.cities, strict=True):
        pieces = [translate(words[n != 1]).format(n=n) for n, words in ((armies, _ARMIES), (cities, _CITIES)) if n]
        if pieces:
            said.append(f"{player} {', '.join(pieces)}")
    return labelled(name, f"{translate(SEPARATOR).join(said)}.", translate)


def region_name(view: View, region: str, translate: Translate = untranslated) -> str:
    """Return the region's name on the map."""
    return translate(picture(shown(view)).regions[region].name)


def _face_down(here: RegionView, people: list[str], translate: Translate) -> str:
    words = translate(gettext_noop("a face-down token"))
    if here.looked:
        seen = translate(gettext_noop("{token}, seen by {players}"))
        words = seen.format(token=words, players=", ".join(people[seat] for seat in here.looked))
    if here.face:
        known = translate(gettext_noop("{token}, which you know is {face}"))
        words = known.format(token=words, face=translate(gifts()[here.face].name))
    return words


def person(paint: Colour, seat: int, names: Sequence[str], translate: Translate = untranslated) -> str:
    """Return a player as `Alice (red circle)`, or only the color if nobody plays it."""
    colour = translate(paint.name)
    return f"{names[seat]} ({colour})" if seat < len(names) else colour


def _people(view: View, names: Sequence[str], translate: Translate) -> list[str]:
    return [person(paint, seat, names, translate) for seat, paint in enumerate(colours(len(view.players)))]
