"""Cards as data: their lasting effects (abilities) and what their taker may do right away (the action)."""

import msgspec


class Ability(msgspec.Struct, frozen=True):
    """A lasting effect of a card. The meaning of `n`, `of` and `points` depends on the kind.

    flying · immune · elixir n · army +n on each place · movement +n on each move · coins n at once · per-card points
    for each card of the family `of` · per-flying · per-coins points for each n coins · whole-set points for n cards of
    the family `of` · points · good n of the good `of` (classic) · wins-ties; leaders only: extra-card · robs n ·
    captures · musters · more-at-start n · no-supply points · per-captives points for each n · per-large-island points
    for each with n regions
    """

    kind: str
    n: int = 1
    of: str = ""
    points: int = 0


class Part(msgspec.Struct, frozen=True):
    """One part of an action. `kind` is place, move, build or destroy; `n` counts armies, movements or cities.

    A move by `ship` crosses water like land.
    """

    kind: str
    n: int
    ship: bool = False


class Gift(msgspec.Struct, frozen=True):
    """Something other than a card that has abilities: a token or a leader."""

    id: str
    name: str
    abilities: tuple[Ability, ...] = ()

    def total(self, kind: str) -> int:
        """Return the sum of `n` over the abilities of a kind."""
        return sum(ability.n for ability in self.abilities if ability.kind == kind)


class Card(msgspec.Struct, frozen=True):
    """A playing card. `joined` says how the parts of its action are combined: "", "and" or "or".

    `ordered`: whether the second part of an AND closes the first.
    """

    id: str
    name: str
    family: str
    abilities: tuple[Ability, ...]
    parts: tuple[Part, ...]
    joined: str
    players: int
    ordered: bool = True

    def total(self, kind: str) -> int:
        """Return the sum of `n` over the card's abilities of a kind."""
        return sum(ability.n for ability in self.abilities if ability.kind == kind)


class CardRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card as stored in the data."""

    id: str
    name: str
    action: str
    abilities: tuple[Ability, ...] = ()
    family: str = ""
    players: int = 2

    def card(self, ordered: bool) -> Card:
        parts, joined = parse_action(self.action)
        return Card(self.id, self.name, self.family, self.abilities, parts, joined, self.players, ordered)


def parse_action(text: str) -> tuple[tuple[Part, ...], str]:
    """Return the parts of an action such as `place 3 or move 4`, in printed order, and the joining word (R12)."""
    for joined in ("and", "or"):
        first, word, second = text.partition(f" {joined} ")
        if word:
            return (_parse_part(first), _parse_part(second)), joined
    return (_parse_part(text),), ""


def _parse_part(text: str) -> Part:
    kind, n = text.split()
    return Part("move", int(n), ship=True) if kind == "sail" else Part(kind, int(n))
