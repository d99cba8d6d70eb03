"""Draw docs/architecture.svg: the packages and the imports between them. With `--check`, fail if the picture is old.

The boxes are the layers of the import contract in pyproject.toml, and the arrows come from the real imports.
"""

import sys
import tomllib
from collections import Counter
from collections.abc import Container
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "architecture.svg"
WIDTH, ROW, BOX_WIDTH, BOX, GAP = 1000, 92, 310, 46, 20
MANY = (10, 30, 60, 120)  # imports from which an arrow is drawn one step wider
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #222 }
  .small { font-size: 11px; fill: #555 }
  rect { fill: #f7f2e6; stroke: #8a6f3c }
  path { fill: none; stroke: #4a6b8a; stroke-opacity: .55 }
  @media (prefers-color-scheme: dark) {
    text { fill: #eee } .small { fill: #bbb } rect { fill: #2c2a26; stroke: #b79a63 } path { stroke: #8fb3d6 }
  }
"""


def layers() -> list[list[str]]:
    """The packages of each layer of the first contract, from the top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return [[name.strip() for name in layer.replace("|", ":").split(":")] for layer in contracts[0]["layers"]]


def drawing() -> str:
    """The boxes are packages, once in each layer that holds parts of them; the small print names the parts."""
    boxes: dict[str, tuple[float, int]] = {}
    parts_of: dict[str, list[str]] = {}
    box_of: dict[str, str] = {}
    rows = layers()
    for number, row in enumerate(rows):
        names = list(dict.fromkeys(package(name) for name in row))
        left = (WIDTH - len(names) * (BOX_WIDTH + GAP) + GAP) / 2
        for place, name in enumerate(names):
            key = f"{number} {name}"
            boxes[key] = (left + place * (BOX_WIDTH + GAP), GAP + number * ROW)
            box_of |= {part: key for part in row if package(part) == name}
            parts_of[key] = [one.partition(f".{name}.")[2] for one in row if one.startswith(f"games.{name}.")]
    sys.path.insert(0, str(ROOT))
    graph = grimp.build_graph("accounts", "empire", "games", exclude_type_checking_imports=True)
    arrows: Counter[tuple[str, str]] = Counter()
    for module in graph.modules:
        one = box_of.get(part(module, box_of), "")
        for imported in graph.find_modules_directly_imported_by(module):
            other = box_of.get(part(imported, box_of), "")
            if one and other and boxes[one][1] < boxes[other][1]:
                arrows[one, other] += 1
    drawn = []
    for (one, other), count in sorted(arrows.items()):
        x1, y1, x2, y2 = (
            boxes[one][0] + BOX_WIDTH / 2,
            boxes[one][1] + BOX,
            boxes[other][0] + BOX_WIDTH / 2,
            boxes[other][1],
        )
        middle = (y1 + y2) / 2
        drawn.append(
            f'<path d="M{x1:.0f} {y1}C{x1:.0f} {middle:.0f} {x2:.0f} {middle:.0f} {x2:.0f} {y2}"'
            f' stroke-width="{1 + sum(count >= many for many in MANY)}"/>'
        )
    for key, (x, y) in boxes.items():
        name, middle = key.split()[1], x + BOX_WIDTH / 2
        of = ", ".join(parts_of[key])
        drawn.append(
            f'<rect x="{x:.0f}" y="{y}" width="{BOX_WIDTH}" height="{BOX}" rx="6"/><text x="{middle:.0f}" y="{y + 20}"'
            f' text-anchor="middle">{name}</text><text class="small" x="{middle:.0f}" y="{y + 37}"'
            f' text-anchor="middle">{of}</text>'
        )
    height = GAP * 2 + (len(rows) - 1) * ROW + BOX
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>Packages and the imports between them, from the top down</title><style>{STYLE}</style>\n"
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def package(name: str) -> str:
    """`tables` for `games.tables.views`, `accounts` for `accounts`."""
    first, *others = name.split(".")
    return others[0] if first == "games" else first


def part(module: str, parts: Container[str]) -> str:
    """The entry of a layer that a module belongs to; empty for none."""
    while module and module not in parts:
        module = module.rpartition(".")[0]
    return module


if __name__ == "__main__":
    new = drawing()
    if "--check" not in sys.argv:
        PICTURE.write_text(new)
    elif not PICTURE.exists() or PICTURE.read_text() != new:
        sys.exit("docs/architecture.svg is older than the imports: run `make architecture`.")
