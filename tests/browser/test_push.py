"""Web push, from the button on the page to the message on the screen. Only the push service is replaced."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.evening import Evening
from tests.notices.push_service import Browser
from tests.notices.tls import WebServer
from tests.running import Site, until

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]

# Chromium would ask Google for an address. Here it gets one of the test, and remembers it the same way.
SUBSCRIBED = """
const subscription = %s;
const fake = () => localStorage.pushed && {
  endpoint: subscription.endpoint, toJSON: () => subscription,
  unsubscribe: async () => { delete localStorage.pushed; return true; },
};
PushManager.prototype.getSubscription = async () => fake() || null;
PushManager.prototype.subscribe = async (options) => {
  if (!options.userVisibleOnly || options.applicationServerKey.length !== 65) throw new Error("refused");
  localStorage.pushed = "yes";
  return fake();
};
"""


def deliver(page: Page, site: Site, payload: dict) -> None:
    """Deliver a message to the service worker of the site, as the push service would."""
    cdp = page.context.new_cdp_session(page)
    registrations: list[dict] = []
    cdp.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    cdp.send("ServiceWorker.enable")
    worker = "navigator.serviceWorker.getRegistration('/').then((registration) => registration?.active?.state)"
    assert until(lambda: page.evaluate(worker) == "activated")
    assert until(lambda: registrations or page.wait_for_timeout(20))
    message = {
        "origin": site.address,
        "registrationId": registrations[-1]["registrationId"],
        "data": json.dumps(payload),
    }
    cdp.send("ServiceWorker.deliverPushMessage", message)


def shown(page: Page) -> dict:
    """Wait for the message on the screen and return it."""
    ask = """navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) =>
        all.map(({title, body, tag, data}) => ({title, body, tag, url: data.url})))"""
    assert until(lambda: page.evaluate(ask))
    return page.evaluate(ask)[0]


@pytest.mark.long
def test_a_phone_is_subscribed_and_shows_what_it_is_sent(
    sit_down: Callable[..., Evening], site: Site, push_service: WebServer
) -> None:
    phone = Browser()
    subscription = phone.subscription(push_service.url("/push/phone"))
    keys = {"p256dh": subscription["p256dh"], "auth": subscription["auth"]}
    evening = sit_down()
    page = evening.page
    page.context.grant_permissions(["notifications"], origin=site.address)
    page.add_init_script(SUBSCRIBED % json.dumps({"endpoint": subscription["endpoint"], "keys": keys}))
    evening.play_now()
    page.goto("/accounts/notices/")
    page.get_by_role("button", name="Notify me on this device").click()
    page.get_by_text("Send a test to make sure it works").wait_for()
    expect(page.get_by_text("this device", exact=True)).to_be_visible()
    page.get_by_role("button", name="Send a test").click()
    page.get_by_text("should show it in a moment").wait_for()
    sent = phone.read(push_service.posts[-1])
    deliver(page, site, sent)
    assert shown(page) == {
        "title": "Test from Eight Minutes", "body": "If you can read this, your notifications will arrive here.",
        "tag": sent["tag"], "url": "/",
    }  # fmt: skip
    # A guest who signs up keeps them, because the form says which browser it is
    page.goto("/accounts/signup/")
    expect(page.locator("[data-endpoint]")).to_have_value(subscription["endpoint"])
    for name, value in (("username", "Paula"), ("email", "paula@example.org"), ("password1", "quiet harbour 71")):
        page.locator(f"[name={name}]").fill(value)
    page.locator("[name=accepts]").check()
    page.get_by_role("button", name="Sign up", exact=True).click()
    page.wait_for_url(lambda url: "/signup/" not in url)
    page.goto("/accounts/notices/")
    expect(page.get_by_text("this device", exact=True)).to_be_visible()
    page.get_by_role("button", name="Remove").click()
    page.get_by_text("Device removed. It won’t get notifications anymore.").wait_for()
    expect(page.get_by_role("button", name="Notify me on this device")).to_be_visible()
    assert page.evaluate("localStorage.pushed === undefined")
