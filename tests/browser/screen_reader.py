"""A player with a screen reader: they hear Chromium's accessibility tree and press keys, and see nothing.

    reader = ScreenReader(page)
    reader.press("button", "Place bid")       # Tab or Shift+Tab to it, then Enter
    reader.choose("2")                        # a radio button, with the arrows of its group
    reader.heading                            # the heading of level 1
    reader.heard                              # what the page announced since the last time

The tree is the one that Chromium gives to screen readers. Nothing here uses selectors, ids, text of the document or
positions: what the tree does not tell, this player does not know.
"""

import re
import time
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, NamedTuple

from playwright.sync_api import Page

PATIENCE = 90  # seconds: a bot's turn or an email, on a busy machine
STOPS = 250  # most presses of a key on the way to one thing
SILENT = {"InlineTextBox", "none", "generic", "LineBreak", "ListMarker", "LayoutTable", "LayoutTableRow", "LabelText"}
NAMED_BY_CONTENT = {"link", "button", "heading", "disclosure", "radio", "checkbox", "option", "cell", "term"}
SPOKEN = ("checked", "pressed", "expanded", "disabled", "invalid", "required")

Name = str | re.Pattern[str]


class Node(NamedTuple):
    """An element as a screen reader announces it. `depth` is its depth in the accessibility tree."""

    role: str
    name: str
    description: str
    value: str
    states: dict[str, Any]
    depth: int
    key: int

    def is_called(self, name: Name) -> bool:
        return bool(name.search(self.name)) if isinstance(name, re.Pattern) else self.name == name

    def __str__(self) -> str:
        states = [state for state in SPOKEN if self.states.get(state) in (True, "true")]
        level = f" {self.states['level']}" if self.role == "heading" else ""
        return f"{self.role}{level}: {' · '.join(filter(None, [self.name, self.value, self.description, *states]))}"


