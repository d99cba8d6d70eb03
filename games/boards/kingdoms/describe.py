"""Kingdoms and battles in words: for screen readers, for text emails, and for the title of everything drawn."""

from collections.abc import Sequence
from unicodedata import east_asian_width

from games.boards.kingdoms.faces import hero
from games.boards.themes import BANNERS
from games.rules.kingdoms.deck import RANK_NAMES, card
from games.rules.kingdoms.view import BattleView, View
from games.rules.words import SEPARATOR, Translate, gettext_noop, is_singular, labelled, listed, untranslated

_CARDS = (gettext_noop("{n} card"), gettext_noop("{n} cards"))
_BANDS = {100: gettext_noop("worth 100 or more"), 200: gettext_noop("worth 200 or more")}
_FACE_DOWN = (gettext_noop("{n} card face down"), gettext_noop("{n} cards face down"))
_MODES = {
    "leave": gettext_noop("{protector} leaves {target} to defend alone."),
    "with": gettext_noop("{protector} defends with {target}: the higher hand counts."),
    "for": gettext_noop("{protector} defends for {target}."),
}


def called(seat: int, names: Sequence[str], translate: Translate = untranslated) -> str:
    """Return the player's name, or the color of the kingdom if it is not among the names."""
    return names[seat] if seat < len(names) else translate(BANNERS[seat].name)


LETTER = 0.56  # mean width of a letter, in font sizes
WIDE_LETTER = 0.95  # of W, M and Chinese characters


def width_of(name: str) -> float:
    """Estimate the width of a name in font sizes."""
    wide = sum(letter in "MWmw@" or east_asian_width(letter) in ("W", "F") for letter in name)
    return LETTER * (len(name) - wide) + WIDE_LETTER * wide


def fitted(name: str, size: float, room: float) -> float:
    """Return the font size, at most `size`, at which the whole name fits into the room."""
    return round(min(size, room / max(LETTER, width_of(name))), 1)


def broken(name: str, longest: int) -> tuple[str, ...]:
    """Return the name in one line, or if it is longer than that, in two: broken at a sign near the middle, or there."""
    if len(name) <= longest:
        return (name,)
    middle = len(name) / 2
    signs = [place + 1 for place, letter in enumerate(name[:-1]) if not letter.isalnum()]
    near = [place for place in signs if abs(place - middle) <= len(name) / 4]
    at = min(near, key=lambda place: abs(place - middle), default=-(-len(name) // 2))
    return name[:at].rstrip(), name[at:].lstrip()


def counted(n: int, words: tuple[str, str], translate: Translate = untranslated) -> str:
    return translate(words[not is_singular(n, translate)]).format(n=n)


def rank_of(tower: str) -> str:
    """Return the rank of a card built as a Tower."""
    return card(tower).rank or ""


def kingdom_words(view: View, seat: int, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """Describe a kingdom in one line: Towers, ruler, sub-kingdoms, and what is publicly known of its hand."""
    player, said = view.players[seat], []
    if player.towers:
        ranks = listed([translate(RANK_NAMES[rank_of(tower)]) for tower in player.towers], translate)
        said.append(translate(gettext_noop("Towers ({towers})")).format(towers=ranks))
    else:
        said.append(translate(gettext_noop("no Towers")))
    if player.ruler is None:
        said.append(translate(gettext_noop("no ruler")))
    else:
        said.append(translate(gettext_noop("ruled by {player}")).format(player=called(player.ruler, names, translate)))
    if ruled := [called(other.seat, names, translate) for other in view.players if other.ruler == seat]:
        said.append(translate(gettext_noop("rules {players}")).format(players=listed(ruled, translate)))
    said.append(counted(player.cards, _CARDS, translate))
    if player.band:
        said.append(translate(_BANDS[player.band]))
    if player.truce:
        said.append(translate(gettext_noop("under a Truce")))
    colour = translate(BANNERS[seat].name)
    person = f"{names[seat]} ({colour})" if seat < len(names) else colour
    return labelled(person, f"{translate(SEPARATOR).join(said)}.", translate)


def realm_words(view: View, names: Sequence[str] = (), translate: Translate = untranslated) -> str:
    """Describe all kingdoms, one per line, in seat order."""
    return "\n".join(kingdom_words(view, player.seat, names, translate) for player in view.players)


def battle_words(
    battle: BattleView, towers: Sequence[str], wall: int, names: Sequence[str] = (), translate: Translate = untranslated
) -> str:
    """Describe what everyone can see of a battle: `Alice: Sun Archer and 2 cards face down, 21 in all.`"""
    people = {"attacker": called(battle.attacker, names, translate), "target": called(battle.target, names, translate)}
    said = [translate(gettext_noop("{attacker} attacks {target}.")).format(**people), f"{stake(towers, translate)}."]
    if battle.protector is not None and battle.mode:
        protector = called(battle.protector, names, translate)
        said.append(translate(_MODES[battle.mode]).format(protector=protector, **people))
    for hand in (hand for wave in battle.waves for hand in wave.hands):
        words = [hero(card, translate) for card in hand.cards]
        if hidden := hand.count - len(hand.cards):
            words.append(counted(hidden, _FACE_DOWN, translate))
        cards = listed(words, translate) or translate(gettext_noop("no cards"))
        total = "" if hand.total is None else translate(gettext_noop(", {total} in all")).format(total=hand.total)
        said.append(labelled(called(hand.seat, names, translate), f"{cards}{total}.", translate))
    if wall and not towers:  # K24
        said.append(translate(gettext_noop("The Castle’s wall adds {n} to the defense.")).format(n=wall))
    if result := outcome(battle, names, translate):
        said.append(result)
    return " ".join(said)


def stake(towers: Sequence[str], translate: Translate = untranslated) -> str:
    """Describe what the target may lose: the top Tower, or the Castle (K30)."""
    if not towers:
        return translate(gettext_noop("The Castle is at stake"))
    rank = translate(RANK_NAMES[rank_of(towers[-1])])
    return translate(gettext_noop("The {rank} Tower is at stake")).format(rank=rank)


def outcome(battle: BattleView, names: Sequence[str], translate: Translate = untranslated) -> str:
    """Describe the result of the last wave, or return "" while it is open."""
    wave = battle.waves[-1]
    if wave.attack is None or wave.defence is None:
        return ""
    if wave.attack == wave.defence:
        return translate(gettext_noop("A tie at {total}.")).format(total=wave.attack)
    winner = battle.attacker
    if wave.attack < wave.defence:
        # The higher hand counts, or the target's own if they are equal (K35).
        best = max(wave.hands[1:], key=lambda hand: (hand.total or 0, hand.seat == battle.target), default=None)
        winner = battle.target if best is None else best.seat
    sentence = translate(gettext_noop("{player} wins, {high} to {low}."))
    high, low = max(wave.attack, wave.defence), min(wave.attack, wave.defence)
    return sentence.format(player=called(winner, names, translate), high=high, low=low)
