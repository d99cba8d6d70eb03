"""Template context for every page."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.tables.selectors.listed import count_waiting


def waiting(request: HttpRequest) -> dict[str, Any]:
    """Return `waiting_count`, computed only if a page uses it."""
    return {"waiting_count": SimpleLazyObject(lambda: count_waiting(request.user))}
