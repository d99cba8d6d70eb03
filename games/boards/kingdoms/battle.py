"""A battle as a small scene: the attacker's cards below, the defenders' on the wall above, totals between them.

Face-down cards are backs; a view only knows how many there are.
"""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from games.boards.kingdoms.cards import back_picture, card_picture, definitions, parts_of
from games.boards.kingdoms.describe import battle_words, called, fitted, outcome, stake
from games.boards.kingdoms.faces import face, moved
from games.boards.themes import BANNER_SHAPES, BANNERS
from games.rules.kingdoms.view import BattleView, LaidView, WaveView
from games.rules.words import Translate, gettext_noop, untranslated

PAST = 46  # height of an earlier wave
SHIELD = "M-21-22Q0-27 21-22V2Q21 18 0 27Q-21 18-21 2Z"
ROUND = "M0-25A25 25 0 1 1-.1-25Z"
SIZES = {False: (360, 58), True: (560, 84)}  # widths of a scene and of its cards
DIM = 0.6  # opacity of a beaten hand


class Scene(NamedTuple):
    """Everything needed to draw the parts of a scene."""

    battle: BattleView
    towers: Sequence[str]
    wall: int
    names: Sequence[str]
    sprite: str
    width: int
    card: int
    translate: Translate

    @property
    def tall(self) -> float:
        """The height of a card."""
        return self.card * 1.4


def battle_scene(
    battle: BattleView, *, towers: Sequence[str] = (), wall: int = 3, names: Sequence[str] = (), sprite: str = "",
    wide: bool = False, translate: Translate = untranslated,
) -> str:  # fmt: skip
    """Draw the battle. `towers` are the target's when attacked; `sprite` is the address of the card parts.

    Without an address, the picture includes the parts it needs.
    """
    scene = Scene(battle, towers, wall, names, sprite, *SIZES[wide], translate)
    *past, last = battle.waves
    earlier = ""  # small cards and the tied totals
    for n, wave in enumerate(past):
        word, middle = translate(gettext_noop("Wave {n}")).format(n=n + 1), scene.width / 2
        drawn = (
            f'<text x="{middle:g}" y="17" font-size="13" text-anchor="middle">{escape(word)}</text>'
            f'<text x="{middle:g}" y="36" font-size="18" text-anchor="middle">{wave.attack} = {wave.defence}</text>'
            f"{moved(_small(scene, wave.hands[:1]), 6, 2)}{moved(_small(scene, wave.hands[1:]), middle + 44, 2)}"
        )
        earlier += moved(drawn, 0, PAST * n)
    down = PAST * len(past)
    height = round(down + 2 * scene.tall + (152 if last.attack is not None else 124))
    parts = ""
    if not sprite:
        needed = ["k-back"]
        for shown in (face(card) for wave in battle.waves for hand in wave.hands for card in hand.cards):
            needed += parts_of(shown.suit, shown.figure)
        parts = f"<defs>{definitions(needed)}</defs>"
    title = translate(gettext_noop("{attacker} attacks {target}")).format(
        attacker=called(battle.attacker, names, translate), target=called(battle.target, names, translate)
    )
    words = battle_words(battle, towers, wall, names, translate)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="k-scene" viewBox="0 0 {scene.width} {height}"'
        f' width="{scene.width}" height="{height}" role="img" font-family="Alegreya" font-weight="700" fill="#2a2318">'
        f"<title>{escape(title)}</title><desc>{escape(words)}</desc>{parts}{earlier}"
        f"{moved(_last(scene, last), 0, down)}</svg>"
    )


def _last(scene: Scene, wave: WaveView) -> str:
    """Draw the last wave: the defenders on the wall, the attacker in front of it, and both totals at the right."""
    battle, (attack, *defence) = scene.battle, wave.hands
    # The seats that lay a hand to defend, as far as known.
    defenders = [battle.target]
    if battle.protector is not None and battle.mode not in (None, "leave"):
        defenders = [battle.protector] if battle.mode == "for" else [battle.target, battle.protector]
    waiting = [seat for seat in defenders if seat not in {hand.seat for hand in defence}]
    room = (scene.width - 64) / (len(defence) + len(waiting))
    groups = [_hand(scene, hand, room) for hand in defence]
    groups += [_label(scene, seat, room) + _slot(scene, "?") for seat in waiting]
    above = "".join(moved(group, room * n, 0) for n, group in enumerate(groups))
    below = moved(_hand(scene, attack, scene.width - 64), 0, scene.tall + 92)
    own = attack.total if wave.attack is None else wave.attack
    held, broken = _beats(wave.defence, wave.attack), _beats(wave.attack, wave.defence)
    x, result = scene.width - 34, escape(outcome(battle, scene.names, scene.translate))
    place = f'x="{scene.width / 2:g}" y="{2 * scene.tall + 142:g}" font-size="18" text-anchor="middle"'
    return (
        f"{_dimmed(above, broken)}{moved(_rampart(scene), 0, scene.tall + 22)}{_dimmed(below, held)}"
        f"{_total(ROUND, wave.defence, x, 27 + scene.tall / 2, held)}"
        f"{_total(SHIELD, own, x, 119 + 1.5 * scene.tall, broken)}"
        f"<text {place}>{result}</text>"
    )


