"""What other sites show of a link to a game (Open Graph, ogp.me): a title, a sentence and a picture of the board.

Only listed games have a preview. It shows everyone what a visitor may know, also of an earlier position. An invitation
has one too, with the picture of the site: who has the link may read it.
"""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from django.conf import settings
from django.http import Http404, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from accounts.http import Request
from empire.web.limits import limited
from games.boards.png import CARD, WIDEST, card
from games.errors import NotFound
from games.notices.delivery.families import parts_of
from games.notices.outbox.words import enumerated
from games.tables.models import Entry, Game
from games.tables.pages.frame import title
from games.tables.selectors import options, rematches, rights
from games.tables.selectors import table as selector
from games.tables.templatetags.clock import a_turn

KEPT_PICTURES = 16  # in memory, of 200 to 400 KB each
ICON, ICON_SIZE = "img/app-512.png", (512, 512)
LONGEST_SUMMARY = 24  # letters of a summary on a picture; if one is longer, there are none


def _picture_tag(request: Request, public_id: str, at: str) -> str | None:
    """Return the ETag of a picture; None if visitors may not see the game or there is no such entry."""
    try:
        game, seats = rights.visible(public_id=public_id, user=None)
    except NotFound:
        return None
    entry = Entry.objects.filter(game=game, seq=int(at)).only("digest").first()
    if entry is None:
        return None
    contents = "\n".join([public_id, entry.digest, get_language() or "", *(seat.name for seat in seats)])
    return f'"{sha256(contents.encode()).hexdigest()[:32]}"'


@require_safe
@limited("picture", reading=True)
@condition(etag_func=_picture_tag)
@cache_control(public=True, max_age=300)
def picture(request: Request, public_id: str, at: str) -> HttpResponse:
    """Return the board after entry `at` as a spectator sees it, for previews of links. Only for listed games."""
    tag = _picture_tag(request, public_id, at)
    if tag is None:
        raise Http404
    return HttpResponse(_drawn(public_id, int(at), tag), content_type="image/png")


@lru_cache(maxsize=KEPT_PICTURES)
def _drawn(public_id: str, at: int, tag: str) -> bytes:
    """Draw the picture. `tag` changes with everything on it. The caller has checked that visitors may see it."""
    table = selector.table(public_id=public_id, user=None, at=at)
    parts, names, view = parts_of(table.game.rules), table.names, table.view
    events = [event for line in table.fresh if line.seq for event in line.events]
    summaries = parts.summaries(view, names) if view else []
    has_room = all(len(summary) <= LONGEST_SUMMARY for summary in summaries)
    players = [(seat, names[seat], summary if has_room else "") for seat, summary in enumerate(summaries)]
    board = parts.picture(view, names, events, "light", WIDEST)
    return card(board, title(table.game), gettext("Move {n}").format(n=at), players)


@dataclass(frozen=True)
class Preview:
    """The preview of a link, the same for every reader. `size` is that of the picture."""

    title: str
    words: str
    url: str
    picture: str
    size: tuple[int, int] = CARD


def invitation_heading(game: Game, user: rights.Reader) -> str:
    """Return who invites the reader. Only players of the last game are asked for a rematch; others are invited."""
    host = game.opener.username if game.opener else ""
    if not host:
        return gettext("You’re invited to play")
    if rights.is_person(user) and user.pk in rematches.players_before(game).values():
        return gettext("%(host)s asked for a rematch") % {"host": host}
    return gettext("%(host)s invited you to play") % {"host": host}


def invitation_preview(game: Game) -> Preview:
    """Return the preview of an invitation: who invites, to which game, with which clock."""
    length = [gettext("a full game of three")] if game.full_game_id else []
    facts = [gettext(game.rules.name), *(part.words for part in options.chosen(game)), *length, a_turn(game.clock)]
    return Preview(
        title=invitation_heading(game, None),
        words=" · ".join(facts),
        url=settings.SITE_URL + reverse("join", args=[game.invite_token]),
        picture=settings.SITE_URL + static(ICON),
        size=ICON_SIZE,
    )


def preview(table: selector.Table) -> Preview | None:
    """Return the preview of a table, or of an earlier position; None unless visitors may see the game."""
    game, at = table.game, table.seq if table.at is None else table.at
    if table.view is None or not rights.may_see(game=game, seats=table.seats, user=None):
        return None
    players = enumerated(table.names)
    url = settings.SITE_URL + game.get_absolute_url()
    return Preview(
        title=gettext("{game}: {players}").format(game=title(game), players=players),
        words=gettext("See the board after move {n}, and replay the game move by move.").format(n=at),
        url=url if table.at is None else f"{url}?at={at}",
        picture=settings.SITE_URL + reverse("table_picture", args=[game.public_id, at]),
    )
