"""Which script and language a text is in."""

from dataclasses import dataclass

from backstory.core.scripts.carrier import carrier_of
from backstory.language.identify import language_of


@dataclass(frozen=True, kw_only=True, slots=True)
class DetectedScript:
    """What a text is written in.

    Attributes:
        script: The long name of the Unicode Script property, such as ``Cyrillic`` or ``Myanmar``;
            ``Kana`` for Hiragana and Katakana.
        confidence: Of the letters, the share that is in this script, in (0, 1].
        language: Primary subtag of BCP 47, such as ``ru``; None where letters and words do not
            decide. Of about 100 languages; of those that it does not know it may name a near
            relative.
        variant: ``Hans`` (simplified) or ``Hant`` (traditional) for Chinese, where characters
            decide, else None.
    """

    script: str
    confidence: float
    language: str | None = None
    variant: str | None = None


def detect_script(text: str) -> DetectedScript | None:
    """The script of most letters of a text, and its language where that can be told.

    All scripts compete: one character of another script decides nothing. Kana count as the
    script of a Japanese text, also where it has more kanji, as long as they are its
    grammar; Han characters alone are ``Han``. Scripts are counted in the whole text, its
    language is read from at most 9,000 characters of it. Never raises.

    Args:
        text: Any text, lone surrogates and control characters included.

    Returns:
        None when there are no letters: digits, signs, emoji, white space.
    """
    carrier = carrier_of(text)
    if carrier is None:
        return None
    language = language_of(text, carrier)
    return DetectedScript(
        script=carrier.script,
        confidence=carrier.share,
        language=None if language is None else language.code,
        variant=None if language is None else language.variant,
    )
