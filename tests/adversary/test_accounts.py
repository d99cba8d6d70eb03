"""Attacks on accounts: breaking in, impersonating others, flooding mailboxes, reaching a player who blocked you."""

import re
from html import unescape

import pytest

from tests.accounts.conftest import PASSWORD
from tests.adversary.attacker import Browser, Reply
from tests.adversary.conftest import Target
from tests.running import until

pytestmark = [pytest.mark.site("adversary"), pytest.mark.long]

NEW = "another harbour, louder"
FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via")
SET_PASSWORD = """
from accounts.models import User
one = User.objects.get(username={!r})
one.set_password({!r})
one.save()
answer(None)
"""
OPENS = """
from accounts.models import User
answer(User.objects.get(email="{email}").check_password("{password}"))
"""
FREE_SEATS = """
from accounts.models import User
from games.tables.services import lobby
opener = User.objects.get(username="{opener}")
game = lobby.open_table(user=opener, players=3, listed={listed})
answer([game.public_id, game.invite_token])
"""
TOGETHER = """
from accounts.models import User
from tests.cast import table_of
people = [User.objects.get(username=name) for name in ("Dan", "Mallory", "Bob")]
answer(table_of(*people, ruleset="kingdoms", options={"collusion": True}).public_id)
"""
MY_TURN = """
from accounts.models import User
from games.tables.services import chat
from tests.cast import in_turns
people = [User.objects.get(username=name) for name in ("Carol", "Bob")]
people[0].delay = 0
people[0].save()
game = in_turns(*people, listed=False)
chat.say(public_id=game.public_id, user=people[0], text="Nobody but us hears this")
chat.write_note(public_id=game.public_id, user=people[0], text="My secret plan")
answer(game.public_id)
"""


def link(target: Target, mailbox: str, path: str) -> str:
    """The path of the link in the latest email to this mailbox, which must lead to the site."""
    match = re.search(rf"(\S+)({path}\S+)", target.emails(mailbox)[-1])
    assert match and match[1] == target.site.address
    return match[2]


def sign_up(browser: Browser, name: str, email: str) -> Reply:
    return browser.post("/accounts/signup/", {"username": name, "email": email, "password1": PASSWORD, "accepts": "1"})


def sign_in(browser: Browser, email: str, password: str, **headers: str) -> Reply:
    return browser.post("/accounts/login/", {"login": email, "password": password}, **headers)


def sign_in_by_code(target: Target, email: str) -> Browser:
    browser = target.visitor()
    target.sign_in_by_code(browser, email)
    return browser


def is_signed_in(browser: Browser) -> bool:
    return browser.get("/accounts/preferences/").status == 200


def text(reply: Reply) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", reply.page)).split())


# Addresses of others


def test_nobody_keeps_an_account_created_with_the_address_of_someone_else(target: Target) -> None:
    thief, email = target.visitor(), "hijacked@example.org"
    sign_up(thief, "Hijacker", email)
    assert is_signed_in(thief)
    owner = sign_in_by_code(target, email)
    assert is_signed_in(owner) and not is_signed_in(thief)
    again = target.visitor()
    sign_in(again, email, PASSWORD)
    assert not is_signed_in(again)
    # Not by signing in: other tests may have used up its rate limit
    assert not target.run(OPENS.format(email=email, password=PASSWORD))


def test_sending_the_link_to_its_owner_does_not_confirm_an_address_for_the_attacker(target: Target) -> None:
    thief, owner, email = target.visitor(), target.visitor(), "clicker@example.org"
    sign_up(thief, "Sender", email)
    path = link(target, email, "/accounts/confirm-email/")
    assert owner.post(path).status == 422
    assert owner.post(path, {"password1": NEW, "password2": NEW}).status == 302
    assert is_signed_in(owner) and not is_signed_in(thief)
    assert not target.run(OPENS.format(email=email, password=PASSWORD))


@pytest.mark.parametrize("way", ["password/reset/", "login/code/"])
def test_no_forged_host_appears_in_the_links_of_emails(target: Target, way: str) -> None:
    target.signed_in("Bob")
    for email in ("bob@example.org", "nobody-here@example.org"):
        count = len(target.emails(email))
        target.visitor().post(f"/accounts/{way}", {"email": email}, Host="evil.example.net")
        emails = target.emails(email)[count:]
        assert emails and not any("evil" in email for email in emails)  # news of a game may arrive as well
        if way == "password/reset/":
            assert link(target, email, "/accounts/")


