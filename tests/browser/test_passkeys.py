"""A passkey in a real browser, with a virtual authenticator."""

from secrets import randbelow

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


def add_authenticator(page: Page) -> None:
    """Add an authenticator that confirms every request."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})


@pytest.mark.long
def test_a_user_creates_a_passkey_and_signs_in_without_a_password(sit_down):
    dora = sit_down()
    dora.sign_up(f"Dora{randbelow(100_000)}")  # a different name in each attempt
    add_authenticator(dora.page)
    dora.go("/accounts/preferences/")
    dora.page.get_by_role("link", name="Two-factor").click()
    dora.page.get_by_role("link", name="Add a key").click()
    dora.page.get_by_label("Password").fill("a horse of four colours")
    dora.button("Confirm").click()
    dora.page.get_by_label("Key name").fill("My phone")
    dora.button("Add key").click()
    expect(dora.page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    dora.go("/accounts/2fa/webauthn/")
    expect(dora.page.get_by_role("main")).to_contain_text("My phone")

    dora.go("/accounts/logout/")
    dora.page.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(dora.page.get_by_role("banner")).to_contain_text("Sign in")
    dora.go("/accounts/login/")
    dora.button("Use a passkey").click()
    expect(dora.page.get_by_role("banner")).to_contain_text("Dora")
