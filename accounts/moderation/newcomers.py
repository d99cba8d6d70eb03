"""Limits of new accounts and of guests: how much they send and open in a day, and no links in chats.

An account is new for `NEW_ACCOUNT_DAYS` after it was created; a guest until they sign up. With 0 days there are no
limits.
"""

import re
import unicodedata
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, ngettext_lazy

from accounts.models import User
from games.errors import GameError, TooOften

DAY = timedelta(days=1)
# Endings of addresses that people write without https://. Those that are words too (it, me, so, to) need a slash
ENDINGS = (
    "com|net|org|info|biz|xyz|top|site|online|shop|store|club|live|link|click|app|dev|page|blog|pro|vip|win|bet|cam|"
    "io|gg|ly|tv|cc|ru|cn|uk|eu|de|fr|pl|nl|ch|jp|kr|br|tk|ml|ga|co|ai|icu|cfd|sbs|xxx|porn|casino|website|cyou|mobi|"
    "cf|gq|pw|su|ws|fm|sh|ca|dk|cz|pt|tr|ir|za|nz|рф|бел|укр|сайт|онлайн"
)
# A dot with a space after it only ends a sentence, unless an ending follows that begins none
SURE = "com|net|org|biz|xyz|io|ru|рф"
DOT = r"(?:\.|\s+\.\s*|\s*[(\[{]\s*(?:dot|\.|punkt|point|punto)\s*[)\]}]\s*)"
LINK = re.compile(
    rf"\b(?:h\w{{2}}ps?|ftp)\s?:\s?/\s?/|\bwww{DOT}\w|[\w-]{DOT}(?:{ENDINGS})\b(?!{DOT}\w)"
    rf"|[\w-](?:\.\s+|\s+(?:dot|punkt|punto)\s+)(?:{SURE})\b|\bxn--\w|\b\d{{1,3}}(?:\.\d{{1,3}}){{3}}\b"
    r"|[\w-]\.[a-z]{2,24}/\w",
    re.IGNORECASE,
)
DOTS = str.maketrans(dict.fromkeys("。·•‧∙⋅・․", "."))


def is_new(user: User) -> bool:
    days = settings.NEW_ACCOUNT_DAYS
    return bool(days) and (user.is_guest or user.date_joined > timezone.now() - timedelta(days=days))


def are_new(path: str = "") -> Q:
    """Return a condition on rows whose user is a guest or has a new account. `path` leads there, as in `opener__`.

    It selects guests even on a site where no account is new.
    """
    since = timezone.now() - timedelta(days=settings.NEW_ACCOUNT_DAYS)
    return Q(**{f"{path}is_guest": True}) | Q(**{f"{path}date_joined__gt": since})


def need_no_link(user: User, text: str) -> None:
    """Refuse a message with a link by a new account. Links to this site are fine. Raises `GameError`."""
    if is_new(user) and has_link(text):
        raise GameError(gettext("New accounts can’t post links. Leave the address out."))


def has_link(text: str) -> bool:
    """Return whether a text has something that readers could take for an address of another site."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKC", text) if unicodedata.category(letter) != "Cf")
    ours = urlsplit(settings.SITE_URL)
    own = rf"(?<![\w.@/-])(?:https?://)?{re.escape(ours.netloc)}(?!\.?[\w:@-])"
    return bool(LINK.search(re.sub(own, "", plain.translate(DOTS), flags=re.IGNORECASE)))


def need_few_invitations(user: User, sent: QuerySet) -> None:
    """Refuse if a new account has invited as many players in a day as it may. Raises `TooOften`."""
    sentence = ngettext_lazy(
        "New accounts can invite %(n)d player a day. Send the link instead, or wait until tomorrow.",
        "New accounts can invite %(n)d players a day. Send the link instead, or wait until tomorrow.",
        "n",
    )
    need_few(user, sent, "at", settings.NEW_ACCOUNT_INVITATIONS, sentence)


def need_few_requests(user: User, sent: QuerySet, at: str) -> None:
    """Refuse if a new account has asked as many players in a day to play a seat as it may. Raises `TooOften`.

    For `at` see `need_few`.
    """
    sentence = ngettext_lazy(
        "New accounts can ask %(n)d player a day to take over. Ask again tomorrow.",
        "New accounts can ask %(n)d players a day to take over. Ask again tomorrow.",
        "n",
    )
    need_few(user, sent, at, settings.NEW_ACCOUNT_INVITATIONS, sentence)


def need_few(user: User, sent: QuerySet, at: str, most: int, sentence: Any) -> None:
    """Refuse if a new account has sent as many rows in a day as it may. Raises `TooOften`.

    `at` is the field with the time of a row. `sentence` is a lazy plural that counts `most` as `n`.
    """
    if not is_new(user):
        return
    recent: list[datetime] = list(sent.filter(**{f"{at}__gt": timezone.now() - DAY}).values_list(at, flat=True)[:most])
    if len(recent) >= most:
        wait = min(recent) + DAY - timezone.now()
        raise TooOften(sentence % {"n": most}, max(1, int(wait.total_seconds())))
