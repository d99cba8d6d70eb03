"""Emails: what they say, who gets them, and how they are built."""

import re
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy
from email.generator import BytesGenerator
from email.mime.image import MIMEImage
from io import BytesIO

import pytest
from django.core import mail
from django.utils import timezone
from django.utils.html import strip_tags
from msgspec import structs
from PIL import Image

from accounts.models import Step, User
from games.boards.eight_minute.faces import face
from games.contests.duplicates import services as duplicates
from games.notices.delivery import messages
from games.notices.delivery.channels import email
from games.notices.delivery.messages import board_jpeg
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice
from games.notices.outbox import outbox
from games.rules.eight_minute.edition import edition
from games.tables.models import Game, Seat
from games.tables.pages.eight_minute.messages import lead_words
from games.tables.services import friends, handover, lobby, timeouts
from tests.cast import in_turns, person, play_out, seats_of, some_turn, state_of, submit, table_of
from tests.notices.emails import (
    email_notice,
    html_of,
    link_of,
    notice,
    only_email,
    pictures_of,
    received,
    send_due,
    subjects,
    take,
    text_of,
)
from tests.tables.kingdoms import kingdoms

pytestmark = pytest.mark.django_db


def test_when_alice_has_played_bob_gets_one_email_and_alice_none(game):
    take(game, 0)
    send_due()
    assert subjects("Bob") == ["Your turn: Legends with Alice"]
    assert subjects("Alice") == []


