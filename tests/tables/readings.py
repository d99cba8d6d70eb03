"""Everything that one reader can learn about a game, and a changed game that differs only in what they can't know."""

import re
from collections.abc import Iterable, Iterator
from difflib import unified_diff

import msgspec
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts import personal
from accounts.models import User
from accounts.proof import calendar_url
from empire import insert_only
from empire.web.live import Versions
from empire.web.static_files import release
from games.errors import GameError
from games.notices.delivery import messages
from games.notices.delivery.channels import brief, email
from games.notices.delivery.families import parts_of
from games.notices.models import Notice
from games.rules.protocol import NeedsChance, State
from games.tables import keys
from games.tables.models import Draft, Entry, Game, Seat, Seed, Snapshot
from games.tables.selectors import chat, lines, position
from games.tables.selectors.live import versions
from games.tables.services import play
from games.tables.views import preview
from tests.cast import again, seats_of, state_of
from tests.rules.families import FAMILIES
from tests.web.reading import without_token

PAGES = ("/desk/", "/lobby/", "/notices/")
PARTS = ("", "?log=all", "view.json", "record.json", "undo-turn", "seat/", "verify/", "orders", "review/", "hint/")
NONSENSE = ("bid 99", "build x1", "token x x1", "lay moon centre 0", "first 9", "done;done", "fly away")
SENT = (("step", "build x1"), ("submit", "done;done"), ("decide", "bid 99"))
MOST_DRAFTS = 5
SCRIPT = {"HX-Request": "true"}


def look(game: Game, user: User | None) -> None:
    """Open the page of the table as this reader: news is marked only once."""
    browser_of(user).get(game.get_absolute_url())


def browser_of(user: User | None) -> Client:
    browser = Client()
    if user:
        browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return browser


def readings(game: Game, user: User | None, *, history: bool = True) -> dict[str, object]:
    """Return the answers to all requests that the reader can make.

    Leave out `history` for a position that was put on the table and doesn't follow from the log.
    """
    browser, seat = browser_of(user), Seat.objects.filter(game=game, user=user).first() if user else None
    url = game.get_absolute_url()
    addresses = [
        *PAGES,
        *(url + part for part in PARTS),
        f"{url}board/{again(game).seq}.svg",
        *(f"{url}?at={seq}" for seq in entries_to_read(again(game)) if history),
        *([f"{url}?at={again(game).seq}&from=1", f"{url}?since=turn&marks=1"] if history else ()),
    ]
    answers: dict[str, object] = {address: answer(browser.get(address)) for address in addresses}
    if user:  # in a calendar, and in the archive of their data
        answers["calendar"] = browser.get(calendar_url(user).removeprefix("http://testserver")).content
        answers["archive"] = dict(personal.files(user))
    news = Versions(*versions([game.public_id])[game.public_id])
    answers["fragment"] = answer(browser.get(url, headers=SCRIPT))
    answers["news"] = (news.version, news.newest(chat.rooms(seat)))
    answers["refresh"] = answer(browser.get(url, headers=refresh_headers(browser.get(url, headers=SCRIPT))))
    if user is None and history and game.listed:
        preview._drawn.cache_clear()
        picture = reverse("table_picture", args=[game.public_id, again(game).seq])
        answers["picture"] = browser.get(picture).content
    if seat:
        answers |= refusals(browser, game) | step_refusals(game, seat, NONSENSE) | drafts(browser, game, seat)
        answers |= emails(seat) | cards(game, seat)
    return answers


def refresh_headers(page: HttpResponse) -> dict[str, str]:
    """Return the headers with which the script of this page asks for a refresh."""
    land, log = (re.search(rf'data-{name}="([^"]*)"', page.content.decode()) for name in ("land", "state"))
    parts = re.findall(r'data-drawn="(\w+)"', page.content.decode())
    page_has = {"Parts": " ".join(parts), "Land": land[1] if land else "", "Log": log[1] if log else ""}
    return SCRIPT | {"HX-Target": "table", "Release": release(), **page_has}


