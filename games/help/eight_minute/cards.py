"""Card texts of the Eight-Minute family, made from the card data: what a card gives and which action it allows."""

from itertools import groupby

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.boards.eight_minute.faces import FAMILIES, face
from games.help.term import CARDS, CardGroup, CardHelp, Term
from games.rules.eight_minute.edition import Ability, Card, Edition, Part, edition, newest
from games.rules.eight_minute.tokens import gifts
from games.tables.templatetags.eight_minute import whole_card


def card_ids(slug: str) -> list[str]:
    return list(newest(slug).cards)


def card_groups(slug: str) -> list[CardGroup]:
    """Return the deck grouped by family, as printed; cards without a family come last."""
    ordered = sorted(newest(slug).cards.values(), key=lambda card: (not card.family, card.family))
    groups = []
    for family, cards in groupby(ordered, key=lambda card: card.family):
        name = capfirst(_(FAMILIES[family])) if family else _("No family")
        helps = tuple(CardHelp(whole_card(face(card, _)), card_term(slug, card.id)) for card in cards)
        groups.append(CardGroup(f"family-{family or 'none'}", name, helps))
    return groups


def card_term(name: str, card_id: str) -> Term:
    """Return the help entry of a card of an edition. An edition's name may include options that change its cards."""
    rules = edition(name)
    card, family = rules.cards[card_id], rules.cards[card_id].family
    sentences = [_ability_sentence(rules, card, ability) for ability in card.abilities]
    sentences.append(_action_sentence(rules, card))
    # The other cards that count this one as part of its family
    counting = []
    for other in rules.cards.values():
        counts = any(ability.of == family and ability.kind != "good" for ability in other.abilities)
        if counts and other is not card:
            counting.append(_(other.name))
    if family and counting and family not in rules.goods:
        words = ngettext(
            "One of the {family} cards, which count toward the card {cards}.",
            "One of the {family} cards, which count toward the cards {cards}.",
            len(counting),
        )
        sentences.append(words.format(family=_(FAMILIES[family]), cards=", ".join(counting)))
    if card.players > rules.players[0]:
        sentences.append(_("Only in the deck with {n} or more players.").format(n=card.players))
    return Term(rules.slug, "card", card.id, _(card.name), tuple(sentences), card.id, CARDS)


def _ability_sentence(rules: Edition, card: Card, ability: Ability) -> str:
    """Describe what a card gives until the end of the game."""
    n, points = ability.n, ability.points
    match ability.kind:
        case "flying":
            return _("Flying: each water crossing costs you one move less, but never less than one.")
        case "immune":
            return _("Immune: nobody can destroy your armies anywhere on the map.")
        case "elixir":
            words = ngettext(
                "Gives {n} elixir. The most elixirs at the end score {most} points, or {tied} each if players are "
                "tied.",
                "Gives {n} elixirs. The most elixirs at the end score {most} points, or {tied} each if players are "
                "tied.",
                n,
            )
            return words.format(n=n, most=rules.most_elixirs, tied=rules.tied_elixirs)
        case "army":
            return ngettext(
                "Your Place actions add {n} more army, from this card on.",
                "Your Place actions add {n} more armies, from this card on.",
                n,
            ).format(n=n)
        case "movement":
            return ngettext(
                "Your Move actions have {n} more move, from this card on.",
                "Your Move actions have {n} more moves, from this card on.",
                n,
            ).format(n=n)
        case "coins":
            return ngettext(
                "Gives {n} coin immediately, after you have paid for the card.",
                "Gives {n} coins immediately, after you have paid for the card.",
                n,
            ).format(n=n)
        case "per-card" if card.family == ability.of:
            return ngettext(
                "At the end: {points} point for each of your {family} cards, this one included.",
                "At the end: {points} points for each of your {family} cards, this one included.",
                points,
            ).format(points=points, family=_(FAMILIES[ability.of]))
        case "per-card":
            return ngettext(
                "At the end: {points} point for each of your {family} cards.",
                "At the end: {points} points for each of your {family} cards.",
                points,
            ).format(points=points, family=_(FAMILIES[ability.of]))
        case "per-flying":
            return ngettext(
                "At the end: {points} point for each Flying you have.",
                "At the end: {points} points for each Flying you have.",
                points,
            ).format(points=points)
        case "per-coins":
            return ngettext(
                "At the end: {points} point for every {n} coins you have left.",
                "At the end: {points} points for every {n} coins you have left.",
                points,
            ).format(points=points, n=n)
        case "whole-set":
            names = ", ".join(_(rules.cards[card_id].name) for card_id in rules.family(ability.of))
            words = ngettext(
                "At the end: {points} point if you have the {n} {family} cards: {names}.",
                "At the end: {points} points if you have the {n} {family} cards: {names}.",
                points,
            )
            return words.format(points=points, n=n, family=_(FAMILIES[ability.of]), names=names)
        case "good" if ability.of in rules.goods:
            words = ngettext("Counts as {n} good of type {good}.", "Counts as {n} goods of type {good}.", n)
            return f"{words.format(n=n, good=_(gifts()[ability.of].name))} {good_steps(rules, ability.of)}"
        case "good":
            return _("At the end, counts as one more of a good you already have, whichever scores you the most.")
    raise KeyError(ability.kind)


def good_steps(rules: Edition, good: str) -> str:
    """Describe how many of a good score how many points."""
    steps = zip(rules.goods[good], rules.goods_points, strict=True)
    return _("Points at the end: {steps}.").format(
        steps=", ".join(_("{points} for {n}").format(n=needed, points=points) for needed, points in steps)
    )


def _action_sentence(rules: Edition, card: Card) -> str:
    """Describe what the player may do when taking the card."""
    parts = [_part_words(rules, part) for part in card.parts]
    if not card.joined:
        return _("Now: {part}.").format(part=parts[0])
    if card.joined == "or":
        return _("Now, one of the two: {first}; or {second}.").format(first=parts[0], second=parts[1])
    if card.ordered:
        return _("Now: {first}, and then {second}.").format(first=parts[0], second=parts[1])
    return _("Now, in any order: {first}, and {second}.").format(first=parts[0], second=parts[1])


def _part_words(rules: Edition, part: Part) -> str:
    """Describe one part of an action, as the end of a sentence."""
    n = part.n
    match part.kind:
        case "place":
            words = ngettext(
                "place {n} army on the start region or in a region where you have a city",
                "place {n} armies on the start region or in regions where you have a city",
                n,
            )
        case "move" if part.ship:
            words = ngettext(
                "{n} move for your armies, by land or over water",
                "{n} moves for your armies, by land or over water",
                n,
            )
        case "move" if rules.crossing:
            words = ngettext(
                "{n} move for your armies, of which a water crossing uses {crossing}",
                "{n} moves for your armies, of which each water crossing uses {crossing}",
                n,
            )
        case "move":
            words = ngettext("{n} move for your armies, by land", "{n} moves for your armies, by land", n)
        case "build":
            words = ngettext(
                "build {n} city where you have an army", "build {n} cities, each where you have an army", n
            )
        case "destroy" if rules.destroys_anywhere:
            words = ngettext("destroy {n} army anywhere", "destroy {n} armies anywhere", n)
        case "destroy":
            words = ngettext(
                "destroy {n} army in a region where you also have one",
                "destroy {n} armies in regions where you also have one",
                n,
            )
        case _:
            raise KeyError(part.kind)
    return words.format(n=n, crossing=rules.crossing)
