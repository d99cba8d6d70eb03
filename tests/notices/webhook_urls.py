"""The site's URLs with a secret for email providers set."""

from anymail.urls import urlpatterns as events
from django.urls import include, path

from empire.urls import urlpatterns as site

urlpatterns = [path("webhooks/email/", include((events, "anymail"))), *site]
handler500 = "empire.web.views.server_error"
