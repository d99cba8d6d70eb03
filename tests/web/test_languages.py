"""Languages: how one is chosen, and that one game is read in four languages without a word of another one."""

import re
from datetime import UTC, datetime, timedelta
from gettext import GNUTranslations
from pathlib import Path

import pytest
from django.core import mail
from django.template import Context, Template
from django.utils import timezone, translation

import games.tasks  # noqa: F401 # register the tasks, as a worker does
from accounts.models import User
from accounts.services import delete_account
from empire import catalogs, dates
from empire.management.commands.makemessages import in_f_strings
from empire.web.languages import display_name
from games.contests.leagues import news
from games.contests.leagues.badges import BadgeRow
from games.contests.models import NewsKind
from games.errors import TooOften
from games.notices.kinds import Kind
from games.notices.models import Notice
from games.notices.outbox import outbox
from games.notices.outbox.words import gettext_later, joined, later
from games.rules import words
from games.tables.models import Message
from games.tables.models.chat import PHRASES
from games.tables.selectors import chat as selector
from games.tables.services import chat, lobby
from games.tables.templatetags.clock import ago
from tests.cast import again, in_turns, person, play_out, play_turns, seats_of
from tests.contests.leagues import league_of
from tests.marked import MARKS, build_marked
from tests.notices.emails import pictures_of, received, send_due, text_of
from tests.running import ROOT
from tests.web.kingdoms import kingdoms_of
from tests.web.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small_pictures")]

GERMAN = {"Accept-Language": "de-CH,de;q=0.9,en;q=0.5"}


def language_of(answer) -> str:
    return re.search(r'<html lang="([\w-]+)"', text(answer))[1]


# How a language is chosen


def test_a_visitor_reads_the_language_that_the_browser_asks_for(client):
    answer = client.get("/", headers=GERMAN)
    assert language_of(answer) == "de" and answer["Content-Language"] == "de"
    assert {"accept-language", "cookie"} <= {word.strip().lower() for word in answer["Vary"].split(",")}
    assert language_of(client.get("/", headers={"Accept-Language": "ja"})) == "en"


def test_a_visitor_chooses_a_language_in_the_footer_without_a_script(client):
    page = client.get("/lobby/?game=legends")
    assert 'action="/accounts/language/"' in text(page)
    headers = {**GERMAN, "Referer": "http://testserver/lobby/?game=legends"}
    answer = client.post("/accounts/language/", {"language": "fr"}, headers=headers)
    assert answer.url == "/lobby/?game=legends"
    assert language_of(client.get("/", headers=GERMAN)) == "fr"
    assert answer.cookies["language"]["httponly"] and answer.cookies["language"]["samesite"] == "Lax"


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_the_footer_leads_to_no_other_site(client, wanted):
    assert client.post("/accounts/language/", {"language": "fr", "next": wanted}).url == "/"
    assert client.post("/accounts/language/", {"language": "fr"}, headers={"Referer": wanted}).url == "/"


def test_the_footer_does_not_repeat_the_address_of_a_page(client):
    assert "a-secret" not in text(client.get("/lobby/?key=a-secret"))


def test_an_unknown_language_changes_nothing(client):
    assert "language" not in client.post("/accounts/language/", {"language": "../xx"}).cookies
    client.cookies["language"] = "tlh"
    assert language_of(client.get("/", headers=GERMAN)) == "de"


def test_the_choice_of_an_account_comes_before_cookie_and_browser(come, alice):
    as_alice = come(alice)
    as_alice.cookies["language"] = "fr"
    assert language_of(as_alice.get("/lobby/", headers=GERMAN)) == "fr"  # no choice yet
    as_alice.post("/accounts/language/", {"language": "es", "next": "/lobby/"})
    as_alice.cookies["language"] = "fr"
    alice.refresh_from_db()
    assert alice.language == "es" and language_of(as_alice.get("/lobby/", headers=GERMAN)) == "es"


def test_the_language_can_be_chosen_in_the_settings(come, alice):
    as_alice, page = come(alice), come(alice).get("/accounts/preferences/")
    fields = {"username": "Alice", "time_zone": "UTC", "theme": "auto", "holds_turns": "on", "language": "de"}
    assert 'value="de"' in text(page)
    answer = as_alice.post("/accounts/preferences/", fields, follow=True)
    assert language_of(answer) == "de" and "Deine Einstellungen" in text(answer)
    assert as_alice.post("/accounts/preferences/", fields | {"language": "xx"}).status_code == 422


