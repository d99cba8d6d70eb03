"""All URLs of the site."""

from importlib.util import find_spec

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, include, path

from empire.web import documents, static_files, views

admin.site.site_header = admin.site.site_title = settings.SITE_NAME


def email_events() -> list[URLPattern]:
    """Return anymail's URLs for delivery reports, not for inbound email; none without anymail or a secret."""
    if not (settings.ANYMAIL.get("WEBHOOK_SECRET") and find_spec("anymail")):
        return []
    from anymail import urls

    return [pattern for pattern in urls.urlpatterns if "inbound" not in (pattern.name or "")]


urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path(".well-known/security.txt", views.security_txt, name="security_txt"),
    path("privacy/", documents.page, {"name": "privacy"}, name="privacy"),
    path("terms/", documents.page, {"name": "terms"}, name="terms"),
    path("conduct/", documents.page, {"name": "conduct"}, name="conduct"),
    path("accessibility/", documents.page, {"name": "accessibility"}, name="accessibility"),
    path("docs/<str:file>", documents.reference, name="reference"),
    path("manifest.webmanifest", static_files.manifest, name="manifest"),
    path("sw.js", static_files.service_worker, name="service_worker"),
    path("mail/", views.email_list, name="email_list"),
    path("mail/<slug:name>/", views.email_page, name="email_page"),
    path("mail/<slug:name>/html/", views.email_html, name="email_html"),
    path("mail/<slug:name>/part/<path:cid>/", views.email_part, name="email_part"),
    path("webhooks/email/", include((email_events(), "anymail"))),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("games.urls")),
    path("admin/login/", secure_admin_login(admin.site.login)),  # our sign-in page, with rate limits and second factors
    path("admin/", admin.site.urls),
]

handler400 = "empire.web.views.bad_request"
handler404 = "empire.web.middleware.not_found"
handler429 = "empire.web.limits.too_often"  # used by allauth
handler500 = "empire.web.views.server_error"
