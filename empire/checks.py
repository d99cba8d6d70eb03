"""What `check --deploy` says of settings that are sound, but with which something is left undone."""

from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Info, Tags, Warning, register


@register(Tags.security, deploy=True)
def mails_that_come_back(**options: Any) -> list[CheckMessage]:
    has_secret, by_smtp = settings.ANYMAIL.get("WEBHOOK_SECRET"), "smtp" in settings.EMAIL_BACKEND
    if has_secret and not find_spec("anymail"):
        words = "ANYMAIL_WEBHOOK_SECRET is set, but django-anymail is not installed: bounces are not heard of."
        return [Warning(words, hint="Install the extra called prod.", id="empire.W001")]
    if by_smtp and not has_secret:
        words = "Mail providers cannot tell this site of bounces and complaints, so mails to dead addresses go on."
        return [Info(words, hint="Set ANYMAIL_WEBHOOK_SECRET, see docs/operations.md.", id="empire.I001")]
    return []


@register(Tags.security, deploy=True)
def any_host(**options: Any) -> list[CheckMessage]:
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    words = "ALLOWED_HOSTS has *, so this site answers to any name. Links in emails lead to SITE_URL all the same."
    return [Warning(words, hint="List the names of this site in ALLOWED_HOSTS.", id="empire.W002")]
