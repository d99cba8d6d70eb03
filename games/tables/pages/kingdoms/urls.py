"""URLs that only Kingdoms has."""

from django.urls import path

from games.tables.pages.kingdoms import pictures

urlpatterns = [path("boards/kingdoms/<slug:drawing>.svg", pictures.cards, name="kingdoms_cards")]
