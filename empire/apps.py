from django.apps import AppConfig
from django.conf import settings


class EmpireConfig(AppConfig):
    name = "empire"

    def ready(self) -> None:
        from empire import checks  # noqa: F401 # registers them

        if settings.SENTRY_DSN:
            from empire.observability import sentry

            sentry.start(settings.SENTRY_DSN)
