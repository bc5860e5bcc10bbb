"""In which language a text is to be continued, and whether a new text is in another.

Compatible with the module of the same name in the package ``longform-memory``: a script counts as a
text's own when its characters are at least as many as the *Latin* letters. It does not compare
other scripts with each other; the functions for scripts in ``backstory.functions`` do.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = [
    "LanguageHint",
    "dominates",
    "is_char_counted_language",
    "language_mismatch",
    "resolve_language",
]

HANGUL: Final = re.compile("[\uac00-\ud7a3\u1100-\u11ff]")
KANA: Final = re.compile("[\u3040-\u30ff]")
HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
THAI: Final = re.compile("[\u0e00-\u0e7f]")
CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
ARABIC: Final = re.compile("[\u0600-\u06ff]")
HEBREW: Final = re.compile("[\u0590-\u05ff]")
DEVANAGARI: Final = re.compile("[\u0900-\u097f]")
LATIN: Final = re.compile("[A-Za-z\u00c0-\u00ff]")

SAMPLE_CHARS: Final = 120
"""Code points of the text that a directive quotes."""

_EAST_ASIAN: Final = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]"
)
_ASCII_LETTER: Final = re.compile("[A-Za-z]")
_STRAY_LETTERS: Final = 10  # a name or two, in a text that counts characters

_COUNTED_IN_CHARACTERS: Final = (
    (HANGUL, "한국어 (Korean)"),
    (KANA, "日本語 (Japanese)"),
    (HAN, "中文"),
    (THAI, "ไทย (Thai)"),
)
_COUNTED_IN_WORDS: Final = (
    (CYRILLIC, "Russian or another Cyrillic-script language"),
    (ARABIC, "Arabic"),
    (HEBREW, "Hebrew"),
    (DEVANAGARI, "Hindi or another Devanagari-script language"),
)


@dataclass
class LanguageHint:
    """How to write on.

    Attributes:
        directive: The language for a prompt: its name, or the order to keep to a quoted sample.
        unit: What its length is counted in, "chars" or "words".
        char_counted: Whether that is characters.
    """

    directive: str
    unit: str
    char_counted: bool


def dominates(text: str, script: re.Pattern[str]) -> bool:
    """Whether a pattern is found at least once, and as often as Latin letters are.

    Args:
        text: Any text.
        script: A pattern for one character, such as those of this module.
    """
    found = len(script.findall(text))
    return found > 0 and found >= len(LATIN.findall(text))


def resolve_language(sample: str) -> LanguageHint:
    """The language of a sample, for a prompt.

    The first script that dominates decides: Hangul, kana, Han, Thai, then Cyrillic, Arabic, Hebrew,
    Devanagari. Where the language cannot be named the directive quotes the sample, as it is: do not
    give it text that must not act on the model. An empty sample is English.
    """
    text = (sample or "").strip()
    if not text:
        return LanguageHint(directive="English", unit="words", char_counted=False)
    name = _dominant(text, _COUNTED_IN_CHARACTERS)
    if name is not None:
        return LanguageHint(directive=name, unit="chars", char_counted=True)
    guess = _dominant(text, _COUNTED_IN_WORDS)
    return LanguageHint(directive=_like_sample(text, guess), unit="words", char_counted=False)


def is_char_counted_language(sample: str) -> bool:
    """Whether a sample's length is counted in characters: Chinese, Japanese, Korean, Thai."""
    return resolve_language(sample).char_counted


def language_mismatch(
    text: str,
    document_is_char_counted: bool,  # noqa: FBT001 - the signature that callers know
) -> bool:
    """Whether a new text is in another kind of language than the document.

    In a document that counts characters: no East Asian character but more than ten Latin letters.
    In another one: any East Asian character.
    """
    if not text:
        return False
    has_east_asian = _EAST_ASIAN.search(text) is not None
    if not document_is_char_counted:
        return has_east_asian
    return not has_east_asian and len(_ASCII_LETTER.findall(text)) > _STRAY_LETTERS


def _dominant(text: str, scripts: Sequence[tuple[re.Pattern[str], str]]) -> str | None:
    return next((name for script, name in scripts if dominates(text, script)), None)


def _like_sample(text: str, guess: str | None) -> str:
    quoted = " ".join(text.split())[:SAMPLE_CHARS]
    likely = f" (it looks like {guess})" if guess else ""
    return (
        f'EXACTLY the same language as this sample{likely} — "{quoted}" — '
        "do NOT translate or switch to another language"
    )
