"""A small world with one of everything, in which every address of the site exists.

Alice opens tables and organizes; Bob, Carol and Dan play; Eve has an account but plays nowhere; Gil is a guest; Sam is
staff. `secrets` lists what each of them must not learn.
"""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random

import msgspec
import pytest
import time_machine
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.hashers import make_password
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from accounts import bots, personal
from accounts.models import DataExport, Step, User
from accounts.moderation import services as moderation
from accounts.proof import calendar_url
from empire.models import Heartbeat
from empire.web import documents
from games.boards.eight_minute import png
from games.bots import review as engine
from games.bots import search
from games.contests import corrections
from games.contests.duplicates import services as duplicates
from games.contests.gates import services
from games.contests.models import Intervention, League, LeagueState, Match, Tournament
from games.contests.organizing import co_organizers
from games.contests.organizing import services as organizing
from games.contests.teams import services as team_services
from games.notices.delivery.preferences import unsubscribe_url
from games.notices.kinds import Channel, Kind
from games.notices.models import Device, Hook
from games.tables import keys
from games.tables.models import Duplicate, FullGame, Game, GameReview, Invitation, Report, Seat, Seed
from games.tables.models.chat import Message
from games.tables.services import (
    chat,
    friends,
    handover,
    lessons,
    lobby,
    outside,
    play,
    records,
    replacement,
    reports,
    reviews,
    time_off,
)
from tests.cast import again, in_turns, person, play_out, seats_of, some_turn, state_of, submit, table_of
from tests.contests import team_leagues
from tests.contests.cups import begun, cup
from tests.contests.ladders import challenges, ladder_of
from tests.contests.leagues import MONDAY, league_of, started, terms_of
from tests.notices.push_service import Browser

PUBLIC, PRIVATE = True, False
NOWHERE = "localhost:1"  # nothing listens there, so requests fail at once
KEY = json.loads((Path(__file__).parent / "key.json").read_text())  # a passkey created by a browser


@dataclass(frozen=True)
class Secret:
    """A text that only these readers may be shown; if it is no secret elsewhere, only `within` an address."""

    description: str
    text: str
    known_to: frozenset[str]
    within: str = ""

    def is_revealed(self, sent: str, text: str) -> bool:
        """Whether the text reveals it. A reader who sent it, also as part of an address, knows it already."""
        return self.text in text and self.text not in sent


@dataclass
class World:
    people: dict[str, User]
    games: dict[str, Game]
    arguments: dict[str, list[dict[str, object]]]
    secrets: list[Secret] = field(default_factory=list)

    def hide(self, description: str, text: str, *known_to: str, within: str = "") -> None:
        self.secrets.append(Secret(description, text, frozenset(known_to), within))

    def hide_hands(self, game: Game, *players: str) -> None:
        """Hide the cards of each hand from everyone who has not seen them in the log."""
        seats, where = seats_of(game), game.get_absolute_url()
        exports = {n: records.export_for(game=game, seats=seats, seat=n).decode() for n in (None, *range(len(players)))}
        for seat, hand in enumerate(getattr(state_of(game), "hands", ())):
            for card in (card for card in hand if card not in exports[None]):
                knowing = [name for n, name in enumerate(players) if n == seat or card in exports[n]]
                self.hide(f"a card in the hand of seat {seat}", card, *knowing, within=where)


@contextmanager
def made() -> Iterator[World]:
    with time_machine.travel(MONDAY, tick=False) as clock, pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_bytes", Random(8).randbytes)  # the same games in every run
        patch.setattr(png, "SCALES", (0.2,))  # small pictures, which are painted quickly
        people = _people()
        games = _games(people)
        _talk(people, games)
        _account(people["alice"])
        _review(games["ended"], people["alice"])
        arguments = _arguments(people, games) | _contests(people, clock)
        arguments |= _admin()
        Heartbeat.objects.update_or_create(name="beat", defaults={"at": timezone.now()})
        world = World(people, {name: again(game) for name, game in games.items()}, arguments)
        _hide(world)
        yield world


