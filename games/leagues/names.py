"""What divisions are called, on pages and in notices."""

from django.utils.translation import gettext


def division_name(tier: int, number: int) -> str:
    """`Division 1` at the top, where there is one; `Division 3.12` below."""
    name = str(tier) if tier == 1 else f"{tier}.{number}"
    return gettext("Division {name}").format(name=name)
