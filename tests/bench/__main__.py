"""`python -m tests.bench`: run the benches. See `tests.bench.command` for the options."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")
django.setup()

from django.conf import settings  # noqa: E402

from tests.bench.command import Command  # noqa: E402  needs the apps

settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "")  # a bench asks more often than people do
Command().run_from_argv(["tests.bench", "bench", *sys.argv[1:]])