def _people() -> dict[str, User]:
    people = {name.lower(): person(name) for name in ("Alice", "Bob", "Carol", "Dan", "Eve")}
    people["gil"] = User.objects.create(username="Guest Gil 12", is_guest=True, password=make_password(None))
    people["sam"] = person("Sam", is_staff=True, is_superuser=True)
    for name in ("alice", "bob"):
        people[name].set_password(f"the quiet harbour of {name}")
        people[name].save()
    return people


def _games(people: dict[str, User]) -> dict[str, Game]:
    alice, bob, carol, dan, gil = (people[name] for name in ("alice", "bob", "carol", "dan", "gil"))
    games = {
        "private": in_turns(alice, bob, listed=PRIVATE),
        "sealed": table_of(alice, bob, carol, listed=PRIVATE),
        "watched": in_turns(alice, bob, listed=PUBLIC),
        "kingdoms": table_of(alice, bob, ruleset="kingdoms", listed=PRIVATE),
        "ended": play_out(table_of(alice, bob, listed=PUBLIC)),
        "ended kingdoms": play_out(table_of(carol, dan, ruleset="kingdoms", listed=PUBLIC)),
        "by hand": table_of(alice, bob, ruleset="legends", options={"setup": "by-hand"}, listed=PUBLIC),
        "open": lobby.open_table(user=alice, players=3, listed=PUBLIC),
        "invited": lobby.open_table(user=alice, players=3, listed=PRIVATE),
        "full": lobby.open_table(user=alice, players=2, full=True, listed=PUBLIC),
        "lesson": lessons.begin(user=gil, slug="legends"),
        "guests": lobby.play_now(user=gil, bots=["random"]),
        "admits bots": lobby.open_table(user=alice, players=4, listed=PUBLIC, admits_bots=True),
    }
    bots.create_bot(owner=alice, name="Robin")
    outside.seat_bot(game=games["admits bots"], user=alice, name="Robin Bot")
    closed = lobby.open_table(user=alice, players=2, listed=PUBLIC)
    games["closed"] = lobby.close_table(game=closed, user=alice)
    lobby.join_table(game=games["open"], user=bob)
    lobby.join_table(game=games["full"], user=bob)
    submit(games["sealed"], 0, "bid 2")
    seat, actions = some_turn(games["private"])
    play.lay_out(game=games["private"], who=seat, actions=actions[:1], expected_seq=again(games["private"]).seq)
    alices_seat = Seat.objects.get(game=games["watched"], user=alice)
    handover.ask(seat=alices_seat, user=alice, name="Dan")
    bobs_seat = Seat.objects.get(game=games["by hand"], user=bob)
    handover.hand_to_bot(seat=bobs_seat, user=bob)
    return games


def _talk(people: dict[str, User], games: dict[str, Game]) -> None:
    """Players and spectators chat separately; Bob reports a message of Alice. Moderators have written to two people."""
    watched = games["watched"].public_id
    message = chat.say(public_id=watched, user=people["alice"], text="whispered by players")
    chat.say(public_id=watched, user=people["eve"], text="whispered by watchers")
    chat.say(public_id=games["private"].public_id, user=people["bob"], text="whispered in private")
    chat.write_note(public_id=watched, user=people["alice"], text="noted by Alice")
    reports.report_message(message=message.pk, user=people["bob"], reason="abuse")
    reports.report_person(name="Alice", user=people["bob"], subject="name", reason="other", words="written by Bob")
    reports.report_at_table(public_id=watched, user=people["alice"], reason="together", words="written by someone")
    for name, kind, days in (("alice", "warn", None), ("gil", "mute", 3)):
        moderation.take(
            by=people["sam"], user=people[name], kind=kind, days=days, reason=f"reason for {name}", expected=0
        )
    moderation.answer(user=people["alice"], step=Step.objects.get(user=people["alice"]).pk, words="answer of alice")


def _account(alice: User) -> None:
    time_off.announce(user=alice, first=date(2027, 5, 3), last=date(2027, 5, 7))
    Device.objects.create(user=alice, **Browser().subscription(f"https://{NOWHERE}/endpoint-of-alice"))
    Hook.objects.create(user=alice, url=f"https://{NOWHERE}/token-of-alice", format="json")
    UserSession.objects.create(user=alice, ip="10.1.2.3", session_key="session-of-alice", user_agent="Firefox Linux")
    Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data=KEY)


