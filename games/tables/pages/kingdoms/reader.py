"""The reader at the table: their view, draft and selection, and what they may do now.

The URL has the selection: `?c=sun-attack-4-1&c=wave-champion-9-1` selects cards of the hand and the Flop, `?s=1` a
player, `?sort=suit` sorts the hand, and `?then=draw` asks to confirm a step that cannot be undone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.rules.kingdoms import legal
from games.rules.kingdoms.deck import Card, card
from games.rules.kingdoms.powers import MOST_TRIBUTES, others_with
from games.rules.kingdoms.state import DEFEND, EPIC, SHOWDOWN, TURN, State, next_rank
from games.rules.kingdoms.view import PlayerView, View

BY_CLASS, BY_VALUE, BY_SUIT = "class", "value", "suit"
SORTS = (BY_CLASS, BY_VALUE, BY_SUIT)
PARTED = re.compile(r"[ +;]+")
BOSS = re.compile(r"\bboss (d\d:)?")  # action texts use a shorter form of Boss ids


class Picked(NamedTuple):
    """A selection. `words` may contain anything; `among` returns the valid card ids.

    The cards of a step to be confirmed, or of a refused one, are selected too.
    """

    words: frozenset[str] = frozenset()
    seats: tuple[int, ...] = ()
    sort: str = BY_CLASS
    then: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Picked":
        names = " ".join(query.get(name, "") for name in ("c", "then", "refused"))
        seats = {int(word) for word in query.get("s", "").split(" ") if len(word) == 1 and word in "01234567"}
        sort = query.get("sort", "")
        return cls(
            frozenset(PARTED.split(BOSS.sub(r"\1boss-", names))),
            tuple(sorted(seats)),
            sort if sort in SORTS else BY_CLASS,
            query.get("then", ""),
        )

    def among(self, cards: Iterable[str]) -> tuple[str, ...]:
        """Return the selected cards, in the given order."""
        return tuple(card_id for card_id in cards if card_id in self.words)


def selecting(cards: Iterable[str] = (), seats: Iterable[int] = ()) -> str:
    """Return the query that selects these cards and seats. Ids need no quoting."""
    parts = {"c": "+".join(cards), "s": "+".join(map(str, seats))}
    return "?" + "&".join(f"{name}={words}" for name, words in parts.items() if words)


@dataclass(frozen=True)
class SeatedReader:
    """A reader who has a seat, with their draft and selection. `view` has the draft applied."""

    view: View
    seat: int
    names: Sequence[str]
    draft: tuple[str, ...]
    picked: Picked

    @property
    def state(self) -> State:
        """The position as the reader knows it, which is enough for all questions about their own turn."""
        return self.view.hidden

    @property
    def player(self) -> PlayerView:
        return self.view.players[self.seat]

    @property
    def phase(self) -> str:
        """The decision that the reader owes; empty if none."""
        return self.view.phase if self.seat in self.view.to_act else ""

    @property
    def power(self) -> str:
        """The power of the Epic about which the reader decides; empty in other phases."""
        return (card(self.view.epic or "").power or "") if self.phase == EPIC else ""

    @property
    def picked_hand(self) -> tuple[str, ...]:
        """The selected cards of the hand."""
        return self.picked.among(self.player.hand)

    @property
    def picked_flop(self) -> tuple[str, ...]:
        """The selected cards of the Flop, which can be selected in the reader's own turn and while others act."""
        return self.picked.among(self.view.flop) if self.phase in (TURN, "") else ()

    @property
    def is_free(self) -> bool:
        """Whether it is the reader's turn, before any battle."""
        return self.phase == TURN and not self.view.flags.battles

    @property
    def may_trade(self) -> bool:
        return self.is_free and self.view.flags.drawn

    @property
    def boss(self) -> Card | None:
        """The Boss that can make its move now, which is the only selected card of the hand."""
        picked = self.picked_hand
        return card(picked[0]) if self.is_free and len(picked) == 1 and card(picked[0]).kind == "boss" else None

    @property
    def targets(self) -> list[int]:
        """The seats that the reader may attack now."""
        if self.phase == TURN:
            can = self.view.flags.drawn and legal.may_attack_again(self.state)
            return legal.targets(self.state, self.seat) if can else []
        return legal.targets(self.state, self.seat) if self.phase == SHOWDOWN else []

    @property
    def aimed_at(self) -> list[int]:
        """The selected players who are valid targets."""
        valid, most = self.targets, 1
        if self.phase == EPIC:
            valid, most = others_with(self.state, self.state.hands), MOST_TRIBUTES
        return [seat for seat in self.picked.seats if seat in valid][:most]

    @property
    def to_build(self) -> list[str]:
        """The cards of the hand that can be built now."""
        if not (self.is_free and legal.may_build(self.state)):
            return []
        rank = next_rank(self.state, self.seat)
        return [card_id for card_id in self.player.hand if card(card_id).rank == rank is not None]

    @property
    def pickable(self) -> list[int]:
        """The seats from which the reader can take a random card now."""
        if self.is_free or self.phase == DEFEND:
            return legal.pickable(self.state, self.seat)
        return []
