"""The realm, which shows who rules whom: in rows for phones and as a tree for wide screens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.boards.eight_minute.pieces import Target
from games.boards.kingdoms import realm as pictures
from games.boards.kingdoms.changes import Changes
from games.rules.kingdoms.state import EPIC
from games.rules.kingdoms.view import View
from games.tables.pages.kingdoms.due import Due, Link


@dataclass(frozen=True)
class Realm:
    """Both pictures of the realm. Kingdoms that can be selected are links."""

    view: View
    names: Sequence[str]
    targets: Mapping[int, Target]
    changes: Changes

    @property
    def rows(self) -> SafeString:
        return self._drawn(wide=False)

    @property
    def tree(self) -> SafeString:
        return self._drawn(wide=True)

    def _drawn(self, wide: bool) -> SafeString:
        drawn = pictures.realm(
            self.view, self.names, wide=wide, translate=_, targets=self.targets, changes=self.changes
        )
        return mark_safe(drawn)


def realm(view: View, names: Sequence[str], due: Due, changes: Changes) -> Realm:
    return Realm(view, names, {_seat(aim): _target(aim, view) for aim in due.aims} | _storms(due), changes)


def _seat(aim: Link) -> int:
    return int(aim.id.rpartition("-")[2])


def _target(aim: Link, view: View) -> Target:
    words = _("{player}: deselect") if aim.is_current else _choose_words(view)
    kind = "cancel" if aim.is_current else "choose"
    return Target(words.format(player=aim.words), f"{aim.query}#hand", kind=kind)


def _choose_words(view: View) -> str:
    return _("Take a card from {player}") if view.phase == EPIC else _("Attack {player}")


def _storms(due: Due) -> dict[int, Target]:
    """Return tap targets for a Storm, which the tap itself decides."""
    steps = [choice for choice in due.ready if choice.action.startswith("storm ")]
    return {
        int(step.action[-1]): Target(_("Storm: {tower}").format(tower=step.words), "#hand", step.action)
        for step in steps
    }
