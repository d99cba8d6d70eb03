"""Addresses of the games, in the order in which a player meets them."""

from django.urls import path

from games.views import boards, export, table

urlpatterns = [
    # Coming in: front page, lobby, tables that have not begun
    # The table, and stepping through it with ?at=
    path("games/<str:public_id>/", table.table, name="table"),
    path("games/<str:public_id>/step", table.step, name="table_step"),
    path("games/<str:public_id>/undo", table.undo, name="table_undo"),
    path("games/<str:public_id>/submit", table.submit, name="table_submit"),
    path("games/<str:public_id>/decide", table.decide, name="table_decide"),
    # A game for other programs
    path("games/<str:public_id>/record.json", export.record, name="table_record"),
    path("games/<str:public_id>/view.json", export.view, name="table_view"),
    # Pictures that never change
    path("boards/<str:layout>.<str:theme>.svg", boards.land_picture, name="land"),
]
