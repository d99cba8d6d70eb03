"""Leagues: their homes and their seasons."""

from django.http import Http404, HttpResponse

from accounts.http import Request


def league(request: Request, slug: str) -> HttpResponse:
    raise Http404


def season(request: Request, slug: str, number: int) -> HttpResponse:
    raise Http404


def division(request: Request, slug: str, number: int, tier: int, division: int) -> HttpResponse:
    raise Http404
