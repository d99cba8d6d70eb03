"""Parts of a table that an answer leaves out if the reader's page has just the same.

`{% part "ware" card.id %}<label id="ware-{{ card.id }}">…</label>{% endpart %}` gives the element a digest of its
content, which table.js sends back in the header `Parts`. A part with a form always differs, because its token does.

Parts can lie in parts. A part without a name (`copied`) may be anywhere in the page, which makes copies of it.

`{% part "row" card.id with card=card %}` names all values that the part depends on. It sees nothing else, so that each
process can keep what it has drawn from them, for all pages and readers; a test finds variables that it forgets to name.
Values are plain data, never rows or requests. Its digest is that of the values, so that it isn't drawn at all for a
page that has it. So no two such parts of pages of a game may share the first argument.
"""

import base64
import hashlib
import re
from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from html import escape  # Django's takes thirty times as long
from itertools import groupby

import msgspec
from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token, token_kwargs
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone_name, localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from empire.dates import localized
from empire.web.static_files import release
from games.tables.pages.frame import Frame
from games.tables.selectors.lines import LogLine
from games.tables.templatetags.seats import marked_for

register = template.Library()
DIGEST = "~digest~"
SLOT = f'data-drawn="{DIGEST}"'
ELEMENT = re.compile(r"<(?!script)(\w+)")  # data in a script is left out like any other element
DRAWN_ONCE = "<g id="  # how a group of `<defs>` begins
GROUP = re.compile(r"<g\b[^>]*>|</g>")
INSIDE = "parts_inside"  # in the context of a part: the inner parts
Inside = tuple[str, str, str]  # an inner part as it was drawn, its digest, and its placeholder
KEPT: dict[tuple[Node, bytes], tuple[str, list[Inside]]] = {}  # parts by the digest of what they were drawn from
MOST_KEPT = 4000  # of about 1.5 KB
LENGTH = 6  # of a digest: 36 bits, so that a part that has changed is not taken for another one on the page


def encoded(value: object) -> object:
    """Tell text that is HTML from other text. Raises `TypeError` for what is not plain data, such as rows."""
    if isinstance(value, SafeString):
        return msgspec.msgpack.Ext(1, value.encode())
    raise TypeError(f"A part can’t be kept by a {type(value).__name__}.")


ENCODER = msgspec.msgpack.Encoder(enc_hook=encoded, order="deterministic")  # processes agree about sets


def shortened(digest: bytes) -> str:
    """Return the beginning of a digest in letters, digits and underscores."""
    return base64.b64encode(digest, b"__")[:LENGTH].decode()


def digest_of(drawn: str, inside: Sequence[Inside] = ()) -> str:
    """Return the digest of an element. Whether the parts `inside` are drawn or left out makes no difference."""
    for inner, inner_digest, _instead in inside:
        drawn = drawn.replace(inner, inner_digest)
    return shortened(hashlib.sha256(drawn.encode()).digest())


def marked(drawn: str, inside: Sequence[Inside] = ()) -> tuple[str, str]:
    """Return a drawn element for `copied`, with its digest in place of the first `DIGEST`, and the digest."""
    digest = digest_of(drawn, inside)
    return drawn.replace(DIGEST, digest, 1), digest


remarked = lru_cache(maxsize=MOST_KEPT)(marked)  # for drawings that are the same on most pages