def test_nobody_can_flood_a_mailbox_and_no_response_reveals_the_limit(target: Target) -> None:
    answers: dict[str, set[tuple[int, str]]] = {}
    for n in range(3):
        email = f"flooded+{n}@example.org"
        for way in ("signup/", "login/code/", "password/reset/"):
            here = target.visitor()
            reply = here.post(
                f"/accounts/{way}", {"username": f"Flooder {n}", "email": email, "password1": PASSWORD, "accepts": "1"}
            )  # fmt: skip
            where = re.sub(r"[?].*", "", reply.location)
            shown = re.sub(rf"\+{n}@|Flooder {n}", "", text(here.follow(reply)))
            answers.setdefault(way, set()).add((reply.status, f"{where} {shown}"))
    assert len(target.emails("flooded@example.org")) == 5
    assert {way: len(seen) for way, seen in answers.items()} == dict.fromkeys(answers, 1)


# Passwords and names


def test_forged_forwarding_headers_and_hosts_do_not_raise_the_limit_on_passwords(target: Target) -> None:
    """The limits are five attempts per account in five minutes, and ten per minute for all accounts."""
    target.signed_in("Bob")
    statuses = []
    for n in range(20):
        email = "bob@example.org" if n < 10 else f"guess{n}@example.org"
        forged = dict.fromkeys(FORWARDED, f"203.0.113.{n}") | {"Host": f"host{n}.example.net"}
        statuses.append(sign_in(target.visitor(), email, f"wrong {n}", **forged).status)
    assert set(statuses[5:10]) == {429} == set(statuses[15:])


IMITATIONS = ["AIice", "Al_ice", "Site Admin", "Webmaster", "Greedy bot"]


def test_nobody_can_take_a_name_that_imitates_another_player_or_the_site(target: Target) -> None:
    _alice, mallory = target.signed_in("Alice", "Mallory")
    for n, name in enumerate(IMITATIONS):
        newcomer = target.visitor()
        reply = sign_up(newcomer, name, f"imitator{n}@example.org")
        assert reply.status != 302 and re.search("That name is (taken|reserved)", text(reply))
        assert not is_signed_in(newcomer)
        reply = mallory.post("/accounts/preferences/", {"username": name, "time_zone": "UTC", "theme": "auto"})
        assert reply.status == 422 and re.search("That name is (taken|reserved)", text(reply))
        assert mallory.get(f"/players/{name.replace(' ', '%20')}/").status == 404


# Blocked players


def test_a_blocked_player_cannot_reach_the_one_who_blocked_them(target: Target) -> None:
    dan, mallory, bob = target.signed_in("Dan", "Mallory", "Bob")
    together = target.run(TOGETHER)
    for browser in (dan, mallory):
        browser.post("/ladder/classic/join")
    dan.post("/players/Mallory/block")

    challenge = mallory.follow(mallory.post("/ladder/classic/challenge", {"player": "Dan"}))
    assert "This player is away." in text(challenge)
    game, invite = target.run(FREE_SEATS.format(opener="Dan", listed=True))
    for way_in in (f"/games/{game}/join", f"/join/{invite}/"):
        assert mallory.post(way_in).status == 404, way_in
    reply = mallory.post(f"/games/{together}/seat/", {"action": "ask", "name": "Dan"})
    assert reply.status == 422
    reply = mallory.follow(mallory.post(f"/games/{together}/chat/say", {"text": "Psst, Dan", "to": 0}))
    assert "Psst, Dan" in text(reply), "it looks sent"
    mallory.post(f"/games/{together}/chat/say", {"text": "Hello, Dan"})
    heard = text(dan.get(f"/games/{together}/chat/"))
    assert "Psst, Dan" not in heard and "Hello, Dan" not in heard
    assert "Hello, Dan" in text(bob.get(f"/games/{together}/chat/"))


# Stolen sessions, links and keys


