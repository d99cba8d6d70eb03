"""Player names: what may be one, and names for guests. Names are public, and two that differ in case are the same."""

import random
import re
from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.utils.translation import gettext_lazy as _

LONGEST = 24
READABLE = re.compile(r"[A-Za-z0-9](?:[ _-]?[A-Za-z0-9])*")
RESERVED = {
    "admin", "administrator", "anonymous", "bot", "everybody", "former player", "greedy", "house", "me", "moderator",
    "new", "nobody", "none", "null", "random", "root", "search", "server", "staff", "support", "system", "the house",
}  # fmt: skip
RESERVED_STARTS = ("guest ", "former player ", "bot ")
BIRDS = (
    "Avocet", "Bittern", "Crane", "Curlew", "Dunlin", "Egret", "Falcon", "Fulmar", "Gannet", "Godwit", "Heron",
    "Hoopoe", "Ibis", "Jackdaw", "Kestrel", "Kite", "Knot", "Lapwing", "Linnet", "Martin", "Merlin", "Nightjar",
    "Osprey", "Petrel", "Pipit", "Plover", "Puffin", "Raven", "Redshank", "Ruff", "Sandpiper", "Shearwater", "Skua",
    "Snipe", "Stork", "Swift", "Teal", "Tern", "Turnstone", "Wagtail", "Whimbrel", "Wren",
)  # fmt: skip


def is_readable(name: str) -> None:
    if not READABLE.fullmatch(name):
        raise ValidationError(
            _("A name has letters a to z and digits, with single spaces, hyphens or underscores between.")
        )


def is_free_to_take(name: str) -> None:
    folded = re.sub("[_-]", " ", name).lower()
    if folded in RESERVED or folded.startswith(RESERVED_STARTS):
        raise ValidationError(_("This name is kept for the house. Please take another one."))


# Guests and former players carry reserved names, so the field itself asks only for readable ones.
field_validators = [is_readable]
sign_up_validators: list[Callable[[str], None]] = [
    MinLengthValidator(2),
    MaxLengthValidator(LONGEST),
    is_readable,
    is_free_to_take,
]


def guest_name() -> str:
    return f"Guest {random.choice(BIRDS)} {random.randrange(10, 1000)}"
