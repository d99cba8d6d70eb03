"""List moderators, appoint them, and take their rights away. See docs/moderation.md."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from accounts.moderation import roles


class Command(BaseCommand):
    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", help="the name of a player; without one, moderators are listed")
        parser.add_argument("--senior", action="store_true", help="may also suspend and close accounts")
        parser.add_argument("--remove", action="store_true", help="take the rights away")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["name"]:
            for moderator in roles.moderators().order_by("username"):
                groups = ", ".join(moderator.groups.order_by("name").values_list("name", flat=True))
                self.stdout.write(f"{moderator.username}: {groups or 'staff'}")
            return
        user = User.named(options["name"])
        if user is None:
            raise CommandError(f"There is no player named {options['name']}.")
        if user.is_guest or user.is_bot or not user.has_confirmed_address:
            raise CommandError(f"{user.username} has no confirmed email address. Moderators need one.")
        group = "" if options["remove"] else roles.SENIOR if options["senior"] else roles.MODERATORS
        roles.appoint(user, group)
        self.stdout.write(f"{user.username}: {group or 'no longer a moderator'}")
