"""A filter for names that the data of the rules has in English, such as those of games. Every template has it."""

from django import template
from django.utils.translation import gettext

register = template.Library()


@register.filter
def translated(name: str) -> str:
    return gettext(name)
