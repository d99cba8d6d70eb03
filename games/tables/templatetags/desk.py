"""A running game in a list, rendered without a template, because a desk shows fifty of them: a sixth of the time."""

from html import escape  # Django's takes thirty times as long

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from empire.web.languages import display_name
from games.tables.selectors.listed import DeskGame, LatestEntry
from games.tables.templatetags.clock import ago, is_soon, time_left, until
from games.tables.templatetags.options import game_line
from games.tables.templatetags.seats import miniature, people

register = template.Library()


@register.simple_tag(takes_context=True)
def running_line(context: Context, desk_game: DeskGame, news: LatestEntry | None) -> SafeString:
    """Render a running game of the desk's owner, with its latest `news`."""
    game, seat = desk_game.game, desk_game.seat
    # 1. Who has to act, and until when
    when = ""
    if desk_game.is_mine:
        words = gettext("your bid") if game.sealed else gettext("your turn")
        when += f'<span class="badge waiting">{escape(words)}</span>'
    elif not desk_game.plays:
        words = gettext("resigned") if seat.has_given_up else gettext("a bot is playing for you")
        if not (seat.has_given_up or seat.bot):
            words = gettext("someone is playing for you")
        when += f'<span class="badge">{escape(words)}</span>'
    elif game.sealed:
        when += f"<span>{escape(gettext('Waiting for bids.'))}</span>"
    else:
        waited_for = [other for other in desk_game.others if other.number in desk_game.waiting_for]
        names = [display_name(other.name) for other in waited_for]
        when += f"<span>{escape(' '.join(gettext('%(name)s to play.') % {'name': name} for name in names))}</span>"
    if desk_game.is_asked:
        when += f' <span class="badge">{escape(gettext("undo requested"))}</span>'
    if deadline := desk_game.deadline:
        soon = " soon" if desk_game.is_mine and is_soon(deadline, game.clock) else ""
        when += (
            f' <span class="time-left{soon}">{escape(time_left(deadline))}</span>'
            f' <time class="soft small" datetime="{deadline.isoformat()}">{escape(until(deadline))}</time>'
        )
    # 2. What its owner can do about a seat that someone else plays, or for whom they play it
    go = ""
    if not (desk_game.plays or seat.has_given_up or game.is_left_to_bots):
        words = gettext("I’m back")
        go = (
            f'<form class="go" method="post" action="{reverse("seat", args=[game.public_id])}">'
            f'<input type="hidden" name="csrfmiddlewaretoken" value="{escape(context["csrf_token"])}">'
            f'<button class="button little" type="submit" name="action" value="back">{escape(words)}</button>'
            "</form>"
        )
    elif desk_game.stands_in:
        go = f'<p class="go soft small">{escape(gettext("for %(name)s") % {"name": display_name(seat.name)})}</p>'
    # 3. The whole line
    last = ""
    if news and news.sentence:
        sentence, since = escape(news.sentence), escape(ago(news.at))
        last = f'<p class="last news"><span>{sentence}</span> <span class="soft small">{since}</span></p>'
    players, about = people(desk_game.seats, seat, desk_game.waiting_for), game_line(context, game)
    if desk_game.competition:
        about = format_html("<b>{}</b> · {}", desk_game.competition, about)
    return mark_safe(
        f'<li class="table-line pictured{" waiting" if desk_game.is_mine else ""}">'
        f'<h3 class="table-name"><a href="{game.get_absolute_url()}">{players}</a></h3> '
        f'{miniature(game.thumbnail)}<p class="when">{when}</p>{go}'
        f'<p class="what soft small">{about}</p>{last}</li>'
    )
