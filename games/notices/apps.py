from importlib.util import find_spec

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NoticesConfig(AppConfig):
    name = "games.notices"
    verbose_name = _("notices")

    def ready(self) -> None:
        if find_spec("anymail"):
            from anymail.signals import tracking

            from games.notices.delivery.providers import hear

            tracking.connect(hear, dispatch_uid="mails that came back")
