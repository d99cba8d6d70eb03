"""Template tags for offers to learn a game: its lesson and its picture."""

from django import template
from django.utils.html import format_html

from games.help import families
from games.tables.lessons import LESSONS
from games.tables.lessons.lesson import Lesson

register = template.Library()


@register.simple_tag
def lesson_of(slug: str) -> Lesson | None:
    """Return the lesson about this ruleset, if there is one."""
    return LESSONS.get(slug)


@register.simple_tag
def emblem(slug: str) -> str:
    """Render a small picture of a ruleset. The name is next to it, so screen readers skip it."""
    return format_html('<span class="emblem" aria-hidden="true">{}</span>', families.emblem(slug))