def test_a_new_account_has_the_language_of_the_page_where_it_signed_up(client, db):
    fields = {"username": "Heidi", "email": "heidi@example.org", "password1": "a horse of four colours", "accepts": "1"}
    client.post("/accounts/signup/", fields, headers=GERMAN)
    assert User.objects.get().language == "de"
    assert len(mail.outbox) == 1 and "bestätige sie" in mail.outbox[0].body
    # The account keeps it in a browser that asks for another one
    assert language_of(client.get("/lobby/", headers={"Accept-Language": "en"})) == "de"


def test_a_guest_keeps_the_language_of_the_first_page(client, db):
    client.post("/accounts/guest/", headers=GERMAN)
    assert User.objects.get().language == "de"


def test_errors_are_in_the_language_of_the_reader(client, come, alice):
    assert language_of(client.get("/nowhere/", headers=GERMAN)) == "de"
    broken = client.get("/", headers=GERMAN | {"Content-Type": "text/plain; charset=utf-7"})
    assert broken.status_code == 400 and language_of(broken) == "de"
    assert language_of(client.get("/", headers={"Content-Type": "text/plain; charset=utf-7"})) == "en"
    User.objects.filter(pk=alice.pk).update(language="es")
    assert language_of(come(alice).get("/nowhere/")) == "es"


def test_a_link_in_an_email_opens_the_page_in_the_language_of_its_reader(client, alice, bob):
    User.objects.filter(pk=alice.pk).update(language="fr")
    game = in_turns(alice, bob)
    send_due()
    email = received("Alice")[-1]
    assert "À vous de jouer" in text_of(email)
    url = re.search(r"http://testserver(/games/\w+/enter/[\w:-]+/)", text_of(email))[1]
    assert language_of(client.get(url, headers=GERMAN)) == "fr"
    assert language_of(client.post(url, headers=GERMAN, follow=True)) == "fr"
    assert language_of(client.get(game.get_absolute_url(), headers=GERMAN)) == "fr"


def test_words_with_two_meanings_are_told_apart(client, db):
    french = {"Accept-Language": "fr"}
    search = text(client.get("/find/", headers=french))
    assert "Jeux" in search and ">Parties<" not in search  # games to choose from, not games that were played
    assert "tous les jeux" in text(client.get("/lobby/?game=legends", headers=french))
    assert "Rondes" not in text(client.get("/lobby/open/?ruleset=kingdoms", headers=french))  # rounds of tournaments
    table = text(client.get("/lobby/open/?ruleset=legends", headers=GERMAN))
    assert "Planteile" in table and "Bretter" not in table  # boards of a map, not of a team match


def test_the_app_and_packages_speak_the_language_too(client, db):
    manifest = client.get("/manifest.webmanifest", headers=GERMAN).json()
    assert manifest["lang"] == "de" and "Brettspiele" in manifest["description"]
    answer = client.post("/accounts/login/", {"login": "nobody@example.org", "password": "wrong"}, headers=GERMAN)
    assert "sind nicht korrekt" in text(answer) or "ist nicht korrekt" in text(answer) or "falsch" in text(answer)


@pytest.mark.parametrize(
    ("code", "day", "time"),
    [
        ("en", "Saturday, 5 December", "5 Dec, 18:00"),
        ("de", "Samstag, 5. Dezember", "5. Dez, 18:00"),
        ("fr", "samedi 5 décembre", "5 déc, 18:00"),
        ("es", "sábado 5 de diciembre", "5 dic, 18:00"),
    ],
)
def test_days_are_written_in_the_order_of_each_language(code, day, time):
    moment = datetime(2026, 12, 5, 18, tzinfo=UTC)
    with translation.override(code):
        assert dates.localized(moment, "l, j F").lower() == day.lower()
        shown = Template('{{ moment|date:"j M, H:i" }}').render(Context({"moment": moment}))
    assert shown == time


def test_the_first_of_a_month_is_an_ordinal_in_french():
    moment = datetime(2026, 12, 1, 18, tzinfo=UTC)
    for code, day in (("en", "Tuesday, 1 December"), ("fr", "mardi 1er décembre"), ("es", "martes 1 de diciembre")):
        with translation.override(code):
            assert dates.localized(moment, "l, j F").lower() == day.lower()
            assert dates.localized(moment.date(), "l, j F").lower() == day.lower()
    with translation.override("fr"):
        assert dates.localized(moment, "j M, H:i") == "1er déc, 18:00"
        assert dates.localized(moment.replace(day=11), "j M, H:i") == "11 déc, 18:00"


