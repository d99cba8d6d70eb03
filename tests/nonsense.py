"""Strange texts and numbers that a form, a log or a program might still send: strategies for Hypothesis."""

import os
from typing import Any

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st

NUMBERS = (
    "0", "-1", "00", "01", "+1", " 1", "1 ", "-0", "1.5", "1e9", "0x1", "NaN", "inf", "٣", "１", "²", "1_0",
    "2147483648", "9223372036854775808", "9" * 30, "9" * 5000, "-" + "9" * 30,
)  # fmt: skip
TEXTS = (
    "", " ", "\0", "a\0b", "\x7f\x1b[2J", "\u202eevil", "💥", "ﬃ", "İ", "ß" * 300, "x" * 70_000, "{}", "{0}", "{text}",
    "%s", "%(n)s", "%00", "%ff", "'; DROP TABLE tables_game; --", "<script>alert(1)</script>", "{{ settings }}",
    "{% x %}", "../../etc/passwd", "//evil.example", "https://evil.example/", "javascript:alert(1)",
    "a\r\nSet-Cookie: x=y", "null", "true", "None", "[]", "[" * 3000, '{"a": 1}', "0000-99-99", "2026-02-30",
    "9999-12-31", "0001-01-01", "25:61", "Europe/Nowhere", "/etc/localtime", "ａｂｃ", "e\u0301", "\ufeff", "\u2028",
    "a;b", ";;;", "+", "a+a", ":",
)  # fmt: skip
SEED = int(os.environ.get("FUZZ_SEED", "1"))  # for the long runs: make test-long FUZZ_SEED=7

odd = st.one_of(st.sampled_from(NUMBERS), st.sampled_from(TEXTS), st.text(max_size=12))


def always(examples: int) -> settings:
    """Return settings that try the same examples in every run, however slow the machine is."""
    return settings(
        derandomize=True, deadline=None, max_examples=examples, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def seeded(examples: int) -> Any:
    """Return a decorator that tries this many examples, chosen by `SEED`."""

    def with_seed(test: Any) -> Any:
        return seed(SEED)(settings(always(examples), derandomize=False, print_blob=True)(test))

    return with_seed


class Texts(tuple[str, ...]):
    """Many texts that Hypothesis doesn't print one by one."""

    def __repr__(self) -> str:
        return f"<{len(self)} texts>"


@st.composite
def garbled(draw: st.DrawFn, meant: str, others: Texts, joints: str = " ") -> str:
    """A correct text with up to three random changes; words may come from the others."""
    text = meant
    for _change in range(draw(st.integers(0, 3))):
        joint = draw(st.sampled_from(joints))
        words = text.split(joint)
        at = draw(st.integers(0, len(words) - 1))
        if draw(st.booleans()):
            words[at] = draw(st.one_of(odd, st.sampled_from(draw(st.sampled_from(others)).split(joint))))
        else:
            words = draw(st.sampled_from(rearranged(words, at, draw(st.characters()))))
        text = joint.join(words)
    return text


def rearranged(words: list[str], at: int, letter: str) -> list[list[str]]:
    before, word, after = words[:at], words[at], words[at + 1 :]
    return [
        before + after, words[::-1], [*words, word], [*words, *words], words[:at],
        [*before, word.swapcase(), *after], [*before, word[:3], *after], [*before, word + letter, *after],
    ]  # fmt: skip
