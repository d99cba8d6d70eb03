"""To a blocked player, a block looks like something ordinary: a table that was closed, or a player who doesn't answer.

Each test compares everything that Eve gets in two situations that differ only in the block, or in whether something
private exists.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction
from django.test import Client

from accounts import personal
from accounts.models import User
from games.contests.duplicates import services as duplicates
from games.contests.leagues import services as leagues
from games.errors import GameError
from games.tables.models import Block, Game, Invitation, Message
from games.tables.selectors import chat as chats
from games.tables.selectors import friends, listed, rematches, rights
from games.tables.services import blocking, chat, handover, lobby, replacement, reports
from games.tables.services import friends as inviting
from tests.cast import again, in_turns, play_out, seats_of, table_of
from tests.contests.leagues import terms_of
from tests.walk.addresses import routes

pytestmark = pytest.mark.django_db
CHANGING = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"|csrf[^"]*"[^"]*"|data-live="[^"]*"')

# Keys of rows: PostgreSQL does not use those of an undone insert again
KEYS = re.compile(r'(message-|data-last="|name="after" value="|"id": |"read_upto": )\d+')
TIMES = re.compile(r'(\d{4}-\d\d-\d\dT)?\d\d:\d\d(:\d\d)?(\.\d+Z)?|datetime="[^"]*"')


@contextmanager
def undone() -> Iterator[None]:
    """Undo everything in the database at the end."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def said_to(user: User, *requests: tuple[str, dict[str, str] | None]) -> list[object]:
    """Return the answers to these requests: GET, or POST with fields."""
    browser, answers = browser_of(user), list[object]()
    for url, fields in requests:
        answer = browser.get(url) if fields is None else browser.post(url, fields)
        page = CHANGING.sub("", answer.content.decode())
        answers.append((url, answer.status_code, answer.headers.get("Location"), page))
    return answers


def in_both(first: Callable[[], object], second: Callable[[], object], look: Callable[[], object]) -> list[object]:
    results = []
    for happens in (first, second):
        with undone():
            happens()
            results.append(look())
    return results


