"""The web application: Django within bounds, with the live stream, /metrics and /livez answered before it."""

import os
import warnings

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous")  # static files, all of them small
django.setup(set_prefix=False)

from empire import bounds, live, scraping  # noqa: E402  they need the apps to be loaded
from empire.pages import Pages  # noqa: E402

ALIVE = "/livez"  # asked by what starts processes again, under any name; whether all is well is another question

live.make_room(live.hub.limit)
pages = bounds.bounded(Pages())


async def application(scope: live.Scope, receive: live.Receive, send: live.Send) -> None:
    if scope["type"] == "http" and scope["path"].startswith(live.PREFIX):
        await live.stream(scope, receive, send)
    elif scraping.is_scrape(scope):
        await scraping.respond(scope, send)
    elif scope["type"] == "http" and scope["path"] == ALIVE:
        await live.say(send, "alive")
    else:
        await pages(scope, receive, send)
