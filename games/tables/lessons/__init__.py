"""The lessons by slug: first games on a known deal, with a sentence for each decision. One module for each family.

`games.families` registers them at start-up.
"""

from games.tables.lessons.lesson import Lesson

LESSONS: dict[str, Lesson] = {}
