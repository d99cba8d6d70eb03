"""The cards of the Eight-Minute family in sentences, made from their data: what they give, what they let one do."""

from collections.abc import Callable
from itertools import groupby

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.eight_minute.faces import FAMILIES, face
from games.help.cards import CardGroup, CardHelp
from games.help.term import CARDS, Term
from games.rules.eight_minute.cards import Ability, Card, Part
from games.rules.eight_minute.edition import Edition, edition
from games.rules.eight_minute.tokens import gifts

Words = Callable[[Edition, Card, Ability], str]


def card_ids(slug: str) -> list[str]:
    return list(edition(slug).cards)


def card_term(name: str, card_id: str) -> Term:
    """A card of an edition, whose name may say what its options change."""
    rules = edition(name)
    card = rules.cards[card_id]
    return Term(rules.slug, "card", card.id, card.name, tuple(card_sentences(rules, card)), card.id, CARDS)


def card_groups(slug: str) -> list[CardGroup]:
    """The deck by family, as it is printed; cards without one at the end."""
    ordered = sorted(edition(slug).cards.values(), key=lambda card: (not card.family, card.family))
    return [_group(slug, family, list(cards)) for family, cards in groupby(ordered, key=lambda card: card.family)]


def _group(slug: str, family: str, cards: list[Card]) -> CardGroup:
    name = capfirst(_(FAMILIES[family])) if family else _("Of no family")
    helps = tuple(CardHelp(face(card, _), card_term(slug, card.id)) for card in cards)
    return CardGroup(f"family-{family or 'none'}", name, helps)


def card_sentences(rules: Edition, card: Card) -> list[str]:
    gives = [ABILITIES[ability.kind](rules, card, ability) for ability in card.abilities]
    return [*gives, action_sentence(rules, card), *_belongs(rules, card), *_in_play(rules, card)]


# What a card gives for good


def _flying(rules: Edition, card: Card, ability: Ability) -> str:
    return _("Flying: each crossing of water costs you one movement less, though never less than one.")


def _immune(rules: Edition, card: Card, ability: Ability) -> str:
    return _("Immune: nobody can destroy your armies, wherever they stand.")


def _elixir(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "Gives {n} elixir. Most elixirs at the end are worth {most} points, {tied} each if several have most.",
        "Gives {n} elixirs. Most elixirs at the end are worth {most} points, {tied} each if several have most.",
        ability.n,
    ).format(n=ability.n, most=rules.most_elixirs, tied=rules.tied_elixirs)


def _army(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "Each Place of yours puts down {n} army more, now and on every later card.",
        "Each Place of yours puts down {n} armies more, now and on every later card.",
        ability.n,
    ).format(n=ability.n)


def _movement(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "Each Move of yours has {n} movement more, now and on every later card.",
        "Each Move of yours has {n} movements more, now and on every later card.",
        ability.n,
    ).format(n=ability.n)


def _coins(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "Gives {n} coin at once, after you have paid.", "Gives {n} coins at once, after you have paid.", ability.n
    ).format(n=ability.n)


def _per_card(rules: Edition, card: Card, ability: Ability) -> str:
    values = {"points": ability.points, "family": _(FAMILIES[ability.of])}
    if card.family == ability.of:
        return ngettext(
            "At the end {points} point for each {family} card of yours, this one included.",
            "At the end {points} points for each {family} card of yours, this one included.",
            ability.points,
        ).format(**values)
    return ngettext(
        "At the end {points} point for each {family} card of yours.",
        "At the end {points} points for each {family} card of yours.",
        ability.points,
    ).format(**values)


def _per_flying(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "At the end {points} point for each Flying of yours.",
        "At the end {points} points for each Flying of yours.",
        ability.points,
    ).format(points=ability.points)


def _per_coins(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "At the end {points} point for every {n} coins that you have left.",
        "At the end {points} points for every {n} coins that you have left.",
        ability.points,
    ).format(points=ability.points, n=ability.n)


def _whole_set(rules: Edition, card: Card, ability: Ability) -> str:
    names = [rules.cards[one].name for one in rules.family(ability.of)]
    return ngettext(
        "At the end {points} point if all {n} {family} cards are yours: {names}.",
        "At the end {points} points if all {n} {family} cards are yours: {names}.",
        ability.points,
    ).format(points=ability.points, n=ability.n, family=_(FAMILIES[ability.of]), names=", ".join(names))


