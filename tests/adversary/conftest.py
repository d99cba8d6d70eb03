"""A running site on SQLite and one on PostgreSQL, each with a desk that creates the victims."""

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from empire import emails
from tests.adversary.attacker import CSRF, Browser, Reply
from tests.running import Site
from tests.services.desk import Desk
from tests.services.own_postgres import own_postgres

SEAT = """
from django.test import Client
from accounts.models import User
from tests.cast import person
sessions = {{}}
for name in {names}:
    one = User.objects.filter(username=name).first() or person(name)
    browser = Client()
    browser.force_login(one, backend="django.contrib.auth.backends.ModelBackend")
    sessions[name] = browser.cookies["sessionid"].value
answer(sessions)
"""


@dataclass
class Target:
    """The site under attack. `desk` runs Python code on its database."""

    site: Site
    desk: Desk

    def visitor(self, **headers: str) -> Browser:
        return Browser(self.site.port, headers=headers)

    def signed_in(self, *names: str) -> list[Browser]:
        """Return a signed-in browser for each of these people, who have accounts with confirmed addresses."""
        sessions = self.desk.run(SEAT.format(names=names))
        return [Browser(self.site.port, {"csrftoken": CSRF, "sessionid": sessions[name]}) for name in names]

    def emails(self, mailbox: str) -> list[str]:
        """The texts of all emails to this mailbox, with or without a tag, oldest first."""
        stored = [emails.read(file) for file in sorted((self.site.folder / "emails").glob("*.eml"))]
        return [email.text for email in stored if re.sub(r"\+\w+@", "@", str(email.message["to"])) == mailbox]

    def sign_in_by_code(self, browser: Browser, email: str) -> Reply:
        """Sign in with a code from an email, without using a password, and return the page that follows."""
        browser.post("/accounts/login/code/", {"email": email})
        code = re.search(r"^([A-Z0-9]{3,}-?[A-Z0-9]*)$", self.emails(email)[-1], re.MULTILINE)
        assert code
        return browser.follow(browser.post("/accounts/login/code/confirm/", {"code": code[1]}))

    def run(self, code: str) -> Any:
        """Run the code and return what it passes to `answer`."""
        return self.desk.run(code)


@pytest.fixture(scope="package", params=["sqlite", "postgresql"])
def target(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, migrated: Path
) -> Iterator[Target]:
    with ExitStack() as at_the_end:
        folder = tmp_path_factory.mktemp(request.param)
        environment = {"ALLOWED_HOSTS": "*"}  # the most dangerous setting
        if request.param == "postgresql":
            environment["DATABASE_URL"] = at_the_end.enter_context(own_postgres()).address
        else:
            shutil.copytree(migrated, folder, dirs_exist_ok=True)
        site = Site(folder, **environment)
        at_the_end.callback(site.stop)
        site.wait_until_it_says(site.address)
        desk = Desk({**site.environment, "DJANGO_SETTINGS_MODULE": "empire.settings"})
        at_the_end.callback(desk.close)
        yield Target(site, desk)
