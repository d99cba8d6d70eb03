"""URLs of the games, in the order in which a player meets them."""

from django.urls import path, re_path

from games.contests.duplicates import views as duplicates
from games.contests.gates import views as gates
from games.contests.ladders import views as ladder
from games.contests.leagues import views as leagues
from games.contests.matches import views as matches
from games.contests.organising import views as organising
from games.contests.ratings import views as ratings
from games.contests.seeks import views as seeks
from games.contests.sharing import views as sharing
from games.contests.teams import views as teams
from games.contests.tournaments import views as tournaments
from games.contests.webhooks import views as webhooks
from games.families import FAMILIES
from games.help import views as rules
from games.home import calendar
from games.home import views as desk
from games.notices.delivery import devices
from games.notices.delivery import views as notices
from games.tables.views import chat, enter, friends, lessons, lobby, preview, records, review, seat, table, time_off

urlpatterns = [
    # Home page, lobby, tables that have not started
    path("", lobby.home, name="home"),
    path("play-now/", lobby.play_now, name="play_now"),
    path("learn/", lessons.learn, name="learn"),
    path("learn/<slug:slug>/begin", lessons.begin, name="learn_begin"),
    path("learn/<slug:slug>/skip", lessons.skip, name="learn_skip"),
    path("learn/<slug:slug>/play", lessons.play, name="learn_play"),
    path("lobby/", desk.lobby, name="lobby"),
    path("lobby/open/", lobby.open_table, name="open_table"),
    path("find/", seeks.find_game, name="find_game"),
    path("find/leave", seeks.leave, name="leave_search"),
    path("join/<str:token>/", lobby.join, name="join"),
    path("games/<str:public_id>/join", lobby.join_table, name="join_table"),
    path("games/<str:public_id>/leave", lobby.leave_table, name="leave_table"),
    path("games/<str:public_id>/close", lobby.close_table, name="close_table"),
    path("games/<str:public_id>/bot", lobby.seat_bot, name="seat_bot"),
    path("games/<str:public_id>/invite", friends.invite, name="invite"),
    path("invitations/<int:pk>/decline", friends.decline, name="decline_invitation"),
    path("people/", friends.people, name="people"),
    path("people/befriend", friends.befriend, name="befriend"),
    path("desk/", desk.desk, name="desk"),
    path(".well-known/record-keys.json", records.record_keys, name="record_keys"),
    path("replacements/<int:pk>/", desk.replacement, name="replacement"),
    path("notices/", notices.notices, name="notices"),
    path("accounts/notices/", notices.wishes, name="wishes"),
    path("accounts/unsubscribe/<str:signed>/", notices.unsubscribe, name="unsubscribe"),
    path("accounts/rest/", time_off.page, name="rest"),
    # Devices and webhooks
    path("accounts/notices/devices/add", notices.add_device, name="add_device"),
    path("accounts/notices/devices/renew", notices.renew_device, name="renew_device"),
    path(
        "accounts/notices/devices/<int:pk>/remove", notices.change, {"do": devices.remove_device}, name="remove_device"
    ),
    path("accounts/notices/devices/<int:pk>/try", notices.change, {"do": devices.try_device}, name="try_device"),
    path("accounts/notices/webhooks/add", notices.add_hook, name="add_hook"),
    path("accounts/notices/webhooks/<int:pk>/remove", notices.change, {"do": devices.remove_hook}, name="remove_hook"),
    path("accounts/notices/webhooks/<int:pk>/try", notices.change, {"do": devices.try_hook}, name="try_hook"),
    path("accounts/notices/webhooks/<int:pk>/revive", notices.change, {"do": devices.revive_hook}, name="revive_hook"),
    # Turns and seasons for calendars
    path("accounts/notices/calendar/", calendar.address, name="calendar_address"),
    path("calendar/<str:signed>.ics", calendar.feed, name="calendar"),
    # The table, and stepping through it with ?at=
    path("games/<str:public_id>/", table.table, name="table"),
    path("games/<str:public_id>/enter/<str:signed>/", enter.enter, name="enter"),
    path("games/<str:public_id>/board/<int:seq>.svg", table.thumbnail, name="thumbnail"),
    path("games/<str:public_id>/here", table.here, name="here"),
    path("games/<str:public_id>/board/last.svg", table.thumbnail, name="last_thumbnail"),
    path("games/<str:public_id>/step", table.step, name="table_step"),
    path("games/<str:public_id>/undo", table.undo, name="table_undo"),
    path("games/<str:public_id>/submit", table.submit, name="table_submit"),
    path("games/<str:public_id>/decide", table.decide, name="table_decide"),
    path("games/<str:public_id>/seat/", seat.seat, name="seat"),
    path("games/<str:public_id>/mute/<str:signed>/", seat.mute, name="mute"),
    path("games/<str:public_id>/back", table.take_back, name="take_back"),
    path("games/<str:public_id>/rematch", lobby.rematch, name="rematch"),
    path("games/<str:public_id>/review/", review.review, name="review"),
    path("games/<str:public_id>/review/<int:seq>/", review.turn, name="review_turn"),
    path("games/<str:public_id>/review/<int:seq>/<str:theme>.png", review.picture, name="review_picture"),
    path("games/<str:public_id>/hint/", review.hint, name="hint"),
    path("games/<str:public_id>/orders", seat.orders, name="orders"),
    # Chat and private notes
    path("games/<str:public_id>/talk/", chat.chat, name="chat"),
    path("games/<str:public_id>/talk/say", chat.say, name="chat_say"),
    path("games/<str:public_id>/talk/note", chat.note, name="chat_note"),
    path("games/<str:public_id>/talk/unblock", chat.unblock, name="chat_unblock"),
    path("games/<str:public_id>/talk/<int:message>/block", chat.block, name="chat_block"),
    path("games/<str:public_id>/talk/<int:message>/report", chat.report, name="chat_report"),
    # Players, competitions, history and help
    path("players/<str:username>/", ratings.player, name="player"),
    path("players/<str:username>/block", ratings.block, name="block"),
    re_path(r"^players/(?P<username>[^/]+)/scores\.(?P<kind>csv|json)$", ratings.player_file, name="player_scores"),
    path("bots/<slug:bot>/", ratings.bot, name="bot"),
    re_path(r"^bots/(?P<bot>[^/]+)/scores\.(?P<kind>csv|json)$", ratings.bot_file, name="bot_scores"),
    path("duplicates/", duplicates.index, name="duplicates"),
    path("duplicates/open/", duplicates.open_duplicate, name="open_duplicate"),
    path("duplicates/<str:public_id>/", duplicates.duplicate_page, name="duplicate"),
    path("duplicates/<str:public_id>/join", duplicates.join, name="join_duplicate"),
    path("duplicates/<str:public_id>/leave", duplicates.leave, name="leave_duplicate"),
    path("statistics/", ratings.statistics_index, name="statistics_index"),
    path("ratings/", ratings.index, name="ratings_index"),
    path("ratings/<slug:ruleset>/", ratings.ratings, name="ratings"),
    path("ratings/<slug:ruleset>/calibration/", ratings.calibration, name="calibration"),
    path("ratings/<slug:ruleset>/statistics/", ratings.statistics, name="statistics"),
    path("ratings/<slug:ruleset>/records/", ratings.records, name="records"),
    path("ladder/", ladder.index, name="ladder_index"),
    path("ladder/challenges/<int:pk>/accept", ladder.accept, name="accept_challenge"),
    path("ladder/challenges/<int:pk>/decline", ladder.decline, name="decline_challenge"),
    path("ladder/challenges/<int:pk>/withdraw", ladder.withdraw, name="withdraw_challenge"),
    path("ladder/<slug:ruleset>/", ladder.ladder, name="ladder"),
    path("ladder/<slug:ruleset>/history/", ladder.climbs, name="climbs"),
    path("ladder/<slug:ruleset>/join", ladder.join, name="join_ladder"),
    path("ladder/<slug:ruleset>/leave", ladder.leave, name="leave_ladder"),
    path("ladder/<slug:ruleset>/challenge", ladder.challenge, name="challenge"),
    path("leagues/", leagues.index, name="leagues"),
    path("leagues/declare/", leagues.declare, name="declare_league"),
    path("leagues/<slug:slug>/", leagues.league, name="league"),
    path("leagues/<slug:slug>/league.toml", leagues.file, name="league_toml"),
    path("leagues/<slug:slug>/declare/", leagues.redeclare, name="redeclare_league"),
    path("leagues/<slug:slug>/join", leagues.join, name="join_league"),
    path("leagues/<slug:slug>/leave", leagues.leave, name="leave_league"),
    path("leagues/<slug:slug>/rest", leagues.rest, name="rest_league"),
    path("leagues/<slug:slug>/wish", leagues.wish, name="wish_league"),
    path("leagues/<slug:slug>/open", leagues.open_league, name="open_league"),
    path("leagues/<slug:slug>/close", leagues.close, name="close_league"),
    path("leagues/<slug:slug>/team/", organising.league_team, name="league_team"),
    path("leagues/<slug:slug>/words/", organising.league_words, name="league_words"),
    path("leagues/<slug:slug>/webhooks/", webhooks.league_webhooks, name="league_webhooks"),
    path("leagues/<slug:slug>/embed/", sharing.league_embed, name="league_embed"),
    path("leagues/<slug:slug>/gate/", gates.league_gate, name="league_gate"),
    path("leagues/<slug:slug>/invited/<str:token>/", gates.league_invited, name="league_invited"),
    path("leagues/<slug:slug>/<int:number>/", leagues.season, name="season"),
    path("leagues/<slug:slug>/<int:number>/drop-out", leagues.drop_out, name="drop_out"),
    path("leagues/<slug:slug>/<int:number>/organise/", leagues.organise, name="organise"),
    path("leagues/<slug:slug>/<int:number>/<int:tier>-<int:division>/", leagues.division, name="division"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/decide", matches.decide, name="decide_match"),
    path("interventions/<int:pk>/undo", matches.undo, name="undo_intervention"),
    path(
        "leagues/<slug:slug>/<int:number>/<int:tier>-<int:division>/embed/",
        sharing.division_embed,
        name="division_embed",
    ),
    re_path(
        r"^leagues/(?P<slug>[-\w]+)/(?P<number>\d{1,6})/(?P<tier>\d{1,6})-(?P<division>\d{1,6})/"
        r"(?P<what>standings|results)\.(?P<kind>csv|json)$",
        sharing.division_file,
        name="division_file",
    ),
    re_path(
        r"^tournaments/(?P<public_id>\w+)/(?P<what>standings|results)\.(?P<kind>csv|json)$",
        sharing.tournament_file,
        name="tournament_file",
    ),
    path("tournaments/<str:public_id>/embed/", sharing.tournament_embed, name="tournament_embed"),
    path("tournaments/", tournaments.index, name="tournaments"),
    path("tournaments/open/", tournaments.open_tournament, name="open_tournament"),
    path("tournaments/<str:public_id>/", tournaments.tournament, name="tournament"),
    path("tournaments/<str:public_id>/tournament.toml", tournaments.file, name="tournament_terms_file"),
    path("tournaments/<str:public_id>/next", tournaments.play_next, name="play_next"),
    path("tournaments/<str:public_id>/join", tournaments.join, name="join_tournament"),
    path("tournaments/<str:public_id>/leave", tournaments.leave, name="leave_tournament"),
    path("tournaments/<str:public_id>/start", tournaments.start, name="start_tournament"),
    path("tournaments/<str:public_id>/organise/", tournaments.organise, name="organise_tournament"),
    path("tournaments/<str:public_id>/teams/create/", teams.create, name="create_team"),
    path("tournaments/<str:public_id>/teams/<int:pk>/", teams.team, name="team"),
    path("tournaments/<str:public_id>/teams/<int:pk>/act/", teams.act, name="team_act"),
    path("tournaments/<str:public_id>/teams/<int:pk>/join/<str:token>/", teams.team, name="team_link"),
    path("tournaments/<str:public_id>/team-matches/<int:pk>/", teams.team_match, name="team_match"),
    path("tournaments/<str:public_id>/team/", organising.tournament_team, name="tournament_team"),
    path("tournaments/<str:public_id>/words/", organising.tournament_words, name="tournament_words"),
    path("tournaments/<str:public_id>/webhooks/", webhooks.tournament_webhooks, name="tournament_webhooks"),
    path("tournaments/<str:public_id>/gate/", gates.tournament_gate, name="tournament_gate"),
    path("tournaments/<str:public_id>/invited/<str:token>/", gates.tournament_invited, name="tournament_invited"),
    path("full-games/<int:pk>/", table.full_game, name="full_game"),
    path("history/", ratings.history, name="history"),
    path("rules/", rules.index, name="rules_index"),
    path("rules/clocks/", rules.clocks, name="rules_clocks"),
    path("rules/leagues/", leagues.rules, name="rules_leagues"),
    path("rules/<slug:slug>/", rules.rules, name="rules"),
    path("rules/<slug:slug>/cards/", rules.cards, name="rules_cards"),
    path("about/", rules.about, name="about"),
    path("fair-play/", rules.fair_play, name="fair_play"),
    # A game for other programs
    path("games/<str:public_id>/record.json", records.record, name="table_record"),
    path("games/<str:public_id>/view.json", records.view, name="table_view"),
    re_path(r"^games/(?P<public_id>[^/]+)/board/(?P<at>[0-9]{1,6})\.png$", preview.picture, name="table_picture"),
    path("games/<str:public_id>/verify/", records.verify, name="table_verify"),
    path("verify/", records.verify_file, name="verify_file"),
    # What only one family of games has
    *(pattern for family in FAMILIES.values() for pattern in family.urls),
]
