"""The site package: settings, URLs, Celery, and everything that is not about games."""

import sys

from empire import memory
from empire.celery import app as celery_app
from empire.environment import one_sentence

__all__ = ["celery_app"]

sys.excepthook = one_sentence
memory.collect_seldom()
