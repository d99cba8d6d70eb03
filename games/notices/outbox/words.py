"""Types and helpers for the words of messages."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

Lead = tuple[str, str]  # a short title, and the sentence that says what to do


@dataclass(frozen=True)
class Offer:
    """A card that the reader can take, its price in words, and its ability and action in words.

    `card` is empty if it cannot be taken yet, else `url` is the link to take it.
    """

    name: str
    price: str
    gives: str
    card: str = ""
    url: str = ""


def enumerated(names: list[str], joined: str = "") -> str:
    """Join names, as in `Alice, Bob and Carol`, or with the template `joined`, which has `first` and `last`."""
    if len(names) < 2:
        return "".join(names)
    return (joined or _("{first} and {last}")).format(first=", ".join(names[:-1]), last=names[-1])
