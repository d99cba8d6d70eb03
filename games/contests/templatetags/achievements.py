"""Tags for the result of a game: the achievements earned in it, and a link to its competition."""

from typing import Any

from django import template

from games.contests.achievements.selectors import earned_in
from games.contests.matches.selectors import link_to_competition
from games.tables.models import Game

register = template.Library()


@register.inclusion_tag("contests/achievements/_earned_here.html")
def earned_here(game: Game) -> dict[str, Any]:
    return {"earned": earned_in(game)}


@register.inclusion_tag("contests/_competition_of.html")
def competition(game: Game) -> dict[str, Any]:
    return {"link": link_to_competition(game)}
