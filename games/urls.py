"""Addresses of the games, in the order in which a player meets them."""

from django.urls import path

from games.views import boards, desk, enter, export, history_pages, join, lobby, notices, rules, table

urlpatterns = [
    # Coming in: front page, lobby, tables that have not begun
    path("", lobby.home, name="home"),
    path("play-now/", lobby.play_now, name="play_now"),
    path("lobby/", lobby.lobby_page, name="lobby"),
    path("lobby/open/", lobby.open_table, name="open_table"),
    path("join/<str:token>/", join.join, name="join"),
    path("games/<str:public_id>/join", lobby.join_table, name="join_table"),
    path("games/<str:public_id>/leave", lobby.leave_table, name="leave_table"),
    path("games/<str:public_id>/close", lobby.close_table, name="close_table"),
    path("games/<str:public_id>/bot", lobby.seat_bot, name="seat_bot"),
    path("desk/", desk.desk, name="desk"),
    path("notices/", notices.notices, name="notices"),
    # The table, and stepping through it with ?at=
    path("games/<str:public_id>/", table.table, name="table"),
    path("games/<str:public_id>/enter/<str:signed>/", enter.enter, name="enter"),
    path("games/<str:public_id>/step", table.step, name="table_step"),
    path("games/<str:public_id>/undo", table.undo, name="table_undo"),
    path("games/<str:public_id>/submit", table.submit, name="table_submit"),
    path("games/<str:public_id>/decide", table.decide, name="table_decide"),
    # What has been played, and pages to read
    path("full-games/<int:pk>/", history_pages.full_game, name="full_game"),
    path("history/", history_pages.history, name="history"),
    path("rules/<slug:slug>/", rules.rules, name="rules"),
    path("about/", rules.about, name="about"),
    # A game for other programs
    path("games/<str:public_id>/record.json", export.record, name="table_record"),
    path("games/<str:public_id>/view.json", export.view, name="table_view"),
    # Pictures that never change
    path("boards/<str:layout>.<str:theme>.svg", boards.land_picture, name="land"),
]
