"""Outside bots on the site: their API, the pages of their owners, their seats, and what neither may do."""

import json
import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts import bots, services
from accounts.models import BotAccount, User
from empire.web import documents
from empire.web.middleware import json_for_programs
from games.contests.models import RatedPlayer, Score
from games.contests.ratings.model import Rating
from games.contests.ratings.selectors import estimates
from games.errors import GameError, NotFound, NotYours, Stale
from games.notices.delivery.channels import outgoing
from games.notices.kinds import Channel, Kind
from games.notices.models import Hook, Notice
from games.staff.moderation import services as moderation
from games.tables.models import Block, Draft, Entry, Game, Seat
from games.tables.selectors import chat as chat_selector
from games.tables.selectors import outside as outside_selector
from games.tables.selectors import rematches, rights
from games.tables.services import (
    blocking,
    chat,
    friends,
    handover,
    interventions,
    lobby,
    notify,
    outside,
    people,
    play,
    timeouts,
    undo_requests,
)
from games.tables.views.bots import SettingsForm
from tests.cast import (
    again,
    everything_written,
    in_turns,
    person,
    play_out,
    seats_of,
    some_turn,
    state_of,
    submit,
    with_snapshot,
)
from tests.contests.ladders import suspend
from tests.empire.test_unavailable import AWAY, failing
from tests.running import ROOT

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r"ebot_[\w-]{43}")
SCHEMA = json.loads((ROOT / "docs/bots.schema.json").read_text())


class Program:
    """A program that plays for a bot over the API, with the bot's token and no cookies."""

    def __init__(self, token: str) -> None:
        self.client = Client(headers={"Authorization": f"Bearer {token}"}, enforce_csrf_checks=True)

    def get(self, path: str, **query: str) -> tuple[int, dict[str, Any]]:
        answer = self.client.get(f"/api/bot/games/{path}", query)
        return answer.status_code, answer.json()

    def turn(self, game: Game, actions: list[str], seq: int | None = None, **more: Any) -> tuple[int, dict[str, Any]]:
        body = {"seq": again(game).seq if seq is None else seq, "actions": actions, **more}
        return self.post(game, json.dumps(body))

    def post(self, game: Game, body: str | bytes) -> tuple[int, dict[str, Any]]:
        answer = self.client.post(f"/api/bot/games/{game.public_id}/turn", body, content_type="application/json")
        return answer.status_code, answer.json()


@pytest.fixture
def marvin(alice: User) -> tuple[BotAccount, Program]:
    bot, token = bots.create_bot(owner=alice, name="Marvin")
    return bot, Program(token)


@pytest.fixture
def game(bob: User, marvin: tuple[BotAccount, Program]) -> Game:
    """A game of Bob and Marvin Bot, whose bids are due."""
    BotAccount.objects.update(is_public=True)
    return table_with(bob, "Marvin Bot")


def table_with(host: User, *names: str, players: int = 2, **more: Any) -> Game:
    table = lobby.open_table(user=host, players=players, **{"listed": True, "admits_bots": True, **more})
    for name in names:
        outside.seat_bot(game=table, user=host, name=name)
    return again(table)


def schema(name: str, document: object) -> None:
    jsonschema.validate(document, {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


# A game over the API


@pytest.mark.parametrize("turns", [4, pytest.param(99, marks=pytest.mark.long)], ids=["some turns", "to the end"])
def test_a_program_plays_by_looking_and_trying_steps(turns: int, game, marvin, bob) -> None:
    _bot, program = marvin
    while not (now := with_snapshot(game)).is_finished and turns:
        status, listed = program.get("")
        assert status == 200
        schema("games", listed)
        if game.public_id not in listed["waiting"]:
            seat, actions = some_turn(now)
            assert seat == 0
            play.submit_turn(game=now, seat=0, actions=actions, expected_seq=now.seq)
            continue
        turns -= 1
        status, shown = program.get(f"{game.public_id}/view")
        schema("view", shown)
        laid: list[str] = []
        while not shown["is_complete"]:
            assert status == 200 and shown["is_my_turn"] and shown["seat"] == 1 and shown["laid"] == laid
            laid.append(shown["legal"][-1 if laid else 0])
            status, shown = program.get(f"{game.public_id}/view", laid="; ".join(laid))
        status, answer = program.turn(game, laid, shown["seq"], head=shown["head"])
        assert status == 200
        schema("played", answer)
    if not now.is_finished:
        return
    status, shown = program.get(f"{game.public_id}/view")
    assert shown["status"] == "finished" and not shown["is_my_turn"] and shown["legal"] == []
    schema("view", shown)


def test_looking_and_trying_writes_nothing(game, marvin) -> None:
    before = everything_written(game)
    program = marvin[1]
    for laid in ("", "bid 1", "bid 1; bid 2", "nonsense"):
        program.get(f"{game.public_id}/view", laid=laid)
    assert everything_written(game) == before


def test_the_same_turn_sent_twice_counts_once(game, marvin, bob) -> None:
    program = marvin[1]
    assert program.turn(game, ["bid 1"], 0)[0] == 200
    assert program.turn(game, ["bid 1"], 0)[0] == 200
    play.submit_turn(game=game, seat=0, actions=["bid 0"], expected_seq=0)
    entries = Entry.objects.count()
    assert program.turn(game, ["bid 1"], 0)[0] == 200
    assert Entry.objects.count() == entries


def test_refusals_have_the_sentences_of_the_pages_and_write_nothing(game, marvin, bob) -> None:
    program = marvin[1]
    before = everything_written(game)
    cases: list[tuple[list[str], int]] = [
        (["bid 99"], 0),
        (["bid 1", "bid 2"], 0),
        (["take atlantis"], 0),
        (["bid 1"], 7),
    ]
    for actions, seq in cases:
        with pytest.raises(GameError) as refusal:
            play.need_current(again(game), seq, "")
            play.submit_turn(game=game, seat=1, actions=actions, expected_seq=seq)
        status, answer = program.turn(game, actions, seq)
        assert (status, answer) == (409, {"refused": str(refusal.value)})
        schema("refusal", answer)
    assert everything_written(game) == before


def test_an_incomplete_turn_is_refused(game, marvin, bob) -> None:
    program = marvin[1]
    play.submit_turn(game=game, seat=0, actions=["bid 0"], expected_seq=0)
    program.turn(game, ["bid 1"])
    program.turn(game, ["first 1"])
    status, shown = program.get(f"{game.public_id}/view")
    first = next(
        step for step in shown["legal"] if not program.get(f"{game.public_id}/view", laid=step)[1]["is_complete"]
    )
    status, answer = program.turn(game, [first])
    assert status == 409 and answer["refused"].startswith("Your turn is not complete.")


def test_a_turn_on_a_restored_game_is_refused(game, marvin) -> None:
    assert marvin[1].turn(game, ["bid 1"], head="0" * 12) == (409, {"refused": str(Stale())})


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"\xff\xfe", b'{"seq": "0", "actions": []}', b'{"seq": -1, "actions": ["bid 1"]}',
     b'{"seq": 0}', b'{"seq": 0, "actions": "bid 1"}', b'{"seq": 1e400, "actions": ["bid 1"]}', b"[" * 60_000,
     b'{"more": ' + b"[" * 60_000, b'{"seq": NaN, "actions": ["bid 1"]}',
     b'{"seq": %s, "actions": ["bid 1"]}' % (b"9" * 5000), b'{"seq": 0, "actions": []}', b'{"seq": 0, "actions": [""]}',
     b'{"seq": 0, "actions": ["%s"]}' % (b"x" * 1001), b'{"seq": 0, "actions": [%s"bid 1"]}' % (b'"bid 1", ' * 200)],
    ids=range(17),
)  # fmt: skip
def test_a_body_that_is_no_turn_is_refused(body: bytes, game, marvin) -> None:
    status, answer = marvin[1].post(game, body)
    assert status == 400
    schema("refusal", answer)