def test_a_stolen_session_alone_cannot_change_the_address(target: Target) -> None:
    target.signed_in("Carol")
    target.run(SET_PASSWORD.format("Carol", PASSWORD))
    (stolen,) = target.signed_in("Carol")
    reply = stolen.post("/accounts/email/", {"email": "bare@example.org", "action_add": ""})
    assert reply.location.startswith("/accounts/reauthenticate/")
    assert not target.emails("bare@example.org")


def test_a_thief_with_one_code_cannot_keep_the_account_by_changing_its_address(target: Target) -> None:
    target.signed_in("Robbed")
    target.run(SET_PASSWORD.format("Robbed", None))  # the owner signs in only with codes
    thief, owner = sign_in_by_code(target, "robbed@example.org"), target.visitor()
    thief.post("/accounts/email/", {"email": "thief@example.org", "action_add": ""})
    path = link(target, "thief@example.org", "/accounts/confirm-email/")
    target.visitor().post(path, {"password1": NEW, "password2": NEW})
    assert len(target.emails("robbed@example.org")) == 1, "another browser cannot confirm"
    thief.post(path)
    undo = link(target, "robbed@example.org", "/accounts/undo-address/")
    assert owner.get(undo).status == 200 and is_signed_in(thief), "viewing changes nothing"
    form = owner.get(owner.post(undo).location).location
    assert owner.post(form, {"password1": NEW, "password2": NEW}).status == 302
    assert not is_signed_in(thief)
    assert target.run(OPENS.format(email="robbed@example.org", password=NEW))


def test_a_key_from_an_email_opens_no_chat_or_notes_and_ends_with_signing_out_everywhere(target: Target) -> None:
    carol, _bob = target.signed_in("Carol", "Bob")
    game = target.run(MY_TURN)
    key = f"/games/{game}/enter/"
    assert until(lambda: any(key in email for email in target.emails("carol@example.org")))
    path = link(target, "carol@example.org", key)
    thief = target.visitor()
    assert thief.get(f"/games/{game}/").status == 404
    thief.post(path)
    assert thief.get(f"/games/{game}/").status == 200
    replies = [
        thief.get(f"/games/{game}/chat/"),
        thief.post(f"/games/{game}/chat/say", {"text": "I resign, says Carol"}),
        thief.post(f"/games/{game}/chat/note", {"note": "overwritten"}),
    ]
    for reply in replies:
        assert reply.status == 403 and "secret plan" not in reply.page and "Nobody but us" not in reply.page
    talk = carol.get(f"/games/{game}/chat/").page
    assert "secret plan" in talk and "I resign" not in talk and "overwritten" not in talk
    carol.post("/accounts/sessions/")
    assert is_signed_in(carol)
    assert {thief.get(f"/games/{game}/").status, target.visitor().get(path).status} == {410}


def test_a_player_who_left_a_private_table_no_longer_gets_its_updates(target: Target) -> None:
    _bob, mallory = target.signed_in("Bob", "Mallory")
    game, invite = target.run(FREE_SEATS.format(opener="Bob", listed=False))
    mallory.post(f"/join/{invite}/")
    live = re.search(r"/live/[\w:-]+", mallory.get(f"/games/{game}/").page)
    assert live and mallory.get(f"{live[0]}?now").status == 200
    mallory.post(f"/games/{game}/leave")
    assert mallory.get(f"{live[0]}?now").status == 404


# Pages


def test_browsers_store_no_account_page(target: Target) -> None:
    (bob,) = target.signed_in("Bob")
    for page in ("preferences/", "email/", "sessions/", "2fa/", "password/change/", "notices/", "time-off/", "none/"):
        assert "no-store" in bob.get(f"/accounts/{page}").headers["Cache-Control"], page


@pytest.mark.sampled
@pytest.mark.parametrize("header", FORWARDED)
def test_nobody_can_read_the_emails_or_metrics_of_the_site_through_a_proxy(target: Target, header: str) -> None:
    stranger = target.visitor(Host="localhost")
    assert stranger.get("/mail/").status == stranger.get("/metrics").status == 200, (
        "on the machine itself both are shown"
    )
    for address in ("127.0.0.1", "203.0.113.9"):
        assert stranger.get("/mail/", **{header: address}).status == 404
        assert stranger.get("/metrics", **{header: address}).status in (401, 404)
