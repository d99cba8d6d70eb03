"""All URLs of the site."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from empire import installing, views
from empire.webhooks import mail_events

admin.site.site_header = admin.site.site_title = settings.SITE_NAME

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path(".well-known/security.txt", views.security_txt, name="security_txt"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("sw.js", installing.service_worker, name="service_worker"),
    path("mail/", views.mail_list, name="mail_list"),
    path("mail/<slug:name>/", views.mail_letter, name="mail_letter"),
    path("mail/<slug:name>/html/", views.mail_html, name="mail_html"),
    path("mail/<slug:name>/part/<path:cid>/", views.mail_part, name="mail_part"),
    path("webhooks/mail/", include((mail_events(), "anymail"))),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("games.urls")),
    path("admin/login/", secure_admin_login(admin.site.login)),  # our sign-in page, with rate limits and second factors
    path("admin/", admin.site.urls),
]

handler400 = "empire.views.senseless"
handler404 = "empire.middleware.not_found"
handler429 = "empire.limits.too_often"  # used by allauth
handler500 = "empire.views.broken"
