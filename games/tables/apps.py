from functools import cache

from django.apps import AppConfig
from django.conf import settings
from django.utils.module_loading import import_string
from django.utils.translation import gettext_lazy as _

from empire.disk_cache import DiskCache
from games.boards import sprites


@cache
def sprites_folder() -> DiskCache:
    """Return the folder in which the processes of this machine share the parts of pictures."""
    return DiskCache(settings.VAR_DIR / "sprites", 256 * sprites.MEGABYTE)


class TablesConfig(AppConfig):
    name = "games.tables"
    verbose_name = _("games")

    def ready(self) -> None:
        from accounts import hooks
        from games.tables.services import people, records, reports, suspensions, time_off

        hooks.renamed.append(people.rename_seats)
        hooks.name_replaced.append(people.replace_old_name)
        hooks.time_zone_changed.append(lambda user, zone: time_off.move(user=user, zone=zone))
        hooks.merged.append(people.merge)
        hooks.before_deletion.append(people.before_deletion)
        hooks.exported.append(records.of_person)
        hooks.commitments.append(people.commitments)
        hooks.step_changed.append(suspensions.step_changed)
        hooks.outdated += [people.sweep_guests, people.sweep_drafts, reports.sweep_reports]

        import_string(settings.GAME_FAMILIES)()
        sprites.keep_in(sprites_folder())
