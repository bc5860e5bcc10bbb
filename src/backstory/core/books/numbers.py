"""Numbers of chapters in headings and file names: 12, XII, twelve, 十二, ١٢."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from backstory.core.wordlists import word_set

LARGEST: Final = 1_000_000

_SMALL_UNITS = (
    "chapter|chap|ch|scene|section|sec|lesson|letter|canto|episode|ep|stave|"
    "kapitel|kap|szene|abschnitt|lektion|capítulo|capitulo|cap|capitolo|chapitre|"
    "leçon|scène|hoofdstuk|kapittel|luku|глава|гл|розділ|rozdział|kapitola|fejezet|bölüm|"
    "κεφάλαιο|अध्याय|الفصل|فصل|פרק|บทที่|บท|chương|bab"
)
_LARGE_UNITS = "part|pt|book|volume|vol|act|teil|buch|band|parte|libro|partie|часть|книга|том"
_BEFORE_NUMBER = r"[\s._:#-]*(?:no\.?\s*|the\s+)?"
# in "Part 2, Chapter 7" the chapter counts
_UNITS: Final = tuple(
    re.compile(rf"(?<![^\W_])(?:{units}){_BEFORE_NUMBER}", re.IGNORECASE)
    for units in (_SMALL_UNITS, _LARGE_UNITS)
)
_DIGITS: Final = re.compile(r"\d{1,7}")
_ROMAN: Final = re.compile(
    r"(?=[mdclxvi])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})(?![^\W_])",
    re.IGNORECASE,
)
_HAN = "〇零一二三四五六七八九十百千两兩壹贰叁肆伍陆柒捌玖拾"
_EASTERN: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"第\s*([{_HAN}]+|\d{{1,7}})\s*[章回节節話话課课]",
        r"제?\s*(\d{1,7})\s*(?:장|화|회)(?![^\W\d_])",
        rf"第\s*([{_HAN}]+|\d{{1,7}})\s*[卷部篇集幕]",
        r"제?\s*(\d{1,7})\s*(?:편|부)(?![^\W\d_])",
    )
)
_HAN_DIGITS: Final = {
    **{sign: value for value, sign in enumerate("〇一二三四五六七八九")},
    **{sign: value for value, sign in enumerate("零壹贰叁肆伍陆柒捌玖")},
    "两": 2,
    "兩": 2,
}
_HAN_POWERS: Final = {"十": 10, "拾": 10, "百": 100, "千": 1000}
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_SMALL_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_SMALL: Final = tuple(_SMALL_WORDS.split())
_TENS: Final = tuple(_TENS_WORDS.split())
_ORDINALS: Final = tuple(_ORDINAL_WORDS.split())
_WORDS: Final = {
    **{word: value for value, word in enumerate(_SMALL, start=1)},
    **{word: value for value, word in enumerate(_ORDINALS, start=1)},
    **{word: value * 10 for value, word in enumerate(_TENS, start=2)},
}
_WORD: Final = re.compile(
    rf"({'|'.join(_TENS)})[\s-]+({'|'.join(_SMALL[:9])})\b|({'|'.join(sorted(_WORDS, key=len))})\b",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(r"[\s#(\[]*(\d{1,7})(?![\d])")
_LAST: Final = re.compile(r"(\d{1,7})(?=\D*$)")
_BEHIND: Final = re.compile(r"\s*(?:[.:)\]|–—-]\s|[.)]?$)")  # noqa: RUF001 - dashes of both lengths
_AFTER: Final = re.compile(r"[\s.:)\]|_、。：,–—-]+")  # noqa: RUF001 - as headings are written
_FIRST_WORDS: Final = word_set(
    "prologue preface foreword introduction prelude dedication prolog vorwort einleitung "
    "prólogo prefacio prologo préface avant-propos пролог предисловие "
    "序 序章 序言 プロローグ 프롤로그"
)
_LAST_WORDS: Final = word_set(
    "epilogue afterword appendix acknowledgements acknowledgments epilog nachwort anhang "
    "epílogo épilogue postface эпилог послесловие 尾声 尾聲 后记 終章 エピローグ 에필로그"
)


def heading_number(heading: str) -> tuple[int, str] | None:
    """The number that a heading carries, and the title behind it.

    A word for a unit with a number ("Chapter XII", "Kapitel 3", "第十二章"), or a number that
    stands first ("7. Blue", "IV").

    Args:
        heading: One line.

    Returns:
        The number, 0 or more, and the rest of the heading; None if it carries none.
    """
    found = _unit_number(heading)
    if found is None:
        found = _leading_number(heading)
    if found is None:
        return None
    number, end = found
    between = _AFTER.match(heading, end)
    return number, heading[between.end() if between else end :].strip(" \t*_#")


def is_chapter_line(line: str) -> bool:
    """Whether a line of plain text is a heading: a unit, its number, and at most a short title."""
    stripped = line.strip()
    if not stripped or len(stripped) > 80 or stripped.endswith((",", ";")):
        return False
    found = _unit_number(stripped, at_start=True)
    if found is None:
        return False
    rest = stripped[found[1] :]
    return not rest or not (rest[0].isalnum() or rest.lstrip(" ")[:1].islower())


def name_number(name: str) -> int | None:
    """The number in a file's name: behind a unit, else first, else the last one there is."""
    found = _unit_number(name, _UNITS[:1]) or _leading_number(name)
    if found is not None:
        return found[0]
    last = _LAST.search(name)
    if last is not None:
        return int(last[1])
    found = _unit_number(name)
    return None if found is None else found[0]


