"""Pages for owners of outside bots: create one, its token, settings, webhooks and tables. And its seats at tables."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.validators import MinLengthValidator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import bots, services
from accounts.http import Request, SignedInRequest, posted_id
from accounts.models import MOST_GAMES, BotAccount, User
from accounts.moderation.services import need_voice
from accounts.names import NameField, is_free_to_take, is_readable
from accounts.proof import need_recent_proof
from empire.web import limits
from empire.web.limits import limited
from games.errors import GameError, NotFound
from games.notices.delivery import devices
from games.notices.models import Format, Hook
from games.tables.selectors import outside as selector
from games.tables.services import outside
from games.tables.views.lobby import change_table


class NameForm(forms.Form):
    """The name of a new bot, to which the site adds a word that marks it."""

    name = NameField(
        label=gettext_lazy("Name"), max_length=bots.LONGEST_BOT_NAME,
        validators=[MinLengthValidator(2), is_readable, is_free_to_take],
        help_text=gettext_lazy("We add “Bot” to it, so that everyone sees what it is. It can’t be changed later."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip


class SettingsForm(forms.ModelForm):
    class Meta:
        model = BotAccount
        fields = ["is_public", "most_games"]
        widgets = {"most_games": forms.NumberInput(attrs={"min": 1, "max": MOST_GAMES})}


class HookForm(forms.Form):
    url = forms.CharField(
        label=gettext_lazy("URL"), max_length=1000,
        help_text=gettext_lazy("Starts with https://. We send a request there when it’s your bot’s turn."),
        widget=forms.URLInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("own_bots")
def own_bots(request: SignedInRequest) -> HttpResponse:
    """List the reader's bots. POST creates one and shows its token, once, because we keep only a hash of it."""
    form = NameForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        need_recent_proof(request)
        try:
            need_voice(request.user, form.cleaned_data["name"])
            bot, token = bots.create_bot(owner=request.user, name=form.cleaned_data["name"])
        except ValidationError as refusal:
            form.add_error("name", refusal)
        except GameError as refusal:
            form.add_error("name", str(refusal))
        else:
            return _page(request, bot, token=token)
    owned = BotAccount.objects.filter(owner=request.user).select_related("user").order_by("pk")
    rows = [(bot, selector.games_of(bot.user).count()) for bot in owned]
    context = {"form": form, "rows": rows, "most": bots.MOST_BOTS, "can_have_more": len(rows) < bots.MOST_BOTS}
    return render(request, "tables/bots/bots.html", context, status=422 if form.errors else 200)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("own_bots")
def own_bot(request: SignedInRequest, username: str) -> HttpResponse:
    """Show one of the reader's bots. A POST names what to change with `do`. A new token is shown once, in its answer.

    `made` names the token to be replaced, so that reloading the answer does not replace the new one.
    """
    matching = BotAccount.objects.filter(owner=request.user, user__username=username)
    bot, do = matching.select_related("user", "owner").first(), request.POST.get("do", "")
    if do == "delete" and not User.with_name(username).exists():  # sent twice
        return redirect("own_bots")
    if bot is None:
        raise Http404
    if request.method != "POST":
        return _page(request, bot)
    is_sure = bool(request.POST.get("sure"))
    if do in ("token", "hook"):
        need_recent_proof(request)
    if do in ("hook", "try_hook") and (wait := limits.wait_for(request, "channels")):
        return limits.too_often(request, wait)
    made = bot.token_made_at.isoformat() if bot.token_made_at else ""
    if do == "token" and request.POST.get("made", made) != made:
        messages.error(request, _("The token has already been replaced. If you didn’t copy it, make another one."))
    elif do == "token" and (is_sure or not bot.digest):
        return _page(request, bot, token=bots.make_token(bot))
    elif do == "settings":
        form = SettingsForm(request.POST, instance=bot)
        if not form.is_valid():
            return _page(request, bot, settings=form)
        form.save(commit=False).save(update_fields=form.Meta.fields)  # a token revoked meanwhile stays revoked
        messages.success(request, _("The settings of %(name)s are saved.") % {"name": bot})
    elif do == "revoke" and is_sure:
        bots.revoke_token(bot)
        sentence = _(
            "The token is revoked. %(name)s can’t play until you create a new one, and its clocks keep running."
        )
        messages.success(request, sentence % {"name": bot})
    elif do == "delete" and is_sure:
        services.delete_account(bot.user)
        messages.success(request, _("%(name)s is deleted. Our bots play its running games to the end.") % {"name": bot})
        return redirect("own_bots")
    elif do == "hook":
        hook = _added_hook(request, bot)
        if hook.errors:
            return _page(request, bot, hook=hook)
        messages.success(request, _("Webhook added. Send a test to make sure it works."))
    elif do in HOOKS:
        try:
            messages.success(request, HOOKS[do](user=bot.user, pk=posted_id(request, "hook")))
        except GameError as refusal:
            messages.error(request, str(refusal))
    else:
        messages.error(request, _("Nothing was changed. Check the box to confirm, then try again."))
    return redirect("own_bot", bot.user.username)


HOOKS: dict[str, Callable[..., str]] = {
    "try_hook": devices.try_hook,
    "remove_hook": devices.remove_hook,
    "revive_hook": devices.revive_hook,
}


def _added_hook(request: SignedInRequest, bot: BotAccount) -> HookForm:
    """Add a webhook for the bot, and return the form, which has errors if it was refused."""
    form = HookForm(request.POST)
    if form.is_valid():
        try:
            devices.add_hook(user=bot.user, url=form.cleaned_data["url"], format=Format.JSON)
        except GameError as refusal:
            form.add_error("url", str(refusal))
    return form


def _page(request: SignedInRequest, bot: BotAccount, *, token: str = "", **forms: Any) -> HttpResponse:
    """Show the page of a bot, with a new token if there is one, or with a form that was refused."""
    context = {
        "bot": bot,
        "token": token,
        "api": settings.SITE_URL + reverse("bot_games"),
        "settings": forms.get("settings") or SettingsForm(instance=bot),
        "hook_form": forms.get("hook") or HookForm(),
        "hooks": Hook.objects.filter(user=bot.user).order_by("pk"),
        "can_add_hook": Hook.objects.filter(user=bot.user).count() < devices.HOOKS,
        "seats": selector.games_of(bot.user),
    }
    return render(request, "tables/bots/bot.html", context, status=422 if forms else 200)


# At a table that has not started


@require_POST
@limited("join_table")
def seat_bot(request: Request, public_id: str) -> HttpResponse:
    name = request.POST.get("name", "")
    return change_table(request, public_id, lambda game, user: outside.seat_bot(game=game, user=user, name=name))


@require_POST
@login_required
@limited("join_table")
def remove_bot(request: SignedInRequest, public_id: str) -> HttpResponse:
    """Take an outside bot away, then show the table to its opener, and the page of the bot to its owner."""
    name = request.POST.get("name", "")
    try:
        game = outside.remove_bot(game=public_id, user=request.user, name=name)
    except NotFound as unknown:
        if not BotAccount.objects.filter(owner=request.user, user__in=User.with_name(name[:40])).exists():
            raise Http404 from unknown
        game = None  # the owner's bot is not there, or not any more
    except GameError as refusal:
        messages.error(request, str(refusal))
        return redirect("own_bots")
    messages.success(request, _("%(name)s has left the table.") % {"name": name[:40]})
    return redirect(game) if game and game.opener_id == request.user.pk else redirect("own_bots")
