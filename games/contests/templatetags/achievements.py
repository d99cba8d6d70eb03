"""What was earned in a game, for its result."""

from typing import Any

from django import template

from games.contests.achievements.selectors import earned_in
from games.tables.models import Game

register = template.Library()


@register.inclusion_tag("contests/achievements/_earned_here.html")
def earned_here(game: Game) -> dict[str, Any]:
    return {"earned": earned_in(game)}
