"""What may not stand in a log: whoever reads one must not get a seat by it."""

import logging
import re

SIGNED = re.compile(r"[\w-]+(?::|%3A)(?:[\w-]{5,7}(?::|%3A))?[\w-]{27,}")  # as django.core.signing writes it


class WithoutKeys(logging.Filter):
    """Takes signed texts, which links of mails are, out of what is logged; web servers log addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        record.msg, record.args = SIGNED.sub("***", said), ()
        return True
