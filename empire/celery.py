"""The Celery application; `games.tasks` and `accounts.tasks` hold the work, settings hold the schedule."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")

app = Celery("empire")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
