"""Tokens, leaders, goods and the words on cards of the Eight-Minute family: what each of them does."""

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.help.eight_minute.cards import card_ids, card_term, good_steps
from games.help.term import Shelf, Term
from games.rules.eight_minute.edition import Edition, edition
from games.rules.eight_minute.tokens import gifts, leader_ids

Lazy = str | Promise

# By id: the section of the rules page that it belongs to, and what it does.
TOKENS: dict[str, tuple[str, Lazy]] = {
    "magic-spring": ("explore", gettext_lazy("Two elixirs for whoever takes it.")),
    "cottage": (
        "explore",
        gettext_lazy("Each Place of its owner puts down one army more, from the moment it is taken."),
    ),
    "hidden-treasure": ("explore", gettext_lazy("One coin at once for whoever takes it.")),
    "magic-book": ("explore", gettext_lazy("One point, and its owner wins every tie in points when the game ends.")),
    "stable": ("explore", gettext_lazy("Each Move of its owner has one movement more, from the moment it is taken.")),
    "poison-swamp": ("poison_swamp", gettext_lazy("Costs whoever takes it a point.")),
    "face-down": (
        "poison_swamp",
        gettext_lazy(
            "The first city in its region turns it up. Who controls the region at the end of a turn of their own sees "
            "it before."
        ),
    ),
    "citadel": ("citadels", gettext_lazy("Its region is worth one point more to whoever controls it at the end.")),
    "dragon": ("dragon", gettext_lazy("Two points for the player whose army is the one that slays it.")),
    "portal": ("portals", gettext_lazy("Leads to the region of the other portal, as if the two were neighbours.")),
    "rogues": ("rogues", gettext_lazy("Each army that moves in here costs its owner a coin.")),
    "merchants": ("merchants", gettext_lazy("Two coins for whoever founds the first city here.")),
}

LEADERS: dict[str, tuple[Lazy, ...]] = {
    "fairy-queen": (
        gettext_lazy(
            "When everybody has their last card she may take one more, for what it gives and not for its action."
        ),
        gettext_lazy("One point at the end with three Forest cards or more."),
    ),
    "bandit-king": (
        gettext_lazy("Whenever he destroys an army of another player he takes a coin from them."),
        gettext_lazy("One point at the end if none of his armies is left in the supply."),
    ),
    "red-sorceress": (
        gettext_lazy("She begins with one army more, and keeps the armies that she destroys."),
        gettext_lazy("One point at the end for every three armies that she has captured."),
    ),
    "white-knight": (
        gettext_lazy("Each city that he founds brings one of his armies there from the supply."),
        gettext_lazy("One point at the end for each island of three regions or more that he controls."),
    ),
}


def _move(rules: Edition) -> str:
    if rules.crossing:
        return _(
            "Each movement takes one of your armies over one border. A dotted line over water costs {n} movements."
        ).format(n=rules.crossing)
    return _(
        "Each movement takes one of your armies over one border by land, and over water too if the card has a ship."
    )


def _destroy(rules: Edition) -> str:
    if rules.destroys_anywhere:
        return _("Takes an army, anybody’s, off the map, wherever it stands.")
    return _("Takes an army, anybody’s, off the map, in a region where you have one.")


def _elixir(rules: Edition) -> str:
    return _("Most of them at the end are worth {most} points; if several have most, {tied} each.").format(
        most=rules.most_elixirs, tied=rules.tied_elixirs
    )


WORDS: dict[str, tuple[Lazy, Callable[[Edition], str]]] = {
    "place": (
        pgettext_lazy("action", "Place"),
        lambda rules: _("Puts new armies of yours on the start region, or where you have a city."),
    ),
    "move": (pgettext_lazy("action", "Move"), _move),
    "build": (
        pgettext_lazy("action", "Build"),
        lambda rules: _("Founds a city in a region where you have an army. Cities count for control and never move."),
    ),
    "destroy": (pgettext_lazy("action", "Destroy"), _destroy),
    "flying": (
        gettext_lazy("Flying"),
        lambda rules: _("Each makes your crossings of water one movement cheaper, but never cheaper than one."),
    ),
    "immune": (gettext_lazy("Immune"), lambda rules: _("Nobody can destroy your armies.")),
    "elixir": (gettext_lazy("Elixirs"), _elixir),
}
ABILITIES = ("flying", "immune", "elixir")  # where cards have abilities


def token_ids(slug: str) -> list[str]:
    """The tokens of a ruleset, merchants’ coins and those that lie face down among them."""
    options = edition(slug).options
    return [name for name, (option, _words) in TOKENS.items() if option in options]


def token_term(slug: str, token: str) -> Term:
    if token in edition(slug).goods:
        return good_term(slug, token)
    option, words = TOKENS[token]
    anchor = token if option == "explore" else option.replace("_", "-")
    return Term(slug, "token", token, token_name(token), (str(words),), anchor, part_of=option)


def token_name(token: str) -> str:
    """What players call a token, merchants’ coins or one that lies face down."""
    return _(gifts()[token].name) if token in gifts() else str(OTHER_NAMES[token])


OTHER_NAMES = {"face-down": gettext_lazy("A token face down"), "merchants": gettext_lazy("Merchants’ coins")}


def leaders_of(slug: str) -> list[str]:
    return list(leader_ids()) if "leaders" in edition(slug).options else []


def leader_term(slug: str, leader: str) -> Term:
    return Term(
        slug, "leader", leader, _(gifts()[leader].name), tuple(map(str, LEADERS[leader])), leader, part_of="leaders"
    )


def good_ids(slug: str) -> list[str]:
    rules = edition(slug)
    return [*rules.goods, "wild"] if rules.goods else []


def good_term(slug: str, good: str) -> Term:
    if good == "wild":
        words = _("Joins a good that you have already, where it scores most.")
        return Term(slug, "good", good, _("Wild card"), (words,), "good-wild")
    return Term(slug, "good", good, _(gifts()[good].name), (good_steps(edition(slug), good),), f"good-{good}")


def word_ids(slug: str) -> list[str]:
    """The words that stand on cards: actions in every game, abilities where cards have them."""
    return [word for word in WORDS if word not in ABILITIES or edition(slug).most_elixirs]


def word_term(slug: str, word: str) -> Term:
    name, words = WORDS[word]
    return Term(slug, "word", word, str(name), (words(edition(slug)),), word)


GLOSSARY: Mapping[str, Shelf] = {
    "card": Shelf(card_ids, card_term),
    "token": Shelf(token_ids, token_term),
    "leader": Shelf(leaders_of, leader_term),
    "good": Shelf(good_ids, good_term),
    "word": Shelf(word_ids, word_term),
}
