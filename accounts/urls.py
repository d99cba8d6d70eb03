from django.urls import path

from accounts import resting, views

urlpatterns = [
    path("accounts/preferences/", views.preferences, name="preferences"),
    path("accounts/rest/", resting.page, name="rest"),
    path("accounts/notices/", views.wishes, name="wishes"),
    path("accounts/guest/", views.guest, name="guest"),
    path("accounts/forget/", views.forget, name="forget"),
    path("accounts/sessions/<int:pk>/end", views.end_session, name="end_session"),
    path("accounts/mail-again/", views.mail_again, name="mail_again"),
    path("accounts/unsubscribe/<str:signed>/", views.unsubscribe, name="unsubscribe"),
]
