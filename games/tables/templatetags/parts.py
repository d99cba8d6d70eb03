"""Parts of a table that an answer leaves out if the reader's page has just the same.

`{% part "ware" card.id %}<label id="ware-{{ card.id }}">…</label>{% endpart %}` gives the element a digest of its
content, which table.js sends back in the header `Parts`. A part with a form always differs, because its token does.

Parts can lie in parts. A part without a name (`copied`) may be anywhere in the page, which makes copies of it.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from itertools import groupby

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.tables.pages.frame import LogLine

register = template.Library()
DIGEST = "~digest~"
SLOT = f'data-drawn="{DIGEST}"'
ELEMENT = re.compile(r"<(?!script)(\w+)")  # data in a script is left out like any other element
DRAWN_ONCE = "<g id="  # how a group of `<defs>` begins
GROUP = re.compile(r"<g\b[^>]*>|</g>")
INSIDE = "parts_inside"  # in the context of a part: the inner parts as they were drawn, with their digests


def digest(drawn: str, inside: Sequence[tuple[str, str]] = ()) -> str:
    """Return the digest of an element. Whether the parts `inside` are drawn or left out makes no difference."""
    for inner, known in inside:
        drawn = drawn.replace(inner, known)
    return hashlib.sha256(drawn.encode()).hexdigest()[:6]


def marked(drawn: str, inside: Sequence[tuple[str, str]] = ()) -> tuple[str, str]:
    """Return a drawn element for `copied`, with its digest in place of the first `DIGEST`, and the digest."""
    known = digest(drawn, inside)
    return drawn.replace(DIGEST, known, 1), known


class PartNode(Node):
    def __init__(self, names: list[FilterExpression], nodelist: NodeList) -> None:
        self.names, self.nodelist = names, nodelist

    def render(self, context: Context) -> SafeString:
        inside: list[tuple[str, str]] = []
        with context.push(**{INSIDE: inside}):
            drawn, name = self.nodelist.render(context), "-".join(str(one.resolve(context)) for one in self.names)
        return named(context, name, drawn, digest(drawn, inside))


def named(context: Context, name: str, drawn: str, known: str) -> SafeString:
    """Return a drawn element with the id `name`, or an empty one of its kind as a placeholder if the page has it."""
    found = ELEMENT.match(drawn.lstrip())
    tag = found[1] if found else "div"
    if known in (context.get("known_parts") or ()):
        return _noted(context, format_html('<{} id="{}" data-kept></{}>', tag, name, tag), known)
    return _noted(context, mark_safe(drawn.replace(f'id="{name}"', f'id="{name}" data-drawn="{known}"', 1)), known)


def copied(context: Context, drawn: str, known: str, *, tag: str = "i") -> SafeString:
    """Return an element of `marked`, or a placeholder if the page has one that is equal."""
    if known in (context.get("known_parts") or ()):
        return _noted(context, format_html('<{} data-kept="{}"></{}>', tag, known, tag), known)
    return _noted(context, mark_safe(drawn), known)


@register.simple_tag(takes_context=True)
def drawing(context: Context, drawn: str) -> SafeString:
    """Render a picture without those parts that the page has: groups in `<defs>`, groups `data-of`, and their pieces.

    A piece, such as a castle, is the same wherever its group lies.
    """
    start, _defs, rest = drawn.rpartition("<defs>")
    if start:
        inner, _end, rest = rest.partition("</defs>")
        start += f"<defs>{copied_groups(context, inner, DRAWN_ONCE)}</defs>"

    inside: list[tuple[str, str]] = []
    with context.push(**{INSIDE: inside}):
        rest = copied_groups(context, rest, '<g class="stronghold"')
    return mark_safe(start + copied_groups(context, rest, "<g data-of=", inside))


def copied_groups(context: Context, drawn: str, opening: str, inside: Sequence[tuple[str, str]] = ()) -> str:
    """Leave out those groups of a drawing that begin like this and that the page has. `inside` are parts of them."""

    def copy(group: str) -> SafeString:
        return copied(context, *marked(f"<g {SLOT}{group.removeprefix('<g')}", inside), tag="g")

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


@register.simple_tag(takes_context=True)
def in_runs(context: Context, log: Sequence[LogLine]) -> list[tuple[LogLine, int | None]]:
    """Return the lines of a log, newest first. Adjacent ones that the page has after a decision are one run.

    A run is its newest line with the number of its oldest.
    """
    drawn_on = context.get("drawn_on")
    found: list[tuple[LogLine, int | None]] = []
    for is_there, lines in groupby(
        log, lambda one: drawn_on is not None and one.seq <= drawn_on and not one.taken_back
    ):
        run = list(lines)
        found += [(run[0], run[-1].seq)] if is_there else [(line, None) for line in run]
    return found


def _noted(context: Context, drawn: SafeString, known: str) -> SafeString:
    if (inside := context.get(INSIDE)) is not None:
        inside.append((drawn, known))
    return drawn


@register.tag
def part(parser: Parser, token: Token) -> PartNode:
    """Render an element, or a placeholder if the page has it: `known_parts` holds the digests it sent.

    The arguments, joined by hyphens, are the element's id.
    """
    _tag, *names = token.split_contents()
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode([parser.compile_filter(name) for name in names], nodelist)
