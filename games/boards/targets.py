"""Parts that pages add to drawings of any family: links on what can be clicked, and a sign for what is new."""

from html import escape

import msgspec

SPARK = "M0-5.4L1.3-1.3L5.4 0L1.3 1.3L0 5.4L-1.3 1.3L-5.4 0L-1.3-1.3Z"  # around the origin, next to what is new


class Target(msgspec.Struct, frozen=True):
    """A region or a kingdom that can be clicked: what that does in words, the link's address, and the action's text.

    The last two may be empty. `kind` is a word for CSS: `act`, `choose` or `cancel`.
    """

    label: str
    href: str = ""
    action: str = ""
    kind: str = "act"


def leads(target: Target) -> str:
    """Return the attributes of a link that does what a target says."""
    where = f'href="{escape(target.href)}"' if target.href else 'role="button" tabindex="0"'
    action = f' data-action="{escape(target.action)}"' if target.action else ""
    return f'class="target {target.kind}" {where}{action}'
