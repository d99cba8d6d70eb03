"""The admin, read-only almost everywhere. Seeds and drafts are not registered.

Each game has its own desk, from which staff can intervene, by an entry in the game's log with a reason.
"""

import json
from typing import Any, cast

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.admin import ListedFilters
from accounts.models import Acceptance, ModerationEntry, Step, User
from games.bots import review as engine
from games.contests.models import Announcement, Challenge, Intervention, Ladder, League, Score, Season, Tournament
from games.notices.kinds import Kind
from games.notices.models import Notice
from games.rules import log
from games.staff import oversight, views
from games.staff.moderation.services import is_kept_from
from games.tables.models import (
    Entry,
    FullGame,
    Game,
    Handover,
    Replacement,
    Report,
    Seat,
    SeatReview,
    Status,
    Subject,
    Vacation,
)
from games.tables.selectors import position
from games.tables.services import reviews


class LookOnly(ListedFilters):
    """A model that can be viewed but not added, changed or deleted."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatRows(admin.TabularInline):
    """The seats of a game, without the ranks by age and without who has made a sealed decision.

    While its duplicate runs, the result is left out.
    """

    model = Seat
    fields = readonly_fields = ("number", "name", "owner", "user", "bot", "place", "total")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Game | None = None) -> Any:
        return [name for name in self.fields if not (obj and obj.is_withheld and name in ("place", "total"))]


@admin.register(Game)
class GameAdmin(LookOnly):
    """Games. Those of running duplicates are shown without their results."""

    list_display = ["public_id", "desk", "ruleset", "status", "players", "listed", "seq", "opened_at", "ended_at"]
    list_filter = ["status", "ruleset"]
    search_fields = ["=public_id"]
    search_help_text = _("A game ID or URL, a player’s name or email address, or the number of a full game.")
    fields = [
        "public_id", "ruleset", "rules_version", "options", "status", "players", "listed", "imported", "opener",
        "clock", "reply_hours", "time_out", "reliability", "full_game", "number", "seq", "version",
        "head", "seed_hash", "result", "opened_at", "started_at", "ended_at",
    ]  # fmt: skip
    inlines = [SeatRows]

    def get_fields(self, request: HttpRequest, obj: Game | None = None) -> Any:
        return [name for name in self.fields if not (obj and obj.is_withheld and name == "result")]

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> tuple[QuerySet, bool]:
        return (oversight.sought(queryset, search_term) if search_term.strip() else queryset), False

    @admin.display(description=_("intervene"))
    def desk(self, game: Game) -> str:
        return format_html('<a href="{}">{}</a>', reverse("admin:tables_game_desk", args=[game.pk]), _("Desk"))

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/desk/", wrap(self.show_desk), name="tables_game_desk"),
            path("<int:pk>/desk/<slug:intervention>", wrap(self.intervene), name="tables_game_intervene"),
            *super().get_urls(),
        ]

    def show_desk(self, request: Any, pk: int) -> HttpResponse:
        return views.desk(request, pk, self._context(request))

    def intervene(self, request: Any, pk: int, intervention: str) -> HttpResponse:
        """Intervene, and note it in the admin's history too."""

        def note(game: Game, words: str) -> None:
            self.log_change(request, game, words)

        return views.intervene(request, pk, intervention, self._context(request), note)

    def _context(self, request: HttpRequest) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "opts": self.opts}


@admin.register(Entry)
class EntryAdmin(LookOnly):
    """Log entries. Those of running games show what spectators may see; those of running duplicates are left out."""

    list_display = ["game", "seq", "at", "seat", "by", "submitted"]
    list_select_related = ["game"]
    search_fields = ["=game__public_id"]
    fields = readonly_fields = ("game", "seq", "at", "seat", "by", "submitted", "facts", "digest")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return super().get_queryset(request).exclude(game__is_withheld=True)

    @admin.display(description=_("actions"))
    def submitted(self, entry: Entry) -> str:
        return "; ".join(_told(entry).actions)

    @admin.display(description=_("events"))
    def facts(self, entry: Entry) -> str:
        return json.dumps(_told(entry).events)


