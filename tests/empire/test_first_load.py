"""What the first load of a page asks for, with the static files of a server: one style sheet, small fonts."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from empire.web.static_files import FOREVER, JOINED, join_stylesheets, stylesheet
from games.tables.services import lobby

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
FONTS = sorted(Path(ROOT, "empire/static/fonts").glob("*.woff2"))
LARGEST_FONT = 24_000
PRELOADED = 20_000  # of the font that every page preloads: more would delay the style sheet
LINK = re.compile(r'<link rel="stylesheet" href="([^"]+)"')
SCRIPT = re.compile(r"<script\b[^>]*\bsrc=[^>]*>")
LATIN = (*range(0x20, 0x7F), *range(0xA0, 0x149), *range(0x14A, 0x17F))  # without the deprecated ŉ and the old ſ
LETTERS = {*LATIN, *map(ord, "ẞȘșȚț„“”‚‘’«»‹›–—…€")}
# A page of each kind, by the style sheets it has
PAGES = ("/play-now/", "/desk/", "/lobby/", "/leagues/", "/rules/legends/", "/rules/kingdoms/", "/accounts/email/")


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("static")


@pytest.fixture
def on_a_server(settings, collected: Path) -> None:
    """Static files as on a server, but not compressed."""
    settings.STATIC_ROOT = str(collected)
    settings.WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("css", "js", "svg", "txt", "woff2", "png", "html")
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": "empire.web.static_files.KnownStaticFiles"}}
    if not any(collected.iterdir()):
        call_command("collectstatic", verbosity=0, interactive=False)
    forget()
    yield
    forget()


def forget() -> None:
    join_stylesheets.cache_clear()
    stylesheet.cache_clear()


@pytest.fixture
def alice(client: Client) -> User:
    alice = User.objects.create_user("Alice", "alice@example.org", "a quiet harbour")
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    return alice


def without_addresses(sheet: str) -> str:
    return re.sub(r'url\("[^#"][^"]*"\)', "", sheet)


def tables(alice: User) -> list[str]:
    bob = User.objects.create_user("Bob", "bob@example.org", "a quiet harbour")
    games = [lobby.open_table(user=alice, ruleset=ruleset, players=2) for ruleset in ("legends", "kingdoms")]
    for game in games:
        lobby.join_table(game=game, user=bob, invite=game.invite_token)
    return [game.get_absolute_url() for game in games]


@pytest.mark.usefixtures("on_a_server")
def test_one_stylesheet_and_no_script_blocks_the_first_paint_of_a_page(client, alice):
    for address in (*PAGES, *tables(alice)):
        page = client.get(address).content.decode()
        assert len(LINK.findall(page)) == 1, address
        scripts = SCRIPT.findall(page)
        assert scripts and all('type="module"' in script or " defer" in script for script in scripts), address


@pytest.mark.usefixtures("on_a_server")
def test_the_stylesheet_of_a_page_holds_its_files_in_order_and_is_kept_forever(client, alice):
    (address,) = LINK.findall(client.get("/lobby/").content.decode())
    answer = Client().get(address)
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/css")
    assert answer["Cache-Control"] == FOREVER and "Cookie" not in answer.get("Vary", "")
    sheets = ("tokens", "base", "site", "lobby", "help", "tournaments")
    files = [Path(ROOT, f"empire/static/css/{name}.css").read_text() for name in sheets]
    assert without_addresses(answer.content.decode()) == without_addresses("\n".join(files))


@pytest.mark.usefixtures("on_a_server")
def test_files_that_a_joined_stylesheet_names_exist(client, alice, collected):
    for address in (*PAGES, *tables(alice)):
        (sheet,) = LINK.findall(client.get(address).content.decode())
        names = re.findall(r'url\("([^"]+)"\)', Client().get(sheet).content.decode())
        files = [name for name in names if not name.startswith("#")]
        assert len(files) > 5, "the fonts at least"
        for file in files:
            assert file.startswith("/static/") and Path(collected, file.removeprefix("/static/")).is_file(), file


@pytest.mark.usefixtures("on_a_server")
def test_a_stylesheet_of_another_release_is_answered_but_not_kept(client):
    names = LINK.findall(client.get("/").content.decode())[0].removeprefix(JOINED).partition("/")[2]
    answer = client.get(f"{JOINED}000000000000/{names}")
    assert answer.status_code == 200 and answer["Cache-Control"] == "no-cache"


@pytest.mark.usefixtures("on_a_server")
@pytest.mark.parametrize("names", ["", "nothing", "tokens+nothing", "tokens+tokens", "../../settings", "../js/site"])
def test_only_known_stylesheets_are_joined_and_each_once(client, names):
    assert client.get(f"{JOINED}000000000000/{names}.css").status_code == 404


def test_in_development_each_stylesheet_is_a_file_of_its_own(client):
    assert "/static/css/lobby.css" in LINK.findall(client.get("/lobby/").content.decode())
    assert client.get(f"{JOINED}000000000000/tokens.css").status_code == 404


def test_fonts_stay_small(client):
    sizes = {file.name: file.stat().st_size for file in FONTS}
    assert len(sizes) == 5 and max(sizes.values()) <= LARGEST_FONT
    for page in ("/", "/lobby/", "/rules/legends/"):
        preloaded = re.findall(r'<link rel="preload" href="/static/fonts/([^"]+)"', client.get(page).content.decode())
        assert preloaded and sum(sizes[name] for name in preloaded) <= PRELOADED


@pytest.mark.parametrize("font", FONTS, ids=lambda font: font.stem)
def test_fonts_have_all_letters_of_latin_languages_and_the_figures_of_tables(font):
    fonts = pytest.importorskip("fontTools.ttLib", reason="needs the maps extra")
    opened = fonts.TTFont(font)
    assert set(opened.getBestCmap()) >= LETTERS
    features = {record.FeatureTag for record in opened["GSUB"].table.FeatureList.FeatureRecord}
    assert {"lnum", "tnum", "liga", "locl"} <= features


def test_maps_of_the_rules_load_when_they_are_seen_and_for_one_theme(client):
    page = client.get("/rules/legends/").content.decode()
    maps = re.findall(r'<img src="/boards/[^>]+>', page)
    assert len(maps) > 3 and all('loading="lazy"' in tag for tag in maps)
    assert "<image" not in page
