"""The tag around the style sheets of a page."""

from django import template
from django.template.base import NodeList, Parser, Token

from empire.web.static_files import join_stylesheets

register = template.Library()


class OneStylesheet(template.Node):
    """Link elements of style sheets, which a server joins into one."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: template.Context) -> str:
        return join_stylesheets(self.nodelist.render(context))


@register.tag
def one_stylesheet(parser: Parser, token: Token) -> OneStylesheet:
    """Join the link elements up to `{% endone_stylesheet %}`: one file, one request."""
    nodelist = parser.parse(("endone_stylesheet",))
    parser.delete_first_token()
    return OneStylesheet(nodelist)
