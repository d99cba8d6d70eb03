"""The site's wiring."""

import gc
import sys

from empire.celery import app as celery_app
from empire.environment import one_sentence

__all__ = ["celery_app"]

sys.excepthook = one_sentence
gc.set_threshold(50_000)  # what is made at the start stays, and need not be looked through again and again
