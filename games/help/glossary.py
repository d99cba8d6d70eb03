"""Terms of any ruleset, by kind and id.

Options, presets and standing orders come from the rulesets themselves; each family's glossary adds the rest.
"""

from collections.abc import Mapping
from functools import cache

from django.utils.translation import gettext as _

from games.help.families import details, parts_of, rulings
from games.help.term import Shelf, Term
from games.rules.protocol import OptionField
from games.rules.registry import RULESETS


def find(ruleset: str, kind: str, term: str) -> Term:
    """Return a term in the reader's language.

    `ruleset` may be an edition's name. Raises `KeyError` if there is no such term.
    """
    return shelves(slug_of(ruleset))[kind].term(ruleset if kind == "card" else slug_of(ruleset), term)


def everything(slug: str) -> list[Term]:
    """Return every term of a ruleset."""
    return [shelf.term(slug, one) for shelf in shelves(slug).values() for one in shelf.ids(slug)]


def of_kind(slug: str, kind: str) -> list[Term]:
    shelf = shelves(slug).get(kind)
    return [shelf.term(slug, one) for one in shelf.ids(slug)] if shelf else []


def shelves(slug: str) -> Mapping[str, Shelf]:
    return {**GENERAL, **parts_of(slug).glossary}


def slug_of(edition: str) -> str:
    """Return the ruleset of an edition: `classic` for `classic+side:side-b`."""
    return edition.partition("+")[0]


def option_ids(slug: str) -> list[str]:
    return list(fields(slug))


def option_term(slug: str, option: str) -> Term:
    field = fields(slug)[option]
    more = (*details(slug, option), *(str(ruling.text) for ruling in rulings(slug, option)))
    return Term(slug, "option", option, _(field.label), (_(field.sentence), *more), anchor_of(option))


def preset_ids(slug: str) -> list[str]:
    return [preset.slug for preset in RULESETS[slug].presets]


def preset_term(slug: str, name: str) -> Term:
    found = {preset.slug: preset for preset in RULESETS[slug].presets}[name]
    return Term(slug, "preset", name, _(found.label), (_(found.sentence),), f"preset-{name}")


def order_ids(slug: str) -> list[str]:
    return [order.name for order in RULESETS[slug].order_fields()]


def order_term(slug: str, name: str) -> Term:
    """Return the help for a standing order, such as `defend`."""
    found = {order.name: order for order in RULESETS[slug].order_fields()}[name]
    return Term(slug, "order", name, _(found.label), (_(found.sentence),), f"order-{name}")


def anchor_of(option: str) -> str:
    return option.replace("_", "-")


@cache
def fields(slug: str) -> dict[str, OptionField]:
    return {field.name: field for field in RULESETS[slug].option_fields()}


GENERAL = {
    "option": Shelf(option_ids, option_term),
    "preset": Shelf(preset_ids, preset_term),
    "order": Shelf(order_ids, order_term),
}