@pytest.mark.parametrize("laid", [";", "bid 1;", "x" * 1001, ";".join(["bid 1"] * 201)], ids=range(4))
def test_steps_to_try_that_are_no_turn_are_refused(laid: str, game, marvin) -> None:
    status, answer = marvin[1].get(f"{game.public_id}/view", laid=laid)
    assert status == 400
    schema("refusal", answer)


@pytest.mark.parametrize("actions", [["x" * 1000], ["bid 1"] * 200, ["bid 1\0"], ["bid \u0661"]], ids=range(4))
def test_actions_that_do_not_exist_are_refused_by_the_rules(actions: list[str], game, marvin) -> None:
    assert marvin[1].turn(game, actions)[0] == 409


@pytest.mark.parametrize(("method", "path"), [("post", "view"), ("get", "turn"), ("put", "turn"), ("delete", "back")])
def test_another_method_is_refused_in_json(method: str, path: str, game, marvin) -> None:
    answer = getattr(marvin[1].client, method)(f"/api/bot/games/{game.public_id}/{path}")
    assert answer.status_code == 405 and answer["Allow"] in answer.json()["refused"]
    schema("refusal", answer.json())


@pytest.mark.parametrize(
    ("path", "status"),
    [("", 404), ("games/{}", 404), ("games/{}/view/", 404), ("games/{}/view?laid=%00", 400), ("games/x%00x/view", 400)],
    ids=range(5),
)
def test_an_address_that_is_wrong_is_refused_in_json(path: str, status: int, game, marvin) -> None:
    answer = marvin[1].client.get(f"/api/bot/{path.format(game.public_id)}", headers={"Accept": "text/html"})
    assert answer.status_code == status
    schema("refusal", answer.json())


@pytest.mark.parametrize(("error", "status"), [(AWAY, 503), (RuntimeError("secret-host"), 500)], ids=[503, 500])
@pytest.mark.parametrize("accept", ["*/*", "text/html"])
def test_faults_of_the_site_are_told_in_json(error: Exception, status: int, accept: str, game, marvin) -> None:
    program = marvin[1].client
    program.raise_request_exception = False
    with failing(error, 'FROM "tables_seat"'):
        answer = program.get(f"/api/bot/games/{game.public_id}/view", headers={"Accept": accept})
    assert answer.status_code == status and answer.has_header("Retry-After") == (status == 503)
    schema("refusal", answer.json())
    assert "secret-host" not in answer.content.decode() and "<" not in answer.json()["refused"]


@pytest.mark.parametrize(("status", "is_fault"), [(403, False), (414, False), (500, True), (507, True)])
def test_only_faults_of_the_site_are_said_to_be_recorded(status: int, is_fault: bool, rf) -> None:
    middleware = json_for_programs(lambda _request: HttpResponse("<h1>Oh</h1>", status=status))
    answer = json.loads(middleware(rf.get("/api/bot/games/")).content)
    schema("refusal", answer)
    assert ("we have recorded the error" in answer["refused"]) == is_fault
    assert ("will not accept it" in answer["refused"]) != is_fault


def test_a_huge_body_is_refused_unread(game, marvin) -> None:
    assert marvin[1].post(game, b" " * (1 << 16) + b"{}")[0] == 413


# Who may ask, and for what


def test_no_other_game_can_be_seen_or_distinguished_from_one_that_does_not_exist(game, marvin, bob, carol) -> None:
    program = marvin[1]
    others = [lobby.open_table(user=carol, players=2), lobby.open_table(user=carol, listed=True)]
    lobby.join_table(game=others[1], user=bob)
    answers = set()
    for public_id in [*(table.public_id for table in others), "zzzzzzzz", "0"]:
        answers.add(json.dumps(program.get(f"{public_id}/view")))
        answer = program.client.post(
            f"/api/bot/games/{public_id}/turn", {"seq": 0, "actions": ["bid 1"]}, content_type="application/json"
        )
        answers.add(json.dumps([answer.status_code, answer.json()]))
    assert answers == {json.dumps([404, {"refused": str(NotFound())}])}


