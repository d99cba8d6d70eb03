"""The rulings on undoing a turn, for all games. docs/rulings.md has the same sentences."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.help.ruling import ALL_GAMES, Ruling


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
        "Otherwise the people who were shown something have to agree first; everybody else at the table, if the turn "
        "needed chance or its own player was shown something. Bots agree silently. People agree for themselves: while "
        "somebody else or a bot plays for one of them, nobody can be asked, and a request that was made before waits "
        "for them."
    ),
    _("One “no”, or the next move, and the turn stands; it can be asked for once."),
    _(
        "Nothing is deleted: the log keeps the turn, struck through, and says that it was taken back. The game stands "
        "as it did before the turn. What was seen stays seen."
    ),
    _(
        "The same draws come again. A deck deals the same card, and a random draw, such as a card out of somebody’s "
        "hand, is the next random draw of that player, whenever that comes and whatever others do meanwhile."
    ),
    _(
        "While decisions are made in secret nobody is told who has made theirs; if the turn before them is taken back, "
        "they are made anew."
    ),
    _(
        "The player’s clock has run on, as if the turn had not been taken. If its time has run out since, the turn "
        "stands."
    ),
    _(
        "At a rated table, and in a duplicate round, a turn that needed chance or showed anybody a card or a token "
        "stands."
    ),
)
