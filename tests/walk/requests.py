"""Random requests for Hypothesis: similar to what browsers send, but wrong in one or more places.

Addresses, forms and queries of links come from the walk, the nonsense in them from `tests.nonsense`.
"""

import json
from urllib.parse import quote, quote_from_bytes

from hypothesis import strategies as st

from tests.nonsense import odd
from tests.walk.addresses import Route, paths, routes
from tests.walk.forms import Form
from tests.walk.visits import Visitors
from tests.walk.walking import EVERYONE, RUBBISH, Looked, who_goes
from tests.walk.wire import Sent

Fields = list[tuple[str, str]]

BYTES = (b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf0\x9f", b"\0", b"%", b"%zz", b"&&=&", b"=" * 50, b";", b"+")
METHODS = ("GET", "GET", "GET", "HEAD", "POST", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get")
BOUNDARY = "between"
TOKEN_FIELD = "csrfmiddlewaretoken"  # never sent: it would replace the token in the header
CHARSETS = ("utf-8", "latin-1", "utf-16", "utf-7", "idna", "punycode", "zlib_codec", "rot13", "undefined", "x" * 99)
TYPES = (
    "text/plain", "application/json", "application/xml", "multipart/form-data", "multipart/form-data; boundary=",
    'multipart/form-data; boundary="\xe9"', "multipart/mixed; boundary=between", "application/octet-stream", "", ";",
    "application/x-www-form-urlencoded; charset", "multipart/form-data; boundary=" + "x" * 300,
)  # fmt: skip
HEADERS = {
    b"accept": ("text/html", "application/json", "*/*;q=nan", ",,,", "x" * 5000),
    b"accept-language": ("de", "en-GB,en;q=0.5", "xx-" * 200, "*;q=2", "\xff", "en;q=" + "9" * 400),
    b"accept-encoding": ("gzip", "br, gzip;q=0", "identity", "\xff"),
    b"cache-control": ("no-cache", "max-age=-1"),
    b"cookie": (
        "time_zone=Europe%2FBerlin", "time_zone=%00", "time_zone=%ff%fe", "time_zone=" + "x" * 3000, "sort=\xe9",
        "marks=" + "%" * 50, "messages=W10:x:y", "messages=\xff", "django_language=../x", "=", ";;;", "a=b=c; d",
        "sessionid=" + "z" * 32, "sessionid=%00", 'sessionid="\\', "csrftoken=\xff", "csrftoken=", "__proto__=1",
    ),
    b"content-length": ("0", "-1", "999999999999", "1e3", ""),
    b"expect": ("100-continue", "nothing"),
    b"forwarded": ("for=unknown", "for=\"[::1]\""),
    b"host": ("testserver", "evil.example", "", "testserver:99999", "[::1", "a b", "\xff", "x" * 300),
    b"hx-request": ("true", "false", ""),
    b"hx-boosted": ("true",),
    b"hx-target": ("table", "hand", "board", "log", "no-such-part", "../x", "\xff", "x" * 5000),
    b"hx-trigger": ("x", "{}"),
    b"hx-current-url": ("http://testserver/", "http://[", "javascript:x", "%", "\xff", "http://testserver/\xe9"),
    b"hx-current-url-uri-autoencoded": ("true",),
    b"hx-prompt": ("\xff",),
    b"if-modified-since": ("Sat, 01 Jan 2000 00:00:00 GMT", "never", "9" * 40, "Sat, 99 Foo 99999999 99:99:99 GMT"),
    b"if-none-match": ("*", '"x"', "W/", '"' * 99),
    b"origin": ("null", "http://testserver", "https://evil.example", "http://[", "\xff"),
    b"range": ("bytes=0-10", "bytes=-1", "bytes=9-1", "lines=1", "bytes=" + "9" * 400 + "-", "bytes=0-0," * 300),
    b"referer": ("http://testserver/lobby/", "https://evil.example/", "http://[", "\xff", ""),
    b"transfer-encoding": ("chunked", "x"),
    b"user-agent": ("", "\xff", "x" * 10_000, "Mozilla/5.0 (iPhone)"),
    b"x-csrftoken": ("", "short", "\xff" * 64, "t" * 64, "\u00e9" * 32),
    b"x-forwarded-for": ("1.2.3.4", "unknown", "::1", ", ,", "1.2.3.4, " * 500, "999.1.1.1", "\xff"),
    b"x-forwarded-host": ("evil.example",),
    b"x-forwarded-proto": ("https", "gopher"),
    b"x-http-method-override": ("DELETE",),
    b"x-requested-with": ("XMLHttpRequest",),
}  # fmt: skip
PART_HEADS = (
    "\r\nContent-Type: application/json", "\r\nContent-Transfer-Encoding: base64", "\r\nContent-Length: -1",
    "\r\nContent-Type: text/plain; charset=zlib_codec", "; filename*=UTF-8''%ff", "; filename*=x", "\r\n" + "x" * 2000,
)  # fmt: skip
MORE_PATHS = (
    "/livez",
    "/static/",
    "/static/../manage.py",
    "/favicon.ico",
    "/live/",
    "/live/x:y:z",
    "//",
    "/.",
    "/%2e%2e",
)


class SiteMap:
    """What the walk knows of the site: its paths, its forms, and the queries of links."""

    def __init__(self, visitors: Visitors, looked: Looked) -> None:
        self.routes = routes()
        self.paths = {route: [plain(path) for path in paths(visitors.world, route)] for route in self.routes}
        self.values: dict[str, list[object]] = {}
        for values in (arguments for several in visitors.world.arguments.values() for arguments in several):
            for name, value in values.items():
                self.values.setdefault(name, []).append(value)
        self.forms = [(form, sorted(readers)) for form, readers in looked.offered.values()]
        self.queries = {name: list(queries) for name, queries in looked.queries.items()}
        self.all_queries = list(dict.fromkeys(query for queries in self.queries.values() for query in queries))
        fields = {name for form, _readers in self.forms for name in form.fields}
        self.names = sorted(fields - {TOKEN_FIELD} | set(RUBBISH))


def plain(path: str) -> str:
    """The path as it is encoded in a request."""
    return quote(path, safe="/%:@!$&'()*+,;=~-._")


def requests(site_map: SiteMap) -> st.SearchStrategy[Sent]:
    return st.one_of(visits(site_map), posts(site_map))


@st.composite
def visits(draw: st.DrawFn, site_map: SiteMap) -> Sent:
    """Any request to any address."""
    route = draw(st.sampled_from(site_map.routes))
    who, method = draw(st.sampled_from(who_goes(route))), draw(st.sampled_from(METHODS))
    fields = [(draw(st.sampled_from(site_map.names)), draw(odd)) for _field in range(draw(st.integers(0, 3)))]
    kind, body = draw(bodies(fields)) if method not in ("GET", "HEAD") else ("", b"")
    return sent(draw, who, method, draw(addresses(site_map, route)), draw(queries(site_map, route.name)), kind, body)


@st.composite
def posts(draw: st.DrawFn, site_map: SiteMap) -> Sent:
    """A post of an altered form, sometimes by a reader to whom it was not offered."""
    form, readers = draw(st.sampled_from(site_map.forms))
    who = draw(st.sampled_from(readers if draw(st.booleans()) else EVERYONE))
    kind, body = draw(bodies(draw(filled(site_map, form))))
    query = draw(queries(site_map, "")) if draw(rarely) else b""
    return sent(draw, who, "POST", plain(form.action), query, kind, body)


rarely = st.sampled_from((False, False, False, False, True))


def sent(draw: st.DrawFn, who: str, method: str, path: str, query: bytes, kind: str, body: bytes) -> Sent:
    names = draw(st.lists(st.sampled_from(sorted(HEADERS)), max_size=3, unique=True)) if draw(st.booleans()) else []
    headers = [(name, draw(st.sampled_from(HEADERS[name])).encode("latin-1")) for name in names]
    if kind:
        headers.append((b"content-type", kind.encode("latin-1")))
    return Sent(who, method, path, query, headers, body, has_token=not draw(rarely))


@st.composite
def addresses(draw: st.DrawFn, site_map: SiteMap, route: Route) -> str:
    """A path of the route, or one with an argument of another page or nonsense in it."""
    way = draw(st.sampled_from(("right", "right", "other", "odd", "bytes", "nowhere")))
    if way == "nowhere":
        return draw(st.sampled_from(MORE_PATHS))
    if way == "right" or not route.parameters:
        return draw(st.sampled_from(site_map.paths[route]))
    values = dict.fromkeys(route.parameters, "1")
    for name in values:
        others = site_map.values[draw(st.sampled_from([name] if name in site_map.values else list(site_map.values)))]
        values[name] = quote(str(draw(st.sampled_from(others))), safe=":")
    changed = draw(st.sampled_from(route.parameters))
    if way == "odd":
        values[changed] = quote(draw(odd)[:3000].encode("utf-8", "surrogatepass"), safe="/" if draw(rarely) else "")
    if way == "bytes":
        values[changed] = quote_from_bytes(draw(st.sampled_from(BYTES)))
    return route.path(values)


@st.composite
def queries(draw: st.DrawFn, site_map: SiteMap, name: str) -> bytes:
    """A query of links to the page of that name, or to others; some values are odd."""
    usual = site_map.queries.get(name, site_map.all_queries)
    chosen = draw(st.lists(st.sampled_from(site_map.all_queries if draw(rarely) else usual), max_size=3))
    return encoded(draw, [(name, draw(odd) if draw(st.booleans()) else value) for name, value in chosen])


def encoded(draw: st.DrawFn, fields: Fields) -> bytes:
    parts = [
        quote(name.encode("utf-8", "surrogatepass")) + "=" + quote(value.encode("utf-8", "surrogatepass"))
        for name, value in fields
    ]
    more = [quote_from_bytes(draw(st.sampled_from(BYTES)))] if draw(rarely) else []
    return "&".join(parts + more).encode()


@st.composite
def filled(draw: st.DrawFn, site_map: SiteMap, form: Form) -> Fields:
    """The fields of the form; some have odd values, come twice, or are missing."""
    fields = [(name, value) for name, values in form.fields.items() for value in values if name != TOKEN_FIELD]
    for _change in range(draw(st.sampled_from((0, 1, 1, 1, 2, 5)))):
        at = draw(st.integers(0, len(fields) - 1)) if fields else 0
        way = draw(st.sampled_from(("odd", "odd", "odd", "drop", "twice", "more", "other")))
        if way == "more" or not fields:
            fields.append((draw(st.sampled_from(site_map.names)), draw(odd)))
        elif way == "drop":
            del fields[at]
        else:
            name, value = fields[at]
            other = fields[draw(st.integers(0, len(fields) - 1))][1]
            fields[at] = (name, draw(odd) if way == "odd" else other if way == "other" else value)
            fields += [(name, draw(odd))] if way == "twice" else []
    return fields


@st.composite
def bodies(draw: st.DrawFn, fields: Fields) -> tuple[str, bytes]:
    """The content type and body: mostly the fields as forms send them."""
    way = draw(st.sampled_from(("form",) * 6 + ("parts", "parts", "json", "charset", "type", "cut")))
    if way == "parts":
        return f"multipart/form-data; boundary={BOUNDARY}", draw(multipart(fields))
    if way == "json":
        whole = json.dumps(dict(fields)).encode()
        return "application/json", whole[: draw(st.integers(0, len(whole)))]
    body = encoded(draw, fields)
    if way == "charset":
        kind = draw(st.sampled_from(("application/x-www-form-urlencoded", f"multipart/form-data; boundary={BOUNDARY}")))
        whole = draw(multipart(fields)) if kind.startswith("multipart") else body
        return f"{kind}; charset={draw(st.sampled_from(CHARSETS))}", whole
    if way == "type":
        return draw(st.sampled_from(TYPES)), body
    return "application/x-www-form-urlencoded", body[: draw(st.integers(0, len(body)))] if way == "cut" else body


@st.composite
def multipart(draw: st.DrawFn, fields: Fields) -> bytes:
    """A part for each field; sometimes it is a file, has an odd header, or the end is missing."""
    parts = []
    for name, value in fields:
        file = f'; filename="{draw(odd)[:80]}"' if draw(rarely) else ""
        more = draw(st.sampled_from(PART_HEADS)) if draw(rarely) else ""
        head = f'Content-Disposition: form-data; name="{name}"{file}{more}'
        parts.append(f"--{BOUNDARY}\r\n{head}\r\n\r\n{value}\r\n")
    body = ("".join(parts) + f"--{BOUNDARY}--\r\n").encode("utf-8", "surrogatepass")
    return body[: draw(st.integers(0, len(body)))] if draw(rarely) else body
