from importlib.util import find_spec

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NoticesConfig(AppConfig):
    name = "games.notices"
    verbose_name = _("notices")

    def ready(self) -> None:
        from accounts import hooks
        from games.notices.delivery.devices import accesses, forget_channels, signed_in, signed_out, signing_up
        from games.notices.outbox.outbox import (
            delete_old_notices,
            replan,
            tell_of_answer,
            tell_of_export,
            tell_of_step,
            tell_that_step_stays,
        )

        hooks.reclaimed.append(forget_channels)
        hooks.accesses.append(accesses)
        hooks.signed_in.append(signed_in)
        hooks.signing_up.append(signing_up)
        hooks.signing_out.append(signed_out)
        hooks.time_zone_changed.append(lambda user, zone: replan(user))
        hooks.export_made.append(tell_of_export)
        hooks.step_changed.append(tell_of_step)
        hooks.step_answered.append(tell_of_answer)
        hooks.step_kept.append(tell_that_step_stays)
        hooks.outdated.append(delete_old_notices)

        if find_spec("anymail"):
            from anymail.signals import tracking

            from games.notices.delivery.channels.email import record_event

            tracking.connect(record_event, dispatch_uid="delivery reports of emails")