def _data(alice: User) -> str:
    """Make the archive of Alice's data, and return what is signed in its link."""
    personal.make(personal.ask(alice).pk)
    return personal.link(DataExport.objects.get(user=alice)).rstrip("/").rpartition("/")[2]


def _review(game: Game, user: User) -> None:
    """Store a review of the game by a weak and quick engine."""
    with pytest.MonkeyPatch.context() as patch:
        weak = ((engine, "SAMPLES", 2), (engine, "BUDGET", 10), (engine, "MOST_ENDINGS", 30), (search, "POSITIONS", 5))
        for module, name, number in weak:
            patch.setattr(module, name, number)
        assert reviews.work(reviews.ask(public_id=game.public_id, user=user).pk, timezone.now())


def _arguments(people: dict[str, User], games: dict[str, Game]) -> dict[str, list[dict[str, object]]]:
    """Arguments by the prefix of a route, or by the name of the address where the prefix is ambiguous."""
    alice = people["alice"]
    tables = [{"public_id": game.public_id} for game in games.values()]
    hers = Seat.objects.get(game=games["private"], user=alice)
    turn = Seat.objects.select_related("game", "user").get(game=games["watched"], owes=True)
    bobs = Seat.objects.get(game=games["watched"], user=people["bob"])
    replacing = replacement.ask(user=people["dan"], by=people["sam"], reason="Bob is in hospital.", seat=bobs)
    friends.befriend(user=alice, name=people["bob"].username)
    friends.invite(game=games["invited"], user=alice, name=people["bob"].username)
    invited = Invitation.objects.get()
    reviewed = next(turn["seq"] for turn in GameReview.objects.get().data["turns"] if turn["better"])
    confirmation = EmailConfirmationHMAC(EmailAddress.objects.get(user=alice))
    return {
        "games/<str:public_id>": tables,
        "api/bot/games/<str:public_id>": [{"public_id": games[name].public_id} for name in ("admits bots", "private")],
        "accounts/bots/": [{"username": "Robin Bot"}],
        "docs/": [{"file": file} for file in (*documents.REFERENCES, *documents.REFERENCE_FILES)],
        "mute": [
            {"public_id": games["private"].public_id, "signed": keys.mute_url(hers).rstrip("/").rpartition("/")[2]}
        ],
        "thumbnail": [
            {"public_id": games[name].public_id, "seq": 3} for name in ("private", "sealed", "ended", "open")
        ],
        "enter": [{"public_id": games["private"].public_id, "signed": keys.key(hers)}],
        "take": [
            {"public_id": games["watched"].public_id, "signed": keys.turn_key(turn), "card": card}
            for card in ("elf", "no-card")
        ],
        "review_turn": [{"public_id": games["ended"].public_id, "seq": turn} for turn in (reviewed, 0)],
        "review_picture": [
            {"public_id": games["ended"].public_id, "seq": reviewed, "theme": theme} for theme in ("light", "no-theme")
        ],
        "table_picture": [table | {"at": at} for at in (1, 999) for table in tables],
        "chat_block": [{"public_id": game.public_id, "message": pk} for game, pk in _messages(games)],
        "chat_report": [{"public_id": game.public_id, "message": pk} for game, pk in _messages(games)],
        "replacement": [{"pk": replacing.pk}],
        "moderation/reports/": [{"pk": pk} for pk in Report.objects.values_list("pk", flat=True)],
        "moderation/players/": [{"username": name} for name in ("Alice", "Guest Gil 12", "Nobody")],
        "invitations/": [{"pk": invited.pk}],
        "join/": [{"token": games[name].invite_token} for name in ("invited", "open", "private")],
        "players/": [{"username": name, "kind": "csv"} for name in ("Alice", "Guest Gil 12", "Robin Bot", "Nobody")],
        "^players/": [{"username": "Alice", "kind": kind} for kind in ("csv", "json")],
        "bots/": [{"bot": "medium"}],
        "^bots/": [{"bot": "medium", "kind": kind} for kind in ("csv", "json")],
        "ratings/": [{"ruleset": "legends"}],
        "learn/": [{"slug": "legends"}],
        "rules/": [{"slug": slug} for slug in ("legends", "kingdoms")],
        "boards/kingdoms/": [{"drawing": "no-drawing"}],
        "boards/<": [{"layout": "no-layout", "theme": "light"}],
        "tables_game_desk": [{"pk": games[name].pk} for name in ("private", "sealed", "ended", "open")],
        "tables_game_intervene": [
            {"pk": games[name].pk, "intervention": intervention}
            for name in ("sealed", "ended")
            for intervention in ("void", "end", "no-intervention")
        ],
        "full-games/": [{"pk": pk} for pk in FullGame.objects.values_list("pk", flat=True)],
        "mail/": [{"name": "no-email", "cid": "picture"}],
        "calendar/": [{"signed": calendar_url(alice).rpartition("/")[2].removesuffix(".ics")}, {"signed": "x:y"}],
        "accounts/unsubscribe/": [
            {"signed": unsubscribe_url(alice, [Kind.TURN], Channel.EMAIL).rstrip("/").rpartition("/")[2]}
        ],
        "accounts/data/": [{"signed": _data(alice)}, {"signed": "x:y"}],
        "accounts/sessions/": [
            {"pk": pk} for pk in UserSession.objects.filter(user=alice).values_list("pk", flat=True)
        ],
        "accounts/notices/devices/": [{"pk": Device.objects.get().pk}],
        "accounts/notices/webhooks/": [{"pk": Hook.objects.get().pk}],
        "accounts/2fa/webauthn/keys/": [{"pk": Authenticator.objects.get().pk}],
        "accounts/undo-address/": [{"signed": "x:y"}],
        "^accounts/confirm-email/": [{"key": confirmation.key}, {"key": "no-key"}],
        "accounts/^confirm-email/": [{"key": confirmation.key}, {"key": "no-key"}],
        "^accounts/password/reset/key/": [{"uidb36": "1", "key": "no-key"}],
        "accounts/^password/reset/key/": [{"uidb36": "1", "key": "no-key"}],
    }


