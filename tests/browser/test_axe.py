"""Every kind of page in both themes: axe finds nothing wrong, everything that can be tapped is large enough, large text
fits, and nothing moves for people who asked for that."""

from collections.abc import Callable, Iterator
from contextvars import copy_context
from itertools import product
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.hashers import make_password
from django.core import signing
from django.db.models import Q
from django.test import Client
from django.test.signals import template_rendered
from django.urls import resolve, reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route

from accounts import personal
from accounts.models import AddressChange, DataExport, User
from accounts.moderation import services as moderation
from accounts.proof import UNDO
from games.contests.models import Entrant, Match, Team, TeamPlayer, Tournament
from games.contests.seeks import services as seeks
from games.contests.teams import services as teams
from games.contests.tournaments import arenas
from games.contests.tournaments import services as tournaments
from games.staff import oversight
from games.tables import keys
from games.tables.forms.table import FOR_GOOD
from games.tables.models import FullGame, Game, Report
from games.tables.services import lobby, play, reports, reviews, undo_requests
from tests.browser.conftest import PHONE
from tests.cast import (
    again,
    bid,
    in_turns,
    person,
    play_turn,
    play_turns,
    seats_of,
    some_turn,
    submit,
    table_of,
    with_snapshot,
)  # fmt: skip
from tests.contests import cups
from tests.running import ROOT
from tests.walk.addresses import paths, routes
from tests.walk.conftest import untouched  # noqa: F401  for the fixture below
from tests.walk.visits import BACKEND
from tests.walk.world import World, made

pytestmark = [pytest.mark.browser, pytest.mark.django_db, pytest.mark.early]

SITE = "http://testserver"
NOWHERE = "/nowhere/"
PASSWORD = "the quiet harbour of alice"
OTHERS = {"email_html"}  # the email itself, in a frame
TEMPLATES = ROOT / "templates"
NOT_LOOKED_AT = {
    "400.html", "403.html", "403_csrf.html", "429.html", "500.html", "503.html",  # like that of 404
    "allauth/layouts/base.html",  # for pages of allauth that have no template here
    "empire/email_list.html", "empire/email_page.html",  # only a site on one's own machine has them
}  # fmt: skip
# Rules of axe for WCAG 2.2 and of its experiments, which it does not apply by itself
ASKED_FOR = ("target-size", "label-content-name-mismatch", "focus-order-semantics", "css-orientation-lock")
PARTS = 4  # of the pages, so that none takes minutes
QUIET = """async () => {  // everything can be seen, and nothing moves any more
  for (const folded of document.querySelectorAll("main details")) folded.open = true;
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)));
}"""
# Targets need 44 x 44 px, where a finger really meets them: padding and overlays count, what covers them does not.
# In a text and for the mark of a tip after a word 24 px are enough (WCAG 2.5.8). On a map, the list of all moves
# next to it offers the same as the pieces and regions, which lie where the game puts them (2.5.8, "equivalent").
# Of equal cards that lie on each other each does the same, and 24 px of the lower ones are seen.
TOO_SMALL = r"""() => {
  const targets = "a[href], button:enabled, input:enabled:not([type=hidden]), select, textarea, summary";
  const reach = (part, target) => {
    const box = part.getClientRects()[0];
    const meets = (x, y) => {
      const met = document.elementFromPoint(x, y);
      return target.contains(met) || [...target.labels ?? []].some((label) => label.contains(met));
    };
    const far = (x, y, dx, dy) => {
      let n = 0;
      while (n < 44 && meets(x + dx * (n + 1), y + dy * (n + 1))) n += 1;
      return n;
    };
    let best = [0, 0];
    for (const across of [0.5, 0.2, 0.8])
      for (const down of [0.5, 0.2, 0.8]) {
        const [x, y] = [box.left + box.width * across, box.top + box.height * down];
        if (!meets(x, y)) continue;
        const [width, height] = [far(x, y, -1, 0) + far(x, y, 1, 0) + 1, far(x, y, 0, -1) + far(x, y, 0, 1) + 1];
        if (Math.min(width, height) > Math.min(...best)) best = [width, height];
        if (Math.min(...best) >= 44) return best;
      }
    return best;
  };
  const isInText = (target) => {
    if (target.matches("input, select, textarea, summary")) return false;
    if (target.matches(".tip-mark, .tip-term")) return true;
    let block = target.parentElement;
    while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    const rest = block.cloneNode(true);
    for (const other of rest.querySelectorAll(targets)) other.remove();
    return block.matches("p, li, dd, dt, th, td, h1, h2, h3, h4, label") && /\p{L}/u.test(rest.textContent);
  };
  const small = [];
  for (const target of document.querySelectorAll(targets)) {
    if (target.closest(".map-sheet, .visually-hidden, [inert]")) continue;
    const parts = [target, ...target.labels ?? []].filter((part) => {
      const box = part.getBoundingClientRect();
      return part.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 1;
    });
    if (!parts.length) continue;
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const sizes = parts.map((part) => reach(part, target));
    const least = isInText(target) ? [0, 24] : target.closest(".k-pile") ? [24, 44] : [44, 44];
    if (!sizes.some(([width, height]) => width >= least[0] - 0.5 && height >= least[1] - 0.5))
      small.push(`${target.parentElement.outerHTML.slice(0, 300)}: ${sizes.map((size) => size.map(Math.round))}`);
  }
  return small;
}"""

