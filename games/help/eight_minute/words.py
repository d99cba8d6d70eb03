"""Help for tokens, leaders, goods and the words on the cards of the Eight-Minute family."""

from collections.abc import Mapping
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.boards.eight_minute.faces import leader_face
from games.help.eight_minute.cards import card_ids, card_term, good_steps
from games.help.ruling import read
from games.help.term import CardHelp, Shelf, Term
from games.rules.eight_minute.edition import newest
from games.rules.eight_minute.tokens import gifts, leader_ids
from games.tables.templatetags.eight_minute import token_icon, whole_card

Lazy = str | Promise

FOLDER = Path(__file__).parent
# By id: the option whose section describes the token, and what the token does.
TOKENS = {name: (row["option"], gettext_lazy(row["text"])) for name, row in read(FOLDER, "tokens").items()}
LEADERS = {name: [gettext_lazy(text) for text in row["text"]] for name, row in read(FOLDER, "leaders").items()}
WORDS: dict[str, Lazy] = {
    "place": pgettext_lazy("action", "Place"),
    "move": pgettext_lazy("action", "Move"),
    "build": pgettext_lazy("action", "Build"),
    "destroy": pgettext_lazy("action", "Destroy"),
    "flying": gettext_lazy("Flying"),
    "immune": gettext_lazy("Immune"),
    "elixir": gettext_lazy("Elixirs"),
}
ABILITIES = ("flying", "immune", "elixir")  # only where cards have abilities


def token_ids(slug: str) -> list[str]:
    """Return the tokens of a ruleset, including merchants' coins and face-down tokens."""
    options = newest(slug).options
    return [name for name, (option, _words) in TOKENS.items() if option in options]


def token_term(slug: str, token: str) -> Term:
    if token in newest(slug).goods:
        return good_term(slug, token)
    option, words = TOKENS[token]
    anchor = token if option == "explore" else option.replace("_", "-")
    return Term(slug, "token", token, token_name(token), (str(words),), anchor, part_of=option, icon=token_icon(token))


def token_name(token: str) -> str:
    """Return the name of a token, also for merchants' coins and face-down tokens."""
    return _(gifts()[token].name) if token in gifts() else str(OTHER_NAMES[token])


OTHER_NAMES = {"face-down": gettext_lazy("A face-down token"), "merchants": gettext_lazy("Merchants’ coins")}


def leaders_of(slug: str) -> list[str]:
    return list(leader_ids()) if "leaders" in newest(slug).options else []


def leader_term(slug: str, leader: str) -> Term:
    return Term(
        slug, "leader", leader, _(gifts()[leader].name), tuple(map(str, LEADERS[leader])), leader, part_of="leaders"
    )


def option_cards(slug: str, option: str) -> tuple[CardHelp, ...]:
    """Return the leaders, for the option that brings them into the game."""
    shown = leaders_of(slug) if option == "leaders" else ()
    return tuple(CardHelp(whole_card(leader_face(gifts()[leader], _)), leader_term(slug, leader)) for leader in shown)


def good_ids(slug: str) -> list[str]:
    rules = newest(slug)
    return [*rules.goods, "wild"] if rules.goods else []


def good_term(slug: str, good: str) -> Term:
    if good == "wild":
        words = _("Counts as one more of a good you already have, whichever scores you the most.")
        return Term(slug, "good", good, _("Wild card"), (words,), "good-wild")
    words = good_steps(newest(slug), good)
    return Term(slug, "good", good, _(gifts()[good].name), (words,), f"good-{good}", icon=token_icon(good))


def word_ids(slug: str) -> list[str]:
    """Return the words explained for a ruleset: actions in every game, abilities only if its cards have them."""
    return [word for word in WORDS if word not in ABILITIES or newest(slug).most_elixirs]


def word_term(slug: str, word: str) -> Term:
    """Return the term of a word of the cards, with a sentence that fits the ruleset."""
    rules = newest(slug)
    sentence = {
        "place": _("Put new armies on the start region, or in a region where you have a city."),
        "move": _(
            "Each move takes one of your armies across one border, by land or, if the card has a ship, also over water."
        ),
        "build": _("Build a city in a region where you have an army. Cities count for control and never move."),
        "destroy": _("Remove any player’s army from a region where you also have one."),
        "flying": _("Each one makes your water crossings one move cheaper, but they always cost at least one."),
        "immune": _("Nobody can destroy your armies."),
        "elixir": _("Having the most at the end scores {most} points, or {tied} each if players are tied.").format(
            most=rules.most_elixirs, tied=rules.tied_elixirs
        ),
    }[word]
    if word == "move" and rules.crossing:
        sentence = _(
            "Each move takes one of your armies across one border. A dotted line over water costs {n} moves."
        ).format(n=rules.crossing)
    if word == "destroy" and rules.destroys_anywhere:
        sentence = _("Remove any player’s army from anywhere on the map.")
    return Term(slug, "word", word, str(WORDS[word]), (sentence,), word)


GLOSSARY: Mapping[str, Shelf] = {
    "card": Shelf(card_ids, card_term),
    "token": Shelf(token_ids, token_term),
    "leader": Shelf(leaders_of, leader_term),
    "good": Shelf(good_ids, good_term),
    "word": Shelf(word_ids, word_term),
}