class ScreenReader:
    def __init__(self, page: Page) -> None:
        self.page = page
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("Accessibility.enable")
        self._last: list[str] = []

    # Reading

    def read(self) -> list[Node]:
        """Return everything on the page, from top to bottom."""
        nodes = {node["nodeId"]: node for node in self._devtools.send("Accessibility.getFullAXTree")["nodes"]}

        def walk(node: dict[str, Any], depth: int) -> Iterator[Node]:
            role = node["role"]["value"].replace("DisclosureTriangleGrouped", "disclosure")
            role = role.replace("DisclosureTriangle", "disclosure")
            if not node["ignored"] and role not in SILENT:
                name, description, value = (str(node.get(part, {}).get("value", "")) for part in TOLD)
                states = {state["name"]: state["value"].get("value") for state in node.get("properties", ())}
                yield Node(role, name.strip(), description, value, states, depth, node.get("backendDOMNodeId", 0))
                depth += 1
            for child in node.get("childIds", ()):
                if child in nodes:
                    yield from walk(nodes[child], depth)

        return [node for root in nodes.values() if "parentId" not in root for node in walk(root, 0)]

    def within(self, role: str, name: Name) -> list[Node]:
        """Return the contents of the first element with this role and name, or an empty list if there is none."""
        nodes = iter(self.read())
        around = next((node for node in nodes if node.role == role and node.is_called(name)), None)
        if around is None:
            return []
        inside = []
        for node in nodes:
            if node.depth <= around.depth:
                break
            inside.append(node)
        return inside

    def find(self, role: str, name: Name = re.compile("")) -> list[Node]:
        return [node for node in self.read() if node.role == role and node.is_called(name)]

    def wait_for(self, role: str, *names: Name) -> Node:
        """Wait until the page has an element with this role and one of these names."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for node in self.read():
                if node.role == role and (not names or any(node.is_called(name) for name in names)):
                    return node
            self.page.wait_for_timeout(50)
        raise AssertionError(f"there is no {role} {names} on\n{self.aloud()}")

    @property
    def heading(self) -> str:
        return next((node.name for node in self.read() if node.role == "heading" and node.states["level"] == 1), "")

    @property
    def heard(self) -> str:
        """Return the texts of live regions that are new since the last call."""
        nodes, announced = self.read(), []
        for place, node in enumerate(nodes):
            if node.role in ("status", "alert"):
                inside = []
                for later in nodes[place + 1 :]:
                    if later.depth <= node.depth:
                        break
                    inside.append(later.name)
                announced.append(" ".join(inside))
        new, self._last = [words for words in announced if words not in self._last], announced
        return " ".join(new)

    def aloud(self) -> str:
        """Return the page as it is read aloud, for the messages of failed tests."""
        lines: list[str] = []
        depth_of_name = 99  # the texts of an element that has a name are not read again
        for node in self.read():
            depth_of_name = depth_of_name if node.depth > depth_of_name else 99
            if node.depth <= depth_of_name and (node.role != "StaticText" or node.name):
                lines.append(f"{'  ' * node.depth}{node}")
            if node.role in NAMED_BY_CONTENT:
                depth_of_name = min(depth_of_name, node.depth)
        return "\n".join(lines)

    # The keyboard

    def _focus(self) -> int:
        focused = self._devtools.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
        described = self._devtools.send("DOM.describeNode", {"objectId": focused["objectId"]})
        return int(described["node"]["backendNodeId"])

    @property
    def focus(self) -> Node | None:
        """Return the element that has the focus, or None if only the page has it, as after the element was removed."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:  # the page may replace it between the two questions
            key = self._focus()
            focused = next((node for node in self.read() if node.key == key and node.role != "RootWebArea"), None)
            if focused or self._focus() == key:
                return focused
        raise AssertionError(f"the focus never rests on\n{self.aloud()}")

    def go_to(self, node: Node) -> None:
        """Move the focus there with Tab or Shift+Tab."""
        order = {stop.key: place for place, stop in enumerate(self.read())}
        for _stop in range(STOPS):
            here = self._focus()
            if here == node.key:
                return
            self.page.keyboard.press("Tab" if order.get(here, -1) < order[node.key] else "Shift+Tab")
        raise AssertionError(f"the keyboard does not reach {node} on\n{self.aloud()}")

    def press(self, role: str, *names: Name, key: str = "Enter") -> str:
        """Wait for it, go there, and press a key. Return its whole name."""
        node = self.wait_for(role, *names)
        self.go_to(node)
        self.page.keyboard.press(key)
        return node.name

    def write(self, name: str, text: str) -> None:
        self.go_to(self.wait_for("textbox", name))
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def pick(self, name: str, option: str) -> None:
        """Pick an option of a combo box by typing how it begins."""
        self.go_to(self.wait_for("combobox", name))
        self.page.keyboard.type(option)

    def choose(self, name: Name) -> None:
        """Choose a radio button: Tab leads into its group, and arrows to it.

        Each arrow chooses, and the answer to a choice may replace the form at any time, so look again before each key.
        """
        for _press in range(STOPS):
            self.wait_for("radio", name)
            nodes, here = self.read(), self._focus()
            place, target = next(
                (n, option) for n, option in enumerate(nodes) if option.role == "radio" and option.is_called(name)
            )
            if here == target.key:
                return self.page.keyboard.press("Space")
            group = next(n for n in range(place, 0, -1) if nodes[n].role == "group" and nodes[n].depth < target.depth)
            inside = takewhile(lambda option: option.depth > nodes[group].depth, nodes[group + 1 :])  # noqa: B023  used at once
            if any(option.role == "radio" and option.key == here for option in inside):
                self.page.keyboard.press("ArrowDown")
            else:
                is_behind = any(option.key == here for option in nodes[place:])
                self.page.keyboard.press("Shift+Tab" if is_behind else "Tab")
        raise AssertionError(f"the arrows do not reach {name} on\n{self.aloud()}")


TOLD = ("name", "description", "value")
