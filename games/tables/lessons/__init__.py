"""The lessons by slug: first games on a known deal, with a sentence for each decision. `games.families` adds them."""

from games.tables.lessons.lesson import Lesson

LESSONS: dict[str, Lesson] = {}
