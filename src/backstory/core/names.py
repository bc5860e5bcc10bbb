r"""Where known names occur in a text, in any script: whole names only, never parts of words.

A name in a script with blanks counts between word borders. Python's ``\b`` is no help: it ends
a word at each vowel sign of Devanagari, and sees no border between a Latin name and Han around
it. Here a word is a run of letters, digits and their marks of one kind of writing. Scripts
without blanks have no borders, so their names count wherever they stand, but for a run of
Katakana, which is one word, and for a single character beside others of its script.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

_HAN_KANA: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_SOUTH_EAST: Final = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"
_KATAKANA: Final = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]")
_HANGUL: Final = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
# What is written onto a Korean name: how one speaks to its bearer, then particles.
_HANGUL_ENDING: Final = re.compile(
    "(?:이|아|야|여)?(?:씨|님|군|양|선생님?)?(?:들)?"
    "(?:이가|이는|이를|이와|이의|이도|은|는|이|가|을|를|의|에|에게|에게서|한테|께|께서|와|과|랑|이랑|도|만|로"
    "|으로|에서|부터|까지|처럼|보다|이다|였다|이었다|이라고?|라고?|라는|이여|이나|나)?"
)
# Single letters that Arabic and Hebrew write onto the next word: and, in, to, from. A short rest
# may be a part of another word.
_PREFIXES: Final = frozenset("\u0648\u0641\u0628\u0644\u0643\u05d5\u05d1\u05dc\u05de\u05d4\u05db")
_SHORTEST_PREFIXED: Final = 4
_ALIKE: Final = str.maketrans(
    {
        **dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u02b9\uff07`"), "'"),
        **dict.fromkeys(map(ord, "\u2010\u2011\uff0d"), "-"),
        **dict.fromkeys(map(ord, "\u00a0\u2007\u202f\u3000\t\n\r\x0b\x0c\x85\u2028\u2029"), " "),
        ord("_"): " ",
    }
)
_BLANKS: Final = re.compile(" +")
_MARKS_FROM: Final = 0x300
_MARKS_UPTO: Final = 0x1E950


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownName:
    """Who or what is looked for.

    Attributes:
        key: Given back with what was found; need not be unique.
        forms: The name and its aliases; blank ones are never found.
        case_sensitive: Each form counts only as it is written.
    """

    key: str
    forms: tuple[str, ...]
    case_sensitive: bool = True


@dataclass(frozen=True, slots=True)
class NameFound:
    """Where a name occurs.

    Attributes:
        keys: Whose name it is, in the order given; several where they share it.
        start, end: Code points of the text, ``end`` exclusive.
    """

    keys: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Form:
    """One spelling: ``before`` is what stands in front of its first word."""

    spelled: str
    before: int


@lru_cache(maxsize=1)
def _words() -> "re.Pattern[str]":
    """Words by kind of writing. Joiners inside of a word (Persian, Indic) belong to it."""
    marks: list[list[int]] = []
    for code in range(_MARKS_FROM, _MARKS_UPTO):
        if category(chr(code))[0] == "M":
            if marks and marks[-1][1] == code - 1:
                marks[-1][1] = code
            else:
                marks.append([code, code])
    joined = "".join(f"{chr(first)}-{chr(last)}" for first, last in marks)
    inside = joined + "\u200c\u200d"
    return re.compile(
        f"(?P<unspaced>[{_HAN_KANA}{_SOUTH_EAST}][{_HAN_KANA}{_SOUTH_EAST}{inside}]*)"
        f"|(?P<hangul>[{_HANGUL}]+)"
        f"|(?:(?![_{_HAN_KANA}{_SOUTH_EAST}{_HANGUL}])[\\w{inside}])+"
    )


def plain_signs(text: str) -> str:
    """The text with marks that are alike as one; each code point stays in its place."""
    return text.translate(_ALIKE)


def lowered(text: str) -> str:
    """The text in small letters; each code point stays in its place."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


class NameIndex:
    """Finds many names in one pass over a text.

    The time grows with the text, hardly with the number of names: each word is looked up once.
    """

    def __init__(self, names: Iterable[KnownName]) -> None:
        """Take the names; they need not be distinct."""
        self._exact = _Lookup()
        self._folded = _Lookup()
        for name in names:
            self.add(name)

    def add(self, name: KnownName) -> None:
        """Look for one more name, or for more forms of one."""
        lookup = self._exact if name.case_sensitive else self._folded
        for form in name.forms:
            spelled = _BLANKS.sub(" ", plain_signs(form)).strip()
            spelled = spelled if name.case_sensitive else lowered(spelled)
            for one in dict.fromkeys((normalize("NFC", spelled), normalize("NFD", spelled))):
                lookup.add(name.key, one)

    def find(self, text: str) -> list[NameFound]:
        """All names in the order of the text; of those that overlap the longest, then the first.

        Blanks inside a name may be any run of blanks and line breaks, and the forms of
        apostrophes and hyphens do not count. Marks may be composed or not.
        """
        plain = plain_signs(text)
        found: defaultdict[tuple[int, int], dict[str, None]] = defaultdict(dict)
        for lookup, searched in ((self._exact, plain), (self._folded, lowered(plain))):
            if lookup.any:
                for key, start, end in lookup.search(searched):
                    found[start, end][key] = None
        taken: list[NameFound] = []
        for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
            if not taken or start >= taken[-1].end:
                taken.append(NameFound(tuple(found[start, end]), start, end))
            elif end - start > taken[-1].end - taken[-1].start:
                taken[-1] = NameFound(tuple(found[start, end]), start, end)
        return taken

    def count(self, text: str) -> dict[str, int]:
        """How often the names of each key occur, for those that do; a shared name counts for all.

        In the order of their first occurrence.
        """
        times: dict[str, int] = {}
        for one in self.find(text):
            for key in one.keys:
                times[key] = times.get(key, 0) + 1
        return times


