"""Functions that other packages register to react to changes of games. `tables` calls them without importing them.

`games.contests` registers its functions in `AppConfig.ready`. They run inside the transaction of the change.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accounts.models import User
    from games.rules import staff
    from games.tables.models import FullGame, Game

# A game, or a full game with all its games in order, ended with a result
after_contest: "list[Callable[[Sequence[Game], FullGame | None, datetime], None]]" = []
# Staff called a game off, and with it the full game that it belongs to
after_void: "list[Callable[[Game, datetime], None]]" = []
# A member of staff intervened at a table: the game, the intervention, in words without its reason, and who it was
after_intervention: "list[Callable[[Game, staff.Intervention, str, User], None]]" = []
# The person's rating in a ruleset, None without a rated game; the first function that is registered answers
rating_of: "list[Callable[[User, str], int | None]]" = []
# Whether the game is a match of a league or tournament that is being played
is_match: "list[Callable[[Game], bool]]" = []
# Whether the game is or was played in a competition
is_of_competition: "list[Callable[[Game], bool]]" = []
# The name of the competition that the game is or was played in, in the active language, or an empty text
competition_of: "list[Callable[[Game], str]]" = []
# Whether the person is banned from the competition that the game belongs to
is_banned: "list[Callable[[Game, User], bool]]" = []
# The first person has blocked the second
blocked: "list[Callable[[User, User], None]]" = []
# Whether the person plays in the competition that the game belongs to
is_involved: "list[Callable[[Game, User], bool]]" = []
