"""Template tag for offers to learn a game."""

from django import template

from games.tables.lessons import LESSONS
from games.tables.lessons.lesson import Lesson

register = template.Library()


@register.simple_tag
def lesson_of(slug: str) -> Lesson | None:
    """Return the lesson about this ruleset, if there is one."""
    return LESSONS.get(slug)
