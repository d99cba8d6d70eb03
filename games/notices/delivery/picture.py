"""The position of a message, as pixels."""

from games.notices.delivery.families import FAMILIES
from games.notices.delivery.messages import Message


def board_png(message: Message, width: int) -> bytes:
    """What the family draws, as the reader knows it; empty where no game is on, or there is nothing to draw yet."""
    if message.view is None or message.game is None:
        return b""
    return FAMILIES[message.game.rules.family].picture(message.view, width, message.names, message.events)