def _beats(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one > other


def _dimmed(drawing: str, beaten: bool) -> str:
    return f'<g class="beaten" opacity="{DIM}">{drawing}</g>' if beaten else f"<g>{drawing}</g>"


def _hand(scene: Scene, hand: LaidView, room: float) -> str:
    """Draw a banner with the name, and the cards side by side, overlapping if there is little room."""
    step = min(scene.card + 4, (room - scene.card - 8) / max(1, hand.count - 1))
    cards = "" if hand.count else _slot(scene, "–")
    for n in range(hand.count):
        place = f'x="{6 + step * n:.4g}" y="26" width="{scene.card}" height="{scene.tall:g}"'
        if n < len(hand.cards):
            cards += card_picture(hand.cards[n], scene.sprite, place, scene.translate)
        else:
            cards += back_picture(scene.sprite, place, scene.translate)
    return _label(scene, hand.seat, room) + cards


def _slot(scene: Scene, sign: str) -> str:
    """Draw an empty card place."""
    wide, tall = scene.card - 2, scene.tall - 2
    return (
        f'<rect x="7" y="27" width="{wide}" height="{tall:g}" rx="5" fill="none" stroke="#8d7a5c" stroke-width="1.6"'
        f' stroke-dasharray="5 4"/><text x="{7 + wide / 2:g}" y="{36 + tall / 2:g}" font-size="30" text-anchor="middle"'
        f' fill="#8d7a5c">{sign}</text>'
    )


def _label(scene: Scene, seat: int, room: float) -> str:
    paint, name = BANNERS[seat], called(seat, scene.names, scene.translate)
    size = fitted(name, 17, room - 30)
    return (
        f'<path transform="translate(15 12) scale(.72)" d="{BANNER_SHAPES[paint.shape]}" fill="{paint.fill}"'
        f' stroke="#8a6a44" stroke-width="1.6"/><text x="28" y="18" font-size="{size:g}">{escape(name)}</text>'
    )


def _rampart(scene: Scene) -> str:
    """Draw the wall between the hands, with what is at stake written on it, and the bonus of a Castle's wall."""
    wide = scene.width
    merlons = "v-9h14v9h10" * (wide // 24)
    grass = "q10-6 20 0" * (wide // 20)
    joints = "".join(f"M{x} 14V25M{x + 20} 25V37M{x} 37V48" for x in range(18, wide, 40))
    words = stake(scene.towers, scene.translate)
    board = f"M10 21h{8.3 * len(words) + 14:.0f}v20h-{8.3 * len(words) + 14:.0f}l5-10Z"
    plaque = ""  # a board hanging from the wall
    if scene.wall and not scene.towers:
        plaque = (
            f'<g transform="translate({wide - 34} 29)"><path d="M-17-12H17V12H-17Z" fill="#8a5c30" stroke="#241a10"'
            ' stroke-width="1.6"/><text y="6.5" font-size="18" text-anchor="middle" fill="#fff6df">'
            f"+{scene.wall}</text></g>"
        )
    return (
        f'<g stroke="#241a10" stroke-linejoin="round"><path fill="#c9bfa8" stroke-width="1.6"'
        f' d="M0 48V14{merlons}H{wide}V48Z"/>'
        f'<path stroke-width=".9" fill="none" d="M0 25H{wide}M0 37H{wide}{joints}"/>'
        f'<path fill="#f0dfb4" stroke-width="1.4" d="{board}"/></g>'
        f'<text x="19" y="36" font-size="15.5" fill="#241a10">{escape(words)}</text>{plaque}'
        f'<path fill="#7fa35a" stroke="#4d6a35" stroke-width="1.2" d="M0 49{grass}V54H0Z"/>'
    )


def _total(shape: str, total: int | None, x: float, y: float, wins: bool) -> str:
    fill, ink = ("#f6d568", "#2a2318") if wins else ("#e4ddcc", "#4a4234")
    written = "?" if total is None else str(total)
    return (
        f'<g transform="translate({x:g} {y:g})"><path d="{shape}" fill="{fill}" stroke="#241a10" stroke-width="2.4"/>'
        f'<path d="{shape}" transform="scale(.84)" fill="none" stroke="#8a5a10" stroke-width="1.2"/>'
        f'<text y="9" font-size="27" text-anchor="middle" fill="{ink}">{written}</text></g>'
    )


def _small(scene: Scene, hands: Sequence[LaidView]) -> str:
    cards = [card for hand in hands for card in hand.cards]
    backs = sum(hand.count - len(hand.cards) for hand in hands)
    step = min(30.0, (scene.width / 2 - 80) / max(1, len(cards) + backs - 1))
    places = [f'x="{step * n:.4g}" width="28" height="39.2"' for n in range(len(cards) + backs)]
    faces = [
        card_picture(card, scene.sprite, place, scene.translate) for card, place in zip(cards, places, strict=False)
    ]
    return "".join(faces + [back_picture(scene.sprite, place, scene.translate) for place in places[len(cards) :]])
