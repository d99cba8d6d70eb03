"""Which second factors a person has, for the pages that ask for one."""

from allauth.mfa.models import Authenticator
from django import template

from accounts.models import User

register = template.Library()


@register.simple_tag
def factors_of(user: User) -> set[str]:
    """Return the kinds of the person's second factors, such as `totp` and `webauthn`."""
    return set(Authenticator.objects.filter(user=user).values_list("type", flat=True))
