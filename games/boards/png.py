"""SVG to PNG, with the lettering of our own fonts whatever the machine has."""

from pathlib import Path

import resvg_py

FONTS = tuple(str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.ttf")))


def png(svg: str, width: int) -> bytes:
    """The picture `width` pixels wide, as high as its own measure asks for."""
    drawn = resvg_py.svg_to_bytes(svg_string=svg, width=width, font_files=list(FONTS), skip_system_fonts=True)
    return bytes(drawn)