class _Lookup:
    """Names by their first word, or by their first characters where words have no borders."""

    def __init__(self) -> None:
        self._keys: dict[str, dict[str, None]] = {}
        self._by_word: defaultdict[str, list[_Form]] = defaultdict(list)
        self._unspaced: defaultdict[str, list[str]] = defaultdict(list)
        self._signs: list[str] = []

    @property
    def any(self) -> bool:
        return bool(self._keys)

    def add(self, key: str, spelled: str) -> None:
        if not spelled:
            return
        known = spelled in self._keys
        # a new one: another thread may be looking through the old one
        self._keys[spelled] = {**self._keys.get(spelled, {}), key: None}
        if known:
            return
        first = _words().search(spelled)
        if first is None:
            self._signs.append(spelled)
        elif first.lastgroup == "unspaced" and first.start() == 0:
            self._unspaced[first.group()[:2]].append(spelled)
        else:
            self._by_word[first.group()].append(_Form(spelled, first.start()))

    def search(self, text: str) -> Iterator[tuple[str, int, int]]:
        for word in _words().finditer(text):
            for spelled, start, end in self._at(text, word):
                for key in self._keys[spelled]:
                    yield key, start, end
        for sign in self._signs:
            for sighted in re.finditer(re.escape(sign), text):
                for key in self._keys[sign]:
                    yield key, sighted.start(), sighted.end()

    def _at(self, text: str, word: "re.Match[str]") -> Iterator[tuple[str, int, int]]:
        if word.lastgroup == "unspaced" and self._unspaced:
            yield from self._inside(text, word)
        first, start = word.group(), word.start()
        yield from self._from(text, start, self._by_word.get(first, ()))
        if word.lastgroup == "hangul":
            for length in range(1, len(first)):
                if first[:length] in self._by_word:
                    yield from self._from(text, start, self._by_word[first[:length]])
        elif first[0] in _PREFIXES and len(first) > _SHORTEST_PREFIXED:
            yield from self._from(text, start + 1, self._by_word.get(first[1:], ()))

    def _from(
        self, text: str, start: int, forms: Sequence[_Form]
    ) -> Iterator[tuple[str, int, int]]:
        for form in forms:
            begin = start - form.before
            end = _match(text, begin, form.spelled) if begin >= 0 else None
            if end is not None and _stands_alone(text, begin, end):
                yield form.spelled, begin, end

    def _inside(self, text: str, word: "re.Match[str]") -> Iterator[tuple[str, int, int]]:
        for place in range(word.start(), word.end()):
            for spelled in self._unspaced.get(text[place : min(place + 2, word.end())], ()):
                end = _match(text, place, spelled)
                if end is not None and _is_whole(text, word, place, end):
                    yield spelled, place, end


def _match(text: str, start: int, spelled: str) -> int | None:
    """Where a name ends that begins here, or None; a blank stands for any run of them."""
    if " " not in spelled:
        return start + len(spelled) if text.startswith(spelled, start) else None
    place = start
    for number, part in enumerate(spelled.split(" ")):
        if number:
            blanks = _BLANKS.match(text, place)
            if blanks is None:
                return None
            place = blanks.end()
        if not text.startswith(part, place):
            return None
        place += len(part)
    return place


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no word goes on behind a name, and no other name is tied to it by a hyphen."""
    whole = _words().match(text, end - 1)
    if whole and whole.end() > end:
        behind = text[end : whole.end()]
        if whole.lastgroup != "hangul" or not _HANGUL_ENDING.fullmatch(behind):
            return False
    if text.startswith("-", end) and text[end + 1 : end + 2].isupper() and text[start].isupper():
        return False
    before = text[max(0, start - 2) : start]
    # "Jean" is not in "Anne-Jean", nor "Brien" in "O'Brien"; it is in "anti-Jean" and "l'Ain".
    if before.endswith("'"):
        return not before.startswith("O")
    return not (before.endswith("-") and text[start].isupper() and _is_capital(text, start - 1))


def _is_capital(text: str, end: int) -> bool:
    """Whether the word that ends here begins with a capital."""
    start = end
    while start and text[start - 1].isalpha():
        start -= 1
    return start < end and text[start].isupper()


def _is_whole(text: str, word: "re.Match[str]", start: int, end: int) -> bool:
    """Whether a name without borders is not a part of a longer word that can be told."""
    if end < len(text) and category(text[end])[0] == "M":
        return False
    if end - start == 1:
        return word.end() - word.start() == 1
    for inner, outer in ((start, start - 1), (end - 1, end)):
        beside = text[outer] if word.start() <= outer < word.end() else ""
        if _KATAKANA.match(text[inner]) and beside and _KATAKANA.match(beside):
            return False
    return True
