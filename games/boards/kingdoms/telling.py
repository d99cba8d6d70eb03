"""A battle in words, for the title of its scene and for text emails."""

from collections.abc import Sequence

from games.boards.kingdoms.describe import called, counted, listed, rank_of
from games.boards.kingdoms.faces import hero
from games.rules.kingdoms.deck import RANK_NAMES
from games.rules.kingdoms.view import BattleView, LaidView, WaveView
from games.rules.words import Translate, gettext_noop, untranslated

Names = Sequence[str]

_FACE_DOWN = (gettext_noop("1 card face down"), gettext_noop("{n} cards face down"))
_MODES = {
    "leave": gettext_noop("{protector} leaves {target} to defend alone."),
    "with": gettext_noop("{protector} defends with {target}: the higher hand counts."),
    "for": gettext_noop("{protector} defends for {target}."),
}


def battle_words(
    battle: BattleView, towers: Sequence[str], wall: int, names: Names = (), translate: Translate = untranslated
) -> str:
    """Describe what everyone can see of a battle, in sentences."""
    people = {"attacker": called(battle.attacker, names, translate), "target": called(battle.target, names, translate)}
    sentences = [
        translate(gettext_noop("{attacker} attacks {target}.")).format(**people),
        stake(towers, translate) + ".",
    ]
    if battle.protector is not None and battle.mode:
        protector = called(battle.protector, names, translate)
        sentences.append(translate(_MODES[battle.mode]).format(protector=protector, **people))
    for wave in battle.waves:
        sentences += [f"{hand_words(hand, names, translate)}." for hand in wave.hands]
    sentences += [word for word in (wall_words(towers, wall, translate), outcome(battle, names, translate)) if word]
    return " ".join(sentences)


def stake(towers: Sequence[str], translate: Translate = untranslated) -> str:
    """Describe what the target may lose: the top Tower, or the Castle (K30)."""
    if not towers:
        return translate(gettext_noop("The Castle is at stake"))
    rank = translate(RANK_NAMES[rank_of(towers[-1])])
    return translate(gettext_noop("The Tower {rank} is at stake")).format(rank=rank)


def wall_words(towers: Sequence[str], wall: int, translate: Translate = untranslated) -> str:
    """Describe what the Castle's wall adds, or return "" (K24)."""
    if towers or not wall:
        return ""
    return translate(gettext_noop("The Castle’s wall adds {n} to the defence.")).format(n=wall)


def hand_words(hand: LaidView, names: Names, translate: Translate = untranslated) -> str:
    """Describe a hand: `Alice: Sun Archer and 2 cards face down, 21 in all`."""
    words = [hero(card, translate) for card in hand.cards]
    if hidden := hand.count - len(hand.cards):
        words.append(counted(hidden, _FACE_DOWN, translate))
    laid = listed(words, translate) or translate(gettext_noop("no cards"))
    total = "" if hand.total is None else translate(gettext_noop(", {total} in all")).format(total=hand.total)
    return f"{called(hand.seat, names, translate)}: {laid}{total}"


def outcome(battle: BattleView, names: Names, translate: Translate = untranslated) -> str:
    """Describe the result of the last wave, or return "" while it is open."""
    wave = battle.waves[-1]
    if wave.attack is None or wave.defence is None:
        return ""
    if wave.attack == wave.defence:
        return translate(gettext_noop("A tie at {total}.")).format(total=wave.attack)
    winner = battle.attacker if wave.attack > wave.defence else defender(battle, wave)
    sentence = translate(gettext_noop("{player} wins, {high} to {low}."))
    high, low = max(wave.attack, wave.defence), min(wave.attack, wave.defence)
    return sentence.format(player=called(winner, names, translate), high=high, low=low)


def defender(battle: BattleView, wave: WaveView) -> int:
    """Return whose hand counts: the higher one, or the target's own if they are equal (K35)."""
    laid = wave.hands[1:]
    best = max(laid, key=lambda hand: (hand.total or 0, hand.seat == battle.target), default=None)
    return battle.target if best is None else best.seat