def test_a_seat_sees_no_secret_of_another_and_nothing_of_when_it_decides(game, marvin, bob) -> None:
    program = marvin[1]
    before = program.get(f"{game.public_id}/view")
    play.submit_turn(game=game, seat=0, actions=["bid 3"], expected_seq=0)
    assert program.get(f"{game.public_id}/view") == before
    assert Draft.objects.get().actions == ["bid 3"]


def test_a_table_that_waits_for_players_shows_no_position(marvin, alice) -> None:
    table = table_with(alice, "Marvin Bot", players=3)
    assert marvin[1].get(f"{table.public_id}/view") == (409, {"refused": "The game has not started."})


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ebot_wrong", "Basic {}", "Bearer x{}", "{}", "Bearer {}" + "x" * 9999]
)
def test_without_a_valid_token_nothing_is_answered(header: str, game, marvin, alice) -> None:
    token = bots.make_token(marvin[0])
    client = Client(headers={"Authorization": header.format(token)})
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")  # no session helps
    answer = client.get("/api/bot/games/")
    assert answer.status_code == 401 and answer["WWW-Authenticate"] == "Bearer"
    assert "Marvin" not in answer.content.decode()


def test_a_token_that_is_revoked_in_the_middle_of_a_turn_plays_no_more(game, marvin) -> None:
    bot, program = marvin
    assert program.get(f"{game.public_id}/view")[0] == 200
    bots.revoke_token(bot)
    before = everything_written(game)
    assert program.turn(game, ["bid 1"])[0] == 401
    assert everything_written(game) == before


def test_a_new_token_replaces_the_old_one_and_only_a_hash_is_stored(marvin) -> None:
    bot, program = marvin
    token = bots.make_token(bot)
    assert program.get("")[0] == 401
    assert Program(token).get("")[0] == 200
    assert token not in json.dumps(list(BotAccount.objects.values()), default=str)


@pytest.mark.parametrize("whose", ["bot", "owner"])
def test_the_token_of_a_banned_bot_or_owner_is_not_valid(whose: str, marvin, alice) -> None:
    User.objects.filter(pk=alice.pk if whose == "owner" else marvin[0].pk).update(is_active=False)
    assert marvin[1].get("")[0] == 401


@pytest.mark.parametrize("kind", ["suspend", "close"])
def test_the_token_is_not_valid_while_the_account_of_the_owner_is_suspended(kind: str, marvin, alice) -> None:
    suspend(alice, kind)
    assert marvin[1].get("")[0] == 401


def test_requests_of_a_bot_and_wrong_tokens_are_limited(marvin, settings) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "bot": "2/m/key", "bot_token": "2/m/ip"}
    assert [marvin[1].get("")[0] for _time in range(3)] == [200, 200, 429]
    assert [Program("ebot_x").get("")[0] for _time in range(3)] == [401, 401, 429]


def test_a_session_of_a_browser_cannot_use_the_api_of_its_bot(come, alice, game, marvin) -> None:
    answer = come(alice).post(f"/api/bot/games/{game.public_id}/turn", "{}", content_type="application/json")
    assert answer.status_code == 401


# Its own clock


@pytest.mark.parametrize("has_revoked", [False, True], ids=["silent", "token revoked"])
def test_a_bot_that_does_not_answer_loses_only_its_own_time(has_revoked: bool, marvin, alice, bob) -> None:
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        BotAccount.objects.update(is_public=True)
        table = table_with(bob, "Marvin Bot", clock="move 1d")
        play.submit_turn(game=table, seat=0, actions=["bid 0"], expected_seq=0)
        if has_revoked:
            bots.revoke_token(marvin[0])
        traveller.shift(timedelta(hours=25))
        assert timeouts.sweep_overdue(timezone.now()) == 1
        assert again(table).seq > 0
        assert [User.objects.get(pk=user.pk).punctuality for user in (bob, marvin[0].user)] == ["1", "0"]


def test_a_bot_takes_back_a_seat_that_it_lost_by_being_late(marvin, bob) -> None:
    bot, program = marvin
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, "Marvin Bot")
    path = f"/api/bot/games/{table.public_id}/back"
    assert program.client.post(path).status_code == 404  # it plays there
    Seat.objects.filter(game=table, number=1).update(user=None, bot="greedy")
    listed = program.get("")[1]
    schema("games", listed)
    assert (listed["lost"], listed["games"]) == ([table.public_id], [])
    assert program.get(f"{table.public_id}/view")[0] == 404
    assert program.client.post(path).status_code == 200
    assert seats_of(table)[1].user == bot.user and program.get("")[1]["waiting"] == [table.public_id]
    Seat.objects.filter(game=table, number=1).update(user=None, bot="greedy", has_given_up=True)
    assert program.client.post(path).status_code == 404


# Rating, seats and company


def test_a_game_with_a_bot_changes_nobodys_rating(marvin, bob, carol) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, "Marvin Bot", players=3)
    lobby.join_table(game=table, user=carol)
    assert again(table).is_running and not again(table).counts


def test_people_alone_at_a_table_that_admits_bots_are_rated(alice, bob) -> None:
    table = table_with(alice)
    lobby.join_table(game=table, user=bob)
    assert again(table).counts


def test_a_bot_sits_only_at_tables_that_admit_bots(marvin, alice) -> None:
    table = lobby.open_table(user=alice, players=2, listed=True)
    with pytest.raises(GameError, match="doesn’t admit outside bots"):
        outside.seat_bot(game=table, user=alice, name="Marvin Bot")
    with pytest.raises(GameError, match="Outside bots"):
        lobby.join_table(game=table, user=marvin[0].user)


def test_nobody_else_can_seat_a_bot_that_is_not_public(marvin, bob) -> None:
    for name in ("Marvin Bot", "Nobody Bot"):
        with pytest.raises(GameError, match=f"You can’t seat “{name}”."):
            table_with(bob, name)


