"""Error reports to Sentry if SENTRY_DSN is set, without names, addresses, form data or links."""

import re
from typing import Any, cast

import sentry_sdk
from sentry_sdk.types import Event, Hint

from empire.observability import logs

EMAIL_ADDRESS = re.compile(r"(?<![^\s@<>\"'=])[^\s@<>\"'=]++@[^\s@<>\"']+")
OF_A_REQUEST = ("method", "url")


def start(dsn: str, **more: Any) -> None:
    sentry_sdk.init(dsn=dsn, before_send=cleaned, include_local_variables=False, max_request_body_size="never", **more)


def cleaned(event: Event, hint: Hint) -> Event | None:
    """Remove personal data and keys from the event, and add the log context as tags."""
    event.pop("user", None)
    if "request" in event:
        event["request"] = {name: event["request"][name] for name in OF_A_REQUEST if name in event["request"]}
    event["tags"] = {**event.get("tags", {}), **{name: str(fact) for name, fact in logs.facts().items()}}
    return cast(Event, scrubbed(event))


def scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return EMAIL_ADDRESS.sub("***", logs.without_keys(value))
    if isinstance(value, dict):
        return {name: scrubbed(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [scrubbed(item) for item in value]
    return value
