"""The meaning of SMTP replies that refuse a recipient: basic codes and the enhanced codes of RFC 3463."""

import re
from enum import Enum

FINER = re.compile(r"\b[245]\.(\d{1,3})\.(\d{1,3})\b")
OURS = (530, 535, 538)  # it wants us to sign in
FULL = (452, 552)
ABOUT_US = re.compile(r"relay|authenticat", re.IGNORECASE)


class Meaning(Enum):
    LATER = "the server will take it later, as with greylisting"
    OURS = "it is about us, who may not send there now: nothing is wrong with the address"
    HELD_UP = "the mailbox takes no mail now: it is full, or does not want this one"
    DEAD = "there is no such mailbox"


def meaning(code: int, words: str) -> Meaning:
    if code < 500:
        return Meaning.LATER
    finer = FINER.search(words)
    subject, detail = (finer[1], finer[2]) if finer else ("", "")
    if code in OURS or subject == "7" or ABOUT_US.search(words):
        return Meaning.OURS
    if code in FULL or subject not in ("", "1", "2") or (subject, detail) in (("2", "2"), ("2", "3")):
        return Meaning.HELD_UP
    return Meaning.DEAD