def test_a_spectator_can_seat_only_their_own_bot(marvin, alice, bob, carol) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, players=3)
    with pytest.raises(GameError, match="You can’t seat"):
        outside.seat_bot(game=table, user=carol, name="Marvin Bot")
    outside.seat_bot(game=table, user=alice, name="Marvin Bot")
    private = table_with(bob, players=3, listed=False)
    with pytest.raises(NotFound):
        outside.seat_bot(game=private, user=alice, name="Marvin Bot")


def test_owner_and_bot_do_not_play_together_with_others(marvin, alice, bob) -> None:
    sentence = "A player and their own bot can’t both play in a game with other people."
    table = table_with(alice, "Marvin Bot", players=3)
    with pytest.raises(GameError, match=sentence):
        lobby.join_table(game=table, user=bob)
    table = table_with(bob, players=3)
    lobby.join_table(game=table, user=alice)
    with pytest.raises(GameError, match=sentence):
        outside.seat_bot(game=table, user=alice, name="Marvin Bot")
    BotAccount.objects.update(is_public=True)
    bots.create_bot(owner=alice, name="Trillian")
    BotAccount.objects.update(is_public=True)
    with pytest.raises(GameError, match=sentence):
        table_with(bob, "Marvin Bot", "Trillian Bot", players=4)


def test_an_owner_may_play_alone_against_their_own_bots_and_ours(marvin, alice) -> None:
    bots.create_bot(owner=alice, name="Trillian")
    table = table_with(alice, "Marvin Bot", "Trillian Bot", players=4)
    lobby.seat_bot(game=table, user=alice, bot="greedy")
    assert again(table).is_running and not again(table).counts


def test_an_owner_cannot_play_for_someone_in_a_game_of_their_bot(game, alice, bob) -> None:
    with pytest.raises(GameError, match="A player and their own bot"):
        handover.ask(seat=seats_of(game)[0], user=bob, name="Alice", until=None)
        handover.accept(seat=Seat.objects.get(game=game, number=0), user=alice)


@pytest.mark.parametrize("full", [False, True], ids=["one game", "full game"])
def test_an_owner_cannot_play_for_someone_after_deleting_the_bot_that_has_seen_a_hand(
    full: bool, marvin, alice, bob, carol, dan
) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, "Marvin Bot", players=3, full=full)
    lobby.join_table(game=table, user=carol)
    services.delete_account(marvin[0].user)
    seat = seats_of(table)[0]
    # Bob learns no more than about a name that nobody has
    for name in ("Alice", "Nobody"):
        with pytest.raises(GameError, match=f"You can’t ask “{name}”. Check the spelling."):
            handover.ask(seat=seat, user=bob, name=name, until=None)
    # Nor does it work if she was asked before, or by staff or organizers
    Seat.objects.filter(pk=seat.pk).update(asked=alice)
    with pytest.raises(GameError, match="Alice can’t play here"):
        handover.accept(seat=seat, user=alice)
    with pytest.raises(GameError, match="Alice can’t play here"):
        handover.transfer(seat=seat, to=alice)
    handover.ask(seat=seat, user=bob, name="Dan", until=None)
    handover.accept(seat=seat, user=dan)


def test_an_owner_cannot_play_for_someone_as_a_guest_after_deleting_the_bot(marvin, alice, bob) -> None:
    BotAccount.objects.update(is_public=True)
    guest = services.make_guest()
    table = table_with(bob, "Marvin Bot", players=3)
    lobby.join_table(game=table, user=guest)
    services.delete_account(marvin[0].user)
    assert people.move_seats(giver=guest, taker=alice).given_up == 1
    assert not Seat.objects.filter(game=table, user=alice).exists()


def test_nobody_reads_whose_a_deleted_bot_was(come, marvin, alice, bob, carol) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, "Marvin Bot")
    services.delete_account(marvin[0].user)
    assert Seat.objects.get(game=table, number=1).bot_owner == alice
    for reader in (bob, carol):
        for path in ("", "history/", "record.json"):
            assert "Alice" not in come(reader).get(f"{table.get_absolute_url()}{path}").content.decode()


@pytest.mark.parametrize("is_deleted", [False, True], ids=["bot", "deleted bot"])
def test_nobody_intervenes_or_suspends_opponents_in_a_game_of_their_bot(is_deleted, marvin, alice, bob, carol) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, "Marvin Bot")
    if is_deleted:
        services.delete_account(marvin[0].user)
    assert not interventions.is_involved(table, carol)
    moderation.need_no_opponent(bob, carol)
    assert interventions.is_involved(table, alice)
    with pytest.raises(NotYours, match="Another moderator decides"):
        moderation.need_no_opponent(bob, alice)


@pytest.mark.parametrize("by_name", [False, True])
def test_only_the_host_adds_a_bot_again_that_the_host_has_removed(by_name: bool, marvin, alice, bob) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, players=3)
    outside.seat_bot(game=table, user=alice, name="Marvin Bot")
    if by_name:
        outside.remove_bot(game=table, user=bob, name="Marvin Bot")
    else:
        lobby.remove(game=table, user=bob, seat=Seat.objects.get(game=table, owner__is_bot=True).pk)
    assert outside_selector.offered(game=table, user=alice) == []
    with pytest.raises(NotYours, match="The host has removed Marvin Bot"):
        outside.seat_bot(game=table, user=alice, name="Marvin Bot")
    assert not rights.keeps_guests_out(table, None)  # a bot does not come back as a guest
    assert len(outside_selector.offered(game=table, user=bob)) == 1
    outside.seat_bot(game=table, user=bob, name="Marvin Bot")
    outside.remove_bot(game=table, user=alice, name="Marvin Bot")  # its owner, who can add it again
    outside.seat_bot(game=table, user=alice, name="Marvin Bot")
    assert len(seats_of(table)) == 2


def test_a_removed_player_does_not_send_a_bot_to_the_table(marvin, alice, bob) -> None:
    table = table_with(bob, players=3, rated=False)
    lobby.join_table(game=table, user=alice)
    lobby.remove(game=table, user=bob, seat=Seat.objects.get(game=table, user=alice).pk)
    assert outside_selector.offered(game=table, user=alice) == []
    with pytest.raises(NotYours, match="Bob has removed you"):
        outside.seat_bot(game=table, user=alice, name="Marvin Bot")


