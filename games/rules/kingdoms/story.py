"""A log entry as a person would tell it: cards drawn or turned over in a row become one sentence."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from games.rules.kingdoms import events as e
from games.rules.kingdoms.say import named, say
from games.rules.protocol import Event
from games.rules.words import Translate, gettext_noop, untranslated


def tell(events: Sequence[Event], names: Sequence[str], translate: Translate = untranslated) -> list[str]:
    """Describe the events in sentences, leaving out those that need none."""
    told: list[str] = []
    for _, run in groupby(events, _kind):
        steps = list(run)
        sentences = _run(steps, names, translate) if len(steps) > 1 else ()
        told += sentences or [say(event, names, translate) for event in steps]
    return [sentence for sentence in told if sentence]


def _kind(event: Any) -> tuple[object, ...]:
    """Return a key that is equal for events told together."""
    if isinstance(event, e.CardDrawn):
        return e.CardDrawn, event.seat, bool(event.card)
    return (type(event),)


def _run(steps: list[Any], names: Sequence[str], translate: Translate) -> list[str]:
    """Describe several events of a kind together; return nothing if each is told separately."""
    return [translate(template).format(**values) for template, values in _together(steps, names)]


def _together(steps: list[Any], names: Sequence[str]) -> Iterator[tuple[str, dict[str, object]]]:
    match steps[0]:
        case e.FlopTurned():
            yield gettext_noop("{cards} are added to the Flop."), {"cards": named(step.card for step in steps)}
        case e.CardDrawn(seat, ""):
            yield gettext_noop("{player} draws {n} cards."), {"player": names[seat], "n": len(steps)}
        case e.CardDrawn(seat, _):
            cards = named(step.card for step in steps)
            yield gettext_noop("{player} draws {cards}."), {"player": names[seat], "cards": cards}
