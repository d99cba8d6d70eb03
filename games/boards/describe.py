"""The board in words: for screen readers, for text mails, and for the title of every region."""

from collections.abc import Sequence

from games.boards.geometry import picture
from games.boards.themes import Colour, colours
from games.rules.empire.boards import map_of
from games.rules.empire.view import RegionView, View
from games.rules.words import Translate, gettext_noop, untranslated

_ARMIES = (gettext_noop("1 army"), gettext_noop("{n} armies"))
_CITIES = (gettext_noop("1 city"), gettext_noop("{n} cities"))


def describe(view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """Every region with its ways out and every island, a line each. `names` are those of the seats."""
    lines = [_region_line(view, region, names, translate) for region in view.regions]
    return "\n".join([*lines, *_islands(view, names, translate)])


def region_words(view: View, region: str, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """What a region is called, whose it is and who stands there, in one line."""
    people = _people(view, names, translate)
    here = view.regions[region]
    parts = [_holder(here, people, translate), *_strengths(here, people, translate)]
    if region == view.start:
        parts.insert(0, translate(gettext_noop("start region")))
    return f"{region_name(view, region)}: {'; '.join(parts)}."


def region_name(view: View, region: str) -> str:
    """What the map calls a region."""
    return picture(view.layout).regions[region].name


def person(paint: Colour, seat: int, names: Sequence[str], translate: Translate = untranslated) -> str:
    """A seat as readers know it: `Alice (red circle)`, and just the colour where nobody plays it."""
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
    ways = map_of(view.layout)
    number = ways.index[region]
    found = [region_words(view, region, names, translate)]
    if land := ways.land[number]:
        found.append(translate(gettext_noop("By land: {regions}.")).format(regions=_listed(view, land)))
    if sea := ways.sea[number]:
        found.append(translate(gettext_noop("Over water: {regions}.")).format(regions=_listed(view, sea)))
    return " ".join(found)


def _listed(view: View, numbers: tuple[int, ...]) -> str:
    regions = map_of(view.layout).regions
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
