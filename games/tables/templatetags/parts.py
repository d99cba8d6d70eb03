"""Parts of a table that an answer leaves out if the reader's page has just the same.

`{% part "battle" %}<details id="battle">…</details>{% endpart %}` gives the element a digest of its content, which
table.js sends back in the header `Parts`. A part with a form always differs, because its token does.
"""

import hashlib

from django import template
from django.template.base import FilterExpression, Node, NodeList, Parser, Token
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


class PartNode(Node):
    def __init__(self, name: FilterExpression, nodelist: NodeList) -> None:
        self.name, self.nodelist = name, nodelist

    def render(self, context: Context) -> SafeString:
        drawn, name = self.nodelist.render(context), self.name.resolve(context)
        digest = hashlib.sha256(drawn.encode()).hexdigest()[:6]
        if digest in context.get("known_parts", ()):
            return format_html('<div id="{}" data-kept></div>', name)
        return mark_safe(drawn.replace(f'id="{name}"', f'id="{name}" data-drawn="{digest}"', 1))


@register.tag
def part(parser: Parser, token: Token) -> PartNode:
    """Render an element with this id, or a placeholder if the page has it: `known_parts` holds the digests it sent."""
    _tag, name = token.split_contents()
    nodelist = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode(parser.compile_filter(name), nodelist)
