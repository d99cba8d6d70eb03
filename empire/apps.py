"""The project as an app, with checks for misspelled settings, and with `--deploy` for those that are incomplete."""

import os
from importlib.util import find_spec
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register

from empire import environment


class EmpireConfig(AppConfig):
    name = "empire"

    def ready(self) -> None:
        from empire.web import limits

        limits.check_setting()
        if settings.SENTRY_DSN:
            from empire.observability import sentry

            sentry.start(settings.SENTRY_DSN)


env_file: list[str] = []  # the lines of the file with settings that `check --env-file` was given


@register
def settings_are_spelled_right(**options: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    for number, name, similar in environment.unread(os.environ, env_file):
        place = f"Line {number} of the file is ignored" if number else "An environment variable is ignored"
        hint = f"Did you mean {similar}?" if similar else "docs/operations.md lists all settings."
        found.append(Warning(f"{place}: no setting is named {name}.", hint=hint, id="empire.W003"))
    return found


@register(Tags.security, deploy=True)
def bounces_are_received(**options: Any) -> list[CheckMessage]:
    has_secret, by_smtp = settings.ANYMAIL.get("WEBHOOK_SECRET"), "smtp" in settings.EMAIL_BACKEND
    if has_secret and not find_spec("anymail"):
        words = "ANYMAIL_WEBHOOK_SECRET is set, but django-anymail is not installed, so bounces are not received."
        return [Warning(words, hint="Install the prod extra.", id="empire.W001")]
    if by_smtp and not has_secret:
        words = "Email providers cannot report bounces and complaints, so emails to dead addresses continue."
        return [Info(words, hint="Set ANYMAIL_WEBHOOK_SECRET, see docs/operations.md.", id="empire.I001")]
    return []


@register(Tags.staticfiles, deploy=True)
def static_files_are_collected(**options: Any) -> list[CheckMessage]:
    if getattr(staticfiles_storage, "hashed_files", True):
        return []
    words = f"There are no style sheets and scripts in {settings.STATIC_ROOT}, so every page answers 500."
    return [
        Error(words, hint="Run manage.py collectstatic --no-input, then restart the web processes.", id="empire.E001")
    ]


@register(deploy=True)
def useful_settings_are_set(**options: Any) -> list[CheckMessage]:
    missing = {
        "VAPID_PRIVATE_KEY": "there is no web push",
        "OPERATOR": "the About page does not say who runs the site",
        "ADMINS": "errors are emailed to nobody",
    }
    without = [f"{name} ({lack})" for name, lack in missing.items() if not getattr(settings, name)]
    if not without:
        return []
    words = f"These settings are not set: {', '.join(without)}."
    return [Info(words, hint="docs/operations.md describes all settings.", id="empire.I002")]


@register(Tags.security, deploy=True)
def hosts_are_named(**options: Any) -> list[CheckMessage]:
    if "*" not in settings.ALLOWED_HOSTS:
        return []
    words = "ALLOWED_HOSTS contains *, so this site answers to any host name. Links in emails still use SITE_URL."
    return [Warning(words, hint="List the host names of this site in ALLOWED_HOSTS.", id="empire.W002")]