# What would move although the reader asked for less motion, and a title that does not say which page it is
MOVING = """() => {
  const long = (times) => times.split(",").some((time) => parseFloat(time) > 0.01);
  const moving = [...document.querySelectorAll("*")].filter((one) => [null, "::before", "::after"].some((part) => {
    const style = getComputedStyle(one, part);
    return (style.animationName !== "none" && long(style.animationDuration)) || long(style.transitionDuration)
      || style.scrollBehavior === "smooth";
  }));
  return moving.map((one) => `moves: ${one.outerHTML.slice(0, 120)}`);
}"""
# Windows as wide as a phone, as a screen at 400 % (WCAG 1.4.10), and as a desk, with texts of 100 % or 200 % (1.4.4)
SIZES = ((390, 200), (320, 100), (1280, 200))
# The size of text goes to each element as a transition, however short, so it takes some frames until all have it
RESIZE = """async (percent) => {
  const frames = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  document.documentElement.style.fontSize = `${percent}%`;
  await document.fonts.ready;
  for (let calm = 0; calm < 2; calm += 1) {
    await frames();
    if (document.getAnimations().some((one) => one.playState === "running")) calm = -1;
  }
}"""
# How much wider than its window the page is, and controls and headings whose words are cut off
CUT_OFF = """() => {
  const root = document.documentElement;
  const wide = root.scrollWidth - root.clientWidth;
  const lost = wide > 1 ? [`the page is ${wide} px too wide`] : [];
  const words = "main :is(h1, h2, h3, h4, p, li, dd, dt, th, td, label, legend, button, summary, a)";
  for (const element of document.querySelectorAll(words)) {
    const style = getComputedStyle(element);
    if (element.closest(".visually-hidden, svg, .map-sheet, [aria-hidden]") || !element.checkVisibility()) continue;
    const across = ["hidden", "clip"].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    const down = ["hidden", "clip"].includes(style.overflowY) && element.scrollHeight > element.clientHeight + 1;
    if (across || down) lost.push(`cut off: ${element.outerHTML.slice(0, 160)}`);
  }
  return lost;
}"""