def natural_key(path: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts "2" before "10", a prologue first and an epilogue last, part by part."""
    return tuple(key for part in path.split("/") for key in _part_key(part))


def _part_key(part: str) -> list[tuple[int, int, str]]:
    folded = unicodedata.normalize("NFC", part).casefold()
    words = set(re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", folded))
    rank = 0 if words & _FIRST_WORDS else 2 if words & _LAST_WORDS else 1
    if _DIGITS.match(folded):
        rank = 1  # who numbers the files has said the order
    keys = [(rank, 0, "")]
    # numbers before words, as in most listings; Unicode digits count as digits
    keys += [
        (0, int(run[:4000]), "") if run[0].isdecimal() else (1, 0, run)
        for run in re.findall(r"\d+|\D+", folded)
    ]
    return [*keys, (-1, 0, "")]


def _unit_number(
    text: str, units: Sequence[re.Pattern[str]] = _UNITS, *, at_start: bool = False
) -> tuple[int, int] | None:
    """(number, end) of a unit with its number."""
    for pattern in _EASTERN:
        found = pattern.match(text) if at_start else pattern.search(text)
        if found:
            return _value(found[1]), found.end()
    for pattern in units:
        for unit in pattern.finditer(text):
            number = _number_at(text, unit.end())
            if number is not None and not (at_start and unit.start()):
                return number
    return None


def _number_at(text: str, place: int) -> tuple[int, int] | None:
    digits = _DIGITS.match(text, place)
    if digits:
        return int(digits[0]), digits.end()
    word = _WORD.match(text, place)
    if word:
        return _word_value(word), word.end()
    roman = _ROMAN.match(text, place)
    if roman and roman[0]:
        return _roman_value(roman[0]), roman.end()
    return None


def _leading_number(text: str) -> tuple[int, int] | None:
    digits = _LEADING.match(text)
    if digits:
        return int(digits[1]), digits.end()
    start = len(text) - len(text.lstrip(" \t#([*"))
    roman = _ROMAN.match(text, start)
    # a roman number alone, or with a mark behind it: "I know" and "Mix" are no numbers
    if roman and roman[0].isupper() and _BEHIND.match(text, roman.end()):
        return _roman_value(roman[0]), roman.end()
    return None


def _value(text: str) -> int:
    if text[0].isdecimal():
        return int(text)
    total, digit = 0, 0
    if not any(sign in _HAN_POWERS for sign in text):  # 一〇三, written like digits
        return int("".join(str(_HAN_DIGITS[sign]) for sign in text)[:7])
    for sign in text:
        if sign in _HAN_POWERS:
            total += (digit or 1) * _HAN_POWERS[sign]
            digit = 0
        else:
            digit = _HAN_DIGITS[sign]
    return total + digit


def _word_value(found: re.Match[str]) -> int:
    if found[1]:
        return _WORDS[found[1].lower()] + _WORDS[found[2].lower()]
    return _WORDS[found[3].lower()]


def _roman_value(text: str) -> int:
    values = [_ROMAN_VALUES[sign] for sign in text.lower()]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)
