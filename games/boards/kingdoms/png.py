"""Realms and battles as PNG."""

from collections.abc import Sequence

from games.boards import png
from games.boards.kingdoms.battle import battle_scene
from games.boards.kingdoms.realm import realm
from games.rules.kingdoms.view import BattleView, View
from games.rules.words import Translate, untranslated

PAPERS = {"light": "#f4ecd9", "dark": "#10191b"}  # background colors of realms and battles


def realm_png(
    view: View,
    width: int,
    theme: str = "light",
    *,
    names: Sequence[str] = (),
    wide: bool = True,
    translate: Translate = untranslated,
) -> bytes:
    """Render who rules whom, `width` pixels wide."""
    return png.png(_on_paper(realm(view, names, wide=wide, translate=translate, theme=theme), theme), width)


def battle_png(
    battle: BattleView,
    width: int,
    *,
    towers: Sequence[str] = (),
    wall: int = 3,
    names: Sequence[str] = (),
    translate: Translate = untranslated,
) -> bytes:
    """Render a battle's scene, `width` pixels wide."""
    scene = battle_scene(battle, towers=towers, wall=wall, names=names, translate=translate)
    return png.png(_on_paper(scene, "light"), width)


def _on_paper(svg: str, theme: str) -> str:
    """Put the picture on a background of its own, since emails can have any."""
    head, end, rest = svg.partition("</desc>")
    return f'{head}{end}<rect width="100%" height="100%" fill="{PAPERS[theme]}"/>{rest}'
