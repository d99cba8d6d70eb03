"""Readable names of browsers, from their User-Agent header."""

from django.utils.translation import gettext

BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
            ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"))  # fmt: skip
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
           ("CrOS", "ChromeOS"), ("Mac OS X", "Mac"), ("Linux", "Linux"))  # fmt: skip


def browser_name(agent: str) -> str:
    """Return a name such as `Chrome on Android`. The order of the lists matters: most browsers also name others."""
    browser = next((name for sign, name in BROWSERS if sign in agent), gettext("Browser"))
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser
