"""What every page knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.home.desk import count_waiting


def site(request: HttpRequest) -> dict[str, Any]:
    """`waiting_count` is asked for only where a page shows it."""
    return {
        "site_name": settings.SITE_NAME,
        "shows_mails": settings.DEBUG,
        "waiting_count": SimpleLazyObject(lambda: count_waiting(request.user)),
    }
