"""`python -m tests.bench`: run the benches. See `tests.bench.command` for the options."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")
django.setup()

from tests.bench.command import Command  # noqa: E402  needs the apps

Command().run_from_argv(["tests.bench", "bench", *sys.argv[1:]])
