from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("people")

    def ready(self) -> None:
        from accounts import proof  # noqa: F401  it listens to allauth
