"""The site for browser tests. All its visitors come from one address, so limits per address are high.

The key of a visitor without an account is the address too.
"""

import re

from empire.settings import *  # noqa: F403
from empire.settings import ACCOUNT_RATE_LIMITS, RATE_LIMITS


def without_addresses(limits: dict[str, str]) -> dict[str, str]:
    return {name: re.sub(r"\d+(/\w+/(?:ip|key))", r"100000\1", text) for name, text in limits.items()}


ACCOUNT_RATE_LIMITS = without_addresses(ACCOUNT_RATE_LIMITS)
RATE_LIMITS = without_addresses(RATE_LIMITS)
