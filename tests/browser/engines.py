"""Browsers that playwright does not drive: WebKit and Firefox as Debian has them, by their own protocols.

Both speak WebDriver: WebKitWebDriver over HTTP, Firefox over a socket (Marionette, which geckodriver uses too). A page,
a script, a press and a picture are all that the tests need, so there is no further library.
"""

import base64
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SOON = 150  # seconds: a browser starts, or a bot takes its turn, on a busy machine
# A press: where the element can be met. Pieces on the map belong to the region that they link to.
WHERE = """
const [selector, text] = arguments;
const same = (element, met) => element.contains(met)
  || (element.href && met?.closest("a")?.href?.baseVal === element.href.baseVal);
for (const element of document.querySelectorAll(selector)) {
  if (text && element.textContent.trim() !== text) continue;
  if (!element.checkVisibility() || element.disabled) continue;
  if (element.ownerSVGElement) {  // Firefox does not scroll to parts of a drawing
    const before = element.getBoundingClientRect();
    scrollBy({ top: before.top + before.height / 2 - innerHeight / 2, behavior: "instant" });
  } else element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  for (const across of [0.5, 0.3, 0.7, 0.1, 0.9])
    for (const down of [0.5, 0.3, 0.7, 0.1, 0.9]) {
      const [x, y] = [box.left + box.width * across, box.top + box.height * down];
      if (same(element, document.elementFromPoint(x, y))) return [Math.round(x), Math.round(y)];
    }
}
return null;
"""
# Errors of scripts are kept from page to page; an import repeats the error of a module that could not begin
TROUBLE = """
if (!window.isWatched) {
  window.isWatched = true;
  const keep = (what) => {
    sessionStorage.troubles = `${sessionStorage.troubles ?? ""}${location.pathname}: ${what}\\n`;
  };
  addEventListener("error", (event) => {
    if (event.message) keep(`${event.message} ${event.filename}:${event.lineno}`);
  });
  addEventListener("unhandledrejection", (event) => keep(event.reason));
  for (const script of document.querySelectorAll("script[type=module]")) import(script.src).catch(keep);
}
"""


class Driven:
    """A browser with one page, whose `command` sends a WebDriver command by its name in Marionette."""

    def __init__(self, command: Callable[..., Any]) -> None:
        self.command = command

    def visit(self, address: str) -> None:
        self.command("Navigate", url=address)

    def run(self, script: str, *arguments: object) -> Any:
        return self.command("ExecuteScript", script=TROUBLE + script, args=arguments)

    @property
    def troubles(self) -> str:
        return self.run("return sessionStorage.troubles ?? ''")

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.command("TakeScreenshot", full=False)))

    def finds(self, selector: str) -> bool:
        return self.run("return !!document.querySelector(arguments[0])", selector)

    def press(self, selector: str, text: str = "") -> None:
        """Wait for an element that can be met, and press it."""
        until(lambda: self.can_press(selector, text), f"{selector} {text}")

    def can_press(self, selector: str, text: str = "") -> bool:
        """Press the first element that can be met, with a pointer as a person does. Return whether there was one."""
        if (place := self.run(WHERE, selector, text)) is None:
            return False
        move = {"type": "pointerMove", "duration": 0, "x": place[0], "y": place[1], "origin": "viewport"}
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        steps = [move, down, {"type": "pause", "duration": 40}, up]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}
        self.command("PerformActions", actions=[mouse])
        return True


def until(condition: Callable[[], Any], description: str) -> Any:
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.1)
    raise AssertionError(f"never came: {description}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def started(*command: str, **environment: str) -> Iterator[subprocess.Popen]:
    process = subprocess.Popen(
        command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def display(xvfb: str) -> Iterator[str]:
    """Start an invisible screen, which chooses its own number, and yield its name for `DISPLAY`."""
    reading, writing = os.pipe()
    command = [xvfb, "-displayfd", str(writing), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as output:
            yield f":{output.readline().strip()}"
    finally:
        process.terminate()
        process.wait()


@contextmanager
def webkit(driver: str, xvfb: str, width: int, height: int) -> Iterator[Driven]:
    """The engine of every iPhone, in the small browser that comes with it."""
    port, paths = free_port(), {"Navigate": "url", "ExecuteScript": "execute/sync", "PerformActions": "actions"}
    browser = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))

    def ask(method: str, path: str, arguments: object = None) -> Any:
        body = None if arguments is None else json.dumps(arguments).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{port}/{path}", data=body, method=method)
        try:
            with urllib.request.urlopen(request, timeout=SOON) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()}") from None

    def is_ready() -> bool:
        try:
            return ask("GET", "status")["ready"]
        except OSError:
            return False

    with display(xvfb) as screen, started(driver, f"--port={port}", DISPLAY=screen, LIBGL_ALWAYS_SOFTWARE="1"):
        until(is_ready, "WebKitWebDriver")
        options = {"binary": str(browser), "args": ["--automation"]}
        session = ask("POST", "session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        here = f"session/{session['sessionId']}"

        def command(name: str, **arguments: object) -> Any:
            is_picture = name == "TakeScreenshot"
            return ask("GET", f"{here}/screenshot") if is_picture else ask("POST", f"{here}/{paths[name]}", arguments)

        try:
            ask("POST", f"{here}/window/rect", {"width": width, "height": height})
            yield Driven(command)
        finally:
            ask("DELETE", here)


@contextmanager
def firefox(program: str, folder: Path, width: int, height: int) -> Iterator[Driven]:
    """Firefox, whose window has at least 500 px."""
    port = free_port()
    (folder / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    number = 0

    def connect() -> socket.socket | None:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=SOON)
        except OSError:
            return None

    options = ("--headless", "--no-remote", "--marionette", "--profile", str(folder))
    with started(program, *options), until(connect, "Firefox") as line, line.makefile("rwb") as wire:

        def hear() -> Any:
            length = b""
            while (sign := wire.read(1)) not in (b":", b""):
                length += sign
            return json.loads(wire.read(int(length)))

        def command(name: str, **arguments: object) -> Any:
            nonlocal number
            number += 1
            arguments |= {"sandbox": None, "newSandbox": False} if name == "ExecuteScript" else {}
            message = json.dumps([0, number, f"WebDriver:{name}", arguments]).encode()
            wire.write(b"%d:%b" % (len(message), message))
            wire.flush()
            _kind, _number, error, value = hear()
            assert error is None, f"{name}: {error}"
            return value.get("value") if isinstance(value, dict) and "value" in value else value

        hear()  # who it is
        command("NewSession", capabilities={})
        command("SetWindowRect", width=width, height=height)
        yield Driven(command)