def _good(rules: Edition, card: Card, ability: Ability) -> str:
    if ability.of not in rules.goods:
        return _("Counts at the end as one of a good that you have already, where it scores most for you.")
    told = ngettext("Counts as one of the good {good}.", "Counts as {n} of the good {good}.", ability.n)
    return f"{told.format(n=ability.n, good=_(gifts()[ability.of].name))} {good_steps(rules, ability.of)}"


def good_steps(rules: Edition, good: str) -> str:
    """How many of a good are worth how much."""
    steps = zip(rules.goods[good], rules.goods_points, strict=True)
    return _("Points at the end: {steps}.").format(
        steps=", ".join(_("{points} with {n}").format(n=needed, points=points) for needed, points in steps)
    )


ABILITIES: dict[str, Words] = {
    "flying": _flying,
    "immune": _immune,
    "elixir": _elixir,
    "army": _army,
    "movement": _movement,
    "coins": _coins,
    "per-card": _per_card,
    "per-flying": _per_flying,
    "per-coins": _per_coins,
    "whole-set": _whole_set,
    "good": _good,
}


# What it lets its taker do


def action_sentence(rules: Edition, card: Card) -> str:
    parts = [_part(rules, part) for part in card.parts]
    if not card.joined:
        return _("Now: {part}.").format(part=parts[0])
    if card.joined == "or":
        return _("Now, one of the two: {first}; or {second}.").format(first=parts[0], second=parts[1])
    if card.ordered:
        return _("Now: {first}, and then {second}.").format(first=parts[0], second=parts[1])
    return _("Now, in any order: {first}, and {second}.").format(first=parts[0], second=parts[1])


def _part(rules: Edition, part: Part) -> str:
    return PARTS["sail" if part.ship else part.kind](rules, part.n)


def _place(rules: Edition, n: int) -> str:
    return ngettext(
        "place {n} army on the start region or where you have a city",
        "place {n} armies on the start region or where you have cities",
        n,
    ).format(n=n)


def _move(rules: Edition, n: int) -> str:
    if rules.crossing:
        return ngettext(
            "{n} movement for your armies, {crossing} of them for a crossing of water",
            "{n} movements for your armies, {crossing} of them for each crossing of water",
            n,
        ).format(n=n, crossing=rules.crossing)
    return ngettext("{n} movement for your armies, by land", "{n} movements for your armies, by land", n).format(n=n)


def _sail(rules: Edition, n: int) -> str:
    return ngettext(
        "{n} movement for your armies, by land or over water",
        "{n} movements for your armies, by land and over water alike",
        n,
    ).format(n=n)


def _build(rules: Edition, n: int) -> str:
    return ngettext("found {n} city where you have an army", "found {n} cities, each where you have an army", n).format(
        n=n
    )


def _destroy(rules: Edition, n: int) -> str:
    if rules.destroys_anywhere:
        return ngettext("destroy {n} army anywhere", "destroy {n} armies anywhere", n).format(n=n)
    return ngettext(
        "destroy {n} army in a region where you have one yourself",
        "destroy {n} armies in regions where you have one yourself",
        n,
    ).format(n=n)


PARTS = {"place": _place, "move": _move, "sail": _sail, "build": _build, "destroy": _destroy}


# What else is to be known of it


def _belongs(rules: Edition, card: Card) -> list[str]:
    """Which other cards count this one for its family."""
    counting = [other.name for other in rules.cards.values() if other is not card and _counts(other, card.family)]
    if not counting or card.family in rules.goods:
        return []
    family = _(FAMILIES[card.family])
    return [_("One of the {family} cards, which count for {cards}.").format(family=family, cards=", ".join(counting))]


def _counts(card: Card, family: str) -> bool:
    return bool(family) and any(ability.of == family and ability.kind != "good" for ability in card.abilities)


def _in_play(rules: Edition, card: Card) -> list[str]:
    if card.players <= rules.players[0]:
        return []
    return [_("It is in the deck with {n} or more players.").format(n=card.players)]
