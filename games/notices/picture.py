"""The board of a message, as pixels."""

from games.boards import png
from games.boards.pieces import Marks
from games.notices.messages import Message


def board_png(message: Message, width: int) -> bytes:
    """The board as the reader knows it, with what changed marked; empty where no game is on the board."""
    if message.view is None:
        return b""
    return png.board_png(message.view, width, marks=Marks(changed=tuple(sorted(message.changed))))
