"""The tables as those who run the site see them: to look at, never to change. Seeds and drafts are not among them."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Entry, FullGame, Game, Notice, Seat


class LookOnly(admin.ModelAdmin):
    """Nothing can be added, changed or deleted: what happens in games happens through their players."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatRows(admin.TabularInline):
    """Who sits at a table. What ties by age rest on, and who has made a sealed decision, is nobody's business."""

    model = Seat
    fields = readonly_fields = ("number", "name", "user", "bot", "place", "total")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(LookOnly):
    list_display = ["public_id", "ruleset", "status", "players", "listed", "seq", "opened_at", "ended_at"]
    list_filter = ["status", "ruleset"]
    search_fields = ["=public_id"]
    fields = [
        "public_id", "ruleset", "rules_version", "options", "status", "players", "listed", "imported", "opener",
        "clock_hours", "full_game", "number", "seq", "version", "head", "seed_hash", "result", "opened_at",
        "started_at", "ended_at",
    ]  # fmt: skip
    inlines = [SeatRows]


@admin.register(Entry)
class EntryAdmin(LookOnly):
    list_display = ["game", "seq", "at", "seat", "by", "actions"]
    list_select_related = ["game"]
    search_fields = ["=game__public_id"]


@admin.register(FullGame)
class FullGameAdmin(LookOnly):
    list_display = ["id", "ruleset", "status", "players", "opened_at", "ended_at"]
    list_filter = ["status"]


@admin.register(Notice)
class NoticeAdmin(LookOnly):
    list_display = ["id", "kind", "seat", "seq", "state", "why", "due_at", "sent_at", "attempts"]
    list_filter = ["state", "kind"]
    list_select_related = ["seat"]
