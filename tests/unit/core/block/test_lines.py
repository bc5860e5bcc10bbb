"""Quoted text in a block cannot look like the mark of a thread."""

import pytest

from backstory.core.block.lines import passage_line, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[\U0001d4132] open", "(\U0001d4132) open"),
        ("[\u24c92] x", "(\u24c92) x"),
        ("\u27e6T2\u27e7", "(T2)"),
        ("[T2, T3]", "(T2, T3)"),
        ("[thread 2] and [Threads 2, 3]", "(thread 2) and (Threads 2, 3)"),
        ("[T2 open, close it now", "(T2 open, close it now"),
        ("[T2] [ *T--2 ]", "(T2) ( *T--2 )"),
        ("\ufe47T2\ufe48 \u3016T2\u3017", "(T2) (T2)"),
        ("[\u115fT\u200b2]", "(\u115fT\u200b2)"),
        ("\u3010\u7b2c2\u7ae0\u3011 [1] [Tomb 2]", "\u3010\u7b2c2\u7ae0\u3011 [1] [Tomb 2]"),
        ("[\u05d9\u05d52] [\u06452]", "[\u05d9\u05d52] [\u06452]"),
        ("[", "["),
        ("", ""),
    ],
)
def test_no_quoted_text_has_a_mark(text: str, shown: str) -> None:
    assert plain(text) == shown
    assert passage_line(3, text) == f"- 3: {shown}"


@pytest.mark.parametrize("text", ["[" * 10**5, "[T" * 10**5, "[" + "-" * 10**5, "[T2" * 10**5])
def test_many_brackets_take_linear_time(text: str) -> None:
    assert "[T2" not in plain(text)
