"""What each player has: their panel, with goods and what they won, and everyone's points by source.

Tokens are described in words: their names, what they give, and where they are on the map.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.boards.eight_minute.faces import FAMILIES, Face, gift_signs, leader_face
from games.boards.eight_minute.geometry import region_name
from games.boards.themes import colours
from games.help.eight_minute.words import TOKENS, token_name
from games.help.glossary import find
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.scoring import WILD, named
from games.rules.eight_minute.state import BID
from games.rules.eight_minute.tokens import CITADEL, DRAGON, FACE_DOWN, MERCHANTS, PORTAL, ROGUES, gifts
from games.rules.eight_minute.view import View
from games.rules.protocol import Scoresheet
from games.rules.words import labelled
from games.tables.pages.eight_minute.choices import card_face


@dataclass(frozen=True)
class Trophy:
    """A token won by a player; `words` tell what it gives."""

    id: str
    name: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Find:
    """A token on the map: where it is, what it does, and for a face-down one what the reader knows."""

    id: str
    name: str
    where: str
    words: str
    face: str = ""
    lookers: tuple[str, ...] = ()


def trophy(token: str) -> Trophy:
    """Return a won token by its id."""
    return Trophy(token, token_name(token), tuple(sign.words for sign in gift_signs(gifts()[token], _)))


def effect(token: str, view: View) -> str:
    """Return how a token on the map is won and what it does, in the sentences of the help."""
    if token not in TOKENS:
        return _("The player who controls the region at the end gets one more {good}.").format(good=_(FAMILIES[token]))
    term = find(view.edition, "token", token)
    won = []
    if term.id == DRAGON:
        slain = _("The player who brings the {n}th army into the region slays it.")
        won.append(slain.format(n=view.hidden.options.dragon))
    elif term.part_of == "explore":
        won.append(_("The first player to build a city in the region takes it."))
    return " ".join([*won, *term.sentences])


def finds(view: View, names: Sequence[str]) -> list[Find]:
    """Return all tokens on the map, by kind, towns last."""
    tokens, towns = [], []
    for region, contents in view.regions.items():
        where = _(region_name(region))
        if contents.token:
            face = _(gifts()[contents.face].name) if contents.face else ""
            lookers = tuple(names[seat] for seat in contents.looked if seat != view.seat)
            name, words = token_name(contents.token), effect(contents.token, view)
            tokens.append(Find(contents.token, name, where, words, face, lookers))
        if contents.town:
            towns.append(Find(MERCHANTS, token_name(MERCHANTS), where, effect(MERCHANTS, view)))
    kinds = list(dict.fromkeys((*view.hidden.rules.explore, FACE_DOWN, CITADEL, DRAGON, PORTAL, ROGUES)))
    tokens.sort(key=lambda find: (kinds.index(find.id) if find.id in kinds else len(kinds), find.id))
    return [*tokens, *towns]


# The rows of the scoresheet in order. Those of `ALWAYS` are shown even before anyone scores, where scored at all.
ORDER = ("regions", "islands", "continents", "citadels", "card", "token", "leader", "good", "elixirs")
ALWAYS = ("regions", "islands", "continents", "elixirs")
TIE_BREAKS = {
    "magic-book": gettext_noop("no Magic Book"),
    "coins": gettext_noop("fewer coins left"),
    "armies": gettext_noop("fewer armies on the map"),
    "regions": gettext_noop("fewer regions under control"),
}


@dataclass(frozen=True)
class Stock:
    """A count of something that a player has; `more` completes the words for screen readers."""

    icon: str
    words: str
    more: str
    n: int


@dataclass(frozen=True)
class Captives:
    """Captured armies of a color; `mark` is the seat, or `third`."""

    mark: str
    words: str
    n: int


@dataclass(frozen=True)
class Good:
    """A good with its count, plus `wild` cards added where they score most; `steps` are pairs of count and points."""

    id: str
    name: str
    own: int
    wild: int
    points: int
    steps: tuple[tuple[int, int], ...]

    @property
    def icon(self) -> str:
        return f"family-{self.id}"

    @property
    def worth(self) -> str:
        """Its current points, and the next step."""
        now = ngettext("{n} point", "{n} points", self.points).format(n=self.points)
        more = next(((needed, gain) for needed, gain in self.steps if needed > self.own + self.wild), None)
        if more is None:
            return _("{now} (maximum)").format(now=now)
        return _("{now}; {gain} with {needed}").format(now=now, gain=more[1], needed=more[0])

    @property
    def spoken(self) -> str:
        if not self.wild:
            return labelled(self.name, str(self.own), _)
        wild = ngettext("{n} wild card", "{n} wild cards", self.wild).format(n=self.wild)
        return _("{good}: {own} and {wild}").format(good=self.name, own=self.own, wild=wild)


@dataclass(frozen=True)
class PlayerPanel:
    """A player's panel. `change` is the effect of the draft on the points."""

    seat: int
    name: str
    colour: str
    is_me: bool
    is_acting: bool
    total: int
    change: int
    stock: tuple[Stock, ...]
    cards: tuple[Face, ...]
    cards_owned: int
    bonuses: tuple[str, ...]
    leader: Face | None
    tokens: tuple[Trophy, ...]
    captives: tuple[Captives, ...]
    goods: tuple[Good, ...]
    idle_wilds: int


