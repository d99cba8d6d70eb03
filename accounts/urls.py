from django.urls import path

from accounts import views

urlpatterns = [
    path("players/<str:username>/", views.player, name="player"),
    path("accounts/preferences/", views.preferences, name="preferences"),
    path("accounts/guest/", views.guest, name="guest"),
    path("accounts/forget/", views.forget, name="forget"),
    path("accounts/unsubscribe/<str:signed>/", views.unsubscribe, name="unsubscribe"),
]
