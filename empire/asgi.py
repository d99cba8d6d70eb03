"""The web application: Django, with the live stream answered before it."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")
django = get_asgi_application()

from empire import live  # noqa: E402  it needs the apps to be loaded


async def application(scope: live.Scope, receive: live.Receive, send: live.Send) -> None:
    is_live = scope["type"] == "http" and scope["path"].startswith(live.PREFIX)
    await (live.stream if is_live else django)(scope, receive, send)
