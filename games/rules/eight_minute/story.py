"""A log entry as a person would tell it: consecutive steps of the same kind become one sentence."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from games.rules.eight_minute import events as e
from games.rules.eight_minute.edition import Edition
from games.rules.eight_minute.say import RegionName, say
from games.rules.eight_minute.tokens import FACE_DOWN, gifts
from games.rules.protocol import Event
from games.rules.words import Translate, gettext_noop, untranslated


def tell(
    rules: Edition,
    events: Sequence[Event],
    names: Sequence[str],
    translate: Translate = untranslated,
    region_name: RegionName = str,
) -> list[str]:
    """Describe the events in sentences, leaving out those that need none."""
    told: list[str] = []
    for kind, run in groupby(_gathered(events), type):
        steps = list(run)
        if len(steps) > 1 and kind in _RUNS:
            template, where = _RUNS[kind]
            values = {"where": where(steps, translate, region_name), "player": _player(steps[0], names)}
            told.append(translate(template).format(**values))
        else:
            told += [say(rules, event, names, translate, region_name) for event in steps]
    return [sentence for sentence in told if sentence]


def _gathered(events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events with tokens before merchants within each run, so that each kind can be told in one sentence."""
    for _are_laid, run in groupby(events, lambda event: isinstance(event, (e.TokenLaid, e.TownLaid))):
        yield from sorted(run, key=lambda event: isinstance(event, e.TownLaid))


def _player(event: Event, names: Sequence[str]) -> str:
    return names[event.seat] if hasattr(event, "seat") else ""


def _regions(steps: list[Event], translate: Translate, region_name: RegionName) -> str:
    return _counted(region_name(step.region) for step in steps)


def _ways(steps: list[Event], translate: Translate, region_name: RegionName) -> str:
    way = translate(gettext_noop("{origin} to {target}"))
    return _counted(way.format(origin=region_name(step.origin), target=region_name(step.target)) for step in steps)


def _tokens(steps: list[Event], translate: Translate, region_name: RegionName) -> str:
    """Describe which tokens are where, grouped by kind."""
    where: dict[str, list[str]] = {}
    for step in steps:
        where.setdefault(step.token, []).append(region_name(step.region))
    return "; ".join(_token(token, ", ".join(regions), translate) for token, regions in where.items())


def _token(token: str, regions: str, translate: Translate) -> str:
    if token == FACE_DOWN:
        return translate(gettext_noop("face down in {regions}")).format(regions=regions)
    return translate(gettext_noop("{token} in {regions}")).format(token=translate(gifts()[token].name), regions=regions)


def _counted(places: Iterable[str]) -> str:
    return ", ".join(f"{place} ×{n}" if n > 1 else place for place, n in Counter(places).items())


Where = Callable[[list[Event], Translate, RegionName], str]
_RUNS: dict[type, tuple[str, Where]] = {
    e.TokenLaid: (gettext_noop("Tokens on the map: {where}."), _tokens),
    e.TownLaid: (gettext_noop("There are merchants in {where}."), _regions),
    e.NeutralPlaced: (gettext_noop("The third color has armies in {where}."), _regions),
    e.ArmyPlaced: (gettext_noop("{player} places armies: {where}."), _regions),
    e.ArmyMoved: (gettext_noop("{player} moves armies: {where}."), _ways),
}
