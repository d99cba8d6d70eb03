"""What a finished game leads to, for its result: what was earned in it, and the competition that it counts for."""

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
