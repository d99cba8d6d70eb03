"""Ask the index for known weaknesses of what constraints.txt pins. Where it does not answer, say so and go on."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PINS = Path(__file__).resolve().parent.parent / "constraints.txt"
PATIENCE = 60  # seconds
# Weaknesses that do not reach us, each with the reason
IGNORED: dict[str, str] = {}


def report() -> dict[str, Any]:
    """What pip-audit says; nothing where it could not."""
    command = [
        sys.executable, "-m", "pip_audit", "-r", str(PINS), "--no-deps", "--disable-pip", "--progress-spinner", "off",
        "--timeout", "5", "-f", "json",
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        return dict(json.loads(done.stdout))
    except (subprocess.TimeoutExpired, ValueError):
        return {"dependencies": []}


def judge(told: dict[str, Any]) -> tuple[str, bool]:
    """The sentence, and whether all is well."""
    asked = [one for one in told["dependencies"] if "vulns" in one]
    if not asked:
        return "The index does not tell of weaknesses here, or not in time: none were looked for.", True
    found = [(one, weakness) for one in asked for weakness in one["vulns"] if weakness["id"] not in IGNORED]
    if not found:
        return f"No known weakness in {len(asked)} packages.", True
    return "\n".join(line(one, weakness) for one, weakness in found), False


def line(one: dict[str, Any], weakness: dict[str, Any]) -> str:
    mended = ", ".join(weakness["fix_versions"]) or "nothing yet"
    return f"{one['name']} {one['version']}: {weakness['id']}, mended in {mended}"


if __name__ == "__main__":
    sentence, is_well = judge(report())
    print(sentence)
    sys.exit(0 if is_well else 1)
