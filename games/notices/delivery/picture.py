"""The board picture of a message."""

from games.notices.delivery.families import FAMILIES
from games.notices.delivery.messages import Message


def board_png(message: Message, width: int) -> bytes:
    """Return the position as the reader sees it, as PNG; empty if there is no game or nothing to draw yet."""
    if message.view is None or message.game is None:
        return b""
    return FAMILIES[message.game.rules.family].picture(message.view, width, message.names, message.events)
