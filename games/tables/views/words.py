"""Helpers for sentences that several pages use."""

from collections.abc import Sequence

from django.utils.translation import gettext as _


def listed(words: Sequence[str]) -> str:
    """Join words as in `Alice, Bob and Carol`."""
    if len(words) < 2:
        return "".join(words)
    return _("{first} and {last}").format(first=", ".join(words[:-1]), last=words[-1])