@pytest.fixture(scope="module")
def world(untouched: None) -> Iterator[World]:  # noqa: F811
    """One of everything, turns that are laid out, an arena with a match, and people in the middle of something."""
    with made() as built:
        crowd = [built.people[name] for name in ("alice", "bob", "carol", "dan")]
        arena = cups.cup(crowd[3], crowd, name="Arena", format="arena", days=10, days_a_round=20, best=2, at_once=2)
        tournaments.start(tournament=arena, user=crowd[3])
        for player in crowd[:3]:  # the third one waits
            arenas.ask(tournament=arena, user=player)
        cups.sweep(arena)
        kingdoms = table_of(built.people["alice"], built.people["bob"], ruleset="kingdoms")
        while not (turn := some_turn(kingdoms))[1][0].startswith("buy") or again(kingdoms).seq < 16:
            submit(kingdoms, turn[0], *turn[1])
        seat, actions = turn
        play.lay_out(game=kingdoms, who=seat, actions=actions[:1], expected_seq=again(kingdoms).seq)
        built.games["laid out"] = kingdoms
        alone = lobby.open_table(user=built.people["alice"], players=2, bots=["easy"], rated=False, listed=True)
        while again(alone).seq < 5 or not seats_of(alone)[0].owes:
            play_turn(with_snapshot(alone))
        built.games["alone"] = alone
        alice, bob, carol, dan = crowd
        built.games["steps"] = in_turns(alice, bob)
        seat, actions = some_turn(built.games["steps"])
        play.lay_out(
            game=built.games["steps"], who=seat, actions=actions[:2], expected_seq=again(built.games["steps"]).seq
        )
        built.games["first"] = bid(table_of(carol, dan), 0, 1)
        built.games["undo"] = play_turns(in_turns(carol, dan, rated=False), 1)
        undo_requests.ask(game=built.games["undo"], seat=0, expected_seq=again(built.games["undo"]).seq)
        cups.play_out(cups.begun(dan, crowd, name="Ended Cup", format="knockout", seats=4))
        seeks.seek(user=carol, rulesets=["legends"], sizes=[2], clocks=["move 2d"])
        built.people |= {
            "zoe": person("Zoe"), "ned": person("Ned"), "una": person("Una", has_confirmed=False),
        }  # fmt: skip
        moderation.take(
            by=built.people["sam"], user=built.people["zoe"], kind="suspend", days=3, reason="Insults.", expected=0
        )  # fmt: skip
        built.people["ned"].set_unusable_password()  # he signs in with codes by email
        built.people["ned"].save()
        TOTP.activate(alice, generate_totp_secret())
        RecoveryCodes.activate(alice)
        personal.make(personal.ask(alice).pk)  # a link to the one of the walk has expired
        signed = personal.link(DataExport.objects.get(user=alice)).split("/")[-2]
        built.arguments["accounts/data/"] = [{"signed": signed}]
        change = AddressChange.objects.create(user=bob, old="bob.before@example.org", at=timezone.now())
        built.arguments["accounts/undo-address/"] = [{"signed": signing.dumps(change.pk, salt=UNDO)}]
        reviews.measure_luck(built.games["ended"].pk, timezone.now())
        reports.report_at_table(public_id=alone.public_id, user=built.people["eve"], seat=0, reason="engine")
        Game.objects.filter(reviews__isnull=False).update(counts=True)  # so that moderators see who follows the engine
        yield built


class Look(NamedTuple):
    """A page: who opens which address, and the status of the answer. With `sent`, it answers a form that sends that.

    `leads_on`: the answer is a redirect to the page.
    """

    who: str
    address: str
    sent: dict[str, object] | None = None
    status: int = 200
    leads_on: bool = False


def visitors(world: World) -> dict[str, Client]:
    """Return a browser for each of the people, for a captain, an account without a password, and a link in an email.

    Alice has just signed in.
    """
    clients = {"nobody": Client(), "player by link": Client(), "captain": Client(), "without password": Client()}
    for name, user in world.people.items():
        clients[name] = Client()
        clients[name].force_login(user, backend=BACKEND)
    _gathering, playing = world.arguments["tournaments/<str:public_id>/teams/<int:pk>/"][:2]
    clients["captain"].force_login(Team.objects.get(pk=playing["pk"]).captain, backend=BACKEND)
    bare, _is_new = User.objects.get_or_create(username="Nora", defaults={"password": make_password(None)})
    clients["without password"].force_login(bare, backend=BACKEND)
    clients["alice"].post(reverse("account_reauthenticate"), {"password": PASSWORD})
    game = world.games["private"]
    clients["player by link"].post(reverse("enter", args=[game.public_id, keys.key(seats_of(game)[0])]))
    return clients