class PartNode(Node):
    def __init__(
        self, names: list[FilterExpression], nodelist: NodeList, values: Mapping[str, FilterExpression]
    ) -> None:
        self.names, self.nodelist, self.values = names, nodelist, values
        self.tag = tag_of(getattr(nodelist[0], "s", "")) if nodelist else ""

    def render(self, context: Context) -> SafeString:
        name = "-".join(str(part_name.resolve(context)) for part_name in self.names)
        if self.values:
            return self.kept(context, name)
        inside: list[Inside] = []
        with context.push(**{INSIDE: inside}):
            drawn = self.nodelist.render(context)
        return named(context, name, drawn, digest_of(drawn, inside))

    def kept(self, context: Context, name: str) -> SafeString:
        """Render the part from its values alone, unless the page has it or this process has drawn it."""
        values = {key: value.resolve(context) for key, value in self.values.items()}
        drawn_from = ENCODER.encode((release(), name, get_language(), get_current_timezone_name(), values))
        full_digest, on_page = hashlib.sha256(drawn_from).digest(), context.get("known_parts") or ()
        if (digest := shortened(full_digest)) in on_page:
            return _noted(context, "", digest, placeholder(name, self.tag))
        if (drawn_part := KEPT.get((self, full_digest))) is None:
            inside: list[Inside] = []
            drawn = str(self.nodelist.render(context.new({**values, INSIDE: inside})))
            if len(KEPT) >= MOST_KEPT:
                KEPT.clear()
            drawn_part = KEPT[self, full_digest] = drawn, inside
        drawn, inside = drawn_part
        for inner, inner_digest, instead in inside:
            drawn = drawn.replace(inner, instead) if inner_digest in on_page else drawn
        return named(context, name, drawn, digest)


def tag_of(drawn: str) -> str:
    """Return the name of the element that this begins with."""
    match = ELEMENT.match(drawn.lstrip())
    return match[1] if match else "div"


def placeholder(name: str, tag: str) -> str:
    """Return an empty element in place of one that the page has."""
    return f'<{tag} id="{escape(name)}" data-kept></{tag}>'


def named(context: Context, name: str, drawn: str, digest: str) -> SafeString:
    """Return a drawn element with the id `name`, or an empty one of its kind as a placeholder if the page has it."""
    instead = placeholder(name, tag_of(drawn))
    return _noted(context, drawn.replace(f'id="{name}"', f'id="{name}" data-drawn="{digest}"', 1), digest, instead)


def copied(context: Context, drawn: str, digest: str, *, tag: str = "i") -> SafeString:
    """Return an element of `marked`, or a placeholder if the page has one that is equal."""
    return _noted(context, drawn, digest, f'<{tag} data-kept="{digest}"></{tag}>')


@register.simple_tag(takes_context=True)
def drawing(context: Context, drawn: str) -> SafeString:
    """Render a picture without those parts that the page has: groups in `<defs>`, groups `data-of`, and their pieces.

    A piece, such as a castle, is the same wherever its group lies.
    """
    start, _defs, rest = drawn.rpartition("<defs>")
    if start:
        inner, _end, rest = rest.partition("</defs>")
        start += f"<defs>{copied_groups(context, inner, DRAWN_ONCE)}</defs>"

    inside: list[Inside] = []
    with context.push(**{INSIDE: inside}):
        rest = copied_groups(context, rest, '<g class="stronghold"')
    return mark_safe(start + copied_groups(context, rest, "<g data-of=", inside))


def copied_groups(context: Context, drawn: str, opening: str, inside: Sequence[Inside] = ()) -> str:
    """Leave out those groups of a drawing that begin like this and that the page has. `inside` are parts of them."""

    def copy(group: str) -> SafeString:
        slotted = f"<g {SLOT}{group.removeprefix('<g')}"
        return copied(context, *(marked(slotted, inside) if inside else remarked(slotted)), tag="g")

    return each_group(drawn, opening, copy)


def each_group(drawn: str, opening: str, change: Callable[[str], str]) -> str:
    """Change the groups of a drawing that begin like this and do not lie in each other."""
    done, at = [], 0
    while (start := drawn.find(opening, at)) >= 0:
        depth, end = 0, start
        for tag in GROUP.finditer(drawn, start):
            depth += -1 if tag[0] == "</g>" else not tag[0].endswith("/>")
            end = tag.end()
            if not depth:
                break
        done += [drawn[at:start], change(drawn[start:end])]
        at = end
    return "".join((*done, drawn[at:]))


@register.filter
def data_script(data: object, name: str) -> SafeString:
    """Render data for a script, as Django's `json_script` does, which takes ten times as long."""
    # msgspec refuses a SafeString, and `str` would return it as it is.
    text = msgspec.json.encode(data, enc_hook=lambda html: html.encode().decode()).decode()
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04X}")
    return mark_safe(f'<script id="{escape(name)}" type="application/json">{text}</script>')


