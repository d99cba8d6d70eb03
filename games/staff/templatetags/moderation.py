"""A filter for the times of lines that a report has kept."""

from datetime import datetime

from django import template

register = template.Library()


@register.filter(expects_localtime=True)
def moment(at: datetime | str) -> datetime:
    """Return the time of a line, which reports keep as text."""
    return datetime.fromisoformat(at) if isinstance(at, str) else at
