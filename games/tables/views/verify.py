"""Verification pages: replay a finished game or a record file to prove that nobody cheated."""

from django import forms
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import Request
from empire.web.limits import limited
from games.errors import NotFound, RecordError
from games.rules.record import LARGEST
from games.tables import keys
from games.tables.services import records, signing


class RecordForm(forms.Form):
    record = forms.FileField(label=_("Record"), help_text=_("A file downloaded from a finished game."))


@never_cache
@require_safe
@limited("verify", reading=True)
def verify(request: Request, public_id: str) -> HttpResponse:
    """Verify a game. While it runs, its seed is secret, so show only the fingerprint."""
    try:
        proof = records.proof(public_id=public_id, user=keys.reader(request, public_id))
    except NotFound as unknown:
        raise Http404 from unknown
    return render(request, "tables/verify.html", {"proof": proof, "game": proof.game})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("verify")
def verify_file(request: Request) -> HttpResponse:
    """Verify an uploaded record without storing it."""
    form = RecordForm(request.POST or None, request.FILES or None)
    context: dict[str, object] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            context["proof"] = records.proof_of_file(form.cleaned_data["record"].read(LARGEST + 1))
        except RecordError as refusal:
            form.add_error("record", str(refusal))
    return render(request, "tables/verify_file.html", context, status=422 if form.errors else 200)


@cache_control(public=True, max_age=3600)
@require_safe
def record_keys(request: Request) -> JsonResponse:
    """Publish the keys that prove which records the site signed; docs/record.md describes them."""
    return JsonResponse({"keys": signing.published()})
