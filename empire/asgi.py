"""The web application: Django, with the live stream answered before it, and within bounds."""

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous")  # static files, all of them small
django = get_asgi_application()

from empire import bounds, live  # noqa: E402  they need the apps to be loaded

live.make_room(live.hub.limit)
pages = bounds.bounded(django)


async def application(scope: live.Scope, receive: live.Receive, send: live.Send) -> None:
    if scope["type"] == "http" and scope["path"].startswith(live.PREFIX):
        await live.stream(scope, receive, send)
    else:
        await pages(scope, receive, send)