def test_private_messages_are_not_offered_or_sent_to_a_bot(marvin, alice, bob, carol) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, "Marvin Bot", players=3, ruleset="kingdoms", options={"collusion": True})
    lobby.join_table(game=table, user=carol)
    shown = chat_selector.chat(public_id=table.public_id, user=bob)
    assert [name for _value, name in shown.recipients] == ["Carol"]
    seat = Seat.objects.get(game=table, owner__is_bot=True).number
    with pytest.raises(GameError, match="Nobody is playing that seat"):
        chat.say(public_id=table.public_id, user=bob, text="Psst", to=seat)


@pytest.mark.parametrize("field", ["suspended_until", "no_tables_until"])
def test_the_bots_at_a_table_do_not_tell_what_moderators_have_decided(field, marvin, alice, bob) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob)
    assert [bot.user.username for bot in outside_selector.offered(game=table, user=bob)] == ["Marvin Bot"]
    User.objects.filter(pk=alice.pk).update(**{field: timezone.now() + timedelta(days=1)})
    assert outside_selector.offered(game=table, user=bob) == []


def test_a_bot_cannot_be_asked_to_stand_in(game, marvin, bob, carol) -> None:
    other = table_with(bob)
    lobby.join_table(game=other, user=carol)
    with pytest.raises(GameError):
        handover.ask(seat=seats_of(again(other))[0], user=bob, name="Marvin Bot", until=None)


def test_a_bot_plays_no_more_games_than_its_owner_allows(marvin, alice) -> None:
    BotAccount.objects.update(most_games=1)
    table_with(alice, "Marvin Bot")
    with pytest.raises(GameError, match="already plays as many games"):
        table_with(alice, "Marvin Bot")


def test_nobody_takes_all_the_time_of_a_public_bot(marvin, bob, carol) -> None:
    BotAccount.objects.update(is_public=True)
    for _table in range(outside.MOST_WITH_ONE):
        table_with(bob, "Marvin Bot")
    with pytest.raises(GameError, match="You already have 3 games with Marvin Bot"):
        table_with(bob, "Marvin Bot")
    table_with(carol, "Marvin Bot")


def test_a_bot_without_a_token_cannot_be_seated(marvin, alice) -> None:
    bots.revoke_token(marvin[0])
    with pytest.raises(GameError, match="has no token"):
        table_with(alice, "Marvin Bot")


def test_people_who_blocked_the_owner_cannot_seat_the_bot(marvin, alice, bob) -> None:
    blocking.block(user=bob, blocked=alice)
    BotAccount.objects.update(is_public=True)
    with pytest.raises(GameError, match="You can’t seat “Marvin Bot”"):
        table_with(bob, "Marvin Bot")


def test_nobody_learns_of_a_block_from_the_bots_that_they_may_seat(come, marvin, alice, bob, carol, dan) -> None:
    """A bot whose owner has a block with someone there is not offered, and refused like a name that nobody has."""
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, players=4)
    lobby.join_table(game=table, user=carol)
    for user, blocked in ((carol, alice), (carol, marvin[0].user), (alice, bob)):
        block = Block.objects.create(user=user, blocked=blocked)
        assert outside_selector.offered(game=table, user=bob) == []
        assert refusal_of(table, bob, "Marvin Bot") == "You can’t seat “Marvin Bot”. Check the spelling."
        assert refusal_of(table, bob, "Nobody Bot") == "You can’t seat “Nobody Bot”. Check the spelling."
        block.delete()
    Block.objects.create(user=carol, blocked=alice)
    assert come(alice).post(f"{table.get_absolute_url()}outside-bot", {"name": "Marvin Bot"}).status_code == 404
    # An owner who is at the table too is offered their bot and refused it, with and without the block
    lobby.leave_table(game=table, user=carol)
    lobby.join_table(game=table, user=alice)
    lobby.join_table(game=table, user=carol)
    sentence = "A player and their own bot can’t both play in a game with other people."
    for _time in range(2):
        assert [bot.user for bot in outside_selector.offered(game=table, user=alice)] == [marvin[0].user]
        assert refusal_of(table, alice, "Marvin Bot") == sentence
        Block.objects.all().delete()


def refusal_of(table: Game, user: User, name: str) -> str:
    with pytest.raises(GameError) as refusal:
        outside.seat_bot(game=table, user=user, name=name)
    return str(refusal.value)


def test_a_bot_can_be_taken_away_by_its_owner_and_the_opener_before_the_start(marvin, alice, bob, carol) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, "Marvin Bot", players=4)
    with pytest.raises(NotFound):
        outside.remove_bot(game=table, user=carol, name="Marvin Bot")
    outside.remove_bot(game=table, user=alice, name="Marvin Bot")
    with pytest.raises(NotFound):
        outside.remove_bot(game=table, user=alice, name="Marvin Bot")
    for _tap in range(2):
        outside.seat_bot(game=table, user=bob, name="Marvin Bot")
    assert [seat.name for seat in seats_of(table)] == ["Bob", "Marvin Bot"]
    with pytest.raises(GameError, match="You can’t remove that bot"):
        outside.remove_bot(game=table, user=bob, name="Bob")
    outside.remove_bot(game=table, user=bob, name="Marvin Bot")
    assert [seat.name for seat in seats_of(table)] == ["Bob"]


def test_taking_a_bot_away_does_not_tell_whether_a_private_table_exists(come, marvin, alice, bob, carol) -> None:
    table = lobby.open_table(user=bob, players=4, listed=False, admits_bots=True)
    started = in_turns(bob, carol, listed=False)
    for user in (alice, carol):  # Alice owns Marvin, Carol owns no bot
        answers = set()
        for public_id in (table.public_id, started.public_id, "zzzzzzzz"):
            path, form = f"/games/{public_id}/outside-bot/remove", {"name": "Marvin Bot"}
            first, second = (come(user).post(path, form, follow=True) for _tap in range(2))
            assert first.status_code == second.status_code
            answers.add((first.status_code, "Marvin Bot has left the table." in first.content.decode()))
        assert answers == {(200, True) if user == alice else (404, False)}