@register.filter
def among(item: object, several: Container[object]) -> bool:
    return item in several


@register.simple_tag(takes_context=True)
def in_runs(context: Context, log: Sequence[LogLine]) -> list[tuple[LogLine, int | None]]:
    """Return the lines of a log, newest first, without entries that tell the reader nothing.

    Adjacent ones that the page has are one run: its newest line with the number of its oldest. After a decision, those
    are all lines up to `drawn_on`, else those in `lines_there` that are not new.
    """
    drawn_on, lines_on_page = context.get("drawn_on"), context.get("lines_there") or range(0)

    def is_on_the_page(line: LogLine) -> bool:
        is_there = line.seq <= drawn_on if drawn_on is not None else line.seq in lines_on_page and not line.new
        return is_there and not line.is_undone

    runs: list[tuple[LogLine, int | None]] = []
    for is_there, lines in groupby(log, is_on_the_page):
        run = list(lines)
        runs += [(run[0], run[-1].seq)] if is_there else [(line, None) for line in run if line.sentences]
    return runs


@register.simple_tag
def log_line(line: LogLine, page: Frame) -> SafeString:
    """Render a line of the log, and mark the one whose position the page shows, unless that is the current one."""
    is_shown = page.history is not None and line.seq == page.history.at
    at = localtime(line.at)
    moment = f"{at:%Y-%m-%dT%H:%M%z}", localized(at, "j M, H:i")
    own = None if page.me is None else page.names[page.me]
    words = tuple(page.names), tuple(line.sentences), line.note, own, get_language()
    return _log_line(line.seq, moment, *words, is_new=line.new, is_gone=line.is_undone, is_shown=is_shown)


@lru_cache(maxsize=MOST_KEPT)
def _log_line(
    seq: int, moment: tuple[str, str], names: tuple[str, ...], sentences: tuple[str, ...], note: str, own: str | None,
    language: str, *, is_new: bool, is_gone: bool, is_shown: bool,
) -> SafeString:  # fmt: skip
    """Render a line of the log without a template, which would take as long for a log as for all players.

    Each process remembers what it rendered, because lines hardly ever change.
    """
    title, new, gone = _("Show the position after this move"), _("New:"), _("Undone.")
    label = _("Move {n}").format(n=seq)
    news = f'<span class="news visually-hidden">{escape(new)}</span>' if is_new else ""
    start, end = ('\n<s class="sentence">', "</s> ") if is_gone else ('<span class="sentence">', "</span> ")
    written = "".join(f"{start}{sentence}{end}" for sentence in marked_for(own, names, sentences))
    undone = f'<em class="soft">{escape(gone)}</em>' if is_gone else ""
    noted = f'<em class="soft">{escape(note)}</em>' if note else ""
    return mark_safe(
        f"""<li id="line-{seq}" class="line {"new" if is_new else ""}{" taken-back" if is_gone else ""}"
{'aria-current="true"' if is_shown else ""}>
<a class="seq number" href="?at={seq}" title="{escape(title)}" aria-label="{escape(label)}">{seq}</a>
<div>
{news}
{written}
{undone}
{noted}
<time class="soft small" datetime="{moment[0]}">{escape(moment[1])}</time>
</div>
</li>"""
    )


def _noted(context: Context, drawn: str, digest: str, instead: str) -> SafeString:
    """Return the part, or its placeholder if the page has it."""
    written = instead if digest in (context.get("known_parts") or ()) else drawn
    if (inside := context.get(INSIDE)) is not None:
        inside.append((written, digest, instead))
    return mark_safe(written)


@register.tag
def part(parser: Parser, token: Token) -> PartNode:
    """Render an element, or a placeholder if the page has it: `known_parts` holds the digests it sent.

    The arguments, joined by hyphens, are the element's id. After `with` follow the values that it is drawn from, if it
    names them.
    """
    _tag, *names = token.split_contents()
    at = names.index("with") if "with" in names else len(names)
    values = token_kwargs(names[at + 1 :], parser)
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode([parser.compile_filter(name) for name in names[:at]], nodelist, values)