def refused(action: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(GameError) as refusal:
        action()
    return type(refusal.value).__name__, str(refusal.value)


@pytest.mark.parametrize("is_opener", [True, False], ids=["opened it", "sits there"])
@pytest.mark.parametrize("is_listed", [True, False], ids=["listed", "private"])
def test_a_table_of_someone_who_has_blocked_the_reader_looks_closed(alice, bob, eve, is_listed, is_opener):
    host = alice if is_opener else bob
    game = lobby.open_table(user=host, players=4, listed=is_listed, full=True)
    if not is_opener:
        lobby.join_table(game=game, user=alice, invite=game.invite_token)
    other = lobby.open_table(user=bob, players=3, listed=True)
    inviting.invite(game=game, user=bob if not is_opener else alice, name="Eve")
    table, link = game.get_absolute_url(), f"/join/{game.invite_token}/"
    requests = [
        ("/lobby/", None), ("/desk/", None), ("/", None), (table, None), (link, None), (f"{table}chat/", None),
        (f"{table}join", {}), (link, {}), (f"{table}chat/say", {"text": "Hi"}), (f"{table}report/", None),
        (f"{table}invite", {"name": "Carol"}), (f"{table}leave", {}), (f"{table}bot", {"bot": "easy"}),
        (f"{table}record.json", None), (f"/full-games/{game.full_game_id}/", None),
    ]  # fmt: skip

    def look() -> object:
        joining = refused(lambda: lobby.join_table(game=game.public_id, user=eve, invite=game.invite_token))
        tables = [row.game.pk for row in listed.open_tables(user=eve)]
        return joining, tables, list(friends.invitations(eve)), said_to(eve, *requests)

    blocked, closed = in_both(
        lambda: blocking.block(user=alice, blocked=eve), lambda: lobby.close_table(game=game, user=host), look
    )
    assert blocked == closed
    assert blocked[0][0] == "NotFound" and blocked[1] == [other.pk]
    assert lobby.join_table(game=game, user=eve, invite=game.invite_token)  # without a block


@pytest.mark.parametrize("is_last", [False, True], ids=["seats remain", "the last seat"])
def test_joining_a_duplicate_does_not_tell_of_a_block(alice, bob, carol, eve, is_last):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (bob, carol) if is_last else ():
        duplicates.join(public_id=row.public_id, user=user)
    page, blocker = row.get_absolute_url(), carol if is_last else alice
    before = [("/duplicates/", None), (page, None), (f"{page}join", {})]
    after = [("/duplicates/", None), (page, None), (f"{page}leave", {}), (page, None)]

    def look() -> object:
        answers = said_to(eve, *before)
        table = Game.objects.get(duplicate=row, seats__owner=eve).get_absolute_url()
        if is_last:  # it has started, and everyone's seat was drawn
            return answers
        return answers + said_to(eve, ("/desk/", None), (table, None), (f"{table}chat/", None), *after)

    blocked, not_blocked = in_both(lambda: blocking.block(user=blocker, blocked=eve), lambda: None, look)
    assert blocked == not_blocked


def test_a_blocked_player_who_is_at_the_table_already_stays_there_and_sees_it(alice, bob, eve):
    game = lobby.open_table(user=bob, players=4, listed=True)
    lobby.join_table(game=game, user=eve)
    blocking.block(user=alice, blocked=eve)
    lobby.join_table(game=game, user=alice)
    assert rights.visible(public_id=game.public_id, user=eve)
    assert [row.game.pk for row in listed.open_tables(user=eve)] == [game.pk]


def test_a_rematch_of_a_blocker_looks_as_if_it_had_begun_without_the_reader(alice, bob, eve):
    game = play_out(table_of(alice, bob, eve))
    seat = next(seat for seat in seats_of(game) if seat.owner == eve)
    for host, joins in ((alice, ()), (bob, (alice,))):
        with undone():
            table = lobby.rematch(game=game, user=host)
            Block.objects.create(user=alice, blocked=eve)
            for user in joins:
                lobby.join_table(game=table, user=user)
            offered = rematches.offered(game, seat)
            assert offered and offered.words == "The rematch has started without you."
            assert not (offered.may_join or offered.may_watch) and not list(rematches.unanswered(eve))
            assert (
                refused(lambda: lobby.rematch(game=game, user=eve))[1]
                == "All seats at this table are taken. Choose another table."
            )


def test_a_request_to_play_at_a_table_of_a_blocker_looks_withdrawn(alice, bob, eve):
    game = table_of(alice, bob)
    seat = seats_of(game)[1]
    handover.ask(seat=seat, user=bob, name="Eve")
    url = game.get_absolute_url()

    def look() -> object:
        accepting = refused(lambda: handover.accept(seat=seat, user=eve))
        return accepting, said_to(eve, ("/desk/", None), (f"{url}seat/", None), (f"{url}seat/", {"action": "accept"}))

    blocked, withdrawn = in_both(
        lambda: blocking.block(user=alice, blocked=eve), lambda: handover.withdraw(seat=seat, user=bob), look
    )
    assert blocked == withdrawn


def test_a_request_to_take_over_a_seat_at_a_table_of_a_blocker_looks_withdrawn(alice, bob, carol, eve):
    game = table_of(alice, bob)
    request = replacement.ask(user=eve, by=carol, reason="Bob is ill.", seat=seats_of(game)[1])
    page = f"/replacements/{request.pk}/"

    def look() -> object:
        return said_to(eve, ("/desk/", None), (page, None), (page, {"answer": "accept"}), (page, {"answer": "decline"}))

    blocked, withdrawn = in_both(
        lambda: blocking.block(user=alice, blocked=eve), lambda: replacement.withdraw(request), look
    )
    assert blocked == withdrawn


def test_the_archive_of_someone_whose_invitation_is_declined_does_not_say_so_and_neither_does_a_block(alice, eve):
    game = lobby.open_table(user=eve)
    inviting.invite(game=game, user=eve, name="Alice")
    invitation = Invitation.objects.get(game=game)

    def look() -> object:
        return list(personal.files(eve))

    blocked, declined = in_both(
        lambda: blocking.block(user=alice, blocked=eve), lambda: inviting.decline(pk=invitation.pk, user=alice), look
    )
    waiting = look()
    assert blocked == declined == waiting and "Invitation.json" in repr(waiting)
    inviting.decline(pk=invitation.pk, user=alice)
    assert '"is_declined": true' in dict(personal.files(alice))["people/Invitation.json"].decode()


def test_a_private_message_to_a_blocker_looks_like_one_that_is_not_answered(alice, bob, eve):
    game = table_of(alice, bob, eve, ruleset="kingdoms", options={"collusion": True})
    url = f"{game.get_absolute_url()}chat/"

    def look() -> object:
        answers = said_to(eve, (f"{url}say", {"text": "Psst", "to": "0"}), (url, None), (game.get_absolute_url(), None))
        row = again(game)
        rooms = {room: bool(last) for room, last in row.last_messages.items() if room in chats.rooms(seats_of(game)[2])}
        pages, own_data = (TIMES.sub("", KEYS.sub("", repr(data))) for data in (answers, list(personal.files(eve))))
        return pages, rooms, own_data

    blocked, heard = in_both(lambda: Block.objects.create(user=alice, blocked=eve), lambda: None, look)
    assert blocked == heard and "Psst" in blocked[0] and "only to Alice" in blocked[0]


def test_a_private_message_to_a_blocker_never_reaches_them_not_even_after_the_block(alice, bob, eve):
    game = table_of(alice, bob, eve, ruleset="kingdoms", options={"collusion": True})
    blocking.block(user=alice, blocked=eve)
    chat.say(public_id=game.public_id, user=eve, text="Psst", to=0)
    chat.say(public_id=game.public_id, user=eve, text="Hello Bob", to=1)
    assert "0" not in again(game).last_messages
    blocking.unblock(user=alice, name="Eve")
    for user, heard in ((alice, []), (bob, ["Hello Bob"]), (eve, ["Psst", "Hello Bob"])):
        assert [line.text for line in chats.chat(public_id=game.public_id, user=user).lines] == heard
    whisper = Message.objects.get(text="Psst")
    assert refused(lambda: reports.readable_message(whisper.pk, alice))[0] == "NotFound"
    assert reports.readable_message(whisper.pk, eve)[0] == whisper
    assert "Psst" not in repr(personal.archive(alice)) and Game.objects.count() == 1


# What strangers may not see at all


FILLED = {
    "number": 1, "tier": 1, "division": 1, "message": 1, "seq": 0, "at": 0, "theme": "light", "signed": "x:y",
    "token": "x", "content": "standings", "kind": "json", "card": "x",
}  # fmt: skip
SENT = {
    "name": "Carol",
    "text": "Hi",
    "bot": "easy",
    "action": "done",
    "answer": "yes",
    "reason": "Late.",
    "sure": "yes",
}


def test_a_strangers_requests_do_not_tell_whether_a_private_game_or_league_exists(alice, bob, eve):
    started = in_turns(alice, bob, listed=False)
    waiting = lobby.open_table(user=alice, players=3, listed=False)
    league = leagues.create_league(user=alice, terms=terms_of(name="Secret League"))
    hidden = {"games": [started.public_id, waiting.public_id], "leagues": [league.slug]}
    tried = 0
    for route in routes():
        start = route.text.lstrip("^").partition("/")[0]
        if start not in hidden or not {"public_id", "slug"} & set(route.parameters):
            continue
        for fields in (None, SENT):
            answers = []
            for secret in ["zzzzzzzz", *hidden[start]]:
                path = route.path(FILLED | {"public_id": secret, "slug": secret})
                ((_url, status, location, page),) = said_to(eve, (path, fields))
                answers.append((status, (location or "").replace(secret, ""), page.replace(secret, "")))
                tried += 1
            assert set(answers) == {answers[0]}, f"{route.text}: {[answer[:2] for answer in answers]}"
    assert tried > 250
