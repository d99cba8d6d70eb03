"""Terms of any ruleset, by kind and id: options, presets and standing orders, and what its family's glossary adds."""

from collections.abc import Mapping
from functools import cache

from django.utils.translation import gettext as _

from games.help.families import details, parts_of, rulings
from games.help.term import Shelf, Term
from games.rules.protocol import OptionField, Preset
from games.rules.registry import RULESETS


def find(ruleset: str, kind: str, term: str) -> Term:
    """Return a term in the reader's language. `ruleset` may be an edition's name. Raises `KeyError`."""
    return shelves(slug_of(ruleset))[kind].term(ruleset if kind == "card" else slug_of(ruleset), term)


def everything(slug: str) -> list[Term]:
    return [shelf.term(slug, name) for shelf in shelves(slug).values() for name in shelf.ids(slug)]


def of_kind(slug: str, kind: str) -> list[Term]:
    shelf = shelves(slug).get(kind)
    return [shelf.term(slug, name) for name in shelf.ids(slug)] if shelf else []


def shelves(slug: str) -> Mapping[str, Shelf]:
    return {**GENERAL, **parts_of(slug).glossary}


def slug_of(edition: str) -> str:
    """Return the ruleset of an edition: `classic` for `classic+side:side-b`, `legends` for `legends/2`."""
    return edition.partition("+")[0].partition("/")[0]


def option_term(slug: str, option: str) -> Term:
    field = fields(slug)[option]
    more = (*details(slug, option), *(str(ruling.text) for ruling in rulings(slug, option)))
    return Term(slug, "option", option, _(field.label), (_(field.sentence), *more), anchor_of(option))


def presets(slug: str) -> dict[str, Preset]:
    return {preset.slug: preset for preset in RULESETS[slug].presets}


def orders(slug: str) -> dict[str, OptionField]:
    return {order.name: order for order in RULESETS[slug].order_fields()}


def _term(kind: str, slug: str, name: str, entry: Preset | OptionField) -> Term:
    return Term(slug, kind, name, _(entry.label), (_(entry.sentence),), f"{kind}-{name}")


def anchor_of(option: str) -> str:
    return option.replace("_", "-")


@cache
def fields(slug: str) -> dict[str, OptionField]:
    return {field.name: field for field in RULESETS[slug].option_fields()}


GENERAL = {
    "option": Shelf(lambda slug: list(fields(slug)), option_term),
    "preset": Shelf(lambda slug: list(presets(slug)), lambda slug, id_: _term("preset", slug, id_, presets(slug)[id_])),
    "order": Shelf(lambda slug: list(orders(slug)), lambda slug, id_: _term("order", slug, id_, orders(slug)[id_])),
}
