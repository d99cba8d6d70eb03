"""Filters for what a report has kept as plain data."""

from datetime import datetime

from django import template

from games.tables.models import Status

register = template.Library()


@register.filter(expects_localtime=True)
def moment(at: datetime | str) -> datetime:
    """Return the time of a line, which reports keep as text."""
    return datetime.fromisoformat(at) if isinstance(at, str) else at


@register.filter
def status_name(status: str) -> str:
    """Return the name of the status that a table had when it was reported."""
    return str(Status(status).label)