def _messages(games: dict[str, Game]) -> list[tuple[Game, int]]:
    return [(games["watched"], pk) for pk in Message.objects.filter(game=games["watched"]).values_list("pk", flat=True)]


def _contests(people: dict[str, User], clock: time_machine.Traveller) -> dict[str, list[dict[str, object]]]:
    alice, bob, carol, dan = (people[name] for name in ("alice", "bob", "carol", "dan"))
    ladder_of(alice, bob, carol, dan)
    ladder_of(alice, bob, ruleset="kingdoms")
    challenge = challenges(bob, alice)
    waiting = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    running = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for player in (bob, carol, dan):
        duplicates.join(public_id=running.public_id, user=player)
    cups = [
        cup(alice, [bob, carol], name="Open Cup"),
        begun(alice, [alice, bob, carol, dan], name="Running Cup", seats=4),
    ]
    teams = team_leagues.begun(alice, 2, name="Team League")
    gathering = team_leagues.league(bob, name="Gathering League")
    foxes = team_services.create(tournament=gathering, user=bob, name="Foxes")
    team_services.invite(team=foxes, by=bob, name="Carol")
    cups += [teams, gathering]
    draft = League.objects.create(
        slug="draft", name="Draft League", ruleset="legends", state=LeagueState.DRAFT, organizer=alice,
        made_at=timezone.now(), terms=msgspec.to_builtins(terms_of(name="Draft League")),
    )  # fmt: skip
    league = league_of(alice, bob, carol, dan, organizer=alice)
    season = started(league, clock)
    clock.shift(timedelta(hours=1))
    decided, playing = Match.objects.filter(pool__season=season).order_by("pk")[:2]
    corrections.award(match=decided, by=people["sam"], places=(1, 2), reason="It stalled.", expected=decided.version)
    services.admit(competition=league, by=alice, names=["Eve"])
    services.keep_apart(competition=league, by=people["sam"], names=["Dan", "Eve"])
    helping = {"competition": league, "by": alice}
    co_organizers.ask_to_help(**helping, name="Eve", rights=["announce"])
    co_organizers.ask_to_help(**helping, name="Bob", rights=["settings"])
    co_organizers.answer(competition=league, user=bob, accepts=True)
    organizing.write_rules(competition=league, by=alice, text="# House rules\n\nBe kind: [how](/fair-play/).")
    organizing.announce(competition=league, by=alice, text="Welcome to the season.")
    leagues = [{"slug": row.slug, "token": row.invite_token} for row in (league, draft)]
    return {
        "ladder/challenges/": [{"pk": challenge.pk}],
        "ladder/": [{"ruleset": "legends"}],
        "duplicates/": [{"public_id": row.public_id} for row in (waiting, running)],
        "leagues/": leagues,
        "leagues/<slug:slug>/<int:number>/": [
            {"slug": league.slug, "number": season.number, "tier": 1, "division": 1},
        ],
        "division_file": [
            {"slug": league.slug, "number": season.number, "tier": 1, "division": 1, "content": content, "kind": kind}
            for content, kind in (("standings", "csv"), ("results", "json"))
        ],
        "tournament_file": [
            {"public_id": row.public_id, "content": "results", "kind": kind} for row in cups for kind in ("csv", "json")
        ],
        "tournaments/<str:public_id>/teams/<int:pk>/": [
            {"public_id": team.tournament.public_id, "pk": team.pk, "token": team.invite_token}
            for team in (foxes, *teams.teams.order_by("pk"))
        ],
        "tournaments/<str:public_id>/team-matches/": [
            {"public_id": teams.public_id, "pk": teams.team_matches.get().pk},
        ],
        "tournaments/": [{"public_id": row.public_id, "token": row.invite_token} for row in cups],
        "matches/": [{"pk": decided.pk}, {"pk": playing.pk}],
        "interventions/": [{"pk": Intervention.objects.get().pk}],
    }