def in_turn(game: Game) -> str:
    return seats_of(game)[some_turn(game)[0]].user.username.lower()


def pages(world: World) -> dict[str, tuple[str, str]]:
    """Return who looks at which address, by the name of the page."""
    games = world.games
    at = {name: game.get_absolute_url() for name, game in games.items()}
    season = f"/leagues/harbour/{world.arguments['leagues/<slug:slug>/<int:number>/'][0]['number']}/"
    cup = {row.name: f"/tournaments/{row.public_id}/" for row in Tournament.objects.all()}
    team_match = f"team-matches/{world.arguments['tournaments/<str:public_id>/team-matches/'][0]['pk']}/"
    foxes, member = world.arguments["tournaments/<str:public_id>/teams/<int:pk>/"][:2]
    match = f"/matches/{world.arguments['matches/'][0]['pk']}/"
    key = {name: str(world.arguments[name][0]["signed"]) for name in ("enter", "take", "mute")}
    unsubscribe = f"/accounts/unsubscribe/{world.arguments['accounts/unsubscribe/'][0]['signed']}/"
    reviewed = world.arguments["review_turn"][0]["seq"]
    duplicate = f"/duplicates/{world.arguments['duplicates/'][1]['public_id']}/"
    return {
        "front": ("nobody", "/"),
        "sign up": ("nobody", "/accounts/signup/"),
        "sign in": ("nobody", "/accounts/login/"),
        "about": ("nobody", "/about/"),
        "privacy": ("nobody", "/privacy/"),
        "guide to bots": ("nobody", "/docs/bots.md"),
        "files of standings": ("nobody", "/docs/standings.md"),
        "my data": ("gil", "/accounts/data/"),
        "delete my account": ("gil", "/accounts/delete/"),
        "fair play": ("nobody", "/fair-play/"),
        "desk": ("alice", "/desk/"),
        "desk of a guest": ("gil", "/desk/"),
        "lobby": ("alice", "/lobby/"),
        "play now": ("gil", "/play-now/"),
        "find a game": ("alice", "/find/"),
        "find a game, searching": ("carol", "/find/"),
        "open a table": ("alice", "/lobby/open/"),
        "invitation by link": ("nobody", f"/join/{games['invited'].invite_token}/"),
        "link of an email": ("nobody", f"{at['private']}enter/{key['enter']}/"),
        "card of an email": ("nobody", f"{at['watched']}turn/{key['take']}/elf/"),
        "mute a game": ("nobody", f"{at['private']}mute/{key['mute']}/"),
        "unsubscribe": ("nobody", unsubscribe),
        "table, waiting for players": ("alice", at["open"]),
        "table, bids": ("bob", at["sealed"]),
        "table, set-up by hand": ("bob", at["by hand"]),
        "table, cards on offer": (in_turn(games["watched"]), at["watched"]),
        "table, a turn laid out": (in_turn(games["private"]), at["private"]),
        "table, steps laid out": (in_turn(games["steps"]), at["steps"]),
        "table, who goes first": ("dan", at["first"]),
        "table, asked to undo": ("dan", at["undo"]),
        "table by a link": ("player by link", at["private"]),
        "table, spectator": ("eve", at["watched"]),
        "table, lesson": ("gil", at["lesson"]),
        "table, end of a turn?": (in_turn(games["private"]), f"{at['private']}?then=done"),
        "table, Kingdoms": (in_turn(games["kingdoms"]), at["kingdoms"]),
        "table, Kingdoms, draw?": (in_turn(games["kingdoms"]), f"{at['kingdoms']}?then=draw"),
        "table, Kingdoms, a turn laid out": (in_turn(games["laid out"]), at["laid out"]),
        "table, history": ("alice", at["ended"] + "?at=9"),
        "settings of a game": ("alice", at["watched"] + "seat/"),
        "standing orders": ("alice", at["kingdoms"] + "orders"),
        "chat": ("alice", at["watched"] + "chat/"),
        "full game": ("alice", f"/full-games/{FullGame.objects.get().pk}/"),
        "result": ("alice", at["ended"]),
        "result, Kingdoms": ("carol", at["ended kingdoms"]),
        "review": ("alice", at["ended"] + "review/"),
        "turn of a review": ("alice", f"{at['ended']}review/{reviewed}/"),
        "hint": ("alice", at["alone"] + "hint/"),
        "report a player": ("alice", at["ended"] + "report/"),
        "report a name": ("bob", "/players/Alice/report/"),
        "messages from the moderators": ("alice", "/accounts/moderators/"),
        "rules of conduct": ("nobody", "/conduct/"),
        "terms of use": ("nobody", "/terms/"),
        "moderation: reports": ("sam", "/moderation/"),
        "moderation: a report": ("sam", f"/moderation/reports/{world.arguments['moderation/reports/'][0]['pk']}/"),
        "moderation: a player": ("sam", "/moderation/players/Alice/"),
        "moderation: networks": ("sam", "/moderation/networks/"),
        "moderation: log": ("sam", "/moderation/log/"),
        "my bots": ("alice", "/accounts/bots/"),
        "bot of one’s own": ("alice", "/accounts/bots/Robin%20Bot/"),
        "check of a game": ("alice", at["ended"] + "verify/"),
        "check of a file": ("nobody", "/verify/"),
        "history": ("alice", "/history/"),
        "rules": ("nobody", "/rules/"),
        "rules of Legends": ("nobody", "/rules/legends/"),
        "rules of the prototype": ("nobody", "/rules/prototype/"),
        "rules of the classic game": ("nobody", "/rules/classic/"),
        "rules of Kingdoms": ("nobody", "/rules/kingdoms/"),
        "rules of clocks": ("nobody", "/rules/clocks/"),
        "cards of Legends": ("nobody", "/rules/legends/cards/"),
        "cards of Kingdoms": ("nobody", "/rules/kingdoms/cards/"),
        "learn": ("alice", "/learn/"),
        "people": ("alice", "/people/"),
        "player": ("alice", "/players/Bob/"),
        "own page": ("alice", "/players/Alice/"),
        "bot": ("alice", "/bots/medium/"),
        "leagues": ("alice", "/leagues/"),
        "league": ("alice", "/leagues/harbour/"),
        "season": ("alice", season),
        "division": ("alice", f"{season}1-1/"),
        "organizing a season": ("alice", f"{season}organize/"),
        "match, decided": ("sam", match),
        "league settings": ("alice", "/leagues/harbour/settings/"),
        "helpers of a league": ("alice", "/leagues/harbour/organizers/"),
        "asked to help": ("eve", "/leagues/harbour/organizers/"),
        "rules and announcements of a league": ("alice", "/leagues/harbour/words/"),
        "webhooks of a league": ("alice", "/leagues/harbour/webhooks/"),
        "entry conditions of a league": ("alice", "/leagues/harbour/gate/"),
        "embedded league": ("nobody", "/leagues/harbour/embed/"),
        "embedded division": ("nobody", f"{season}1-1/embed/"),
        "rules of leagues": ("nobody", "/rules/leagues/"),
        "create a league": ("alice", "/leagues/create/"),
        "tournaments": ("alice", "/tournaments/"),
        "tournament, signing up": ("alice", cup["Open Cup"]),
        "tournament, running": ("alice", cup["Running Cup"]),
        "organizing a tournament": ("alice", f"{cup['Running Cup']}organize/"),
        "helpers of a tournament": ("alice", f"{cup['Running Cup']}organizers/"),
        "rules and announcements of a tournament": ("alice", f"{cup['Running Cup']}words/"),
        "webhooks of a tournament": ("alice", f"{cup['Running Cup']}webhooks/"),
        "entry conditions of a tournament": ("alice", f"{cup['Open Cup']}gate/"),
        "embedded tournament": ("nobody", f"{cup['Running Cup']}embed/"),
        "arena": ("alice", cup["Arena"]),
        "arena, waiting": ("carol", cup["Arena"]),
        "tournament, ended": ("alice", cup["Ended Cup"]),
        "team league, signing up": ("bob", cup["Gathering League"]),
        "team league, running": ("alice", cup["Team League"]),
        "settings of the next season": ("alice", f"{cup['Team League']}settings/"),
        "create a team": ("dan", f"{cup['Gathering League']}teams/create/"),
        "team, its captain": ("bob", f"{cup['Gathering League']}teams/{foxes['pk']}/"),
        "invitation to a team": ("dan", f"{cup['Gathering League']}teams/{foxes['pk']}/join/{foxes['token']}/"),
        "team": ("alice", f"{cup['Team League']}teams/{member['pk']}/"),
        "team match": ("alice", f"{cup['Team League']}{team_match}"),
        "create a tournament": ("alice", "/tournaments/open/"),
        "ladder": ("alice", "/ladder/legends/"),
        "history of a ladder": ("alice", "/ladder/legends/history/"),
        "ratings of Legends": ("alice", "/ratings/legends/"),
        "calibration": ("alice", "/ratings/legends/calibration/"),
        "records": ("alice", "/ratings/legends/records/"),
        "statistics": ("alice", "/ratings/legends/statistics/"),
        "duplicates": ("alice", "/duplicates/"),
        "open a duplicate": ("alice", "/duplicates/open/"),
        "duplicate": ("alice", duplicate),
        "preferences": ("alice", "/accounts/preferences/"),
        "notification settings": ("alice", "/accounts/notices/"),
        "notifications": ("alice", "/notices/"),
        "vacation": ("alice", "/accounts/time-off/"),
        "calendar": ("alice", "/accounts/notices/calendar/"),
        "sessions": ("alice", "/accounts/sessions/"),
        "email address": ("alice", "/accounts/email/"),
        "password": ("alice", "/accounts/password/change/"),
        "two-factor": ("alice", "/accounts/2fa/"),
    }


