"""The meaning of an HTTP response for the notice that was posted."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.utils.translation import gettext

from games.notices import outlets as channels
from games.notices.delivery.channels.addresses import NoAnswer, NotTaken
from games.notices.delivery.channels.outgoing import Answer
from games.notices.outlets import Gone, Refused, TryAgain


def hand_over(url: str, post: Callable[[], Answer]) -> None:
    """Post a notice, or raise a subclass of `Unsent`. After no response, the host is left alone for a while."""
    host = urlsplit(url).netloc
    if channels.rests(host):
        raise TryAgain(gettext("%(host)s did not respond a moment ago.") % {"host": host})
    try:
        answer = post()
    except NoAnswer as silence:
        channels.rest(host)
        raise TryAgain(str(silence)) from silence
    except NotTaken as refusal:
        raise Refused(str(refusal)) from refusal
    need_yes(answer)


def need_yes(answer: Answer) -> None:
    if answer.is_gone:
        raise Gone(answer.sentence)
    if answer.is_for_now:
        raise TryAgain(answer.sentence, after=answer.retry_after)
    if not answer.is_yes:
        raise Refused(answer.sentence)
