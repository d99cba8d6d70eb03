"""Parts of a table that an answer leaves out if the reader's page has just the same.

`{% part "ware" card.id %}<label id="ware-{{ card.id }}">…</label>{% endpart %}` gives the element a digest of its
content, which table.js sends back in the header `Parts`. A part with a form always differs, because its token does.
"""

import hashlib

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


class PartNode(Node):
    def __init__(self, names: list[FilterExpression], nodelist: NodeList) -> None:
        self.names, self.nodelist = names, nodelist

    def render(self, context: Context) -> SafeString:
        drawn, name = self.nodelist.render(context), "-".join(str(one.resolve(context)) for one in self.names)
        digest = hashlib.sha256(drawn.encode()).hexdigest()[:6]
        if digest in (context.get("known_parts") or ()):
            return format_html('<div id="{}" data-kept></div>', name)
        return mark_safe(drawn.replace(f'id="{name}"', f'id="{name}" data-drawn="{digest}"', 1))


@register.tag
def part(parser: Parser, token: Token) -> PartNode:
    """Render an element, or a placeholder if the page has it: `known_parts` holds the digests it sent.

    The arguments, joined by hyphens, are the element's id.
    """
    _tag, *names = token.split_contents()
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode([parser.compile_filter(name) for name in names], nodelist)