def test_colons_between_values_are_written_as_each_language_writes_them():
    for code, line in (("en", "Bob: 7"), ("de", "Bob: 7"), ("fr", "Bob\N{NO-BREAK SPACE}: 7"), ("es", "Bob: 7")):
        with translation.override(code):
            assert Template("{{ name }}{% colon %} {{ n }}").render(Context({"name": "Bob", "n": 7})) == line
    with translation.override("fr"):
        badge = BadgeRow("", "Port", "port", 1, None, None, 2, 3, timezone.now())
        assert badge.title == "Port, saison 1\N{NO-BREAK SPACE}: division 2-3"


def test_no_template_has_an_english_colon_between_values():
    in_sentences = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}", re.DOTALL)
    for path in sorted((ROOT / "templates").rglob("*.*")):
        template = in_sentences.sub("", path.read_text(encoding="utf-8"))
        assert not re.findall(r".*(?:}}|%}|>): .*", template), path


@pytest.mark.parametrize(
    ("code", "days", "week"),
    [
        ("en", "2 days ago", "1 week ago"),
        ("de", "vor 2 Tagen", "vor 1 Woche"),
        ("fr", "il y a 2 jours", "il y a 1 semaine"),
        ("es", "hace 2 días", "hace 1 semana"),
    ],
)
def test_times_that_have_passed_are_in_the_right_case(code, days, week):
    with translation.override(code):
        for passed, words in ((timedelta(days=2, hours=3), days), (timedelta(days=8), week)):
            assert ago(timezone.now() - passed).replace("\N{NO-BREAK SPACE}", " ") == words


# One game in four languages


@pytest.fixture(scope="module")
def marked_catalogs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_marked(tmp_path_factory.mktemp("locale"))


@pytest.fixture
def marked(settings, marked_catalogs: Path) -> dict[str, str]:
    settings.LOCALE_PATHS = [marked_catalogs]
    settings.LANGUAGES = [("en", "English"), *((code, code) for code in MARKS)]
    yield MARKS
    translation.activate("en")


@pytest.fixture
def readers(marked, db) -> dict[str, User]:
    """Four readers by their language."""
    names = {"en": "Alice", "xa": "Bob", "xb": "Carol", "xc": "Dan"}
    return {code: person(name, language=code) for code, name in names.items()}


def need_only(page: str, code: str, part: str) -> None:
    """Fail if a part of the page is in the language of another reader, or nothing in this one's."""
    for other, mark in MARKS.items():
        if other != code:
            match = re.search(f".{{0,60}}{mark}.{{0,60}}", page)
            assert match is None, f"{part} for {code} has {other}: {match and match[0]}"
    assert code == "en" or page.count(MARKS[code]) > 3, f"{part} for {code} is not in its language"


@pytest.mark.parametrize("ruleset", ["legends", "kingdoms"])
def test_four_readers_of_a_game_each_read_all_of_it_in_their_language(come, readers, ruleset):
    people = list(readers.values())
    if ruleset == "kingdoms":
        game = kingdoms_of(*people)
    else:
        game = play_turns(in_turns(*people, options={"explore": True, "dragon": "7"}), 6)
    own = game.get_absolute_url()
    pages = [own, f"{own}chat/", f"/rules/{ruleset}/", f"/rules/{ruleset}/cards/", "/desk/", "/lobby/", "/",
             f"/ratings/{ruleset}/statistics/"]  # fmt: skip
    pages += [f"{own}?at={game.seq - 1}"] if game.seq > 1 else []
    browsers = {code: come(user) for code, user in readers.items()}
    for _once_more in range(2):  # the second time, all of it comes from caches
        for page in pages:
            for code, browser in browsers.items():
                answer = browser.get(page, follow=True)
                assert answer.status_code == 200, page
                need_only(text(answer), code, page)


def test_names_of_cards_and_regions_are_in_the_language_of_the_reader(come, readers):
    game = in_turns(*readers.values())
    region = "Cinder Peak"
    for code, mark in MARKS.items():
        page = text(come(readers[code]).get(game.get_absolute_url()))
        assert f"{mark}Cinder" in page or region not in page
        assert not re.search(f"(?<!{mark})(Ancient|Night|Forest|Dire|Arcane|Cursed) [A-Z]", page)


