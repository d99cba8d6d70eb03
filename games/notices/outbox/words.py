"""What the words of all messages have in common."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

Lead = tuple[str, str]  # what is new in a few words, and the sentence that says what is asked


@dataclass(frozen=True)
class Offer:
    """Something that the reader can take, its price in words, and what it gives: for good, and to do at once.

    `card` is empty where it cannot be taken yet; `url` is where it can.
    """

    name: str
    price: str
    gives: str
    card: str = ""
    url: str = ""


def enumerated(names: list[str], joined: str = "") -> str:
    """`Alice, Bob and Carol`, or as `joined` says with its `first` and `last`."""
    if len(names) < 2:
        return "".join(names)
    return (joined or _("{first} and {last}")).format(first=", ".join(names[:-1]), last=names[-1])