def _admin() -> dict[str, list[dict[str, object]]]:
    """The first row of each table that staff can see."""
    arguments: dict[str, list[dict[str, object]]] = {"admin/": [{"app_label": "tables", "url": "nothing"}]}
    arguments["admin/r/"] = [{"content_type_id": ContentType.objects.get_for_model(Game).pk, "object_id": 1}]
    for model in admin.site._registry:
        meta = model._meta
        row = model._default_manager.order_by("pk").first()
        pk = row.pk if row else 1
        arguments[f"admin/{meta.app_label}/{meta.model_name}/"] = [{"object_id": pk, "id": pk}]
    return arguments


def _hide(world: World) -> None:
    for name, game in world.games.items():
        seed = Seed.objects.filter(game=game).first()
        if seed and game.is_running:
            world.hide(f"the seed of the game “{name}”", bytes(seed.secret).hex())
    for row in Duplicate.objects.filter(games__status="running"):
        world.hide("the seed of a round", bytes(Seed.objects.get(game=row.games.first()).secret).hex())
    for match in Match.objects.filter(game__status="running").select_related("game"):
        world.hide("the seed of a contest", bytes(Seed.objects.get(game=match.game).secret).hex())
    for row in (*League.objects.all(), *Tournament.objects.all()):
        world.hide(f"the invitation to “{row.name}”", row.invite_token, "alice", "bob", "sam")
    for name in ("private", "sealed", "kingdoms", "invited"):
        world.hide(f"the invitation to “{name}”", world.games[name].invite_token, "alice", "bob")
    world.hide_hands(world.games["kingdoms"], "alice", "bob")
    for name in world.people:
        if name != "gil":
            world.hide(f"the email address of {name}", f"{name}@example.org", name, "sam")
    for name in ("alice", "bob"):
        world.hide(f"the password of {name}", User.objects.get(pk=world.people[name].pk).password)
    world.hide("the address of a calendar", calendar_url(world.people["alice"]).rpartition("/")[2], "alice")
    world.hide("where a device is pushed to", "endpoint-of-alice")
    world.hide("where a webhook posts to", "token-of-alice")
    world.hide("the key of a session", "session-of-alice")
    world.hide("what players say", "whispered by players", "alice", "bob", "sam")
    world.hide("what spectators say", "whispered by watchers", "eve", "gil", "nobody", "sam")
    world.hide("what is said in private", "whispered in private", "alice", "bob")
    world.hide("a note", "noted by Alice", "alice")
    world.hide("the words of a report", "written by Bob", "bob", "sam")
    world.hide("the words of another report", "written by someone", "alice", "sam")
    world.hide("a step about Alice", "reason for alice", "alice", "sam")
    world.hide("an answer", "answer of alice", "alice", "sam")
