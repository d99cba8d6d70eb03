"""Tags for the page of a game: the achievements earned in it, and its competition."""

from typing import Any

from django import template

from games.contests.achievements.selectors import earned_in
from games.contests.matches import selectors
from games.contests.matches.selectors import Competition
from games.tables.models import Game

register = template.Library()


@register.inclusion_tag("contests/achievements/_earned_here.html")
def earned_here(game: Game) -> dict[str, Any]:
    return {"earned": earned_in(game)}


@register.simple_tag
def competition_of(game: Game) -> Competition | None:
    return selectors.competition_of(game)
