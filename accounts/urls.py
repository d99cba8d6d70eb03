from django.urls import path, re_path

from accounts import views
from accounts.moderation import views as moderation

urlpatterns = [
    path("accounts/signup/", views.SignUp.as_view(), name="account_signup"),
    path("accounts/preferences/", views.preferences, name="preferences"),
    path("accounts/language/", views.choose_language, name="choose_language"),
    path("accounts/guest/", views.guest, name="guest"),
    path("accounts/delete/", views.delete_account, name="delete_account"),
    path("accounts/data/", views.own_data, name="own_data"),
    path("accounts/data/<str:signed>/", views.fetch_data, name="fetch_data"),
    path("accounts/moderators/", moderation.messages_of_moderators, name="moderators_messages"),
    path("accounts/terms/", views.accept_terms, name="accept_terms"),
    path("accounts/sessions/", views.sessions, name="usersessions_list"),
    path("accounts/sessions/<int:pk>/end", views.end_session, name="end_session"),
    path("accounts/sessions/access/end", views.end_access, name="end_access"),
    path("accounts/2fa/totp/activate/", views.TurnOnApp.as_view(), name="mfa_activate_totp"),
    path("accounts/2fa/totp/deactivate/", views.TurnOffApp.as_view(), name="mfa_deactivate_totp"),
    path("accounts/2fa/webauthn/keys/<int:pk>/remove/", views.RemoveKey.as_view(), name="mfa_remove_webauthn"),
    path("accounts/email-again/", views.email_again, name="email_again"),
    re_path(r"^accounts/confirm-email/(?P<key>[-:\w]+)/$", views.confirm_email, name="account_confirm_email"),
    re_path(
        r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.SetPassword.as_view(),
        name="account_reset_password_from_key",
    ),
    path("accounts/undo-address/<str:signed>/", views.undo_address, name="undo_address"),
]
