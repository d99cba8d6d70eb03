"""What else there is to tell of an option than its sentence and what is decided about it: how it is played."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.help.rulings import INITIALS


class Detail(NamedTuple):
    """A sentence that is true of these games, by their first letters."""

    games: str
    text: str | Promise


def details(slug: str, option: str) -> list[str]:
    return [str(one.text) for one in DETAILS.get(option, ()) if INITIALS.get(slug, "-") in one.games]


# fmt: off
DETAILS = {
    "setup": (
        Detail("LP", _(
            "By hand, the player who sets up lays the boards one after the other, turned this way or that, and names "
            "the start region."
        )),
        Detail("L", _("They also choose the region overseas, and put down each token that the table plays with.")),
        Detail("P", _("They also put down each token that the table plays with.")),
        Detail("LP", _("With two players the armies of the third colour come last.")),
        Detail("C", _(
            "By hand is for two players: they place the armies of the third colour on the printed board, in turn."
        )),
        Detail("LPC", _("A choice can be taken back until it is handed on. Then cards are dealt and the bids begin.")),
    ),
    "layout": (
        Detail("LP", _(
            "Every board shows islands, and a dotted line in the middle of each edge. Where two boards touch, these "
            "lines make a way over water from one to the other."
        )),
    ),
    "ties": (
        Detail("LPC", _(
            "By die, those who are tied roll, and the highest roll wins. By age, the player with the latest date of "
            "birth wins if all who are tied gave one before the table was opened; otherwise the newest account wins. "
            "A tie by age tells those at the table who is younger."
        )),
        Detail("K", _(
            "Each further wave asks both sides again. Where ties stop the battle, the others wait less."
        )),
    ),
    "mode": (
        Detail("K", _(
            "The three victories are there as ever; when the third round is over, the highest Kingdom value wins."
        )),
    ),
    "opening_truce": (
        Detail("K", _("A quiet round lets everybody draw, buy and build before the first battle.")),
    ),
    "castle_wall": (
        Detail("K", _("The lower the wall, the sooner kingdoms are conquered, and the shorter the game.")),
    ),
    "spoils": (
        Detail("K", _(
            "With all troops as spoils hands grow quickly, and with four players most games are won by 300 after a few "
            "rounds."
        )),
    ),
    "pay_to": (
        Detail("K", _("Cards in the Flop make the next purchase, and the next battle, worth more.")),
    ),
    "hold_two": (
        Detail("K", _("Otherwise a single battle would end the duel.")),
    ),
    "leave_princes": (
        Detail("K", _("This makes it rarer to build up to the Princess.")),
    ),
    "leave_princesses": (
        Detail("K", _("Princes and Princesses are left out independently. Which ones is known to all from the start.")),
    ),
    "collusion": (
        Detail("K", _(
            "Gifts go from hand to hand in your own turn before the battle, to your ruler or a direct sub-kingdom. "
            "Those two see the cards, the others how many."
        )),
        Detail("K", _("Nothing that was promised binds anybody.")),
    ),
    "explore": (
        Detail("LP", _(
            "The tokens lie in sight, each in a region of its own. What is taken lies before its owner, and what it "
            "gives is theirs to the end."
        )),
    ),
    "poison_swamp": (
        Detail("L", _("Nobody knows which token lies where before controlling its region or founding a city there.")),
    ),
    "citadels": (
        Detail("LP", _("Citadels are there from the start. They belong to nobody and cannot be moved or destroyed.")),
    ),
    "dragon": (
        Detail("L", _("Once slain it lies before the player who did it, and its region is a region like others.")),
    ),
    "seven_cards": (
        Detail("L", _("There is one card more to choose from in every turn, and cards stay a turn longer in the row.")),
    ),
    "leaders": (
        Detail("L", _("A leader is no card: it costs nothing, counts for no family, and stays all game long.")),
    ),
    "side": (
        Detail("C", _(
            "The board is printed on both sides. The first has four continents and 25 regions, the second five and 23; "
            "each has its own start region and five triangles."
        )),
    ),
    "coal": (
        Detail("C", _("Only one of the seven coal cards is concerned, the one that places two armies.")),
    ),
}
# fmt: on
