"""Names of divisions, for pages and notices."""

from django.utils.translation import gettext


def division_name(tier: int, number: int) -> str:
    """Return a name such as `division 3-12`, the twelfth of tier 3."""
    return gettext("division {tier}-{number}").format(tier=tier, number=number)
