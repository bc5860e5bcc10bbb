"""From a message to clauses of words, each with its place in the message.

Everything here keeps the length of the text: what must not be read (code, quotations, emoji) is
overwritten, character by character, so that a word's place is its place in the message.
"""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

_TICKS: Final = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u02bc": "'", "`": "'", "\u201c": '"', "\u201d": '"',
     "\u201e": '"', "\u00ab": '"', "\u00bb": '"', "\u00a0": " ", "\t": " ", "\r": "\n"}
)  # fmt: skip
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE: Final = re.compile(r"`[^`\n]{1,200}`")
_QUOTED_LINE: Final = re.compile(r"^[ ]{0,3}>.*$", re.MULTILINE)
_LINK: Final = re.compile(r"\b(?:https?://|www\.)\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w+")
_DOUBLE: Final = re.compile(r'"([^"\n]{1,400})(?:"|$)', re.MULTILINE)
_SINGLE: Final = re.compile(
    r"(?<![\w'])'(?!(?:cause|til|em"
    r"|bout)\b)(?=[^\s'])([^'\n]{0,300}(?:'\w[^'\n]{0,300}){0,8})'(?!\w)"
)
_EMOJI: Final = re.compile(
    "[\u2190-\u2bff\u3030\u303d\ufe00-\ufe0f\u200b-\u200f\u2028-\u202e\U0001f000-\U0001faff"
    "\U000e0020-\U000e007f]"
)
_SMILEY: Final = re.compile(r"(?<!\S)(?:[:;=8xX]['\-]?[()DPpOo/|\\3*]+|<3|\^_*\^|\(:)(?!\S)")
_SPEECH_WORD: Final = re.compile(r"\b(?:i|i'm|im|my|is|are|was|have|has|we|you)\b", re.IGNORECASE)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|st|prof|sr|jr|vs|etc|approx|no|e\.g|i\.e)|(?:\W|^)[A-Za-z])\Z",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(
    r"[.!?\u2026;]+(?=[\s\"')\u2026]|\Z)|\n+|\s[-\u2013\u2014]+\s|\u2014|\.{2,}"
)
_TOKEN: Final = re.compile(
    r"'(?:s|m|re|ve|ll|d|cause|til|em|bout)\b|[Ww]/(?=\s)|[^\W_](?:[\w.&+#/-]*"
    r"(?:'(?!(?:s|m|ve|re|ll|d)\b)[\w.&+#/-]*)*(?<=[\w+#]))?|[^\w\s]"
)
_EXPANDED: Final = {
    "im": ("i", "am"), "ive": ("i", "have"), "id've": ("i", "would"),
    "'m": ("am",), "'re": ("are",), "'ve": ("have",), "'ll": ("will",), "'d": ("would",),
    "weve": ("we", "have"), "theyre": ("they", "are"), "youre": ("you", "are"),
    "don't": ("do", "not"), "dont": ("do", "not"), "doesn't": ("does", "not"),
    "doesnt": ("does", "not"), "didn't": ("did", "not"), "didnt": ("did", "not"),
    "can't": ("can", "not"), "cant": ("can", "not"), "cannot": ("can", "not"),
    "won't": ("will", "not"), "wont": ("will", "not"), "isn't": ("is", "not"),
    "isnt": ("is", "not"), "aren't": ("are", "not"), "arent": ("are", "not"),
    "wasn't": ("was", "not"), "wasnt": ("was", "not"), "weren't": ("were", "not"),
    "haven't": ("have", "not"), "havent": ("have", "not"), "hasn't": ("has", "not"),
    "hasnt": ("has", "not"), "hadn't": ("had", "not"), "couldn't": ("could", "not"),
    "couldnt": ("could", "not"), "wouldn't": ("would", "not"), "wouldnt": ("would", "not"),
    "shouldn't": ("should", "not"), "ain't": ("am", "not"), "aint": ("am", "not"),
    "gonna": ("going", "to"), "wanna": ("want", "to"), "gotta": ("got", "to"),
    "u": ("you",), "ur": ("your",), "whats": ("what", "is"), "hes": ("he", "is"),
    "shes": ("she", "is"), "thats": ("that", "is"), "theres": ("there", "is"),
    "names": ("name", "'s"), "&": ("and",), "w/": ("with",), "w": ("with",), "bday": ("birthday",),
    "b'day": ("birthday",), "fave": ("favourite",), "fav": ("favourite",),
    "favorite": ("favourite",), "favs": ("favourites",), "bf": ("boyfriend",),
    "gf": ("girlfriend",), "tho": ("though",), "'cause": ("because",), "'til": ("until",),
    "cos": ("because",), "coz": ("because",),
    "cuz": ("because",), "bc": ("because",), "til": ("until",), "till": ("until",),
    "its": ("it", "'s"), "yrs": ("years",), "mum": ("mum",), "bcs": ("because",),
}  # fmt: skip