def questions(world: World) -> dict[str, Look]:
    """Return pages that ask before something is done, most of them answers to a form, or that say why it isn't."""
    why = {"reason": "They asked for it."}
    cup = {row.name: row.get_absolute_url() for row in Tournament.objects.all()}
    season = f"/leagues/harbour/{world.arguments['leagues/<slug:slug>/<int:number>/'][0]['number']}/organize/"
    entrant = {row.tournament_id is None: row.pk for row in Entrant.objects.filter(
        Q(season__league__slug="harbour") | Q(tournament__name="Open Cup"), name="Carol")}  # fmt: skip
    match = Match.objects.get(pk=world.arguments["matches/"][1]["pk"])
    version = {"version": match.version, **why}
    places = {f"place_{appearance.seat}": appearance.seat + 1 for appearance in match.appearances.all()}
    foxes = Team.objects.get(name="Foxes", tournament__name="Gathering League")
    teams.join(team=foxes, user=world.people["carol"])
    own = TeamPlayer.objects.get(team=foxes, entrant__user=world.people["carol"])
    other = TeamPlayer.objects.filter(team__tournament__name="Team League").first()
    assert other
    gathering, running = (
        reverse("team_act", args=[player.team.tournament.public_id, player.team.pk]) for player in (own, other)
    )
    closed = lobby.open_table(user=world.people["alice"])
    lobby.close_table(game=closed, user=world.people["alice"])
    unconfirmed = EmailConfirmationHMAC(EmailAddress.objects.get(user=world.people["una"]))
    return {
        "remove from a season?": Look("sam", season, {"action": "remove", "entrant": entrant[True], **why}),
        "ban from a league?": Look("sam", season, {"action": "ban", "name": "Eve", **why}),
        "decide a match?": Look("sam", f"/matches/{match.pk}/decide", {"action": "award", **places, **version}),
        "annul a match?": Look("sam", f"/matches/{match.pk}/decide", {"action": "annul", **version}),
        "remove from a tournament?": Look("alice", f"{cup['Open Cup']}organize/", {
            "form": "player", "player-entrant": entrant[False], "player-action": "remove",
            "player-reason": why["reason"]}),
        "ban from a tournament?": Look("alice", f"{cup['Open Cup']}organize/", {
            "form": "ban", "ban-name": "Eve", "ban-reason": why["reason"]}),
        "cancel a tournament?": Look("alice", f"{cup['Open Cup']}organize/", {
            "form": "close", "close-reason": why["reason"]}),
        "leave a team?": Look("bob", gathering, {"action": "leave"}),
        "hand over a team?": Look("bob", gathering, {"action": "hand_over", "player": own.pk}),
        "remove from a team?": Look("bob", gathering, {"action": "remove", "player": own.pk}),
        "remove a team?": Look("sam", gathering, {"action": "take_out", **why}),
        "leave a team that plays?": Look("captain", running, {"action": "leave"}),
        "resign?": Look("alice", f"{world.games['private'].get_absolute_url()}seat/", {
            "action": "bot", "bot-length": FOR_GOOD}),
        "second factor": Look("nobody", "/accounts/login/", {
            "login": "alice@example.org", "password": PASSWORD}, leads_on=True),
        "code by email": Look("nobody", "/accounts/login/code/", {"email": "bob@example.org"}, leads_on=True),
        "suspended": Look("zoe", "/lobby/open/", {}, 403),
        "sign in again": Look("ned", "/accounts/data/", status=403),
        "sign in for this": Look(
            "player by link", reverse("undo_turn", args=[world.games["private"].public_id]), status=403),
        "invitation to a closed table": Look("nobody", f"/join/{closed.invite_token}/", status=404),
        "confirm an address": Look("una", reverse("account_confirm_email", args=[unconfirmed.key])),
        "link of a turn that is over": Look(
            "nobody", reverse("take", args=[world.games["watched"].public_id, "x:y", "elf"]), status=410),
        "link of an email, broken": Look("nobody", "/accounts/unsubscribe/x:y/", status=410),
    }  # fmt: skip


