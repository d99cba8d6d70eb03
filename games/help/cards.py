"""Cards as the help pages show them: a picture, what the card does, and its group."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from games.boards.eight_minute.faces import Face
from games.help.term import Term


@dataclass(frozen=True)
class CardHelp:
    """A card's picture and explanation.

    The picture is either a `face` that a template lays out or a ready-made `picture`. `power` names the card's power if
    the rules page has a section on it.
    """

    face: Face | None
    term: Term
    picture: SafeString | None = None
    power: str = ""


@dataclass(frozen=True)
class CardGroup:
    """Cards of one group, with a heading and what is true of all of them."""

    anchor: str
    name: str
    cards: tuple[CardHelp, ...]
    sentences: tuple[str, ...] = ()