def test_the_email_is_sent_after_the_commit_without_waiting_for_the_sweep(game, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        take(game, 0)
    assert len(received("Bob")) == 1
    send_due()
    assert len(received("Bob")) == 1


def test_a_turn_email_tells_only_what_happened_since_the_readers_last_turn(game):
    take(game, 0)
    take(game, 1)
    owned = state_of(game).owned
    take(game, 0)
    send_due()
    alices_last = edition("legends").cards[state_of(game).owned[0][-1]].name
    bobs = edition("legends").cards[owned[1][0]].name
    text = text_of(received("Bob")[-1])
    assert f"Alice takes {alices_last}" in text
    assert f"Bob takes {bobs}" not in text


def test_a_turn_email_lists_exactly_the_affordable_cards_with_prices(game):
    take(game, 0)
    send_due()
    state = state_of(game)
    text, html = text_of(only_email("Bob")), strip_tags(html_of(only_email("Bob")))
    for card, price in zip(state.row, edition("legends").prices, strict=True):
        shown = face(edition("legends").cards[card])
        words = {0: "for free", 1: "for 1 coin"}.get(price, f"for {price} coins")
        assert (f"* {shown.name}, {words}: " in text) == (price <= state.coins[1])
        assert (shown.name in html.partition("Cards you can take")[2]) == (price <= state.coins[1])


def test_a_turn_email_in_french_separates_what_a_card_gives_as_french_does(game, bob):
    User.objects.filter(pk=bob.pk).update(language="fr")
    take(game, 0)
    send_due()
    offers = re.findall(r"^\* .*, (?:gratuite|pour \d).*", text_of(only_email("Bob")), re.MULTILINE)
    assert offers and all("\N{NO-BREAK SPACE}: " in offer for offer in offers)
    assert any("\N{NARROW NO-BREAK SPACE}; " in offer for offer in offers)
    assert not any(re.search(r"\w[;:] ", offer) for offer in offers)


def test_a_turn_email_gives_the_deadline_in_the_readers_time_zone(game):
    take(game, 0)
    send_due()
    assert "You have until Wednesday 4 March, 18:00 (Asia/Tokyo)." in text_of(only_email("Bob"))


def test_the_board_is_an_inline_picture_and_nothing_is_loaded_from_outside(game):
    take(game, 0)
    send_due()
    sent_email = only_email("Bob")
    (picture,) = pictures_of(sent_email)
    assert picture.get_content_type() == "image/jpeg" and picture.get_content().startswith(b"\xff\xd8")
    width, height = Image.open(BytesIO(picture.get_content())).size
    assert width > 80 and height > width / 2
    assert (picture["Content-ID"], picture.get_content_disposition()) == ("<board>", "inline")
    html = html_of(sent_email)
    assert re.findall(r'src="([^"]*)"', html) == ["cid:board"]
    assert not re.search(r"<(link|script|iframe|object|video)|url\(|@import|@font-face", html)
    assert len(sent_email.as_bytes()) < 250_000


@pytest.mark.parametrize("play", [in_turns, kingdoms], ids=["legends", "kingdoms"])
def test_a_reader_with_the_dark_theme_gets_one_dark_picture_of_the_same_size(play, alice, bob, clock):
    game, sent_emails = play(alice, bob), []
    for theme in ("light", "auto", "dark"):
        bob.theme = theme
        bob.save()
        seat = Seat.objects.select_related("user", "game__snapshot").get(game=game, number=1)
        sent_emails.append(email.compose(messages.message(Notice(user=bob, seat=seat, kind=Kind.ENDED, title="News"))))
    light, auto, dark = (
        next(part for part in sent_email.attachments if isinstance(part, MIMEImage)) for sent_email in sent_emails
    )
    light, auto, dark = (part.get_payload(decode=True) for part in (light, auto, dark))
    assert light == auto != dark
    assert all(len(sent_email.attachments) == 1 for sent_email in sent_emails) and 0.8 < len(dark) / len(light) < 1.25
    shown = [re.search(r'<img class="board (\w+)"', sent_email.alternatives[0].content) for sent_email in sent_emails]
    assert [match and match[1] for match in shown] == ["light", "light", "dark"]


def test_the_picture_has_the_colors_that_its_reader_chose(alice, bob, clock):
    game, pictures = in_turns(alice, bob), set()
    for palette in ("", "deuteranopia", "tritanopia", "contrast"):
        bob.palette = palette
        bob.save()
        seat = Seat.objects.select_related("user", "game__snapshot").get(game=game, number=1)
        sent_email = email.compose(messages.message(Notice(user=bob, seat=seat, kind=Kind.ENDED, title="News")))
        pictures.add(
            next(part for part in sent_email.attachments if isinstance(part, MIMEImage)).get_payload(decode=True)
        )
    assert len(pictures) == 4


def test_an_email_that_waited_for_a_few_seconds_keeps_its_picture(game, clock):
    take(game, 0)
    clock.shift(timedelta(seconds=9))
    send_due()
    assert len(pictures_of(only_email("Bob"))) == 1


def test_a_late_email_is_sent_without_its_picture(game, clock):
    """Very many emails wait then, and the picture is half of the work."""
    take(game, 0)
    clock.shift(timedelta(seconds=11))
    send_due()
    sent_email = only_email("Bob")
    assert pictures_of(sent_email) == [] and "src=" not in html_of(sent_email)
    assert sent_email["Subject"] == "Your turn: Legends with Alice" and link_of(sent_email) in text_of(sent_email)


def test_delayed_and_retried_emails_keep_their_picture(game, clock):
    bob = game.seats.get(name="Bob").user
    bob.notice_settings = {Channel.EMAIL: {Kind.TURN: How.LATER}}
    bob.save()
    take(game, 0)
    clock.shift(timedelta(minutes=bob.delay, seconds=40))
    send_due()
    assert len(pictures_of(only_email("Bob"))) == 1
    again = notice(Kind.TURN, "Bob", game)
    assert not email.is_late(again)
    again.planned_at = again.created_at
    assert email.is_late(again)
    again.attempts = 2
    assert not email.is_late(again)


def test_the_picture_marks_what_the_others_did_since_the_readers_last_turn(game):
    take(game, 0)
    seat, actions = some_turn(game)
    submit(game, seat, *actions)
    turn_message = messages.message(notice(Kind.TURN, "Alice", game))
    assert board_jpeg(turn_message) != board_jpeg(replace(turn_message, events=()))


def test_headers_thread_emails_by_game_and_allow_unsubscribing_with_one_click(game, client):
    take(game, 0)
    take(game, 1)
    take(game, 0)
    send_due()
    take(game, 1)
    take(game, 0)
    send_due()
    first, second = received("Bob")
    seq = notice("turn", "Bob", game).seq - 2
    assert first["Message-ID"] == f"<turn.{game.public_id}.1.{seq}.260302090000@testserver>"
    assert first["Message-ID"] != second["Message-ID"]
    assert first["References"] == second["References"] == second["In-Reply-To"] == f"<game.{game.public_id}@testserver>"
    assert first["Auto-Submitted"] == "auto-generated"
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    client.post(first["List-Unsubscribe"].strip(" <>"), {"List-Unsubscribe": "One-Click"})
    take(game, 1)
    take(game, 0)
    send_due()
    assert len(received("Bob")) == 2


def test_the_highest_bidder_is_asked_who_goes_first(alice, bob):
    game = table_of(alice, bob)
    submit(game, 1, "bid 3")
    submit(game, 0, "bid 0")
    send_due()
    assert subjects("Bob")[-1] == "You won the bid: Legends with Alice"
    assert "The bids: Alice 0, Bob 3. Bob wins and pays 3." in text_of(received("Bob")[-1])
    assert "First cards in the row" in text_of(received("Bob")[-1])


def test_when_the_last_seat_is_taken_the_other_players_are_asked_to_bid(alice, bob):
    carol = person("Carol")
    table_of(alice, bob, carol)
    send_due()
    assert subjects("Alice") == ["Game started: Legends with Bob and Carol"]
    assert "Bid to choose who goes first. You have 11 coins." in " ".join(text_of(only_email("Alice")).split())
    assert subjects("Carol") == [], "Carol joined last and is looking at the table"


def test_when_the_game_ends_all_players_get_points_and_places(ended):
    send_due()
    first, second = sorted(seats_of(ended), key=lambda seat: seat.place)
    assert subjects(first.name)[-1].startswith("You won")
    for seat in (first, second):
        text = text_of(received(seat.name)[-1])
        assert re.search(rf"1\. {first.name} . {first.total} points?\n2\. {second.name} . {second.total} point", text)


def test_players_who_tie_have_one_point_or_several(ended):
    seats = seats_of(ended)
    view = ended.rules.view(state_of(ended), None)
    leads = []
    for points in (1, 2):
        scores = tuple(structs.replace(score, total=points, place=1) for score in view.scoresheet.seats)
        tied = structs.replace(view, scoresheet=structs.replace(view.scoresheet, seats=scores))
        leads.append(lead_words(Kind.ENDED, tied, seats[0], seats)[1])
    assert leads == ["Alice and Bob tied for the win with 1 point.", "Alice and Bob tied for the win with 2 points."]


def test_the_last_email_says_for_whom_a_bot_played_after_they_resigned(ended):
    assert "resigned" not in messages.message(email_notice(seats_of(ended)[0], "ended")).lead
    Seat.objects.filter(game=ended, number=1).update(has_given_up=True)
    lead = messages.message(email_notice(seats_of(ended)[0], "ended")).lead
    assert lead.endswith("points. A bot played for Bob after they resigned.")


@pytest.mark.parametrize("ruleset", ["legends", "kingdoms"])
def test_the_first_email_of_a_later_game_says_which_of_the_three_it_is(alice, bob, ruleset):
    game = table_of(alice, bob, ruleset=ruleset, full=True)
    first = email_notice(seats_of(game)[0], "started")
    assert messages.message(first).lead.startswith("Everyone is here, and the game has started.")
    Game.objects.filter(pk=game.pk).update(number=2)
    first.seat.game.refresh_from_db()
    assert messages.message(first).lead.startswith("Game 2 of 3 has started.")


def test_emails_to_a_substitute_say_for_whom_they_play(game, bob, client):
    carol, seat = person("Carol"), seats_of(game)[1]
    handover.ask(seat=seat, user=bob, name="Carol")
    handover.accept(seat=seat, user=carol)
    take(game, 0)
    send_due()
    assert subjects("Carol") == ["Your turn: Legends for Bob, with Alice"]
    client.force_login(carol)
    assert "Legends for Bob, with Alice" in client.get("/notices/").content.decode()
    handover.come_back(seat=seat, user=bob)
    assert messages.message(email_notice(seats_of(game)[1], Kind.TURN)).title == "Your turn: Legends with Alice"


@pytest.mark.long
def test_the_last_email_of_a_game_links_the_next_game_of_a_full_game(alice, bob, client):
    game = play_out(in_turns(alice, bob, full=True))
    send_due()
    (ended,) = [sent_email for sent_email in received("Bob") if "ended" in sent_email["Message-ID"]]
    following = game.full_game.games.get(number=2)
    link = f"The next of the three games has started:\nhttp://testserver/games/{following.public_id}/enter/"
    assert link in text_of(ended)


def test_one_reminder_is_sent_after_80_percent_of_the_time(game, clock):
    take(game, 0)
    send_due()
    clock.shift(0.79 * 48 * 3600)
    send_due()
    assert len(received("Bob")) == 1
    clock.shift(0.02 * 48 * 3600)
    send_due()
    send_due()
    assert subjects("Bob")[1:] == ["Your time is running out: Legends with Alice"]
    assert "You have until Wednesday 4 March, 18:00" in text_of(received("Bob")[1])


def test_the_next_email_says_that_a_player_timed_out(game, clock):
    clock.shift(49 * 3600)
    send_due()
    mail.outbox.clear()
    timeouts.sweep_overdue(timezone.now())
    send_due()
    assert "Alice ran out of time, so a bot decided." in text_of(only_email("Bob"))


def test_the_email_about_a_stale_table_that_was_closed_has_no_board(alice, clock):
    lobby.open_table(user=alice, listed=True)
    clock.shift(15 * 24 * 3600)
    lobby.close_stale_tables(timezone.now())
    send_due()
    sent_email = only_email("Alice")
    assert (sent_email["Subject"], pictures_of(sent_email)) == ("Table closed: Legends", [])
    assert "http://testserver/lobby/" in text_of(sent_email)


def test_the_email_about_a_closed_table_of_a_duplicate_says_so(alice, clock):
    duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    clock.shift(15 * 24 * 3600)
    duplicates.sweep_duplicates(timezone.now())
    send_due()
    sent_email = only_email("Alice")
    assert sent_email["Subject"] == "No seat in the duplicate: Legends"
    assert "your table of the duplicate was closed" in text_of(sent_email)


def test_emails_are_byte_identical_whatever_an_opponents_sealed_bid_is(alice, bob):
    game = table_of(alice, bob)
    written = []
    for coins in (0, 7):
        submit(game, 0, f"bid {coins}")
        reminder = notice(Kind.TIME, "Bob", game)
        written.append(email.compose(messages.message(reminder)).message().as_bytes())
    assert written[0] == written[1]


@pytest.mark.parametrize("kind", ["turn", "time", "started", "ended"])
def test_every_email_is_valid_mime_with_the_same_link_in_text_and_html(kind, ended):
    sent_email = message_from_bytes(compose_bytes(kind, ended), policy=policy.default)
    assert not sent_email.defects and not any(part.defects for part in sent_email.walk())
    assert sent_email.get_content_type() == "multipart/related"
    assert link_of(sent_email) in html_of(sent_email).replace("&amp;", "&")
    assert sent_email["To"].addresses[0].addr_spec == "bob@example.org"
    assert all(len(line) < 999 for line in sent_email.as_bytes().splitlines())


@pytest.mark.parametrize("linesep", ["\n", "\r\n"])
def test_a_picture_written_in_one_piece_is_what_the_mime_generator_writes(linesep, game):
    composed = email.compose(messages.message(email_notice(seats_of(game)[1], "turn")))
    tree = composed.message()
    written = BytesIO()
    BytesGenerator(written, mangle_from_=False).flatten(tree, linesep=linesep)
    assert tree.as_bytes(linesep=linesep) == written.getvalue() == tree.as_bytes(linesep=linesep)
    assert b"image/jpeg" in written.getvalue()


def compose_bytes(kind: str, game) -> bytes:
    seat = seats_of(game)[1]
    return email.compose(messages.message(email_notice(seat, kind))).message().as_bytes()


def test_a_name_that_looks_like_html_is_escaped(game):
    seat = seats_of(game)[0]
    seat.name = "<b>Al & Co</b>"
    seat.save()
    take(game, 0)
    send_due()
    sent_email = only_email("Bob")
    assert "<b>Al & Co</b> takes" in text_of(sent_email)
    assert "<b>Al" not in html_of(sent_email)


def test_a_long_name_breaks_in_an_email(game):
    """Otherwise phones would draw the whole email smaller."""
    seat = seats_of(game)[0]
    seat.name = "W" * 24
    seat.save()
    take(game, 0)
    send_due()
    around = re.findall(
        r"<(?:h1|p|td)\b([^>]*)>(?=(?:(?!</?(?:h1|p|td)\b).)*W{24})", html_of(only_email("Bob")), re.DOTALL
    )
    assert len(around) == 3 and all("word-break: break-word" in attributes for attributes in around)


def test_an_invitation_names_the_table_its_players_its_pace_and_its_options(alice, bob):
    carol = person("Carol")
    game = lobby.open_table(user=alice, players=4, clock="move 2d", options={"dragon": "7"})
    lobby.join_table(game=game, user=carol, invite=game.invite_token)
    friends.invite(game=game, user=alice, name="Bob")
    send_due()
    sent_email = only_email("Bob")
    assert sent_email["Subject"] == "Alice invited you to play"
    for words in (text_of(sent_email), strip_tags(html_of(sent_email))):
        assert "Options: Dragon (7th army)" in words and "Alice and Carol. 2 of 4 seats are free." in words
        assert "Each player has 2 days per turn." in words and "See the invitation" in words
        assert "View details" not in words


def test_the_button_of_an_email_says_what_it_does(alice, bob):
    person("Carol")
    game = in_turns(alice, bob)
    handover.ask(seat=seats_of(game)[0], user=alice, name="Carol")
    send_due()
    (sent_email,) = [email for email in received("Carol") if "asked you" in email["Subject"]]
    assert "asked you to play their seat in a game of Eight-Minute Empire: Legends with Bob." in text_of(sent_email)
    assert "Accept or decline:\nhttp" in text_of(sent_email) and "Accept or decline</a>" in html_of(sent_email)


def test_a_message_of_the_moderators_says_until_when_in_the_time_zone_of_its_reader(bob):
    until = timezone.now() + timedelta(days=3)
    outbox.tell_of_step(Step.objects.create(user=bob, kind="mute", reason="Be kind.", at=timezone.now(), until=until))
    send_due()
    text = text_of(only_email("Bob"))
    assert "No chat until 5 March 2026, 18:00. Reason: “Be kind.”" in text and "Read and answer:" in text