def test_a_rematch_asks_no_bot_and_keeps_no_seat_for_one(game, marvin, bob) -> None:
    over = play_out(game)
    table = lobby.rematch(game=over, user=bob)
    assert [seat.name for seat in seats_of(table)] == ["Bob"] and table.admits_bots
    assert set(rematches.kept_seats(table).values()) == {bob.pk}
    assert not Notice.objects.filter(kind=Kind.REMATCH).exists()
    outside.seat_bot(game=table, user=bob, name="Marvin Bot")
    assert again(table).is_running


def test_undoing_a_turn_waits_for_no_bot(game, bob) -> None:
    for seat, action in ((0, "bid 1"), (1, "bid 0"), (0, "first 0")):
        play.submit_turn(game=game, seat=seat, actions=[action], expected_seq=again(game).seq)
    before = state_of(game)
    seat, actions = some_turn(with_snapshot(game))
    play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=again(game).seq)
    assert undo_requests.ask(game=game, seat=seat, expected_seq=again(game).seq) and state_of(game) == before


def test_bots_are_not_found_or_invited_as_friends(marvin, bob) -> None:
    with pytest.raises(GameError, match="You can’t invite"):
        friends.befriend(user=bob, name="Marvin Bot")


def test_results_of_a_bot_count_only_for_its_own_estimated_rating(game, marvin, alice, come) -> None:
    play_out(game)
    assert set(Score.objects.values_list("counts", flat=True)) == {False}
    assert not RatedPlayer.objects.exists()
    for place, is_stronger in ((1, True), (2, False)):
        Score.objects.filter(seat=1).update(place=place)
        Score.objects.filter(seat=0).update(place=3 - place)
        (estimate,) = estimates(marvin[0].user)
        assert estimate.contests == 1 and (estimate.rating.shown > 1500) == is_stronger
    assert 0 < estimate.rating.doubt < Rating().doubt
    assert "estimated from 1 game" in " ".join(come().get("/players/Marvin Bot/").content.decode().split())
    Score.objects.filter(game=game, seat=0).update(user=alice, who=str(alice.pk))  # as if its owner had played it
    assert estimates(marvin[0].user) == [] == estimates(alice)


# Accounts


def test_names_of_bots_end_in_a_word_that_people_cannot_use(alice, come) -> None:
    bot, _token = bots.create_bot(owner=alice, name="Marvin")
    assert bot.user.username == "Marvin Bot"
    for name in ("Marvin Bot", "marvin bot", "MarvinBot", "Zaphod Bot"):
        page = come(alice).post("/accounts/preferences/", {"username": name, "time_zone": "UTC"})
        assert page.status_code == 422, name


@pytest.mark.parametrize("name", ["", "x", "Site Admin", "Marvin", "x" * 21, "Alice\u200b", "<b>x</b>"])
def test_a_name_that_cannot_be_given_is_refused(name: str, alice, come, marvin) -> None:
    User.objects.filter(is_bot=True).update(date_joined=timezone.now() - timedelta(minutes=2))
    page = come(alice).post("/accounts/bots/", {"name": name})
    assert page.status_code == 422
    assert BotAccount.objects.count() == 1


def test_only_confirmed_accounts_have_bots_and_only_a_few(alice, db) -> None:
    for owner in (person("Zaphod", has_confirmed=False), services.make_guest()):
        with pytest.raises(ValidationError, match="confirmed email address"):
            bots.create_bot(owner=owner, name="Eddie")
    for number in range(bots.MOST_BOTS):
        bots.create_bot(owner=alice, name=f"Drone {'abcdefgh'[number]}")
    with pytest.raises(ValidationError, match="Delete one first"):
        bots.create_bot(owner=alice, name="Another")


def test_nobody_can_sign_in_as_a_bot(marvin, client) -> None:
    bot = marvin[0].user
    assert not bot.has_usable_password() and not bot.email
    for name in ("Marvin Bot", ""):
        client.post("/accounts/login/", {"login": name, "password": ""})
        assert "_auth_user_id" not in client.session


def test_deleting_the_owner_deletes_their_bots_and_games_go_on(game, marvin, alice, bob) -> None:
    services.delete_account(alice)
    assert not BotAccount.objects.exists() and not User.objects.filter(is_bot=True).exists()
    assert marvin[1].get("")[0] == 401
    seat = seats_of(game)[1]
    assert seat.user is None and "Marvin" not in seat.name


# Notices


def test_a_webhook_notifies_a_bot_of_its_turn_immediately_even_after_one_of_our_bots(marvin, alice) -> None:
    Hook.objects.create(user=marvin[0].user, url="https://bots.example.org/turn", format="json")
    table = table_with(alice, "Marvin Bot", players=3)
    lobby.seat_bot(game=table, user=alice, bot="medium")
    table, seats = again(table), {seat.name: seat for seat in seats_of(table)}
    notices = Notice.objects.filter(user=marvin[0].user, channel=Channel.HOOK, kind=Kind.TURN)
    notices.delete()
    now = timezone.now()
    notify.tell_who_is_asked(game=table, seats=[seats["Marvin Bot"]], mover=seats["Medium"], now=now)
    assert notices.get().due_at <= timezone.now()


# Pages


def test_an_owner_creates_a_bot_and_sees_its_token_once(come, alice) -> None:
    browser = come(alice)
    page = browser.post("/accounts/bots/", {"name": "Marvin"})
    token = TOKEN.search(page.content.decode())
    assert token and Program(token[0]).get("")[0] == 200 and "no-store" in page["Cache-Control"]
    assert token[0] not in str(dict(Session.objects.get().get_decoded()))
    for path in ("/accounts/bots/", "/accounts/bots/Marvin Bot/"):
        answer = browser.get(path)
        assert "Marvin Bot" in answer.content.decode()
        assert not TOKEN.search(answer.content.decode())
        assert "no-store" in answer["Cache-Control"]
    assert Program(token[0]).get("")[0] == 200