def _told(entry: Entry) -> log.Entry:
    whole = position.plain(entry)
    return whole if entry.game.is_open_book else log.seen_by(entry.game.rules, whole, None)


@admin.register(Handover)
class HandoverAdmin(LookOnly):
    list_display = ["at", "seat", "to", "bot", "until", "why"]
    list_filter = ["why"]
    list_select_related = ["seat", "to"]
    search_fields = ["=seat__game__public_id"]


@admin.register(Replacement)
class ReplacementAdmin(LookOnly):
    list_display = ["asked_at", "seat", "entrant", "user", "by", "answer", "reason"]
    list_filter = ["answer"]
    list_select_related = ["seat", "entrant", "user", "by"]
    search_fields = ["=seat__game__public_id", "=user__username"]


@admin.register(Vacation)
class VacationAdmin(LookOnly):
    list_display = ["user", "first", "last", "zone", "announced", "cancelled"]
    list_select_related = ["user"]
    search_fields = ["=user__username"]


@admin.register(FullGame)
class FullGameAdmin(LookOnly):
    """Full games, except those of running duplicates, because of their standings."""

    list_display = ["id", "ruleset", "status", "players", "opened_at", "ended_at"]
    list_filter = ["status"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[FullGame]:
        return super().get_queryset(request).exclude(pk__in=oversight.withheld_full_games())


@admin.register(Notice)
class NoticeAdmin(LookOnly):
    """Notices without their links, which may be invitations to private tables.

    Notices about moderation are left out, because they reveal who wrote a report and what moderators decided.
    """

    exclude = ["url"]
    list_display = [
        "id", "user", "kind", "channel", "seat", "about", "state", "why", "planned_at", "sent_at", "attempts",
    ]  # fmt: skip
    list_filter = ["state", "channel", "kind", "how"]
    list_select_related = ["user", "seat"]
    search_fields = ["=user__username", "=seat__game__public_id"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        return oversight.without_secrets(super().get_queryset(request)).exclude(kind=Kind.MODERATION)


@admin.register(Report)
class ReportAdmin(LookOnly):
    """Reports that the reader could also see on the pages where moderators settle them (`games.staff.moderation`).

    Reports about running duplicates are left out: a moderator who reads one on those pages can no longer take a seat in
    the duplicate, but nothing records who reads it here.
    """

    list_display = ["at", "subject", "reason", "player", "game", "reporter", "settled_at"]
    list_filter = ["subject", "reason"]
    list_select_related = ["player", "game", "reporter"]
    search_fields = ["=player__username", "=game__public_id"]
    fields = ["subject", "reason", "player", "game", "words", "reporter", "at", "settled_at", "settled_by", "step"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        rows = super().get_queryset(request).exclude(game__is_withheld=True)
        running = rows.filter(Q(game__status=Status.RUNNING) | Q(subject=Subject.TEAM)).select_related("game")
        hidden = [report.pk for report in running if is_kept_from(report, cast(User, request.user))]
        return rows.exclude(Q(player=request.user.pk) | Q(pk__in=hidden))


@admin.register(Step)
class StepAdmin(LookOnly):
    list_display = ["at", "kind", "user", "by", "until", "answered_at", "lifted_at"]
    list_filter = ["kind"]
    list_select_related = ["user", "by"]
    search_fields = ["=user__username"]


@admin.register(ModerationEntry)
class ModerationEntryAdmin(LookOnly):
    list_display = ["at", "what", "by", "who", "step", "report", "words"]
    list_filter = ["what"]


@admin.register(Acceptance)
class AcceptanceAdmin(LookOnly):
    list_display = ["user", "document", "version", "at"]
    list_select_related = ["user"]
    search_fields = ["=user__username"]


@admin.register(SeatReview)
class SeatReviewAdmin(LookOnly):
    """How closely players' turns follow the engine, over many games. Nothing follows from it automatically."""

    fields = ["review", "number", "user", "ruleset", "ended_at", "turns", "best", "accuracy", "luck", "play"]
    change_list_template = "admin/tables/seatreview/followers.html"

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the list. POST has the latest rated games of a player reviewed."""
        if request.method == "POST" and self.has_view_permission(request):
            player = User.with_name(request.POST.get("player", "")[:40]).first()
            if player is None:
                messages.error(request, gettext("There is no player with this name. Check the spelling."))
            else:
                n = reviews.ask_for_player(player=player)
                sentence = ngettext("%(n)d more game is being reviewed.", "%(n)d more games are being reviewed.", n)
                messages.success(request, sentence % {"n": n})
            return redirect("admin:tables_seatreview_changelist")
        followers = oversight.followers() if self.has_view_permission(request) else []
        more = {
            "followers": followers, "fewest": oversight.FEWEST_REVIEWED, "most": reviews.MOST_FOR_STAFF,
            "version": engine.ENGINE, "budget": engine.BUDGET,
        }  # fmt: skip
        return super().changelist_view(request, {**(extra_context or {}), **more})


class ToWatch(admin.SimpleListFilter):
    """A filter for games in which players may have passed rating to each other."""

    title = _("suspicious")
    parameter_name = "watch"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("short", _("over within ten minutes")), ("resigned", _("someone resigned")),
            ("repeated", _("the same players again")),
        ]  # fmt: skip

    def queryset(self, request: HttpRequest, queryset: QuerySet[Score]) -> QuerySet[Score]:
        return oversight.to_watch(queryset, self.value())


@admin.register(Score)
class ScoreAdmin(LookOnly):
    """Rating changes of games, so that staff notice players who pass rating to each other.

    Scores of running duplicates are left out.
    """

    list_display = ["ended_at", "ruleset", "game", "name", "place", "points", "gave_up", "change", "percent"]
    list_filter = [ToWatch, "ruleset"]
    list_select_related = ["game"]
    search_fields = ["=game__public_id", "=user__username"]
    fields = [
        "game", "full_game", "seat", "user", "bot", "name", "players", "listed", "counts", "gave_up", "place", "points",
        "ended_at", "order", "weight",
    ]  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Score]:
        return super().get_queryset(request).exclude(game__is_withheld=True)

    @admin.display(description=_("rating change"))
    def change(self, score: Score) -> int | None:
        return score.change

    @admin.display(description=_("counted"))
    def percent(self, score: Score) -> str:
        return f"{score.weight:.0%}"


@admin.register(Ladder)
class LadderAdmin(LookOnly):
    """Ladders. Their settings can be changed, but not the order of players."""

    list_display = ["ruleset", "length", "full", "clock", "reach", "answer", "idle"]
    fields = [
        "ruleset", "length", "full", "clock", "reach", "top", "top_reach", "given", "taken", "answer", "again", "idle",
        "fall",
    ]  # fmt: skip
    readonly_fields = ["ruleset", "length"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def save_model(self, request: HttpRequest, obj: Ladder, form: Any, change: bool) -> None:
        """Save only the changed fields, because `length` grows when a player joins meanwhile."""
        obj.save(update_fields=form.changed_data)


@admin.register(Challenge)
class ChallengeAdmin(LookOnly):
    list_display = ["ladder", "challenger", "challenged", "state", "made_at", "answer_by", "decided_at"]
    list_filter = ["state", "ladder"]
    list_select_related = ["ladder", "challenger", "challenged"]
    search_fields = ["=challenger__username", "=challenged__username"]


@admin.register(League, Season, Tournament)
class CompetitionAdmin(LookOnly):
    """Competitions. Their organizers intervene on the site itself."""

    exclude = ["invite_token"]
    list_display = ["__str__", "state"]
    list_filter = ["state"]


@admin.register(Announcement)
class AnnouncementAdmin(LookOnly):
    """Announcements of organizers. Deleting one takes it off the page, and stops notices not yet written."""

    list_display = ["at", "league", "tournament", "by", "text"]
    list_select_related = ["league", "tournament", "by"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(Intervention)
class InterventionAdmin(LookOnly):
    list_display = ["at", "kind", "what", "reason", "by", "season", "tournament", "game"]
    list_filter = ["kind"]
    list_select_related = ["by", "season__league", "tournament", "game"]