class Word(NamedTuple):
    """A word or a sign.

    Attributes:
        low: In lower case, contractions spelt out ("im" is two words, "i" and "am").
        start, end: Its place in the message. Both parts of a contraction have the place of the
        whole.
    """

    low: str
    text: str
    start: int
    end: int

    @property
    def is_sign(self) -> bool:
        """Whether it is punctuation."""
        return not (self.low[-1].isalnum() or self.low[0] == "'" or self.low[-1] in "+#")

    @property
    def is_capital(self) -> bool:
        """Whether it is written with a capital letter at its beginning."""
        return self.text[0].isupper()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its words, and the sign it ends with ("" for a line's end)."""

    words: tuple[Word, ...]
    end: str


def mask(text: str) -> str:
    """The text with what the writer does not say in it overwritten; its length is the same."""
    if "`" in text or "~~~" in text:
        text = _INLINE_CODE.sub(_blank, _CODE.sub(_blank, text))
    text = text.translate(_TICKS)
    if ">" in text:
        text = _QUOTED_LINE.sub(_blank, text)
    if "@" in text or "." in text or ":" in text:
        text = _LINK.sub(_blank, text)
    if '"' in text:
        text = _DOUBLE.sub(_unquote, text)
    if "'" in text:
        text = _SINGLE.sub(_unquote, text)
    text = _SMILEY.sub(_commas, text)
    return text if text.isascii() else _EMOJI.sub("\u00b7", text)


def _blank(match: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else " " for char in match.group())


def _commas(match: re.Match[str]) -> str:
    return "\u00b7" * len(match.group())


def _unquote(match: re.Match[str]) -> str:
    """A short quotation without a verb is a name and stays; another one is not the writer's."""
    whole, inner = match.group(), match.group(1)
    if len(inner) <= 40 and not _SPEECH_WORD.search(inner):
        return whole.replace('"', " ") if whole[0] == '"' else f" {inner} "
    return f'"{" " * (len(whole) - 2)}"' if len(whole) > 1 else " "


def sentences(masked: str) -> list[Sentence]:
    """The sentences of a masked text, in order."""
    found: list[Sentence] = []
    start = 0
    for cut in _BREAK.finditer(masked):
        sign = cut.group().strip()
        if sign == "." and _ABBREVIATION.search(masked[max(start, cut.start() - 8) : cut.start()]):
            continue
        _append(found, masked, start, cut.start(), sign)
        start = cut.end()
    _append(found, masked, start, len(masked), "")
    return found


def _append(found: list[Sentence], masked: str, start: int, end: int, sign: str) -> None:
    words = tuple(words_of(masked, start, end))
    if any(not word.is_sign for word in words):
        found.append(Sentence(words, sign))


def words_of(masked: str, start: int, end: int) -> list[Word]:
    """The words and signs of a part of a masked text."""
    words: list[Word] = []
    for match in _TOKEN.finditer(masked, start, end):
        text = match.group()
        low = text.lower()
        if low in _EXPANDED:
            words += [Word(part, text, *match.span()) for part in _EXPANDED[low]]
        else:
            words.append(Word(low, text, *match.span()))
    return words