def every_page(world: World) -> dict[str, Look]:
    """Return these pages and questions, and one for each other address that shows a whole page to anyone."""
    looks = {name: Look(*look) for name, look in pages(world).items()}
    addresses = [unquote(look.address.partition("?")[0]) for look in looks.values()]
    looked_at = {resolve(address).url_name for address in addresses}
    clients = visitors(world)
    for route in routes():
        if route.name in looked_at | OTHERS or route.text.startswith("admin/"):
            continue
        for path, who in product(paths(world, route)[:1], clients):
            response = clients[who].get(path)
            if response.status_code == 200 and not response.streaming and b"</html>" in response.content:
                looks[route.name] = Look(who, path)
                break
    return looks | questions(world) | {"error": Look("nobody", NOWHERE, status=404)}


@pytest.fixture
def visit(browser: Browser, world: World) -> Iterator[Callable[..., list[str]]]:
    """Return a function that opens a page, and returns why it is not that page, if it is not.

    This process answers its requests: the rows of the world are in the transaction of this test, which no other sees.
    """
    clients = visitors(world)
    own = copy_context()  # it has the connection with the transaction; playwright calls `answer` in another

    def open_page(page: Page, look: Look) -> list[str]:
        who, address, sent, status, leads_on = look
        other: list[str] = []

        def answer(route: Route) -> None:
            if route.request.method != "GET" or "/live/" in route.request.url:
                return route.abort()
            headers = {name: text for name, text in route.request.headers.items() if name.startswith("hx-")}
            path = route.request.url.removeprefix(SITE)
            if path == address and sent is not None:
                cookies = clients[who].cookies.copy()
                response = own.run(clients[who].post, path, sent, follow=True)
                clients[who].cookies = cookies
            else:
                response = own.run(clients[who].get, path, headers=headers, follow=True)
            if path == address and (response.status_code, bool(response.redirect_chain)) != (status, leads_on):
                other.append(f"{who} sees another page: {response.status_code}, {response.redirect_chain}")
            body = response.getvalue() if response.streaming else response.content
            return route.fulfill(status=response.status_code, headers=dict(response.items()), body=body)

        page.unroute_all()
        page.route("**/*", answer)
        page.goto(SITE + address)
        page.evaluate(QUIET)
        return other

    yield open_page


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A phone. The theme is chosen before anything is drawn: colors that just change are not those that stay."""
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce", color_scheme=request.param)
    yield context.new_page()
    context.close()


def violations(page: Page, within: str = "html") -> list[str]:
    """Return what axe finds with all its rules, also with those that it leaves out unless they are asked for."""
    broken = Axe().run(page, within, {"rules": {rule: {"enabled": True} for rule in ASKED_FOR}}).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in broken
        for node in violation["nodes"]
        # A link in the picture of kingdoms is named by what it does and to whom. The numbers drawn there are no label
        if not (
            violation["id"] == "label-content-name-mismatch" and node["html"].startswith('<a class="target choose"')
        )
    ]


@pytest.mark.long
@pytest.mark.usefixtures("browser")  # before the world: its driver has another context, and so another connection
def test_each_template_of_a_whole_page_is_rendered(world):
    """Otherwise the tests of this module would miss a template."""
    drawn: set[str] = set()

    def note(template, **rest) -> None:
        drawn.add(template.name)

    looks, clients = every_page(world).values(), visitors(world)
    template_rendered.connect(note)
    for who, address, sent, *_answer in looks:
        cookies = clients[who].cookies.copy()
        clients[who].get(address) if sent is None else clients[who].post(address, sent, follow=True)
        clients[who].cookies = cookies
    template_rendered.disconnect(note)
    files = [file for file in TEMPLATES.rglob("*.html") if "{% extends" in file.read_text(encoding="utf-8")]
    whole = {str(file.relative_to(TEMPLATES)) for file in files} - NOT_LOOKED_AT
    left_out = {name for name in whole if not name.startswith(("admin/", "notices/emails/"))}
    assert left_out - drawn == set()


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_on_any_page_and_targets_are_large(world, visit, page, part):
    problems = []
    for name, look in list(every_page(world).items())[part::PARTS]:
        other = visit(page, look)
        problems += [f"{name}: {problem}" for problem in (*other, *violations(page), *page.evaluate(TOO_SMALL))]
        problems += [f"{name}: {problem}" for problem in page.evaluate(MOVING)]
    assert not problems, "\n".join(problems)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_large_text_and_narrow_windows_lose_nothing(world, visit, browser, part):
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")
    page, problems = context.new_page(), []
    for name, look in list(every_page(world).items())[part::PARTS]:
        visit(page, look)
        for width, percent in SIZES:
            page.set_viewport_size({"width": width, "height": 844})
            page.evaluate(RESIZE, percent)
            problems += [f"{name}, {width} px, text {percent} %: {problem}" for problem in page.evaluate(CUT_OFF)]
    context.close()
    assert not problems, "\n".join(problems)


@pytest.mark.long
def test_axe_finds_nothing_on_the_pages_of_moderators(world, visit, page, monkeypatch):
    """Check only our part of these pages, because the rest is Django's."""
    monkeypatch.setattr(oversight, "FEWEST_REVIEWED", 1)
    report, problems = Report.objects.get(reason="engine"), []
    game, main = world.games["watched"], "#content-main"
    ours: list[tuple[str, str, dict[str, object] | None]] = [
        ("seatreview/", main, None), ("report/", "#result_list", None), (f"report/{report.pk}/change/", main, None),
        (f"game/{game.pk}/desk/", main, None),
        (f"game/{game.pk}/desk/void", main, {"seq": again(game).seq, "reason": "They asked for it."}),
    ]  # fmt: skip
    for address, within, sent in ours:
        other = visit(page, Look("sam", f"/admin/tables/{address}", sent))
        problems += [f"{address}: {problem}" for problem in (*other, *violations(page, within))]
    assert not problems, "\n".join(problems)
