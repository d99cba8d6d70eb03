from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts import services
from accounts.models import BotAccount, User
from accounts.moderation import roles

RIGHTS = ["is_staff", "is_superuser", "groups", "user_permissions"]


def _is_superuser(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_superuser


class ListedFilters(admin.ModelAdmin):
    """A model whose list can be filtered only by what its page offers.

    Django lets everyone who may see a list filter it by any field of the model, also by those that no page shows. The
    number of rows then tells what is in them, such as the cards of a running game or a date of birth.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        offered = {getattr(listed, "parameter_name", listed) for listed in self.list_filter}
        return lookup.partition("__")[0] in offered and super().lookup_allowed(lookup, value, request)


class OfPlayers(ListedFilters):
    """Rows that belong to accounts. Only superusers find those of staff and moderators.

    Otherwise anyone who may help players with their accounts could set a new password for a superuser's, and sign in.
    """

    account = "pk"  # the field with the id of the account

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        if _is_superuser(request):
            return rows
        return rows.exclude(**{f"{self.account}__in": roles.moderators().values("pk")})


@admin.register(User)
class PersonAdmin(OfPlayers, UserAdmin):
    list_display = ["username", "email", "is_guest", "is_bot", "date_joined", "is_active", "is_staff"]
    list_filter = ["is_guest", "is_bot", "is_active", "is_staff"]
    search_fields = ["username", "email"]
    readonly_fields = ["time_zone"]  # clocks depend on it: it is changed through games.tables.services.time_off
    fieldsets = [
        (None, {"fields": ["username", "email", "password", "is_guest", "time_zone"]}),
        ("Rights", {"fields": ["is_active", *RIGHTS]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]
    actions = ["clear_birth_dates", "clear_under_16"]

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        """Let only superusers give rights, or staff could give themselves all of them."""
        return [*super().get_readonly_fields(request, obj), *(() if _is_superuser(request) else RIGHTS)]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[list[str], dict, set, list]:
        """Ask about the accounts alone: staff may delete them although they may not delete a notice or a vacation."""
        return [str(person) for person in objs], {}, set(), []

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Delete an account as its owner would, with all that other packages store about it."""
        services.delete_account(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for pk in list(queryset.values_list("pk", flat=True)):
            if person := User.objects.filter(pk=pk).first():  # a bot goes with its owner
                services.delete_account(person)

    @admin.action(description="Clear dates of birth, so that their owners can give them again", permissions=["change"])
    def clear_birth_dates(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Clear dates of birth so that people who mistyped theirs can enter it again. Staff never see the dates."""
        cleared = list(people.exclude(birth_date=None))
        people.filter(pk__in=[person.pk for person in cleared]).update(birth_date=None, birth_date_given_at=None)
        for person in cleared:
            self.log_change(request, person, "Cleared the date of birth.")

    @admin.action(description="Let people chat at public tables: they are 16 by now", permissions=["change"])
    def clear_under_16(self, request: HttpRequest, people: QuerySet[User]) -> None:
        for person in people.filter(is_under_16=True):
            User.objects.filter(pk=person.pk).update(is_under_16=False)
            self.log_change(request, person, "Cleared “under 16”.")


@admin.register(BotAccount)
class BotAdmin(ListedFilters):
    """Outside bots with their owners. To stop one, make its account inactive; its token is then refused."""

    list_display = ["user", "owner", "is_public", "most_games", "token_used_at"]
    search_fields = ["user__username", "owner__username"]
    fields = ["user", "owner", "is_public", "most_games", "token_made_at", "token_used_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: BotAccount | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: BotAccount | None = None) -> bool:
        return False


# Addresses and sessions have no pages: by confirming an address for an account, or with the key of a session, staff
# could sign in as anyone, even as a superuser. Players manage both themselves.
admin.site.unregister([Authenticator, EmailAddress, Group, UserSession])


@admin.register(Group)
class RightsAdmin(GroupAdmin):
    """Groups with their rights, for superusers only: others could add rights to a group that they are in."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return _is_superuser(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return _is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return _is_superuser(request)


@admin.register(Authenticator)
class SecondFactorAdmin(OfPlayers):
    """Second factors, which staff can remove for people who lost theirs. Their secrets cannot be read or changed."""

    account = "user"
    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    fields = ["user", "type", "created_at", "last_used_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        return False
