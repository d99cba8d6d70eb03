"""Cards as help pages show them: a picture, what they do, and the group that they belong to."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from games.boards.eight_minute.faces import Face
from games.help.term import Term


@dataclass(frozen=True)
class CardHelp:
    """A card as it looks and in sentences: as a `face` that a template lays out, or drawn as a `picture`.

    `power` names what it can do, where that has a place of its own on the rules page.
    """

    face: Face | None
    term: Term
    picture: SafeString | None = None
    power: str = ""


@dataclass(frozen=True)
class CardGroup:
    """Cards that go together, under a name and with what is true of all of them."""

    anchor: str
    name: str
    cards: tuple[CardHelp, ...]
    sentences: tuple[str, ...] = ()
