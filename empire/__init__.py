"""The site's wiring."""

from empire.celery import app as celery_app

__all__ = ["celery_app"]
