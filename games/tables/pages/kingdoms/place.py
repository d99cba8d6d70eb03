"""The reader at the table: their view, draft and selection, and what they may do now."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.kingdoms import allowed
from games.rules.kingdoms.deck import card
from games.rules.kingdoms.powers import MOST_TRIBUTES, others_with
from games.rules.kingdoms.state import DEFEND, EPIC, SHOWDOWN, TURN, State, next_rank
from games.rules.kingdoms.view import PlayerView, View
from games.tables.pages.kingdoms.picked import Picked


@dataclass(frozen=True)
class Place:
    """A player at the table. `view` has the draft applied."""

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
    def owes(self) -> bool:
        return self.seat in self.view.to_act

    @property
    def phase(self) -> str:
        """The decision that the reader owes; empty if none."""
        return self.view.phase if self.owes else ""

    @property
    def mine(self) -> tuple[str, ...]:
        """The selected cards of the hand."""
        return self.picked.among(self.player.hand)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The selected cards of the Flop."""
        return self.picked.among(self.view.flop)

    @property
    def is_free(self) -> bool:
        """Whether it is the reader's turn, before any battle."""
        return self.phase == TURN and not self.view.flags.battles

    @property
    def may_trade(self) -> bool:
        return self.is_free and self.view.flags.drawn

    @property
    def targets(self) -> list[int]:
        """The seats that the reader may attack now."""
        if self.phase == TURN:
            can = self.view.flags.drawn and allowed.may_attack_again(self.state)
            return allowed.targets(self.state, self.seat) if can else []
        return allowed.targets(self.state, self.seat) if self.phase == SHOWDOWN else []

    @property
    def aimed_at(self) -> list[int]:
        """The selected players who are valid targets."""
        if self.phase == EPIC:
            return [seat for seat in self.picked.seats if seat in others_with(self.state, self.state.hands)][
                :MOST_TRIBUTES
            ]
        return [seat for seat in self.picked.seats if seat in self.targets][:1]

    @property
    def to_build(self) -> list[str]:
        """The cards of the hand that can be built now."""
        if not (self.is_free and allowed.may_build(self.state)):
            return []
        rank = next_rank(self.state, self.seat)
        return [one for one in self.player.hand if card(one).rank == rank is not None]

    @property
    def pickable(self) -> list[int]:
        """The seats from which the reader can take a random card now."""
        if self.is_free or self.phase == DEFEND:
            return allowed.pickable(self.state, self.seat)
        return []
