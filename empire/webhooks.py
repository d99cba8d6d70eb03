"""Where mail providers tell us what became of mails: anymail's addresses, but for those that take mails in."""

from importlib.util import find_spec

from django.conf import settings
from django.urls import URLPattern


def mail_events() -> list[URLPattern]:
    """None without anymail, or without a secret that providers have to know."""
    if not (settings.ANYMAIL.get("WEBHOOK_SECRET") and find_spec("anymail")):
        return []
    from anymail import urls

    return [one for one in urls.urlpatterns if "inbound" not in (one.name or "")]
