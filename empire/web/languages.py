"""The language of a page: the account's choice, else the cookie, else what the browser asks for.

`of_browser` runs outside of everything that may answer, so that errors are in a language of the reader's too; sessions
and accounts are not read there. `accounts.middleware.local_language` then applies the choice of an account.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext

from games.rules.record import FORMER_PLAYER

Answer = Callable[[HttpRequest], HttpResponse]


def supported(code: object) -> str:
    """Return the code if it is one of the site's languages, else an empty text."""
    return code if isinstance(code, str) and code in dict(settings.LANGUAGES) else ""


def of_browser(get_response: Answer) -> Answer:
    """Use the language of the cookie or of the browser. It stays active until the next request of this thread."""

    def middleware(request: HttpRequest) -> HttpResponse:
        activate(request, translation.get_language_from_request(request))
        answer = get_response(request)
        if answer.status_code >= 400:  # also the ones that no inner middleware has seen
            answer.headers.setdefault("Content-Language", translation.get_language() or settings.LANGUAGE_CODE)
        return answer

    return middleware


def activate(request: Any, code: str) -> None:
    """Use this language for the rest of the request."""
    translation.activate(code)
    request.LANGUAGE_CODE = translation.get_language()


def add_headers(answer: HttpResponse) -> None:
    """Say in which language the answer is, and what it depends on."""
    answer.headers.setdefault("Content-Language", translation.get_language() or settings.LANGUAGE_CODE)
    patch_vary_headers(answer, ("Accept-Language", "Cookie"))


def display_name(name: str) -> str:
    """Return a player's name as the reader knows it: those that the site gives are translated, also with a number.

    They are reserved in all languages (`accounts.names`), so that no person has one.
    """
    own = names_of_site()
    if name in own:
        return gettext(name)
    plain, _blank, number = name.rpartition(" ")
    return f"{gettext(plain)} {number}" if plain in own and number.isdecimal() else name


@cache
def names_of_site() -> frozenset[str]:
    """Return the names that the site gives and stores, in English: of its bots, and of people who have left."""
    from games.bots.registry import BOTS  # imported late: it loads the rules

    return frozenset([FORMER_PLAYER, *(bot.name for bot in BOTS.values())])


def remember(answer: HttpResponse, code: str) -> None:
    """Keep the choice in a cookie, for readers without an account and for the pages where they sign in."""
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, code, max_age=settings.LANGUAGE_COOKIE_AGE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY, samesite=settings.LANGUAGE_COOKIE_SAMESITE,  # type: ignore[arg-type]
        secure=settings.LANGUAGE_COOKIE_SECURE,
    )  # fmt: skip