def test_a_bot_that_is_created_with_two_taps_shows_a_token_that_works(come, alice) -> None:
    tokens = [
        TOKEN.search(come(alice).post("/accounts/bots/", {"name": "Marvin"}).content.decode())[0] for _tap in "12"
    ]
    assert BotAccount.objects.count() == 1 and [Program(token).get("")[0] for token in tokens] == [401, 200]
    assert come(alice).post("/accounts/bots/", {"name": "Marvin"}).status_code == 422, "its token was used"


def test_a_block_of_a_bot_removes_it_without_closing_the_table_and_nobody_blocks_their_own(marvin, alice, bob) -> None:
    BotAccount.objects.update(is_public=True)
    table = table_with(bob, "Marvin Bot", players=4)
    Game.objects.update(listed=True, rated=True)
    with pytest.raises(GameError, match="This is your own bot"):
        blocking.block(user=alice, blocked=marvin[0].user)
    blocking.block(user=bob, blocked=marvin[0].user)
    assert again(table).is_open and [seat.name for seat in seats_of(table)] == ["Bob"]


def test_replacing_and_revoking_a_token_asks_first(come, marvin, alice) -> None:
    browser = come(alice)
    for do in ("token", "revoke"):
        page = browser.post("/accounts/bots/Marvin Bot/", {"do": do}, follow=True).content.decode()
        assert "Check the box to confirm" in page and not TOKEN.search(page) and marvin[1].get("")[0] == 200
    page = browser.post("/accounts/bots/Marvin Bot/", {"do": "token", "sure": "1"}, follow=True).content.decode()
    token = TOKEN.search(page)
    assert token and marvin[1].get("")[0] == 401 and Program(token[0]).get("")[0] == 200
    browser.post("/accounts/bots/Marvin Bot/", {"do": "revoke", "sure": "1"})
    assert Program(token[0]).get("")[0] == 401
    assert TOKEN.search(browser.post("/accounts/bots/Marvin Bot/", {"do": "token"}, follow=True).content.decode())


def test_a_new_token_is_kept_nowhere_and_reloading_its_page_does_not_replace_it(come, marvin, alice) -> None:
    browser = come(alice)
    page = browser.get("/accounts/bots/Marvin Bot/").content.decode()
    made = re.search(r'name="made" value="([^"]+)"', page)[1]
    fields = {"do": "token", "sure": "1", "made": unescape(made)}
    token = TOKEN.search(browser.post("/accounts/bots/Marvin Bot/", fields).content.decode())[0]
    assert token not in str(dict(Session.objects.get().get_decoded()))
    again = browser.post("/accounts/bots/Marvin Bot/", fields, follow=True).content.decode()
    assert "The token has already been replaced." in again and not TOKEN.search(again)
    assert Program(token).get("")[0] == 200


def test_the_page_of_a_bot_is_only_for_its_owner(come, marvin, bob) -> None:
    for do in ("token", "revoke", "delete", "settings"):
        data = {"do": do, "sure": "1", "most_games": 1}
        assert come(bob).post("/accounts/bots/Marvin Bot/", data).status_code == 404
    assert come(bob).get("/accounts/bots/Marvin Bot/").status_code == 404
    assert come().get("/accounts/bots/").status_code == 302
    assert marvin[1].get("")[0] == 200


def test_settings_are_saved_and_checked(come, marvin, alice) -> None:
    browser = come(alice)
    browser.post("/accounts/bots/Marvin Bot/", {"do": "settings", "most_games": 3, "is_public": "on"})
    kept = BotAccount.objects.get()
    assert (kept.most_games, kept.is_public) == (3, True)
    assert browser.post("/accounts/bots/Marvin Bot/", {"do": "settings", "most_games": 51}).status_code == 422


def test_a_token_that_is_revoked_while_settings_are_saved_stays_revoked(come, marvin, alice, monkeypatch) -> None:
    checked = SettingsForm.is_valid
    monkeypatch.setattr(SettingsForm, "is_valid", lambda form: bots.revoke_token(marvin[0]) or checked(form))
    come(alice).post("/accounts/bots/Marvin Bot/", {"do": "settings", "most_games": 3, "is_public": "on"})
    assert BotAccount.objects.get().most_games == 3 and marvin[1].get("")[0] == 401


def test_a_bot_is_deleted_only_when_the_owner_is_sure(come, marvin, alice) -> None:
    browser = come(alice)
    page = browser.post("/accounts/bots/Marvin Bot/", {"do": "delete"}, follow=True).content.decode()
    assert "Check the box to confirm" in page
    assert BotAccount.objects.exists()
    for _tap in range(2):
        assert browser.post("/accounts/bots/Marvin Bot/", {"do": "delete", "sure": "1"}).url == "/accounts/bots/"
    assert not BotAccount.objects.exists() and not User.objects.filter(is_bot=True).exists()


def test_webhooks_of_a_bot_go_to_public_addresses_only(come, marvin, alice) -> None:
    page = come(alice).post("/accounts/bots/Marvin Bot/", {"do": "hook", "url": "https://127.0.0.1/"})
    assert page.status_code == 422 and not Hook.objects.exists()


def test_an_owner_cannot_touch_the_webhooks_of_others(come, marvin, alice, bob) -> None:
    hook = Hook.objects.create(user=bob, url="https://hooks.example.org/x", format="json")
    come(alice).post("/accounts/bots/Marvin Bot/", {"do": "remove_hook", "hook": hook.pk})
    assert Hook.objects.filter(pk=hook.pk).exists()


@pytest.mark.parametrize("unknown", ["0", "x", "²"])
def test_an_unknown_webhook_of_a_bot_is_refused_with_a_sentence(come, marvin, alice, unknown) -> None:
    page = come(alice).post("/accounts/bots/Marvin Bot/", {"do": "try_hook", "hook": unknown}, follow=True)
    assert page.status_code == 200 and "This webhook is no longer on your list." in page.content.decode()


