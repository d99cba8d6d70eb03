"""The site for browser tests. All its visitors come from one address, so that address may have many guests."""

from empire.settings import *  # noqa: F403
from empire.settings import RATE_LIMITS

RATE_LIMITS = {**RATE_LIMITS, "guest": "1000/h/ip"}