OF_SITE = re.compile(r"\b(Easy|Hard|Former player)\b")


def test_names_that_the_site_gives_are_in_the_language_of_the_reader(come, bob):
    greta, carla = person("Greta", language="de"), person("Carla", language="es")
    game = lobby.open_table(user=bob, players=4, listed=True, bots=["easy", "easy"])
    lobby.join_table(game=game, user=greta)
    play_turns(again(game), 12)
    delete_account(bob)
    own, pages = game.get_absolute_url(), {}
    for path in (own, f"{own}chat/", "/desk/", "/lobby/", "/bots/easy/", "/ratings/legends/"):
        pages[path] = re.sub("<[^>]*>", " ", text(come(greta).get(path, follow=True)))
        assert not (match := OF_SITE.search(pages[path])), (path, pages[path][match.start() - 60 : match.end() + 60])
    assert all(name in pages[own] for name in ("Leicht", "Leicht 2", "Ehemaliger Spieler"))
    with translation.override("es"):
        assert "Fácil 2" in text(come(carla).get(own)) and "Antiguo jugador" in text(come(carla).get(own))
    play_out(again(game))
    Notice.objects.all().update(due_at=timezone.now())
    assert not OF_SITE.search(re.sub("<[^>]*>", " ", text(come(greta).get(own))))
    notices = [f"{notice.title} {notice.lead}" for notice in Notice.objects.filter(user=greta)]
    send_due()
    emails = [f"{email['Subject']} {text_of(email)}" for email in received("Greta")]
    assert emails and not any(OF_SITE.search(message) for message in [*notices, *emails])


def test_a_name_of_a_person_is_never_translated():
    with translation.override("de"):
        for name in ("Forest Elf", "Easy Rider", "Former", "Hard 2 Beat", "Random Bot", "Alice", ""):
            assert display_name(name) == name
        assert [display_name(name) for name in ("Easy 12", "Hard")] == ["Leicht 12", "Schwer"]


def test_each_reader_gets_emails_in_their_own_language(readers):
    game = in_turns(*readers.values())
    for _turn in range(4):
        play_turns(game, 1)
        send_due()
    pictures = {}
    for code, user in readers.items():
        emails = received(user.username)
        assert emails
        for email in emails:
            need_only(f"{email['Subject']} {text_of(email)}", code, "the email")
            pictures[code] = [part.get_content() for part in pictures_of(email)]
    drawn = [picture[0] for picture in pictures.values() if picture]
    assert len(set(drawn)) == len(drawn) > 1


def test_news_is_written_in_the_language_of_each_reader(readers):
    members = list(readers.values())
    league = league_of(*members)
    Notice.objects.all().delete()
    with translation.override("xc"):
        news.tell_all(news.spread(league, NewsKind.CLOSED).pk)
    titles = dict(Notice.objects.filter(kind=Kind.SEASON, channel="email").values_list("user__language", "title"))
    assert set(titles) == {"en", *MARKS}
    for code, title in titles.items():
        assert title.startswith(MARKS.get(code, league.name)), title


def test_words_of_a_notice_are_written_when_its_reader_is_known(readers):
    with translation.override("xb"):
        words = joined(gettext_later("{name} has ended").format(name="Cup"), later(translation.gettext, "Undo"))
        reader = readers["xa"]
        outbox.tell_user(kind=Kind.SEASON, user=reader, about="test.1", title=words, lead=words, url="/")
    assert Notice.objects.filter(user=reader).first().lead == "①Cup has ended ①Undo"


def test_a_phrase_of_the_chat_is_read_in_the_language_of_each_reader(come, readers):
    game = in_turns(*readers.values())
    page = come(readers["xa"]).get(f"{game.get_absolute_url()}chat/")
    assert text(page).count('name="phrase"') == len(PHRASES) == 12
    answer = come(readers["xa"]).post(
        f"{game.get_absolute_url()}chat/say", {"phrase": "game", "text": "half a sentence", "to": ""}
    )
    assert "half a sentence</textarea>" in text(answer)  # what was typed is not lost
    for code, user in readers.items():
        page = text(come(user).get(f"{game.get_absolute_url()}chat/"))
        assert f'<p dir="auto">{MARKS.get(code, "")}Good game!</p>' in page


