"""URLs that only the Eight-Minute family has."""

from django.urls import path

from games.tables.pages.eight_minute import pictures, take

urlpatterns = [
    path("games/<str:public_id>/turn/<str:signed>/<slug:card>/", take.take, name="take"),
    path("boards/<str:layout>.<str:theme>.svg", pictures.land_picture, name="land"),
]
