"""The settings of a site whose only language is the accented pseudo-language of `tests.accented`."""

import os

from tests.browser.settings import *  # noqa: F403

LANGUAGE_CODE = "xx"
LANGUAGES = [("xx", "Accented")]
LOCALE_PATHS = [os.environ["ACCENTED_LOCALE"]]
