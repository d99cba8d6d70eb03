"""Texts that people write, as others may read them."""

import pytest

from games.rules.words import legible, one_line


@pytest.mark.parametrize(
    "nothing",
    ["", " \n ", "\u200b", "\u3164", "\u2800", "\ufeff\u2060", "\u0301\u0301", "\ufe0f", "\u202e \u2066"],
    ids=ascii,
)
def test_a_text_in_which_nobody_sees_anything_is_empty(nothing):
    assert legible(nothing) == one_line(nothing) == ""


@pytest.mark.parametrize("mark", "\u0301\u0489\u0e47\u20dd", ids=ascii)
@pytest.mark.parametrize("joiner", ["", "\u200d", "\u034f", "\ufe0f"], ids=ascii)
def test_marks_do_not_pile_up(mark, joiner):
    assert len(legible(f"a{mark}{joiner}" + f"{mark}{joiner}" * 50).replace("\u200d", "")) <= 5


def test_nothing_turns_the_direction_of_a_text():
    assert legible("\u202eabc\u202c \u2066def\u2069") == "abc def"


@pytest.mark.parametrize(
    "written",
    [
        "Grüße, señor", "e\u0301te\u0301", "Tiê\u0301ng Việt", "שָׁלוֹם", "السَّلَامُ", "می\u200cخواهم", "หนึ่งน้ำ", "ကြွှေို့",
        "क्षत्रिय", "བསྒྲུབས", "👨\u200d👩\u200d👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "two\n\n  lines", "한국어",
    ],
    ids=ascii,
)  # fmt: skip
def test_languages_and_emoji_stay_as_they_are(written):
    assert legible(written) == written
