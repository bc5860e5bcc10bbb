"""Whether words occur in a text, as a model quotes them. Pure."""

import re
from collections.abc import Sequence
from html import unescape
from typing import Final

from backstory.core.values import fold_accents
from backstory.core.wordlists import word_set

MAX_QUOTE_CHARS: Final = 1_000
_AROUND: Final = " \t\n\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb.,;:!?\u2026\u3002>-"
_ALIKE: Final[dict[str, str]] = {
    "'": "['\u2019\u2018\u02bc`]",
    "\u2019": "['\u2019\u2018\u02bc`]",
    '"': '["\u201c\u201d\u201e\u00ab\u00bb]',
    "\u201c": '["\u201c\u201d\u201e\u00ab\u00bb]',
    "\u201d": '["\u201c\u201d\u201e\u00ab\u00bb]',
    "-": "[-\u2010-\u2015]",
    "\u2013": "[-\u2010-\u2015]",
    "\u2014": "[-\u2010-\u2015]",
}
_FORMS: Final = {
    "'": "'\u2019\u2018\u02bc`",
    '"': '"\u201c\u201d\u201e\u00ab\u00bb',
    "-": "-\u2010\u2011\u2012\u2013\u2014\u2015",
}
_SIGNS: Final = str.maketrans({form: sign for sign, forms in _FORMS.items() for form in forms})
_ODD: Final = frozenset(">" + "".join(_FORMS.values())) - _ALIKE.keys()
"""What stands for itself in a quote but for another sign in a text, and the mark of a quoted line,
which may also stand between words."""
_BETWEEN: Final = r"(?:\s|>)*"
_GAP: Final = re.compile(_BETWEEN)
_QUOTED_LINE: Final = re.compile(r"\n> ?")
_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_SHORT_QUOTE: Final = 3
_STEM: Final = 4
_ENDING: Final = 3
_FREE: Final = word_set(
    "a an the and or of in on at to for from with by is are was were be been being has have had "
    "does do did not no never any my your his her their our its i me you he she it they we this "
    "that these those as very some one who user likes like loves love yes ok okay"
)


def find_quote(quote: str, text: str) -> str | None:
    """The words of a text that a quote stands for, or None if they do not occur in it.

    Case, runs of blanks, the form of quotation marks and dashes, the marks of quoted lines and the
    entities of escaped tags do not count; everything else does. Punctuation around the quote is
    left out, unless it is all there is.
    """
    for wanted in (quote, _QUOTED_LINE.sub("\n", unescape(quote))):
        words = (wanted.strip(_AROUND).strip() or wanted.strip())[:MAX_QUOTE_CHARS].split()
        span = _span(words, text) if words else None
        if span is not None:
            return text[slice(*span)]
    return None


def _span(words: Sequence[str], text: str) -> tuple[int, int] | None:
    """Where words first stand in a text."""
    quote = "\n".join(words)
    plain, wanted = text.translate(_SIGNS), quote.translate(_SIGNS)
    if plain.isascii() and wanted.isascii() and _ODD.isdisjoint(quote):
        return _span_of_plain(wanted.lower().split("\n"), plain.lower())
    found = re.search(_BETWEEN.join(map(_like, words)), text, re.IGNORECASE)
    return found.span() if found else None


def _span_of_plain(words: Sequence[str], text: str) -> tuple[int, int] | None:
    """The same without a pattern, which takes a hundred times as long to compile as to look."""
    first, *others = words
    start = text.find(first)
    while start >= 0:
        end = start + len(first)
        for word in others:
            gap = _GAP.match(text, end)
            begin = gap.end() if gap else end
            if not text.startswith(word, begin):
                break
            end = begin + len(word)
        else:
            return start, end
        start = text.find(first, start + 1)
    return None


def _like(word: str) -> str:
    return "".join(_ALIKE.get(char) or re.escape(char) for char in word)


def said_words(sources: Sequence[str]) -> frozenset[str]:
    """The words of texts, for ``unsupported`` and ``unsaid_name``."""
    return frozenset(word for source in sources for word in _folded_words(source))


def unsupported(value: str, quote: str, said: frozenset[str]) -> str | None:
    """A word of a value for which there is no support in what was said, or None.

    Names and numbers always need it. Other words need it where the quote is too short to say
    anything by itself ("ok", "yes please"). A word is supported if one of the texts has a word
    that begins alike.

    Args:
        value: What is to be stored.
        quote: The words it is drawn from.
        said: The words of the texts that may support it.
    """
    return _unsaid(value, said, short=len(_WORD.findall(quote)) <= _SHORT_QUOTE)


def unsaid_name(text: str, said: frozenset[str]) -> str | None:
    """A name or number of a text that was not said, or None."""
    return _unsaid(text, said, short=False)


def _unsaid(value: str, said: frozenset[str], *, short: bool) -> str | None:
    words: list[str] = _WORD.findall(value)
    for word in words:
        if not _must_be_said(word, short=short):
            continue
        folded = fold_accents(word.casefold())
        if folded not in said and not _begins_alike(folded, said):
            return word
    return None


def _begins_alike(word: str, said: frozenset[str]) -> bool:
    """Whether another form of the word was said: the same but for its last letters."""
    stem = word[: max(_STEM, len(word) - _ENDING)]
    return len(word) > _STEM and any(other.startswith(stem) for other in said)


def _must_be_said(word: str, *, short: bool) -> bool:
    if word.casefold() in _FREE:
        return False
    if any(char.isdigit() for char in word) or word[0].isupper():
        return True
    return short and word.isascii()


def _folded_words(text: str) -> list[str]:
    return _WORD.findall(fold_accents(text.casefold()))
