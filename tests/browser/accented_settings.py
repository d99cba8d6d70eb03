"""The settings of a site in the accented pseudo-language of `tests.accented`, and in its twin from right to left."""

import os

from tests.browser.settings import *  # noqa: F403

LANGUAGE_CODE = "xx"
LANGUAGES = [("xx", "xx"), ("xr", "xr")]
LANGUAGES_BIDI = ["xr"]
LOCALE_PATHS = [os.environ["ACCENTED_LOCALE"]]
