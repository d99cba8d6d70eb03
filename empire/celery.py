"""The Celery application; `games.tasks` and `accounts.tasks` hold the work, settings hold the schedule."""

import os

from celery import Celery

from empire import queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")

queue.install()
app = Celery("empire")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