def test_a_table_that_admits_bots_says_so_and_offers_them(come, marvin, alice, bob) -> None:
    form = {"ruleset": "legends", "players": "3", "pace": "move 1d", "listed": "yes", "full": "no", "admits_bots": "on"}
    come(bob).post("/lobby/open/", form)
    table = Game.objects.get()
    assert table.admits_bots
    assert "outside bots admitted" in come().get("/lobby/").content.decode()
    assert "Marvin Bot" not in come(bob).get(table.get_absolute_url()).content.decode()
    page = come(alice).get(table.get_absolute_url()).content.decode()
    assert "Marvin Bot" in page and "the game is unrated" in page
    come(alice).post(f"/games/{table.public_id}/outside-bot", {"name": "Marvin Bot"})
    page = come(bob).get(table.get_absolute_url()).content.decode()
    assert re.search(r'Marvin Bot.*?<span class="badge">bot</span>', page, re.DOTALL)
    assert "Remove Marvin Bot from the table" in page
    come(bob).post(f"/games/{table.public_id}/outside-bot/remove", {"name": "Marvin Bot"})
    assert len(seats_of(table)) == 1


def test_the_players_page_of_a_bot_says_what_it_is_and_whose(come, marvin, alice, bob) -> None:
    page = come(bob).get("/players/Marvin Bot/").content.decode()
    assert '<span class="badge">bot</span>' in page and 'run by <a href="/players/Alice/">Alice</a>.' in page
    assert "Add Marvin Bot to my friends" not in page and "/accounts/bots/" not in page.partition("<article")[2]
    assert "Block Marvin Bot" in page and "Report Marvin Bot" in page
    own = come(alice).get("/players/Marvin Bot/").content.decode()
    assert "/accounts/bots/Marvin%20Bot/" in own and "Block" not in own and "Report" not in own


def test_the_page_of_a_bot_leads_to_the_guide_and_every_link_of_the_references_works(come, marvin, alice) -> None:
    page = come(alice).get("/accounts/bots/Marvin Bot/").content.decode()
    assert 'href="/docs/bots.md"' in page and 'href="/docs/example_bot.py"' in page
    for file in documents.REFERENCES:
        page = come().get(f"/docs/{file}").content.decode()
        assert f"<h1>{documents.source(file).splitlines()[0][2:]}</h1>" in page and "<title>" in page
        article = page.partition("<article")[2].partition("</article")[0]
        for link in re.findall(r'href="([^/#:"]+)"', article):
            assert come().get(f"/docs/{link}").status_code == 200, (file, link)
    answer = come().get("/docs/example_bot.py")
    assert answer.content == (ROOT / "docs/example_bot.py").read_bytes()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    for file in ("operations.md", "bots", "../manage.py", "..%2fmanage.py"):
        assert come().get(f"/docs/{file}").status_code == 404


# What must not be done with bots


@pytest.mark.parametrize("players", [3, 4], ids=["running", "open"])
def test_signing_in_does_not_seat_an_owner_with_their_bot_and_others(marvin, alice, bob, players: int) -> None:
    BotAccount.objects.update(is_public=True)
    guest, table = services.make_guest(), table_with(bob, "Marvin Bot", players=players)
    lobby.join_table(game=table, user=guest)
    services.bring_games(guest=guest, user=alice)
    assert alice not in [user for seat in seats_of(table) for user in (seat.user, seat.owner)]


def test_people_whom_the_owner_blocked_cannot_seat_or_join_the_bot(come, marvin, alice, bob, carol) -> None:
    BotAccount.objects.update(is_public=True)
    blocking.block(user=alice, blocked=bob)
    with pytest.raises(GameError):
        table_with(bob, "Marvin Bot")
    assert "Marvin Bot" not in come(bob).get(Game.objects.latest("pk").get_absolute_url()).content.decode()
    table = table_with(carol, "Marvin Bot", players=3)
    with pytest.raises(GameError):
        lobby.join_table(game=table, user=bob)


def test_guests_do_not_take_all_games_of_a_public_bot(marvin, bob) -> None:
    BotAccount.objects.update(is_public=True)
    for _visit in range(4):
        guest = services.make_guest()
        for _table in range(3):
            with pytest.raises(GameError, match="Guests can’t seat bots"):
                table_with(guest, "Marvin Bot", players=3)
    table_with(bob, "Marvin Bot")


def test_posts_to_webhooks_of_bots_are_limited_like_those_of_people(come, marvin, alice, monkeypatch) -> None:
    hook = Hook.objects.create(user=marvin[0].user, url="https://bots.example.org/turn", format="json")
    sent: list[object] = []
    monkeypatch.setattr(outgoing, "post", lambda *args: sent.append(args) or outgoing.Answer(200))
    for _time in range(12):
        come(alice).post("/accounts/bots/Marvin Bot/", {"do": "try_hook", "hook": hook.pk})
    assert len(sent) == 10


def test_a_bot_does_not_play_a_seat_that_it_loses_at_the_same_moment(marvin, game, monkeypatch) -> None:
    for seat, action in ((0, "bid 1"), (1, "bid 0"), (0, "first 1")):
        submit(game, seat, action)
    _seat, actions = some_turn(with_snapshot(game))
    need_current, before = play.need_current, again(game).seq

    def lose_first(*args: Any) -> None:
        Seat.objects.filter(game=game, number=1).update(user=None, bot="medium")
        need_current(*args)

    monkeypatch.setattr(play, "need_current", lose_first)
    marvin[1].turn(game, actions)
    assert again(game).seq == before


def test_the_documentation_names_every_field(marvin, game) -> None:
    text = Path(ROOT / "docs/bots.md").read_text()
    shown = marvin[1].get(f"{game.public_id}/view")[1]
    assert all(f"`{field}`" in text for field in shown)
    assert set(SCHEMA["$defs"]["view"]["properties"]) == set(shown)
    listed = marvin[1].get("")[1]
    schema("games", listed)
    assert all(f"`{field}`" in text for field in (*listed, *listed["games"][0]))
