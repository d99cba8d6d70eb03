"""When a turn can be taken back, in all games: each ruling a sentence, as in docs/rulings.md."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.views.help.ruling import ALL_GAMES, Ruling


def _rulings(*texts: str | Promise) -> tuple[Ruling, ...]:
    return tuple(Ruling(number, ALL_GAMES, text) for number, text in enumerate(texts, start=1))


# fmt: off
RULINGS = _rulings(
    _(
        "Who took the last turn may ask for it back as long as the game runs and nobody has acted since, neither a "
        "person nor a bot, an order or the clock. The turn before it stands even when the last one was taken back, and "
        "what was played instead stands too."
    ),
    _(
        "The set-up by the house, what was decided in secret and then shown, what a bot, an order or the clock "
        "decided, and a turn that has ended the game stand."
    ),
    _("A turn that needed no chance and showed nobody a card or a token goes back at once."),
    _(
        "Otherwise those who were shown something have to agree; everybody else at the table, where the turn needed "
        "chance or its own player was shown something. Bots agree silently."
    ),
    _("One “no”, or the next move, and the turn stands; it can be asked for once."),
    _(
        "Nothing is deleted: the log keeps the turn, struck through, and says that it was taken back. The game stands "
        "as it did before the turn. What was seen stays seen."
    ),
    _(
        "A deck deals the same card again. Another draw, such as a card out of somebody’s hand, would come out "
        "differently: where people have agreed it may, where there are only bots what it decided stands."
    ),
    _(
        "While decisions are made in secret nobody is told who has made theirs; if the turn before them is taken back, "
        "they are made anew."
    ),
    _("The player has the time again that was left when the turn was taken, and no more."),
)
