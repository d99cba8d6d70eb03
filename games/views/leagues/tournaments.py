"""Tournaments."""

from django.http import Http404, HttpResponse

from accounts.http import Request


def tournament(request: Request, public_id: str) -> HttpResponse:
    raise Http404
