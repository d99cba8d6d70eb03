"""Chat at the table: who can read whom, what is refused, and how to block others."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.services import bring_games, delete_account, make_guest
from empire.web.live import read_url
from games.errors import GameError, NotFound
from games.tables.models import Block, Message, Note, Report
from games.tables.models.chat import LONGEST_MESSAGE
from games.tables.selectors import chat as selector
from games.tables.selectors.live import rooms, versions
from games.tables.services import chat, handover, lobby, reports
from tests.cast import again, in_turns, person, seats_of, table_of
from tests.web.reading import alert, text

pytestmark = pytest.mark.django_db
SECRETS = {"ruleset": "kingdoms", "options": {"collusion": True}}


def say(game, user, words, to=None):
    return chat.say(public_id=game.public_id, user=user, text=words, to=to)


def heard(game, user):
    return [line.text for line in selector.chat(public_id=game.public_id, user=user).lines]


@pytest.mark.parametrize("htmx", [False, True], ids=["forms alone", "htmx"])
def test_players_chat_with_each_other(come, alice, bob, htmx):
    game = table_of(alice, bob)
    come(alice, htmx=htmx).post(f"{game.get_absolute_url()}chat/say", {"text": " Well met!\n<b>Bob</b> "})
    page = come(bob, htmx=htmx).get(f"{game.get_absolute_url()}chat/")
    assert "Well met!<br>&lt;b&gt;Bob&lt;/b&gt;" in text(page)
    assert ("<html" in text(page)) != htmx


def test_players_and_spectators_cannot_read_each_other(alice, bob, eve):
    game = table_of(alice, bob)
    say(game, alice, "I shall go north")
    say(game, eve, "She will go north")
    assert heard(game, bob) == ["I shall go north"]
    assert heard(game, eve) == ["She will go north"]
    assert heard(game, None) == ["She will go north"]


@pytest.mark.parametrize("htmx", [False, True], ids=["forms alone", "htmx"])
@pytest.mark.parametrize("words", [{"text": "Ouch"}, {"text": "", "phrase": "ouch"}, {"text": "Psst", "to": "1"}])
def test_a_form_that_is_sent_again_because_its_answer_was_lost_says_it_once(come, alice, bob, words, htmx):
    game, browser = table_of(alice, bob, **SECRETS), come(alice, htmx=htmx)
    url = f"{game.get_absolute_url()}chat/"

    def form() -> dict[str, str]:
        return {**words, "after": re.search(r'name="after" value="(\d+)"', text(browser.get(url)))[1]}

    first = form()
    say(game, bob, "Your turn")
    for _time in range(2):
        assert browser.post(f"{url}say", first).status_code == 200
    assert Message.objects.filter(author=alice).count() == 1
    browser.post(f"{url}say", {**first, "text": "And another thing", "phrase": ""})
    browser.post(f"{url}say", form())  # said again on purpose, from a page that shows the first
    assert Message.objects.filter(author=alice).count() == 3


def test_words_from_a_page_of_the_players_room_are_not_told_to_spectators(come, alice, bob, carol):
    game = in_turns(alice, bob)
    url = f"{game.get_absolute_url()}chat/"
    shown = [re.search(r'name="room" value="(\w+)"', text(come(user).get(url)))[1] for user in (alice, carol)]
    handover.ask(seat=seats_of(game)[0], user=alice, name="Carol")
    handover.accept(seat=seats_of(game)[0], user=carol)
    refused = come(alice).post(f"{url}say", {"text": "I will attack", "room": shown[0]})
    assert "You no longer play this seat" in alert(refused) and ">I will attack</textarea>" in text(refused)
    assert "You now play at this table" in alert(come(carol).post(f"{url}say", {"text": "Oh", "room": shown[1]}))
    assert heard(game, bob) == heard(game, None) == []
    come(carol).post(f"{url}say", {"text": "Hello", "room": shown[0]})
    assert heard(game, bob) == ["Hello"]


def test_words_from_a_page_that_has_been_open_for_long_are_a_new_message(alice, bob):
    game = table_of(alice, bob)
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False) as clock:
        for later in (timedelta(), timedelta(minutes=50), timedelta(hours=2)):
            clock.move_to(datetime(2026, 11, 21, 12, tzinfo=UTC) + later)
            chat.say(public_id=game.public_id, user=alice, text="Hello", after=0)
    assert heard(game, bob) == ["Hello", "Hello"]


def test_others_cannot_read_or_write_at_a_private_table(come, alice, bob, eve):
    game = table_of(alice, bob, listed=False)
    assert come(eve).get(f"{game.get_absolute_url()}chat/").status_code == 404
    assert come(eve).post(f"{game.get_absolute_url()}chat/say", {"text": "Hello"}).status_code == 404
    assert not Message.objects.exists()


def test_visitors_are_asked_to_sign_in(come, alice, bob):
    game = table_of(alice, bob)
    answer = come().post(f"{game.get_absolute_url()}chat/say", {"text": "Hello"})
    assert answer.status_code == 302 and "login" in answer.url


def test_a_message_after_the_session_has_ended_is_refused_with_a_sentence_and_not_replaced(come, alice, bob):
    game = table_of(alice, bob)
    answer = come(htmx=True).post(f"{game.get_absolute_url()}chat/say", {"text": "Hello"})
    assert answer.status_code == 401 and answer.headers["Content-Type"].startswith("text/plain")
    assert answer.content.decode().startswith("You’re signed out, so nothing was sent.")


def test_guests_chat_where_they_play_but_not_where_they_watch(alice, bob):
    game, guest = table_of(alice, bob), make_guest()
    with pytest.raises(GameError, match="Guests can’t chat as spectators"):
        say(game, guest, "Hello")
    say(table_of(alice, guest), guest, "Hello")


@pytest.mark.parametrize("htmx", [False, True], ids=["forms alone", "htmx"])
def test_a_refusal_keeps_what_was_written(come, alice, bob, htmx):
    game = table_of(alice, bob)
    answer = come(alice, htmx=htmx).post(f"{game.get_absolute_url()}chat/say", {"text": "x" * (LONGEST_MESSAGE + 1)})
    assert "at most 1000 characters" in alert(answer) and "x" * (LONGEST_MESSAGE + 1) in text(answer)
    assert (
        alert(come(alice).post(f"{game.get_absolute_url()}chat/say", {"text": "  "}))
        == "Your message is empty. Write something first."
    )
    assert not Message.objects.exists()


def test_invisible_messages_are_refused_and_stacked_marks_are_cut(alice, bob):
    game = table_of(alice, bob)
    for nothing in ("\u200b", "\u3164", "\u0301"):
        with pytest.raises(GameError, match="Your message is empty"):
            say(game, alice, nothing)
    say(game, alice, "\u202eHi" + "\u0301" * 400)
    assert heard(game, bob) == ["Hi" + "\u0301" * 4]


def test_a_message_has_the_direction_of_its_script(come, alice, bob):
    game = table_of(alice, bob)
    say(game, bob, "!שלום")
    assert '<p dir="auto">!שלום</p>' in text(come(alice).get(f"{game.get_absolute_url()}chat/"))


def test_nobody_floods_a_table(alice, bob):
    game = table_of(alice, bob)
    for n in range(10):
        say(game, alice, f"{n}")
    with pytest.raises(GameError, match="too fast"):
        say(game, alice, "and on")
    say(game, bob, "Peace at last")


def test_k62_private_messages_are_possible_only_where_the_table_allows_them(alice, bob, carol):
    open_table = table_of(alice, bob, carol, ruleset="kingdoms")
    with pytest.raises(GameError, match="There are no private messages at this table"):
        say(open_table, alice, "Psst", to=1)
    game = table_of(alice, bob, carol, **SECRETS)
    say(game, alice, "Psst, Carol holds 180", to=1)
    assert heard(game, alice) == heard(game, bob) == ["Psst, Carol holds 180"]
    assert heard(game, carol) == []
    assert selector.chat(public_id=game.public_id, user=alice).recipients == (("1:Bob", "Bob"), ("2:Carol", "Carol"))


@pytest.mark.parametrize(("to", "bots"), [(0, []), (2, ["random"]), (9, [])], ids=["oneself", "a bot", "no seat"])
def test_private_messages_need_a_player_in_the_seat(alice, bob, to, bots):
    game = lobby.open_table(user=alice, players=2 + len(bots), bots=bots, listed=True, **SECRETS)
    lobby.join_table(game=game, user=bob)
    with pytest.raises(GameError, match="Nobody is playing that seat"):
        say(game, alice, "Psst", to=to)


@pytest.mark.parametrize("to", ["x", "999", "1x:Bob", "-1", " ", "?"])
def test_a_private_message_to_no_seat_is_refused_and_not_made_public(come, alice, bob, carol, to):
    game = table_of(alice, bob, carol, **SECRETS)
    answer = come(alice).post(f"{game.get_absolute_url()}chat/say", {"text": "Psst", "to": to})
    assert answer.status_code == 422 and "Choose who should read it." in alert(answer)
    assert not Message.objects.exists()
    # The text is kept, and nobody is chosen to read it
    assert ">Psst</textarea>" in text(answer) and '<option value="?" selected>' in text(answer)


def test_a_private_message_reaches_only_the_player_whom_the_page_showed(come, alice, bob, carol, dan):
    game = table_of(alice, bob, carol, **SECRETS)
    browser, address = come(alice), f"{game.get_absolute_url()}chat/"
    assert 'value="1:Bob"' in text(browser.get(address))
    seat = seats_of(game)[1]
    handover.ask(seat=seat, user=bob, name="Dan", until=None)
    handover.accept(seat=seat, user=dan)
    answer = browser.post(f"{address}say", {"text": "Psst", "to": "1:Bob"})
    assert "Someone else plays that seat now" in alert(answer) and ">Psst</textarea>" in text(answer)
    assert not Message.objects.exists() and '<option value="?" selected>' in text(answer)
    browser.post(f"{address}say", {"text": "Psst", "to": "1:Dan"})
    assert heard(game, dan) == ["Psst"] and heard(game, carol) == heard(game, bob) == []


def test_a_private_message_to_a_player_who_has_left_is_refused_and_keeps_its_text(come, alice, bob, carol):
    game = lobby.open_table(user=alice, players=4, listed=True, **SECRETS)
    for player in (bob, carol):
        lobby.join_table(game=game, user=player)
    lobby.leave_table(game=game, user=bob)
    answer = come(alice).post(f"{game.get_absolute_url()}chat/say", {"text": "Psst", "to": "1:Bob"})
    assert "Nobody is playing that seat" in alert(answer) and ">Psst</textarea>" in text(answer)
    assert '<option value="?" selected>' in text(answer) and not Message.objects.exists()


def test_a_refused_private_message_keeps_its_recipient(come, alice, bob, carol):
    game = table_of(alice, bob, carol, **SECRETS)
    answer = come(alice).post(f"{game.get_absolute_url()}chat/say", {"text": "x" * 1001, "to": "2:Carol"})
    assert answer.status_code == 422 and '<option value="2:Carol" selected>' in text(answer)


def test_a_private_message_changes_nothing_for_the_others(come, alice, bob, carol):
    game = table_of(alice, bob, carol, **SECRETS)
    before = text(come(carol).get(f"{game.get_absolute_url()}chat/")), again(game).version
    say(game, alice, "Psst", to=1)
    assert len(text(come(carol).get(f"{game.get_absolute_url()}chat/"))) == len(before[0])
    assert again(game).version == before[1]


def test_new_messages_are_marked_until_they_are_read(come, alice, bob):
    game = table_of(alice, bob)
    say(game, alice, "Your turn")
    bobs = seats_of(game)[1]
    assert selector.unread_count(game=again(game), seat=bobs) == 1
    assert 'data-new="1"' in text(come(bob).get(f"{game.get_absolute_url()}chat/"))
    assert 'data-new="0"' in text(come(bob).get(f"{game.get_absolute_url()}chat/"))
    assert selector.unread_count(game=again(game), seat=seats_of(game)[1]) == 0


def test_a_blocked_player_is_muted_at_every_table_until_unblocked(come, alice, bob, carol):
    game, other = table_of(alice, bob, carol), table_of(alice, bob, carol)
    rude = say(game, alice, "You play like a stump")
    come(bob).post(f"{game.get_absolute_url()}chat/{rude.pk}/block")
    say(other, alice, "And here too")
    assert heard(game, bob) == heard(other, bob) == []
    assert heard(game, carol) == ["You play like a stump"]
    assert selector.unread_count(game=again(other), seat=seats_of(other)[1]) == 0
    come(bob).post(f"{game.get_absolute_url()}chat/unblock", {"name": "Alice"})
    assert heard(game, bob) == ["You play like a stump"]


def test_nobody_can_block_or_report_themselves(alice, bob):
    message = say(table_of(alice, bob), alice, "Hm")
    with pytest.raises(GameError, match="You can’t block the author of this message"):
        chat.block(message=message.pk, user=alice)
    with pytest.raises(GameError, match="You can’t report your own message"):
        reports.report_message(message=message.pk, user=alice, reason="abuse")
    assert not Block.objects.exists() and not Report.objects.exists()


def test_a_report_arrives_once_and_says_so(come, alice, bob):
    game = table_of(alice, bob)
    rude = say(game, alice, "You play like a stump")
    address = f"{game.get_absolute_url()}chat/{rude.pk}/report"
    for _tap in range(2):
        assert "Thank you. A moderator will look at your report." in text(come(bob).post(address, {"reason": "abuse"}))
    assert alert(come(bob).post(address, {"reason": "spam"})).startswith("You have already reported this.")
    assert Report.objects.get().player == alice


def test_a_player_can_be_reported_without_a_message(come, alice, bob, eve):
    game = table_of(alice, bob)
    url = f"{game.get_absolute_url()}report/"
    assert url in come(alice).get(game.get_absolute_url()).content.decode()
    page = come(alice).get(url).content.decode()
    assert "Bob" in page and 'value="1"' in page and 'value="0"' not in page  # not herself
    assert come(alice).post(url, {"about": "1", "reason": "engine"}).status_code == 302
    again = come(alice).post(url, {"about": "1", "reason": "delay"})
    assert again.status_code == 422 and "You have already reported this." in text(again)
    report = Report.objects.get()
    assert (report.game, report.player, report.message, report.reporter) == (game, bob, None, alice)
    come(alice).post(url, {"about": "table", "reason": "together", "words": "They pass."})
    come(eve).post(url, {"about": "1", "reason": "engine"})  # a spectator
    assert Report.objects.count() == 3
    # Staff see the player and the game
    chief = come(person("Chief", is_staff=True, is_superuser=True))
    listed = chief.get("/admin/tables/report/").content.decode()
    assert "Help from a bot or another program" in listed and "Bob" in listed and game.public_id in listed
    assert chief.get(f"/admin/tables/report/{report.pk}/change/").status_code == 200
    # A report outlives the account of its reporter
    alice.delete()
    assert Report.objects.filter(player=bob).count() == 2


@pytest.mark.parametrize(
    "sent",
    [{}, {"about": "0", "reason": "engine"}, {"about": "7", "reason": "engine"}, {"about": "x", "reason": "engine"},
     {"about": "1", "reason": "message"}, {"about": "1", "reason": ""}, {"about": "table", "reason": "engine"},
     {"about": "1", "reason": "engine", "words": "x" * 501}],
)  # fmt: skip
def test_a_report_without_a_player_or_a_reason_is_refused(come, alice, bob, sent):
    game = table_of(alice, bob)
    assert come(alice).post(f"{game.get_absolute_url()}report/", sent).status_code == 422
    assert not Report.objects.exists()


def test_only_those_who_see_a_game_report_its_players_and_bots_are_not_reported(come, alice, bob, eve):
    private = table_of(alice, bob, listed=False)
    url = f"{private.get_absolute_url()}report/"
    assert come(eve).get(url).status_code == come(eve).post(url, {"about": "1", "reason": "engine"}).status_code == 404
    assert Client().post(url, {"about": "1", "reason": "engine"}).status_code in (302, 403, 404)
    against_bots = lobby.open_table(user=alice, players=2, bots=["easy"])
    url = f"{against_bots.get_absolute_url()}report/"
    assert 'value="1"' not in come(alice).get(url).content.decode()
    assert come(alice).post(url, {"about": "1", "reason": "engine"}).status_code == 422
    assert not Report.objects.exists()


def test_a_report_offers_reasons_that_fit_and_says_how_to_mend_a_pair_that_does_not(come, alice, bob):
    against_bots = lobby.open_table(user=alice, players=2, bots=["easy"])
    url = f"{against_bots.get_absolute_url()}report/"
    page = text(come(alice).get(url))
    assert "Helping another player win" in page
    assert "Help from a bot or another program" not in page and "Pretending to be" not in page
    url = f"{table_of(alice, bob).get_absolute_url()}report/"
    page = text(come(alice).get(url))
    assert "Help from a bot or another program" in page and "Pretending to be" not in page
    page = text(come(alice).post(url, {"about": "table", "reason": "engine"}))
    assert "Report “Help from a bot or another program” against a player, not the table. Choose a player above." in page
    page = text(come(alice).post("/players/Bob/report/", {"about": "player", "reason": "posing"}))
    assert "“Pretending to be someone else” doesn’t fit “What the player writes or does”." in page
    assert "Choose “The name” above." in page


def test_a_guest_who_signs_in_keeps_reports(alice, bob):
    guest = make_guest()
    game = table_of(guest, bob)
    reports.report_at_table(public_id=game.public_id, user=bob, seat=0, reason="engine")
    reports.report_at_table(public_id=game.public_id, user=guest, seat=1, reason="delay")
    bring_games(guest=guest, user=alice)
    assert set(Report.objects.values_list("player", "reporter")) == {(alice.pk, bob.pk), (bob.pk, alice.pk)}


def test_people_cannot_report_messages_that_they_may_not_read(alice, bob, carol, eve):
    game = table_of(alice, bob, carol, **SECRETS)
    secret = say(game, alice, "Psst", to=1)
    for stranger in (carol, eve):
        with pytest.raises(NotFound):
            reports.report_message(message=secret.pk, user=stranger, reason="abuse")
    with pytest.raises(NotFound):
        reports.report_message(message=secret.pk + 1, user=alice, reason="abuse")


def test_only_its_author_reads_a_note(come, alice, bob):
    game = table_of(alice, bob)
    for words in ("Bob hoards", "Bob hoards coins"):
        come(alice).post(f"{game.get_absolute_url()}chat/note", {"note": words})
    assert "Bob hoards coins" in text(come(alice).get(f"{game.get_absolute_url()}chat/"))
    assert "hoards" not in text(come(bob).get(f"{game.get_absolute_url()}chat/"))
    assert Note.objects.count() == 1
    answer = come(alice).post(f"{game.get_absolute_url()}chat/note", {"note": "x" * 5001})
    assert "at most 5000" in alert(answer) and Note.objects.get().text == "Bob hoards coins"


def test_nobody_writes_a_note_about_a_game_that_they_may_not_see(come, alice, bob, eve):
    """Otherwise the answer would tell strangers which private games exist."""
    game = table_of(alice, bob, listed=False)
    assert come(eve).post(f"{game.get_absolute_url()}chat/note", {"note": "Who plays here?"}).status_code == 404
    assert not Note.objects.exists()


def test_guests_who_sign_up_keep_their_messages(alice, bob):
    guest = make_guest()
    game = table_of(alice, guest)
    say(game, guest, "I like this")
    chat.write_note(public_id=game.public_id, user=guest, text="Sign up?")
    bring_games(guest=guest, user=bob)
    message = Message.objects.get()
    assert (message.author, message.name, Note.objects.get().user) == (bob, "Bob", bob)


def test_messages_of_a_deleted_account_lose_their_text_and_its_name_at_once(come, alice, bob):
    game = table_of(alice, bob)
    say(game, bob, "Farewell")
    delete_account(bob)
    message = Message.objects.get()
    assert (message.author, message.name, message.text) == (None, "Former player", "")
    page = text(come(alice).get(f"{game.get_absolute_url()}chat/"))
    assert "Farewell" not in page and "This message was deleted." in page


def test_the_table_has_a_place_for_the_chat_where_it_can_be_read(come, alice, bob, eve):
    game = in_turns(alice, bob)
    say(game, bob, "Well met!")
    table = game.get_absolute_url()
    page = text(come(alice).get(table))
    place = re.search(r'<details class="chat-panel"[^>]*>', page)[0]
    assert f'data-chat="{table}chat/"' in place and 'data-new="1"' in place and " hidden" in place
    assert page.index("</article>") < page.index(place), "outside of what the table swaps"
    assert f'href="{table}chat/" id="chat-link"' in page, "without scripts"
    assert "chat-panel" not in text(come(alice).get(f"{table}?at=1"))
    assert "chat-panel" not in text(come(alice, htmx=True).get(table))
    assert "Well met!" not in text(come(eve).get(f"{table}chat/"))


def test_the_chat_and_the_table_have_no_ids_in_common(come, alice, bob):
    game = in_turns(alice, bob)
    say(game, bob, "Well met!")
    ids = [
        re.findall(r'\sid="([^"]+)"', text(come(alice, htmx=True).get(game.get_absolute_url() + part)))
        for part in ("", "chat/")
    ]
    assert not set(ids[0]) & set(ids[1])


# New messages on open pages


def lines_after(come, user, game, last):
    answer = come(user).get(f"{game.get_absolute_url()}chat/", {"after": str(last)})
    assert answer.status_code == 200 and "<html" not in text(answer)
    return re.findall(r'<li class="chat-message [^"]*" id="message-(\d+)"', text(answer))


def test_an_open_page_asks_for_the_messages_that_it_lacks_and_the_answer_is_small(come, alice, bob):
    game = table_of(alice, bob)
    first, *later = [str(say(game, alice, f"Line {n}").pk) for n in range(3)]
    assert lines_after(come, bob, game, first) == later
    answer = come(bob).get(f"{game.get_absolute_url()}chat/", {"after": later[0]})
    assert len(answer.content) < 2000 and lines_after(come, bob, game, later[1]) == []
    assert selector.unread_count(game=again(game), seat=seats_of(game)[1]) == 0, "what was shown is read"


def test_new_messages_are_counted_without_being_read(come, alice, bob):
    game = table_of(alice, bob)
    say(game, alice, "Well met!")
    for _time in range(2):
        assert "(1 new)" in text(come(bob).get(f"{game.get_absolute_url()}chat/", {"count": ""}))


def test_later_messages_are_only_those_of_the_readers_rooms(come, alice, bob, carol, eve):
    game = table_of(alice, bob, carol, **SECRETS)
    spoken = [say(game, alice, "North"), say(game, eve, "She goes north"), say(game, alice, "Psst", to=1)]
    north, gossip, whisper = (str(message.pk) for message in spoken)
    assert lines_after(come, alice, game, 0) == lines_after(come, bob, game, 0) == [north, whisper]
    assert lines_after(come, carol, game, 0) == [north]
    assert lines_after(come, eve, game, 0) == lines_after(come, None, game, 0) == [gossip]


def test_strangers_get_no_messages_of_a_private_table(come, alice, bob, eve):
    game = table_of(alice, bob, listed=False)
    say(game, alice, "Well met!")
    for query in ("after", "count"):
        assert come(eve).get(f"{game.get_absolute_url()}chat/", {query: "0"}).status_code == 404


@pytest.mark.parametrize("after", ["-1", "x", "9" * 40, "٣"])
def test_an_invalid_message_number_shows_the_whole_chat(come, alice, bob, after):
    game = table_of(alice, bob)
    say(game, alice, "Well met!")
    assert "Well met!" in text(come(bob).get(f"{game.get_absolute_url()}chat/", {"after": after}))
    assert "(1 new)" not in text(come(bob).get(f"{game.get_absolute_url()}chat/", {"after": after, "count": ""}))


def rooms_of_pages(come, game, *readers):
    """Return the chat rooms that each open page of these readers listens to."""
    pages = [come(reader).get(game.get_absolute_url() + page) for reader in readers for page in ("", "chat/")]
    return [read_url(unescape(re.search(r'data-live="([^"]+)"', text(page))[1]))[3] for page in pages]


def test_the_live_stream_announces_messages_only_to_those_who_can_read_them(come, alice, bob, carol, eve):
    game = table_of(alice, bob, carol, **SECRETS)
    pages = rooms_of_pages(come, game, alice, bob, carol, eve, None)

    def which_pages_hear(message):
        _version, messages = versions([game.public_id])[game.public_id]
        return [any(messages.get(room) == message.pk for room in rooms) for rooms in pages]

    nobody, everybody = [False] * 2, [True] * 2
    assert which_pages_hear(say(game, bob, "Well met!")) == [*everybody * 3, *nobody * 2]
    assert which_pages_hear(say(game, eve, "A close game")) == [*nobody * 3, *everybody * 2]
    assert which_pages_hear(say(game, alice, "Psst", to=1)) == [*everybody * 2, *nobody * 3]


def test_a_private_message_between_others_does_not_change_what_a_players_page_costs(come, alice, bob, carol):
    game = table_of(alice, bob, carol, **SECRETS)

    def query_count(user) -> int:
        with CaptureQueriesContext(connection) as queries:
            come(user).get(game.get_absolute_url())
        return len(queries)

    for user in (alice, bob):
        query_count(user)  # news is marked once
    before = query_count(alice), query_count(bob)
    say(game, carol, "Psst", to=1)
    assert query_count(alice) == before[0] and query_count(bob) > before[1]


def test_a_page_of_someone_who_no_longer_plays_hears_no_messages_of_the_seat(come, alice, bob, carol):
    """Its address still names the rooms of the seat, which someone else plays now."""
    game = table_of(alice, bob, **SECRETS)
    page = text(come(bob).get(game.get_absolute_url()))
    *_rest, hears, _said, player = read_url(unescape(re.search(r'data-live="([^"]+)"', page)[1]))
    assert rooms(game.public_id, player) == hears == ["players", "1"]
    handover.ask(seat=seats_of(game)[1], user=bob, name="Carol")
    handover.accept(seat=seats_of(game)[1], user=carol)
    assert rooms(game.public_id, player) == []
    assert rooms(game.public_id, carol.pk) == ["players", "1"]
