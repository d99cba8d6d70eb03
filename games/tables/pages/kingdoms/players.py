"""The kingdoms: the realm, which shows who rules whom, the public facts about each, and the result."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.boards.kingdoms import realm as pictures
from games.boards.kingdoms.changes import Changes, kingdom_changes
from games.boards.kingdoms.describe import rank_of
from games.boards.targets import Target
from games.boards.themes import mark
from games.notices.outbox.words import enumerated
from games.rules.kingdoms.deck import CLASSES, RANK_NAMES, card
from games.rules.kingdoms.state import EPIC
from games.rules.kingdoms.view import PlayerView, View
from games.tables.pages.kingdoms.due import Due
from games.tables.pages.kingdoms.pictures import picture
from games.tables.pages.kingdoms.words import cards_count, won_by

BANDS = {100: gettext_noop("worth 100 or more"), 200: gettext_noop("worth 200 or more")}
TIE_BREAKS: dict[str, str] = {}  # reasons for places are shown with each kingdom


@dataclass(frozen=True)
class Realm:
    """The realm as a picture: in rows for phones, as a tree for wide screens. Selectable kingdoms are links."""

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


@dataclass(frozen=True)
class PlayerPanel:
    """A kingdom. `summary` describes it in short, `news` tells what changed.

    `shown` are the face-up cards, all cards once the game is over.
    """

    seat: int
    name: str
    is_me: bool
    is_acting: bool
    cards: str
    summary: tuple[str, ...]
    badges: tuple[str, ...]
    news: tuple[str, ...]
    shown: tuple[str, ...]

    @property
    def mark(self) -> SafeString:
        return mark_safe(mark(self.seat))

    @property
    def pictures(self) -> list[SafeString]:
        return [picture(card_id) for card_id in self.shown]


@dataclass(frozen=True)
class Kingdom:
    """A kingdom at the end; `words` explain its place."""

    place: int
    seat: int
    name: str
    words: tuple[str, ...]
    worth: str
    value: int
    hand: tuple[str, ...]

    @property
    def mark(self) -> SafeString:
        return mark_safe(mark(self.seat))

    @property
    def pictures(self) -> list[SafeString]:
        return [picture(card_id) for card_id in self.hand]


@dataclass(frozen=True)
class Ending:
    """How the game was won, all kingdoms in order of place, and the rows of the scoresheet in the same order.

    A row has a name and a cell for each kingdom, in `rows` words and in `sums` values.
    """

    how: str
    kingdoms: tuple[Kingdom, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    sums: tuple[tuple[str, tuple[int, ...]], ...]


def realm(view: View, names: Sequence[str], due: Due, changes: Changes) -> Realm:
    targets = {}
    choose = _("Take a card from {player}") if view.phase == EPIC else _("Attack {player}")
    for aim in due.aims:
        words, kind = (_("{player}: deselect"), "cancel") if aim.is_current else (choose, "choose")
        seat = int(aim.id.rpartition("-")[2])
        targets[seat] = Target(words.format(player=aim.words), f"{aim.query}#hand", kind=kind)
    for step in due.ready:
        # A tap decides about a Storm at once.
        if step.action.startswith("storm "):
            words = _("Storm: {tower}").format(tower=step.words)
            targets[int(step.action[-1])] = Target(words, "#hand", step.action)
    return Realm(view, names, targets, changes)


def player_panel(view: View, before: View, names: Sequence[str], seat: int, changes: Changes) -> PlayerPanel:
    player, badges = view.players[seat], []
    if player.band:
        badges.append(_(BANDS[player.band]))
    if player.truce:
        badges.append(_("under a Truce"))
    if view.options.quick and not view.over:
        badges.append(_("has attacked") if player.attacked else _("must still attack"))
    return PlayerPanel(
        seat=seat,
        name=names[seat],
        is_me=seat == view.seat,
        is_acting=seat in before.to_act,
        cards=cards_count(player.cards),
        summary=tuple(summary(view, player, names)),
        badges=tuple(badges),
        news=tuple(kingdom_changes(changes, view, seat, names, _)),
        shown=player.shown,
    )


def summary(view: View, player: PlayerView, names: Sequence[str]) -> Iterator[str]:
    """Yield who rules the kingdom, whom it rules, and its Towers."""
    if player.ruler is not None:
        yield _("ruled by {player}").format(player=names[player.ruler])
    else:
        yield _("no ruler")
    if ruled := [names[other.seat] for other in view.players if other.ruler == player.seat]:
        yield _("rules {players}").format(players=enumerated(ruled))
    if player.towers:
        yield _("Towers: {towers}").format(
            towers=enumerated([_(RANK_NAMES[rank_of(tower)]) for tower in player.towers])
        )
    else:
        yield _("no Towers")


def ending(view: View, names: Sequence[str]) -> Ending:
    """Return the scoresheet of a finished game: Towers, rulers, and the value of each hand by class of Heroes."""
    kingdoms, ranked = [], sorted(view.scoresheet.seats, key=lambda score: score.place)
    for score in ranked:
        player, words = view.players[score.seat], tuple(summary(view, view.players[score.seat], names))
        value, worth = player.value or 0, _("{cards}, worth {value}")
        worth = worth.format(cards=cards_count(player.cards), value=value)
        kingdoms.append(Kingdom(score.place, score.seat, names[score.seat], words, worth, value, player.hand))
    sums = [Counter[str]() for _score in ranked]
    for sums_of_hand, kingdom in zip(sums, kingdoms, strict=True):
        for hand_card in map(card, kingdom.hand):
            sums_of_hand[hand_card.kind] += hand_card.value
    players = [view.players[score.seat] for score in ranked]
    rows = [
        (
            _("Towers"),
            tuple(", ".join(_(RANK_NAMES[rank_of(tower)]) for tower in player.towers) for player in players),
        ),
        (_("Ruled by"), tuple("" if player.ruler is None else names[player.ruler] for player in players)),
    ]
    by_class = tuple(
        (_(name), tuple(sums_of_hand[kind] for sums_of_hand in sums))
        for kind, name in CLASSES.items()
        if any(sums_of_hand[kind] for sums_of_hand in sums)
    )
    return Ending(won_by(view), tuple(kingdoms), tuple(rows), by_class)