@dataclass(frozen=True)
class Source:
    """A row of the scoresheet: points by seat. `kind` is a part of the scoring, card, token, leader or good."""

    kind: str
    name: str
    points: tuple[int | None, ...]


def player_panel(view: View, before: View, names: Sequence[str], seat: int) -> PlayerPanel:
    """Return a player's panel. `view` has the reader's draft applied."""
    play, total, rules = view.players[seat], view.scoresheet.seats[seat].total, edition(view.edition)
    stock = [
        Stock("coin", _("Coins"), "", play.coins),
        Stock("army", _("Armies"), _("left to place"), play.supply),
        Stock("city", _("Cities"), _("left to place"), play.city_supply),
    ]
    if "elixirs" in rules.scored:
        stock.append(Stock("flask", _("Elixirs"), "", play.elixirs))

    bonuses = []
    if play.more_armies:
        bonuses.append(_("+{n} when placing armies").format(n=play.more_armies))
    if play.more_movement:
        bonuses.append(_("+{n} when moving").format(n=play.more_movement))
    if play.crossing < rules.crossing:
        bonuses.append(_("water crossings cost {n}").format(n=play.crossing))
    if play.immune:
        bonuses.append(_("immune to attack"))

    captives = []
    for colour, n in enumerate(play.captives):
        if n and colour < len(names):
            words = ngettext("{n} of {player}’s armies", "{n} of {player}’s armies", n)
            captives.append(Captives(str(colour), words.format(n=n, player=names[colour]), n))
        elif n:
            words = ngettext("{n} third-color army", "{n} third-color armies", n)
            captives.append(Captives("third", words.format(n=n), n))

    return PlayerPanel(
        seat=seat, name=names[seat], colour=_(colours(len(view.players))[seat].name), is_me=seat == view.seat,
        is_acting=before.phase != BID and seat in before.to_act, total=total,
        change=total - before.scoresheet.seats[seat].total, stock=tuple(stock),
        cards=tuple(card_face(view, card) for card in play.cards),
        cards_owned=max(view.cards_owned, len(play.cards)), bonuses=tuple(bonuses),
        leader=leader_face(gifts()[play.leader], _) if play.leader else None,
        tokens=tuple(trophy(token) for token in play.tokens), captives=tuple(captives), goods=goods(view, seat),
        idle_wilds=idle_wilds(view, seat),
    )  # fmt: skip


def goods(view: View, seat: int) -> tuple[Good, ...]:
    """Return the goods of a seat in scoresheet order; empty in editions without goods."""
    rules = edition(view.edition)
    lines = {line.source.partition(":")[2]: line for line in view.scoresheet.seats[seat].lines if ":" in line.source}
    rows = []
    for good, amount in view.players[seat].goods.items():
        if good in rules.goods:
            wild = sum(item in rules.cards and rules.cards[item].family == WILD for item in lines[good].items)
            steps = tuple(zip(rules.goods[good], rules.goods_points, strict=True))
            rows.append(Good(good, _(gifts()[good].name), amount, wild, lines[good].points, steps))
    return tuple(rows)


def idle_wilds(view: View, seat: int) -> int:
    """Count wild cards that score nothing because there is no good to add them to (R60)."""
    held = view.players[seat].goods
    return held.get(WILD, 0) if set(held) <= {WILD} else 0


def sources(name: str, sheet: Scoresheet) -> list[Source]:
    """Return the scoresheet of an edition: map, cards, tokens, leaders, goods and elixirs."""
    rules = edition(name)
    scored = [line.source for score in sheet.seats for line in score.lines]
    rows = []
    for source in dict.fromkeys([*(part for part in rules.scored if part in ALWAYS), *scored]):
        kind, words = named(rules, source)
        by_seat = [[line.points for line in score.lines if line.source == source] for score in sheet.seats]
        rows.append(Source(kind, _(words), tuple(sum(points) if points else None for points in by_seat)))
    return sorted(rows, key=lambda row: ORDER.index(row.kind))
