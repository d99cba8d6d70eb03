"""The board of a message, as pixels."""

from games.boards.picture import picture
from games.boards.pieces import Marks
from games.boards.png import png
from games.notices.messages import Message


def board_png(message: Message, width: int) -> bytes:
    """The board as the reader knows it, with what changed marked; empty where no game is on the board."""
    if message.view is None:
        return b""
    return png(picture(message.view, "light", Marks(changed=tuple(sorted(message.changed)))), width)
