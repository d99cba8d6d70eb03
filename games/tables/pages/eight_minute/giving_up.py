"""What a step or the end of the turn gives up, and the questions that are asked first.

Only parts of the card with a legal step count. Destroying one's own army is legal, but nobody misses it.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.notices.outbox.words import enumerated
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.view import PartView, View
from games.tables.pages.eight_minute.choices import Choice, Spot, choice


@dataclass(frozen=True)
class Sure:
    """A question before a step: `words` and a `note`. `yes` submits `action` to the URL named `url_name`.

    `id` is that of its button, `chip` the step in words. `is_end`: it ends the turn.
    """

    words: str
    note: str
    yes: str
    no: str
    action: str
    url_name: str
    id: str = "confirm"
    chip: str = ""
    is_end: bool = False


def gives_up(view: View, action: str) -> str:
    """Return what the action gives up that could still be used, such as “2 armies to place and 1 army to destroy”.

    Empty if nothing. The end of the turn gives up everything that is left, joined by “or” while an OR is undecided; in
    an AND with a fixed order, a step of the second part gives up the rest of the first (R12).
    """
    if not view.taken:
        return ""
    card, lost = edition(view.edition).cards[view.taken], view.parts
    if action != "done":
        is_second = len(view.parts) > 1 and action.partition(" ")[0] == view.parts[1].kind
        lost = view.parts[:1] if card.joined == "and" and card.ordered and is_second else ()
    # What a legal step would use, as far as the reader's supply goes
    kinds = {kind for kind, *arguments in map(str.split, view.legal) if arguments[1:] != [str(view.seat)]}
    player = view.players[view.seat or 0]
    supply = {"place": player.supply, "build": player.city_supply}
    usable = [part for part in lost if part.open and part.kind in kinds]
    amounts = [amount_words(part, min(part.left, supply.get(part.kind, part.left))) for part in usable]
    return enumerated(amounts, _("{first} or {last}") if card.joined == "or" else "")


def amount_words(part: PartView, n: int) -> str:
    """Return words such as “2 armies to place”."""
    if part.kind == "place":
        words = ngettext("{n} army to place", "{n} armies to place", n)
    elif part.kind == "build":
        words = ngettext("{n} city to build", "{n} cities to build", n)
    elif part.kind == "destroy":
        words = ngettext("{n} army to destroy", "{n} armies to destroy", n)
    else:
        words = ngettext("{n} move", "{n} moves", n)
    return words.format(n=n)


def warned(view: View, spots: dict[str, Spot]) -> dict[str, Spot]:
    """Return the spots with the price on the buttons of steps that give something up."""
    return {
        region: replace(spot, here=[*_priced(view, spot.here)], away=[*_priced(view, spot.away)])
        for region, spot in spots.items()
    }


def _priced(view: View, choices: Sequence[Choice]) -> Iterator[Choice]:
    costs: dict[str, str] = {}  # by the step's verb, which decides
    for step in choices:
        verb = step.action.partition(" ")[0]
        if verb not in costs:
            costs[verb] = gives_up(view, step.action)
        if not (cost := costs[verb]):
            yield step
            continue
        template = _("{step} (gives up {unused})")
        words, full = (template.format(step=text, unused=cost) for text in (step.words, step.full))
        yield step._replace(words=words, full=full, gives_up=cost)


def sure(view: View, draft: Sequence[str], then: str, names: Sequence[str], face_down: Collection[str]) -> Sure | None:
    """Return the question before the step `then`: it reveals a token, gives something up, or both. None if neither."""
    if then not in view.legal:
        return None
    unused, (verb, _space, region) = gives_up(view, then), then.partition(" ")
    whole = ";".join((*draft, then))
    if verb == "build" and region in face_down:
        note = _("The token is revealed right away, and your turn continues.")
        if unused:
            note += " " + _("You give up {unused}.").format(unused=unused)
        question = _("You can’t undo this. Confirm your moves so far?")
        step = choice(then, names, face_down, me=view.seat)
        return Sure(question, note, _("Confirm"), _("Not yet"), whole, "table_submit", chip=step.full)
    if not unused:
        return None
    if then == "done":
        question = _("You still have {unused}. End your turn anyway?").format(unused=unused)
        return Sure(question, "", _("End turn"), _("Keep playing"), whole, "table_submit", id="end-turn", is_end=True)
    step = choice(then, names, face_down, me=view.seat)
    question = _("{step} and give up {unused}?").format(step=step.full, unused=unused)
    note = _("Your card says “and then”: after this step you can’t go back to the first part.")
    return Sure(question, note, step.words, _("Keep playing"), then, "table_step", id="go-on", chip=step.full)
