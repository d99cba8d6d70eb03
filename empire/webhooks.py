"""Webhooks for delivery reports of email providers: anymail's URLs without those for inbound email."""

from importlib.util import find_spec

from django.conf import settings
from django.urls import URLPattern


def mail_events() -> list[URLPattern]:
    """Return the URL patterns; empty without anymail or without a webhook secret."""
    if not (settings.ANYMAIL.get("WEBHOOK_SECRET") and find_spec("anymail")):
        return []
    from anymail import urls

    return [one for one in urls.urlpatterns if "inbound" not in (one.name or "")]
