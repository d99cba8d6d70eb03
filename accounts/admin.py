from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from accounts.models import User


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ["username", "email", "is_guest", "date_joined", "is_active", "is_staff"]
    list_filter = ["is_guest", "is_active", "is_staff"]
    search_fields = ["username", "email"]
    readonly_fields = ["time_zone"]  # clocks run by it: it changes through games.services.rest
    fieldsets = [
        (None, {"fields": ["username", "email", "password", "is_guest", "time_zone"]}),
        ("Rights", {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]}),
        ("Dates", {"fields": ["last_login", "date_joined"]}),
    ]
