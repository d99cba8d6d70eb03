"""All pages: the content security policy, no inline scripts or styles, and errors explained in sentences."""

import gzip
import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from django.http import HttpResponse
from django.template import Context, Template
from django.test import RequestFactory
from django.test.utils import override_script_prefix
from django.urls import NoReverseMatch

from accounts.models import User
from accounts.services import make_guest
from empire.web.middleware import Compression
from games.notices.delivery.preferences import unsubscribe_url
from games.notices.kinds import Channel, Kind

pytestmark = pytest.mark.django_db

INLINE_STYLE = re.compile(r"<style|\sstyle=", re.IGNORECASE)
SCRIPT = re.compile(r"<script([^>]*)>(.*?)</script>", re.IGNORECASE | re.DOTALL)
HANDLER = re.compile(r"<[^>]+\son\w+=", re.IGNORECASE)

# Attributes of any element but a link, whose address a browser asks for something, and addresses in styles and pictures
LOADING = {"src", "srcset", "poster", "data", "action", "formaction", "href", "xlink:href", "background", "ping",
           "hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete", "manifest", "cite", "content"}  # fmt: skip
IN_STYLES = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s*(?:url\()?\s*["']([^"']+)""", re.IGNORECASE)
OWN = ("", "testserver")
GZIP = {"Accept-Encoding": "gzip, br"}
WORDS = b"spearman " * 100
TEXT_FILES = {".css", ".js", ".svg"}

FOR_ANYBODY = [
    "/", "/lobby/", "/accounts/login/", "/accounts/signup/", "/accounts/login/code/", "/accounts/password/reset/",
    "/players/Alice/", "/about/", "/privacy/", "/fair-play/", "/nothing/", "/mail/",
]  # fmt: skip
FOR_MEMBERS = [
    "/", "/desk/", "/lobby/", "/accounts/preferences/", "/accounts/email/", "/accounts/password/change/",
    "/accounts/2fa/", "/accounts/2fa/webauthn/", "/accounts/sessions/", "/accounts/logout/", "/accounts/delete/",
    "/accounts/data/",
    "/accounts/reauthenticate/", "/players/Alice/", "/accounts/notices/webhooks/add",
]  # fmt: skip


@pytest.fixture
def alice(db) -> User:
    return User.objects.create_user("Alice", "alice@example.org", "a quiet harbour")


def assert_nothing_inline(page: str) -> None:
    """Raise `AssertionError` for scripts and styles in the page, and for what it would load from another site."""
    assert not foreign(page), foreign(page)
    assert not INLINE_STYLE.search(page)
    assert not HANDLER.search(page)
    for attributes, text in SCRIPT.findall(page):
        assert "src=" in attributes or "application/json" in attributes, text


class Loaded(HTMLParser):
    """The addresses that a page makes a browser ask for something, by where they are; not links that one may follow."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            where = f"<{tag} {name}>"
            if name == "content" and dict(attrs).get("http-equiv") != "refresh":
                continue
            if name == "srcset":
                self.found += [
                    (where, candidate.split()[0]) for candidate in re.split(r",\s+", value or "") if candidate.split()
                ]
            elif name in LOADING and (tag, name) not in {("a", "href"), ("area", "href"), ("blockquote", "cite")}:
                self.found.append((where, (value or "").rpartition("url=")[2]))
            self.found += [(where, address) for address in in_styles(value or "")]

    def handle_data(self, data: str) -> None:
        self.found += [("text of a style", address) for address in in_styles(data) if self.get_starttag_text()]


def in_styles(text: str) -> list[str]:
    return [first or second for first, second in IN_STYLES.findall(text)]


def foreign(page: str) -> list[str]:
    """Return the addresses on other sites that a page would make its reader's browser ask for something."""
    return [
        f"{where} {address}"
        for where, address in Loaded(page).found
        if urlsplit(address.strip()).netloc not in OWN or urlsplit(address.strip()).scheme not in ("", "http", "data")
    ]


def assert_strict(answer) -> None:
    assert answer["Referrer-Policy"] == answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer["X-Content-Type-Options"] == "nosniff" and "camera=()" in answer["Permissions-Policy"]
    policy = dict(part.strip().partition(" ")[::2] for part in answer["Content-Security-Policy"].split(";"))
    assert policy["script-src"] == policy["style-src"] == "'self'"
    sources = {
        source for name, value in policy.items() if name.endswith(("-src", "-action")) for source in value.split()
    }
    assert sources <= {"'self'", "'none'", "data:"}, "no page may ask another site for anything"
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"


@pytest.mark.parametrize("path", FOR_ANYBODY)
def test_public_pages_have_nothing_inline(client, alice, path):
    answer = client.get(path, follow=True)
    assert_strict(answer)
    assert_nothing_inline(answer.content.decode())


@pytest.mark.parametrize("path", FOR_MEMBERS)
@pytest.mark.sampled
def test_pages_for_signed_in_users_have_nothing_inline(client, alice, path):
    client.force_login(alice)
    answer = client.get(path, follow=True)
    assert answer.status_code == 200
    assert_strict(answer)
    assert_nothing_inline(answer.content.decode())


@pytest.mark.parametrize(
    "path", ["/accounts/preferences/", "/accounts/signup/", "/accounts/login/", "/accounts/logout/"]
)
def test_pages_for_guests_have_nothing_inline(client, path):
    client.force_login(make_guest(), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.get(path)
    assert answer.status_code == 200
    assert_nothing_inline(answer.content.decode())


def test_the_unsubscribe_page_has_nothing_inline(client, alice):
    assert_nothing_inline(client.get(unsubscribe_url(alice, [Kind.TURN], Channel.EMAIL)).content.decode())


def test_a_missing_page_is_explained_in_a_sentence_in_debug_mode_too(client, settings):
    settings.DEBUG = True
    answer = client.get("/nothing/")
    assert answer.status_code == 404
    assert "This page doesn’t exist, or you need to sign in to see it." in answer.content.decode()


def test_a_page_not_found_offers_to_sign_in_to_those_who_are_not(client, alice):
    """A player whose session has ended gets this page instead of their private table."""
    sign_in = '/accounts/login/?next=/games/abcdefgh/"'
    assert sign_in in client.get("/games/abcdefgh/").content.decode()
    client.force_login(alice)
    page = client.get("/games/abcdefgh/").content.decode()
    assert "This page doesn’t exist, or you don’t have access to it." in page and sign_in not in page


def test_a_server_error_is_explained_in_a_sentence_without_a_traceback(client, monkeypatch, alice):
    client.raise_request_exception = False

    def broken(user):
        raise RuntimeError("a secret of ours")

    monkeypatch.setattr("games.home.desk.menu", broken)
    client.force_login(alice)
    answer = client.get("/accounts/preferences/")
    assert answer.status_code == 500
    assert "Your games are safe" in answer.content.decode()
    assert "a secret of ours" not in answer.content.decode()


def test_error_pages_have_the_policy_too(client, settings):
    client.raise_request_exception = False
    fields = {str(n): "" for n in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)}
    answers = [
        client.get("/nothing/"), client.post("/accounts/guest/", fields), client.put("/lobby/"),
        client.get("/admin/nothing/"), client.get("/static/nothing.css"), client.get("/healthz"),
        client.post("/verify/", b"x" * 1_100_000, content_type="text/plain"),
    ]  # fmt: skip
    assert [answer.status_code for answer in answers[:3]] == [404, 400, 405]
    for answer in answers:
        assert_strict(answer)
        assert_nothing_inline(answer.content.decode())
        assert "Traceback" not in answer.content.decode()


def test_an_unknown_host_is_refused_with_a_sentence_and_the_policy(client, settings):
    settings.SECURE_SSL_REDIRECT = True  # makes Django read the host first
    answer = client.get("/", headers={"Host": "evil.example.org"})
    assert (
        answer.status_code == 400
        and "We couldn’t read what your browser sent. Go back, reload the page and try again."
        in answer.content.decode()
    )
    assert "evil" not in answer.content.decode()
    assert "script-src 'self'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("path", "form", "cookie"),
    [("/players/%00/", None, ""), ("/rules/legends/?a=%00", None, ""), ("/accounts/guest/", {"next": "\0"}, ""),
     ("/accounts/guest/", {"\0": "x"}, ""), ("/desk/", None, r"12345678\000")],  # in octal
)  # fmt: skip
def test_nul_characters_are_refused_anywhere_in_a_request(client, db, path, form, cookie):
    headers = {"cookie": f'sessionid="{cookie}"'} if cookie else {}
    answer = client.get(path, headers=headers) if form is None else client.post(path, form)
    assert (
        answer.status_code == 400
        and "We couldn’t read what your browser sent. Go back, reload the page and try again."
        in answer.content.decode()
    )
    assert_strict(answer)
    assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("charset", ["punycode", "rot13", "utf-7", "latin-1"])
def test_a_form_in_another_encoding_is_refused(client, db, charset):
    """Django would decode it with that encoding, and fail."""
    parts = b'--b\r\nContent-Disposition: form-data; name="next"\r\n\r\n\xf0\x9f\r\n--b--\r\n'
    kind = "multipart/form-data; boundary=b; charset="
    answer = client.generic("POST", "/accounts/guest/", parts, kind + charset)
    assert (
        answer.status_code == 400
        and "We couldn’t read what your browser sent. Go back, reload the page and try again."
        in answer.content.decode()
    )
    assert client.generic("POST", "/accounts/guest/", parts, kind + "UTF-8").status_code == 302


@pytest.mark.parametrize("kind", ["multipart/form-data", 'multipart/form-data; boundary="\xe9"'])
def test_an_unreadable_request_to_a_missing_page_is_not_found(db, kind):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.cookies["csrftoken"] = "t" * 32  # so that the token is looked for in the posted form
    answer = strict.generic("POST", "/nowhere/", b"--b\r\n\r\n--", kind)
    assert answer.status_code == 404 and "Traceback" not in answer.content.decode()


def test_https_responses_have_hsts(client, settings):
    settings.SECURE_HSTS_SECONDS = 31_536_000
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    header = client.get("/nowhere/", secure=True)["Strict-Transport-Security"]
    assert header == "max-age=31536000; includeSubDomains; preload"


def test_cookies_are_restricted_to_the_site(client, settings):
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    client.get("/accounts/signup/")
    client.post("/accounts/guest/", secure=True)
    client.get("/accounts/preferences/?", secure=True)
    for name in ("sessionid", "csrftoken"):
        cookie = client.cookies[name]
        assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Lax")


def test_a_form_with_an_outdated_csrf_token_is_refused_with_a_sentence(alice):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/accounts/guest/")
    assert answer.status_code == 403
    assert "open for too long" in answer.content.decode()


def test_the_header_counts_waiting_games(client, alice, monkeypatch):
    client.force_login(alice)
    assert "hidden>0</span>" in client.get("/accounts/preferences/").content.decode()
    monkeypatch.setattr("games.home.desk.menu", lambda user: (3, False))
    assert ">3</span>" in client.get("/accounts/preferences/").content.decode()


def test_pages_use_the_readers_color_theme(client, alice):
    client.force_login(alice)
    assert 'data-theme="auto"' in client.get("/accounts/preferences/").content.decode()
    User.objects.update(theme="dark")
    assert 'data-theme="dark"' in client.get("/accounts/preferences/").content.decode()


def main_navigation(page: str) -> str:
    return page[page.index('<nav class="site-nav"') : page.index("</nav>")]


def test_the_main_navigation_leads_to_every_part_of_the_site_without_scripts(client, alice):
    client.force_login(alice)
    links = re.findall(r'<a href="(/[^"]*)"', main_navigation(client.get("/rules/").content.decode()))
    parts = {
        "/desk/", "/lobby/", "/leagues/", "/tournaments/", "/ladder/", "/ratings/", "/duplicates/", "/rules/",
        "/rules/clocks/", "/fair-play/", "/play-now/", "/lobby/open/", "/people/",
    }  # fmt: skip
    assert parts <= set(links)
    assert {client.get(link, follow=True).status_code for link in links if "logout" not in link} == {200}


@pytest.mark.parametrize(
    ("path", "current"), [("/lobby/", "Play"), ("/leagues/", "Compete"), ("/rules/legends/", "Learn"), ("/about/", "")]
)
def test_the_main_navigation_marks_the_part_of_the_page(client, path, current):
    marked = re.findall(r"aria-current=[^>]*>\s*([^<]*?)\s*<", main_navigation(client.get(path).content.decode()))
    assert marked == ([current] if current else [])


def test_the_about_page_says_who_runs_the_site_or_that_they_gave_no_name(client, settings):
    assert "have not given a name" in client.get("/about/").content.decode()
    settings.OPERATOR, settings.OPERATOR_CONTACT = "Jane <Doe>, 1 High Street", "mailto:jane@example.org"
    page = client.get("/about/").content.decode()
    assert "is run by Jane &lt;Doe&gt;, 1 High Street." in page and "have not given a name" not in page
    assert '<a href="mailto:jane@example.org"><code>jane@example.org</code></a>' in page


@pytest.mark.parametrize(
    "page",
    [
        '<img src="https://example.org/a.png">', '<img srcset="/a.png 1x, //example.org/b.png 2x">',
        '<link rel="preconnect" href="https://example.org">', '<form action="https://example.org/"></form>',
        '<button formaction="//example.org/x">x</button>', '<p style="background: url(https://example.org/a.png)">x</p>',
        '<svg><path fill="url(//example.org/a.svg#b)"/></svg>', "<style>@import 'https://example.org/a.css'</style>",
        '<svg><use xlink:href="http://example.org/a.svg#b"/></svg>', '<a ping="https://example.org" href="/">x</a>',
        '<meta http-equiv="refresh" content="0; url=https://example.org/">', '<div hx-get="https://example.org/"></div>',
        '<script src="ftp://testserver/a.js"></script>',
    ],
)  # fmt: skip
def test_an_address_on_another_site_is_noticed_wherever_a_browser_would_load_it(page):
    assert foreign(page)


def test_own_addresses_and_links_to_follow_are_nothing_foreign():
    own = '<a href="https://example.org/">x</a><img src="/a.png"><img src="data:image/png;base64,x"><p fill="url(#a)">'
    assert not foreign(own + '<form action=""></form><link href="http://testserver/a.css">')


def test_style_sheets_scripts_and_pictures_load_nothing_from_other_sites(settings):
    foreign_in = {}
    files = [path for path in (settings.BASE_DIR / "empire" / "static").rglob("*") if path.suffix in TEXT_FILES]
    assert len(files) > 30
    for path in files:
        text = re.sub(r"http://www\.w3\.org/[\w/]+", "", path.read_text())  # names of vocabularies, not addresses
        addresses = re.findall(r"""(?:https?:)?//[\w-]+\.[a-z]{2,}[^\s"')]*""", re.sub(r"(?m)^\s*//.*", "", text))
        if addresses:
            foreign_in[path.name] = addresses
    assert not foreign_in


def test_addresses_in_templates_are_those_of_the_site_and_of_the_path_where_it_lies():
    drawn = Template("{% url 'table' name %} {% url 'table' public_id=name %} {% url 'admin:index' %}")
    for prefix in ("/", "/site/", "/"):
        with override_script_prefix(prefix):
            shown = drawn.render(Context({"name": "a&b"}))
        assert shown == f"{prefix}games/a&amp;b/ {prefix}games/a&amp;b/ {prefix}admin/"
    assert Template("{% url 'table' name %}").render(Context({"name": "a&b"}, autoescape=False)) == "/games/a&b/"
    with pytest.raises(NoReverseMatch):
        Template("{% url 'nothing' %}").render(Context())


def test_no_line_of_a_template_is_longer_than_160_characters(settings):
    folder = settings.BASE_DIR / "templates"
    long = [
        f"{path.relative_to(folder)}:{number}"
        for path in folder.rglob("*.html")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 160
    ]
    assert long == []


def test_pages_are_compressed_to_sizes_that_vary(client):
    plain, packed = client.get("/rules/"), client.get("/rules/", headers=GZIP)
    assert (
        "Content-Encoding" not in plain and "Accept-Encoding" in plain["Vary"] and "Accept-Encoding" in packed["Vary"]
    )
    assert int(packed["Content-Length"]) == len(packed.content) < len(plain.content) / 2
    assert len({len(compressed(HttpResponse(WORDS)).content) for _visit in range(20)}) > 5


@pytest.mark.parametrize(
    ("kind", "etag", "before", "after"),
    [
        ("text/html", '"1"', None, "gzip"),
        ("text/html", 'W/"1"', None, "gzip"),
        ("image/jpeg", '"1"', None, None),
        ("text/css", None, "br", "br"),
    ],
)
def test_compression_leaves_what_is_compressed_and_weakens_etags(kind, etag, before, after):
    choices = {"ETag": etag, "Content-Encoding": before}
    headers = {name: value for name, value in choices.items() if value}
    answer = compressed(HttpResponse(WORDS, content_type=kind, headers=headers))
    assert answer.get("Content-Encoding") == after
    assert answer.get("ETag") == ('W/"1"' if after == "gzip" else etag)
    assert (gzip.decompress(answer.content) if after == "gzip" else answer.content) == WORDS


def compressed(answer: HttpResponse) -> HttpResponse:
    return Compression(lambda request: answer)(RequestFactory().get("/", headers=GZIP))