def entries_to_read(game: Game) -> list[int]:
    """Return the numbers of the first and last entry and of one in between."""
    return sorted({0, 2 * game.seq // 3, game.seq})


def answer(response: HttpResponse) -> object:
    return response.status_code, response.headers.get("Location"), without_token(response)


def refusals(browser: Client, game: Game) -> dict[str, object]:
    """Return the answers to requests that make no sense."""
    url, seq = game.get_absolute_url(), again(game).seq
    return {
        f"{form} {text}": answer(browser.post(url + form, {"seq": seq, "action": text}, headers=SCRIPT))
        for form, text in SENT
    }


def step_refusals(game: Game, seat: Seat, texts: Iterable[str]) -> dict[str, object]:
    """Return the refusals of steps that can't be laid out. Pages show them below the rest."""
    return {f"refusal of {text}": refusal(game, seat, text) for text in texts}


def refusal(game: Game, seat: Seat, text: str) -> str:
    try:
        laid = play.add_steps(game=game, who=seat.number, actions=[text], expected_seq=again(game).seq)
    except GameError as refused:
        return str(refused)
    Draft.objects.filter(seat=seat, sealed=False).delete()
    return str(laid.actions)


def drafts(browser: Client, game: Game, seat: Seat) -> dict[str, object]:
    """Lay out some legal actions, undo each, and return the answers. Begin with actions that need chance."""
    url, state, seq = game.get_absolute_url(), state_of(game), again(game).seq
    legal = list(map(game.rules.text, game.rules.legal(state, seat.number)))
    final = [text for text in legal if needs_chance(game, state, seat.number, text)]
    answers = {}
    for action in [*final, *legal[:: 1 + len(legal) // MOST_DRAFTS]][:MOST_DRAFTS]:
        answers[f"laid out {action}"] = answer(
            browser.post(f"{url}step", {"seq": seq, "action": action}, headers=SCRIPT)
        )
        Draft.objects.filter(seat=seat, sealed=False).delete()
    return answers


def needs_chance(game: Game, state: State, seat: int, text: str) -> bool:
    try:
        game.rules.decide(state, seat, game.rules.parse(text), None)
    except NeedsChance:
        return True
    return False


def emails(seat: Seat) -> dict[str, object]:
    """Return the last notice to the seat: text, HTML and picture of an email, a push message and a webhook's."""
    notices = Notice.objects.filter(seat=seat).select_related("seat__game", "seat__user").order_by("-seq", "kind")[:1]
    short = {
        f"{kind.__name__} {notice.kind}": str(kind(messages.message(notice)))
        for notice in notices
        for kind in (brief.private, brief.shared)
    }
    return short | {
        f"email {notice.kind}": email.compose(messages.message(notice)).message().as_bytes() for notice in notices
    }


def cards(game: Game, seat: Seat) -> dict[str, object]:
    """Return what the last link of an email shows, to anyone who has it, of a card that the seat could take."""
    seat.game = game = again(game)
    _heading, offers = parts_of(game.rules).offers(game.rules.view(state_of(game), seat.number))
    links = keys.card_urls(seat, [offer.card for offer in offers if offer.card])
    return {"card": [answer(Client().get(link)) for link in links[-1:]]}


# A changed game that the reader can't tell from the first


def change_secrets(game: Game, seat: int | None) -> None:
    """Change what the seat can't know: the seed, ages, bids and drafts of others, and the faces of unseen tokens."""
    state = state_of(game)
    other = FAMILIES[game.ruleset].scramble(state, seat)
    other.bids = state.bids
    Seed.objects.filter(game=game).update(secret=b"another seed for another game...")
    for row in seats_of(game):
        Seat.objects.filter(pk=row.pk).update(born=other.seats[row.number].born, joined=other.seats[row.number].joined)
    for draft in Draft.objects.filter(seat__game=game).exclude(seat__number=seat):
        draft.actions = ["bid 1" if draft.actions == ["bid 0"] else "bid 0"] if draft.sealed else draft.actions[:-1]
        draft.save()
    Snapshot.objects.filter(game=game).update(state=msgspec.json.encode(other).decode())
    insert_only.allow(connection)
    for entry, events in rewritten(game, state, other):
        Entry.objects.filter(pk=entry.pk).update(events=events)
    insert_only.forbid(connection)
    # Entries never change, so each process remembers what it has read of them.
    position._decoded.clear()
    lines._remembered.clear()


def rewritten(game: Game, state: State, other: State) -> Iterator[tuple[Entry, list[dict]]]:
    """Yield the entries in which someone looked at a token that has changed, with events that show the new face."""
    index = state.map.index
    for entry in Entry.objects.filter(game=game):
        seen = [event for event in entry.events if event["kind"] == "look" and other.faces[index[event["region"]]]]
        if seen:
            new = [event | {"face": other.faces[index[event["region"]]]} if event in seen else event
                   for event in entry.events]  # fmt: skip
            yield entry, new


def secrets_of_others(game: Game, seat: int | None) -> int:
    """Return the number of tokens whose face another seat knows and this one doesn't."""
    state = state_of(game)
    return sum(bool(face) and (seat is None or r in state.unseen[seat]) for r, face in enumerate(state.faces))


def differing(first: dict[str, object], second: dict[str, object]) -> list[str]:
    assert first.keys() == second.keys()
    return [key for key in first if first[key] != second[key]]


def difference(first: dict[str, object], second: dict[str, object]) -> str:
    """Return the lines in which the first two different answers differ, for the message of a failed test."""
    for key in differing(first, second):
        lines = [str(answers[key]).replace("\\n", "\n").splitlines() for answers in (first, second)]
        return "\n".join([key, *list(unified_diff(*lines, lineterm="", n=0))[:20]])
    return ""
