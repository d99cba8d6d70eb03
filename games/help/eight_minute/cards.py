"""Card texts of the Eight-Minute family, made from the card data: what a card gives and which action it allows."""

from collections.abc import Callable
from itertools import groupby

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.eight_minute.faces import FAMILIES, face
from games.help.cards import CardGroup, CardHelp
from games.help.term import CARDS, Term
from games.rules.eight_minute.edition import Ability, Card, Edition, Part, edition
from games.rules.eight_minute.tokens import gifts

Words = Callable[[Edition, Card, Ability], str]


def card_ids(slug: str) -> list[str]:
    return list(edition(slug).cards)


def card_term(name: str, card_id: str) -> Term:
    """Return the help entry of a card of an edition. An edition's name may include options that change its cards."""
    rules = edition(name)
    card = rules.cards[card_id]
    return Term(rules.slug, "card", card.id, card.name, tuple(card_sentences(rules, card)), card.id, CARDS)


def card_groups(slug: str) -> list[CardGroup]:
    """Return the deck grouped by family, as printed; cards without a family come last."""
    ordered = sorted(edition(slug).cards.values(), key=lambda card: (not card.family, card.family))
    return [_group(slug, family, list(cards)) for family, cards in groupby(ordered, key=lambda card: card.family)]


def _group(slug: str, family: str, cards: list[Card]) -> CardGroup:
    name = capfirst(_(FAMILIES[family])) if family else _("No family")
    helps = tuple(CardHelp(face(card, _), card_term(slug, card.id)) for card in cards)
    return CardGroup(f"family-{family or 'none'}", name, helps)


def card_sentences(rules: Edition, card: Card) -> list[str]:
    gives = [ABILITIES[ability.kind](rules, card, ability) for ability in card.abilities]
    return [*gives, action_sentence(rules, card), *_belongs(rules, card), *_in_play(rules, card)]


# Abilities: what a card gives until the end of the game


def _flying(rules: Edition, card: Card, ability: Ability) -> str:
    return _("Flying: each water crossing costs you one movement less, but never less than one.")


def _immune(rules: Edition, card: Card, ability: Ability) -> str:
    return _("Immune: nobody can destroy your armies anywhere on the map.")


def _elixir(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "Gives {n} elixir. The most elixirs at the end score {most} points, or {tied} each if players are tied.",
        "Gives {n} elixirs. The most elixirs at the end score {most} points, or {tied} each if players are tied.",
        ability.n,
    ).format(n=ability.n, most=rules.most_elixirs, tied=rules.tied_elixirs)


def _army(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "Your Place actions add {n} more army, from this card on.",
        "Your Place actions add {n} more armies, from this card on.",
        ability.n,
    ).format(n=ability.n)


def _movement(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "Your Move actions have {n} more movement, from this card on.",
        "Your Move actions have {n} more movements, from this card on.",
        ability.n,
    ).format(n=ability.n)


def _coins(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "Gives {n} coin immediately, after you have paid for the card.",
        "Gives {n} coins immediately, after you have paid for the card.",
        ability.n,
    ).format(n=ability.n)


def _per_card(rules: Edition, card: Card, ability: Ability) -> str:
    values = {"points": ability.points, "family": _(FAMILIES[ability.of])}
    if card.family == ability.of:
        return ngettext(
            "At the end: {points} point for each of your {family} cards, this one included.",
            "At the end: {points} points for each of your {family} cards, this one included.",
            ability.points,
        ).format(**values)
    return ngettext(
        "At the end: {points} point for each of your {family} cards.",
        "At the end: {points} points for each of your {family} cards.",
        ability.points,
    ).format(**values)


def _per_flying(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "At the end: {points} point for each Flying you have.",
        "At the end: {points} points for each Flying you have.",
        ability.points,
    ).format(points=ability.points)


def _per_coins(rules: Edition, card: Card, ability: Ability) -> str:
    return ngettext(
        "At the end: {points} point for every {n} coins you have left.",
        "At the end: {points} points for every {n} coins you have left.",
        ability.points,
    ).format(points=ability.points, n=ability.n)


def _whole_set(rules: Edition, card: Card, ability: Ability) -> str:
    names = [rules.cards[one].name for one in rules.family(ability.of)]
    return ngettext(
        "At the end: {points} point if you have all {n} {family} cards: {names}.",
        "At the end: {points} points if you have all {n} {family} cards: {names}.",
        ability.points,
    ).format(points=ability.points, n=ability.n, family=_(FAMILIES[ability.of]), names=", ".join(names))


def _good(rules: Edition, card: Card, ability: Ability) -> str:
    if ability.of not in rules.goods:
        return _("At the end, counts as one of a good you already have, wherever it scores most.")
    told = ngettext("Counts as one of the good {good}.", "Counts as {n} of the good {good}.", ability.n)
    return f"{told.format(n=ability.n, good=_(gifts()[ability.of].name))} {good_steps(rules, ability.of)}"


def good_steps(rules: Edition, good: str) -> str:
    """Describe how many of a good score how many points."""
    steps = zip(rules.goods[good], rules.goods_points, strict=True)
    return _("Points at the end: {steps}.").format(
        steps=", ".join(_("{points} for {n}").format(n=needed, points=points) for needed, points in steps)
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


# Actions: what the player may do when taking the card


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
        "place {n} army on the start region or in a region where you have a city",
        "place {n} armies on the start region or in regions where you have a city",
        n,
    ).format(n=n)


def _move(rules: Edition, n: int) -> str:
    if rules.crossing:
        return ngettext(
            "{n} movement for your armies, of which a water crossing uses {crossing}",
            "{n} movements for your armies, of which each water crossing uses {crossing}",
            n,
        ).format(n=n, crossing=rules.crossing)
    return ngettext("{n} movement for your armies, by land", "{n} movements for your armies, by land", n).format(n=n)


def _sail(rules: Edition, n: int) -> str:
    return ngettext(
        "{n} movement for your armies, by land or over water",
        "{n} movements for your armies, by land or over water",
        n,
    ).format(n=n)


def _build(rules: Edition, n: int) -> str:
    return ngettext("build {n} city where you have an army", "build {n} cities, each where you have an army", n).format(
        n=n
    )


def _destroy(rules: Edition, n: int) -> str:
    if rules.destroys_anywhere:
        return ngettext("destroy {n} army anywhere", "destroy {n} armies anywhere", n).format(n=n)
    return ngettext(
        "destroy {n} army in a region where you also have one",
        "destroy {n} armies in regions where you also have one",
        n,
    ).format(n=n)


PARTS = {"place": _place, "move": _move, "sail": _sail, "build": _build, "destroy": _destroy}


# Other facts about a card


def _belongs(rules: Edition, card: Card) -> list[str]:
    """Name the other cards that count this one as part of its family."""
    counting = [other.name for other in rules.cards.values() if other is not card and _counts(other, card.family)]
    if not counting or card.family in rules.goods:
        return []
    family = _(FAMILIES[card.family])
    return [
        _("One of the {family} cards, which count toward {cards}.").format(family=family, cards=", ".join(counting))
    ]


def _counts(card: Card, family: str) -> bool:
    return bool(family) and any(ability.of == family and ability.kind != "good" for ability in card.abilities)


def _in_play(rules: Edition, card: Card) -> list[str]:
    if card.players <= rules.players[0]:
        return []
    return [_("Only in the deck with {n} or more players.").format(n=card.players)]