@pytest.mark.parametrize("phrase", ["unheard-of", "", "game\0"])
def test_an_unknown_phrase_is_refused(come, alice, bob, phrase):
    game = in_turns(alice, bob)
    answer = come(alice).post(f"{game.get_absolute_url()}chat/say", {"phrase": phrase})
    assert answer.status_code in (400, 422) and not Message.objects.exists()


def test_phrases_of_a_deleted_account_are_gone_too(alice, bob):
    game = in_turns(alice, bob)
    chat.say(public_id=game.public_id, user=alice, phrase="nice")
    delete_account(alice)
    assert [line.text for line in selector.chat(public_id=game.public_id, user=bob).lines] == [""]


def test_phrases_count_as_messages_for_the_limit(alice, bob):
    game = in_turns(alice, bob)
    for _phrase in range(10):
        chat.say(public_id=game.public_id, user=alice, phrase="nice")
    with pytest.raises(TooOften, match="too fast"):
        chat.say(public_id=game.public_id, user=alice, phrase="nice")
    assert {seat.number for seat in seats_of(game)} == {0, 1}


# Catalogs


def test_a_broken_catalog_is_refused_with_a_sentence(tmp_path):
    path = tmp_path / "django.po"
    path.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Save"\nmsgstr "Sich\n')
    with pytest.raises(catalogs.BadCatalog, match="line 5"):
        list(catalogs.read(path))
    path.write_text('msgid "Save"\nmsgstr "Sichern"\n')
    with pytest.raises(catalogs.BadCatalog, match="no header"):
        catalogs.compile_catalog(path, tmp_path / "django.mo")


def test_a_singular_is_found_without_its_plural(tmp_path):
    source, target = tmp_path / "django.po", tmp_path / "django.mo"
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    source.write_text(f'{header}\nmsgid "card"\nmsgid_plural "cards"\nmsgstr[0] "Karte"\nmsgstr[1] "Karten"\n')
    catalogs.compile_catalog(source, target)
    with target.open("rb") as file:
        assert GNUTranslations(file)._catalog["card"] == "Karte"  # later versions of gettext() find it anyway


@pytest.mark.parametrize("code", ["en", "de", "fr", "es"])
def test_zero_takes_the_singular_where_the_language_says_so(code):
    with translation.override(code):
        is_singular = translation.ngettext("%(n)d day", "%(n)d days", 0) == translation.gettext("%(n)d day")
        assert is_singular == (code == "fr")
        assert words.is_singular(0, translation.gettext) == is_singular
        assert words.is_singular(1, translation.gettext) and not words.is_singular(2, translation.gettext)


def test_the_desk_says_in_german_who_is_to_play(come, alice, bob):
    kingdoms_of(alice, bob)
    kingdoms_of(bob, alice)
    User.objects.filter(pk=alice.pk).update(language="de")
    desk = text(come(alice).get("/desk/"))
    assert "(to play)" not in desk and "to play." not in desk
    assert "(am Zug)" in desk


def test_texts_in_f_strings_are_extracted():
    calls = in_f_strings(
        'f\'<b>{escape(gettext("to play"))}</b>{ngettext("{n} day", "{n} days", n)}\'; _("found by xgettext")'
    )
    assert set(calls) == {"gettext('to play')", "ngettext('{n} day', '{n} days', n)"}


def test_the_french_page_of_kingdoms_counts_no_cards_in_the_singular(come, alice):
    game = kingdoms_of(alice, person("Fleur", language="fr"))
    page = text(come(User.objects.get(username="Fleur")).get(game.get_absolute_url()))
    assert re.search(r"Bûcher\s:\s0\scarte\b", page) and not re.search(r"\b0\scartes", page)


def test_a_language_file_says_how_its_numbers_take_the_plural():
    for code, rule in (("de", "(n != 1)"), ("fr", "(n > 1)"), ("es", "(n != 1)")):
        assert f"plural={rule};" in catalogs.header(ROOT / f"empire/locale/{code}/LC_MESSAGES/django.po")


def test_french_has_a_space_before_the_colon_of_a_choice(client):
    page = client.get("/play-now/", headers={"Accept-Language": "fr"}).content.decode()
    assert "Facile\N{NO-BREAK SPACE}: " in page and "Facile: " not in page
