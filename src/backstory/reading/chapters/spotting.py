# ruff: noqa: RUF001 (endings of Russian)
"""Runs of capitalised words that are names, and what stands around them. Pure."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from backstory.reading.chapters.lexicon import (
    DETERMINERS,
    GERMAN,
    GROUP_ENDS,
    INSIDE,
    OPENERS,
    PARTICLES,
    PERSON_PARTS,
    PERSON_VERBS,
    PLACE_ENDS,
    PLACE_STARTS,
    ROYAL,
    SPEECH_VERBS,
    TITLES,
    TOWARDS,
    TRAPS,
)

_WORD: Final = re.compile(r"[^\W\d_]+[\u0300-\u036f]*(?:['\u2019-](?:[^\W\d_][\u0300-\u036f]*)+)*")
_ENDING: Final = re.compile(
    "['\u2019](?:s|S|d|ll|ve|re|m|[a-z\u0131\u00fc\u00f6\u015f\u00e7\u011f]{1,4})$"
)
_GAP: Final = re.compile(r"(\.?)[ \u00a0]?\n?[ \t]*")
_LINKED: Final = re.compile(
    rf"[ \u00a0](?:(?:{'|'.join(sorted(PARTICLES))})[ \u00a0]){{1,2}}|[ \u00a0](?:of|de)\n"
)
_OPENING: Final = " \t\r\n\"'\u201c\u201e\u2018\u00ab\u300c([*_#>-\u2014\u2013\u00bf\u00a1"
_ENDS: Final = '.!?\u2026:;\u061f\u0964\u3002\u201d"'
# Without a mark at its end, and with a blank line behind it.
_HEADING: Final = re.compile(r"^(?:#[^\n]*|\S[^\n]{0,70})$(?=\n[ \t]*\n|\Z)", re.MULTILINE)
_NO_HEADING: Final = tuple(".!?,;:\u2026\u201d\"'")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]+")
_CASE_ENDING: Final = re.compile(
    "(?:ами|ями|ого|его|ому|ему|ой|ей|ою|ею|ом|ем|ым|им|ах|ях|[аяуюеёыиоьй])$"
)
_LEAST_STEM: Final = 3
_GERMAN_SHARE: Final = 0.08
_LONGEST: Final = 5
"""Words of one name."""
# "The light of Gull Rock went out": the verb is not the rock's.
_BEFORE_PLACES: Final = INSIDE | TOWARDS | {"of", "on", "with", "by", "for"}
_SHOUTED: Final = 0.6


@dataclass(frozen=True, slots=True)
class Capital:
    """A word that begins with a capital; ``first`` where any word would."""

    word: str
    start: int
    end: int
    first: bool
    owns: bool


@dataclass(slots=True)
class Spot:
    """A name where it stands, title included, and the marks of what it names.

    Attributes:
        inner: Where its words begin, behind the title.
    """

    title: str
    words: tuple[str, ...]
    start: int
    inner: int
    end: int
    cues: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        """The words without the title."""
        return " ".join(self.words)


def without_case(word: str) -> str:
    """A Cyrillic word without its ending, which changes with its case; others as they are."""
    if not _CYRILLIC.fullmatch(word):
        return word
    cut = _CASE_ENDING.sub("", word)
    return cut if len(cut) >= _LEAST_STEM else word


def is_shouted(text: str) -> bool:
    """Whether capitals say nothing in a text: most of its letters are capitals."""
    cased = [char for char in text[:20_000] if char.isupper() or char.islower()]
    return bool(cased) and sum(map(str.isupper, cased)) > _SHOUTED * len(cased)


class Spotter:
    """The capitalised words of one text."""

    def __init__(self, text: str, known: frozenset[str] = frozenset()) -> None:
        """Look at a text.

        Args:
            text: A chapter.
            known: Single words that are names already.
        """
        self.text = text
        self._known = known
        self._lower: Counter[str] = Counter()
        self._inside: Counter[str] = Counter()
        self._speaking: Counter[str] = Counter()
        self._times: Counter[str] = Counter()
        self._after_article: Counter[str] = Counter()
        self._acting: Counter[str] = Counter()
        self._titled: Counter[str] = Counter()
        self._capitals = list(self._read())
        self.german = self._is_german()

    def _read(self) -> Iterator[Capital]:
        headings = [
            found.span()
            for found in _HEADING.finditer(self.text)
            if not found.group().rstrip().endswith(_NO_HEADING)
        ]
        headings.reverse()
        before = ""
        pending: Capital | None = None
        for found in _WORD.finditer(self.text):
            spelled = found.group()
            if not spelled[0].isupper():
                self._lower[spelled] += 1
                if pending:
                    self._note(pending, spelled)
                before, pending = spelled, None
                continue
            while headings and headings[-1][1] <= found.start():
                headings.pop()
            in_heading = bool(headings) and headings[-1][0] <= found.start()
            capital = self._capital(found, in_heading=in_heading)
            self._count(capital, before)
            yield capital
            before, pending = spelled, capital

    def _capital(self, found: "re.Match[str]", *, in_heading: bool) -> Capital:
        spelled = found.group()
        ending = _ENDING.search(spelled)
        word = spelled[: ending.start()] if ending and ending.start() > 0 else spelled
        after = self.text[found.end() : found.end() + 1]
        owns = bool(ending and ending.group()[1:].lower() == "s") or (
            word.endswith("s") and after in ("'", "\u2019")
        )
        first = in_heading or _begins(self.text, found.start())
        return Capital(word, found.start(), found.start() + len(word), first, owns)

    def _count(self, capital: Capital, before: str) -> None:
        key = without_case(capital.word)
        self._times[key] += 1
        if not capital.first:
            self._inside[key] += 1
        if before in TITLES:
            self._titled[key] += 1
        if before.lower() in DETERMINERS:
            self._after_article[key] += 1
        near = self.text[max(0, capital.start - 2) : capital.start]
        if before in SPEECH_VERBS and near.endswith(" ") and near[0].isalpha():
            self._speaking[key] += 1
            self._acting[key] += 1

    def _note(self, capital: Capital, following: str) -> None:
        if following in PERSON_VERBS and self._follows(capital.end, following):
            key = without_case(capital.word)
            self._acting[key] += 1
            if following in SPEECH_VERBS:
                self._speaking[key] += 1

    def _follows(self, end: int, word: str) -> bool:
        return self.text.startswith((f" {word}", f"\n{word}"), end)

    def _is_german(self) -> bool:
        common = sum(self._lower[word] for word in GERMAN)
        total = sum(self._lower.values()) + len(self._capitals)
        return (
            common > _GERMAN_SHARE * max(1, total)
            and sum(self._inside.values()) > _GERMAN_SHARE * total
        )

    def spots(self) -> list[Spot]:
        """The names of the text, in order."""
        found = []
        run: list[Capital] = []
        for capital in self._capitals:
            if run and not self._joined(run, capital):
                found += self._named(run)
                run = []
            run.append(capital)
        return found + self._named(run)

    def _joined(self, run: list[Capital], capital: Capital) -> bool:
        last = run[-1]
        if last.owns or len(run) >= _LONGEST:
            return False
        between = self.text[last.end : capital.start]
        gap = _GAP.fullmatch(between)
        if gap and between:
            return not gap.group(1) or len(last.word) == 1 or last.word in TITLES
        if capital.first or not _LINKED.fullmatch(between):
            return False
        # "Inspector Gray of London Yard" is Gray; "Queen Mary of Scots" is all of it.
        return run[0].word not in TITLES or run[0].word in ROYAL or " of " not in between

    def _named(self, run: list[Capital]) -> list[Spot]:
        """The names in a run of capitalised words."""
        found: list[Spot] = []
        title: Capital | None = None
        part: list[Capital] = []
        for number, capital in enumerate(run):
            if self._is_title(capital, run, number, part):
                found += self._close(title, part)
                title, part = capital, []
            elif self._belongs(capital, run, number):
                part.append(capital)
            else:
                found += self._close(title, part)
                title, part = None, []
        return found + self._close(title, part)

    def _is_title(
        self, capital: Capital, run: list[Capital], number: int, part: list[Capital]
    ) -> bool:
        following = number + 1 < len(run)
        if capital.word in PLACE_STARTS and capital.word in TITLES:
            return False
        return capital.word in TITLES and following and not part

    def _belongs(self, capital: Capital, run: list[Capital], number: int) -> bool:
        word = capital.word
        if word in TRAPS or (len(word) > 1 and word.isupper() and not self._is_acronym(capital)):
            return False
        if self.is_name(word) or (
            number and run[number - 1].word in TITLES and word.lower() not in OPENERS
        ):
            return True
        # "The Sword" is one capital too many for a name; "The Red Sword" is not.
        alone = len(run) - (run[0].word.lower() in OPENERS) < 2
        nouns = self.german and self._after_article[without_case(run[0].word)]
        if alone or nouns or word in TITLES or (len(word) == 1 and number == 0 and word in "IAO"):
            return False
        if capital.first:
            return word.lower() not in OPENERS and not self._lower[word.lower()]
        return not (number == 1 and run[0].word in TRAPS)

    def _is_acronym(self, capital: Capital) -> bool:
        beside = self.text[max(0, capital.start - 3) : capital.start]
        beside += self.text[capital.end : capital.end + 3]
        return (
            self._inside[without_case(capital.word)] > 1
            and len(capital.word) <= _LONGEST
            and not any(map(str.isupper, beside))
        )

    def is_name(self, word: str) -> bool:
        """Whether a single word is used as a name in this text, or is known for one."""
        lowered = word.lower()
        if word in self._known:
            return True
        if word in TRAPS or word in TITLES or lowered in OPENERS or len(word) < 2:
            return False
        key = without_case(word)
        if self.german:
            named = self._acting[key] + self._titled[key]
            return named > 0 and not self._after_article[key]
        small = self._lower[lowered]
        if self._inside[key] and (self._inside[key] >= small or self._speaking[key]):
            return True
        return not small and self._times[key] > 1 and self._speaking[key] > 1

    def _close(self, title: Capital | None, part: list[Capital]) -> list[Spot]:
        while part and part[0].first and part[0].word.lower() in OPENERS:
            part = part[1:]
        if not part:
            return []
        if self.german and len(part) == 1 and not title and not self.is_name(part[0].word):
            return []
        words = self._spelled(part)
        inner = part[0].start
        start = title.start if title else inner
        spot = Spot(title.word if title else "", words, start, inner, part[-1].end)
        self._mark(spot, owns=part[-1].owns)
        return [spot]

    def _spelled(self, part: list[Capital]) -> tuple[str, ...]:
        whole = self.text[part[0].start : part[-1].end]
        return tuple(whole.split())

    def _mark(self, spot: Spot, *, owns: bool) -> None:
        """Count what the words around a name say of its kind."""
        cues = spot.cues
        if spot.title:
            cues["person"] += 3
        behind = _WORD.match(self.text, _skip(self.text, spot.end))
        before = self.text[max(0, spot.start - 24) : spot.start].replace("\n", " ").split(" ")
        previous = before[-2] if len(before) > 1 and not before[-1] else ""
        acts = behind and behind.group() in PERSON_VERBS and previous.lower() not in _BEFORE_PLACES
        if behind and acts and self._follows(spot.end, behind.group()):
            cues["person"] += 1 + (behind.group() in SPEECH_VERBS)
        if previous in SPEECH_VERBS:
            cues["person"] += 2
        if owns:
            owned = _WORD.search(self.text, spot.end + 2, spot.end + 24)
            cues["person"] += 1 if owned and owned.group() in PERSON_PARTS else 0
        if previous.lower() in INSIDE:
            cues["place"] += 2
        elif previous.lower() in TOWARDS:
            cues["place"] += 1
        elif previous.lower() == "the":
            cues["thing"] += 1
        last, first = spot.words[-1], spot.words[0]
        if last in PLACE_ENDS or (first in PLACE_STARTS and len(spot.words) > 1):
            cues["place"] += 5
        if last in GROUP_ENDS or first in GROUP_ENDS:
            cues["group"] += 6


def _skip(text: str, place: int) -> int:
    return place + 1 if text[place : place + 1] in (" ", "\n") else place


def _begins(text: str, start: int) -> bool:
    """Whether any word would have a capital here: behind an end, a quotation mark or a break."""
    place = start - 1
    while place >= 0 and text[place] in _OPENING:
        if text[place] in '\n"\u201c\u201e\u00ab\u300c([#>\u2018\u00bf\u00a1':
            return True
        place -= 1
    return place < 0 or text[place] in _ENDS
