"""A process with the site's database that runs code on request, so that not every query starts a new process."""

import json
import subprocess
import sys
from typing import Any

from tests.running import ROOT

HEAR = """
import json, sys, traceback
import django
django.setup()
from django.db import connections
for line in sys.stdin:
    answers = []
    try:
        exec(json.loads(line), {"answer": answers.append})
        [answer] = answers
        reply = {"answer": answer}
    except Exception:
        reply = {"error": traceback.format_exc()}
    print(json.dumps(reply), flush=True)
    connections.close_all()
"""


class Desk:
    def __init__(self, environment: dict[str, str]) -> None:
        command, pipe = [sys.executable, "-c", HEAR], subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True)

    def run(self, code: str) -> Any:
        """Run the code and return what it passes to `answer`. An error of the code fails the test and ends nothing."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(code) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert "error" not in reply, reply["error"]
        return reply["answer"]

    def close(self) -> None:
        with self.process:  # closes its pipes and waits for it
            self.process.kill()
