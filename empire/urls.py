"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from empire import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("accounts/", include("allauth.urls")),
    path("", include("accounts.urls")),
    path("admin/", admin.site.urls),
]
