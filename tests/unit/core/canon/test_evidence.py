"""A quote must say something."""

import pytest

from backstory.core.canon.evidence import is_evidence
from backstory.language.lexicon import STOP_WORDS


@pytest.mark.parametrize(
    ("quote", "value"),
    [
        ("a", "dead"),
        ("e", "dead"),
        ("e", "e"),
        ("He was", "dead"),
        ("of the", "dead"),
        ("le", "mort"),
        ("", "dead"),
        ("  ", "dead"),
        ("... !", "dead"),
        ("\U0001f600", "dead"),
        ("\u7684", "\u6b7b\u4ea1"),
        ("\u0648", "\u0645\u0627\u062a"),
        ("\u05d5", "\u05de\u05ea"),
        ("\ub294", "\uc8fd\uc5c8\ub2e4"),
        ("\x00", "dead"),
        ("\ud800", "dead"),
    ],
)
def test_what_says_nothing_is_no_evidence(quote: str, value: str) -> None:
    assert not is_evidence(quote, value, STOP_WORDS)


@pytest.mark.parametrize(
    ("quote", "value"),
    [
        ("died", "dead"),
        ("Captain Oduya died in the night", "died in the night"),
        ("47", "47"),
        ("7", "7"),
        ("No", "no"),
        ("\u6b7b", "\u6b7b"),
        ("\u4ed6\u6b7b\u4e86", "\u6b7b\u4ea1"),
        ("\u0645\u0627\u062a", "\u0645\u064a\u062a"),
        ("\u05d4\u05d5\u05d0 \u05de\u05ea", "\u05de\u05ea"),
        ("\uc8fd\uc5c8\ub2e4", "\uc0ac\ub9dd"),
        ("\u0e15\u0e32\u0e22", "\u0e15\u0e32\u0e22\u0e41\u0e25\u0e49\u0e27"),
        ("\u0443\u043c\u0435\u0440", "\u043c\u0451\u0440\u0442\u0432"),
    ],
)
def test_a_word_or_the_value_is_evidence(quote: str, value: str) -> None:
    assert is_evidence(quote, value, STOP_WORDS)
