"""What a clause tells of a date: who, what, and whether it took place or is fixed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from backstory.language.dates import ResolvedDate
from backstory.language.dates.tense import is_past_verb
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.people import KIN, PETS, singular
from backstory.reading.rules.text import Word
from backstory.reading.timeline.words import (
    ADVERBS,
    BEING,
    DANGLING,
    FAVOURED,
    FUTURE,
    HAVING,
    MODALS,
    NEGATIVE,
    NOT_NAMES,
    NOUN_STARTS,
    OTHERS,
    OWN,
    PAST_HELPERS,
    PERSONS,
    PLACED,
    REPORTS,
    SAME_IN_PAST,
    STARTING,
    VAGUE,
    WISHES,
)

_MOST_NOUN: Final = 8
"""Words of a subject."""
_COPULAS: Final = frozenset(("is", "was", "are", "were", "'s"))


@dataclass(frozen=True)
class Told:
    """What a clause tells.

    Attributes:
        words: The words of the predicate.
        person: Who it happened to, in words; "" = the speaker.
        is_name: Whether ``person`` is a name.
    """

    words: Sequence[Word]
    person: str = ""
    is_name: bool = False


@dataclass(frozen=True)
class _Subject:
    """Where the verb begins, and who is the subject.

    Attributes:
        verb: The place of the first word of the verb.
        kept: Words of the subject that belong to the predicate.
        begins: "i", "noun", "person", "date" (it was the subject itself) or "none" (left out).
    """

    verb: int
    begins: str
    kept: Sequence[Word] = ()
    person: str = ""
    is_name: bool = False


@dataclass
class _Verb:
    """A verb with its helpers.

    Attributes:
        main: The place of the main verb; the number of words if there is none.
        helpers: Forms of be, have, do and will before it.
    """

    main: int
    helpers: tuple[str, ...]


class Telling:
    """A clause without its date.

    Args:
        words: Its words.
        when: The date.
        today: The day on which it was said.
    """

    def __init__(self, words: Sequence[Word], when: ResolvedDate, today: date) -> None:
        self._words = _trimmed(words)
        self._lows = [word.low for word in self._words]
        self._first = when.start.date()
        self._past = self._first <= today
        self._ahead = when.end.date() > today
        self._place = when.span[0]

    def told(self) -> Told | None:
        """What the clause tells, or None if that is nothing that took place or is fixed."""
        subject = self._subject()
        verb = None if subject is None else self._verb(subject.verb)
        if subject is None or verb is None:
            return None
        if subject.begins == "noun" and not {"i", "we"}.isdisjoint(w.low for w in subject.kept):
            return self._relative(verb)
        if not self._is_real(subject, verb):
            return None
        told = self._predicate(subject, verb)
        if told is None:
            return None
        words = self._clause(told.words)
        is_said = any(word.low not in VAGUE for word in words[1:]) or len(words) == 1
        return replace(told, words=words) if is_said else None

    def _clause(self, words: Sequence[Word]) -> Sequence[Word]:
        """The words up to where something else is said, without what joins it."""
        end = next((at for at in range(1, len(words)) if self._ends(words, at)), len(words))
        while end and (words[end - 1].low in DANGLING or words[end - 1].is_sign):
            end -= 1
        return words[:end]

    def _ends(self, words: Sequence[Word], at: int) -> bool:
        """Whether something else begins here: behind a comma, with "I", or with "and could"."""
        word, later = words[at], words[at + 1 :]
        is_behind = word.start > self._place > words[0].start
        if word.low in {",", "\u00b7", "(", ":"}:
            in_number = bool(later) and later[0].start == word.end
            return not in_number and (is_behind or any(is_verb(one.low) for one in later))
        if word.low in {"and", "but"}:
            return bool(later) and later[0].low in MODALS | WISHES | NEGATIVE
        return is_behind and word.low in {"i", "we"}

    def _subject(self) -> _Subject | None:
        lows = self._lows
        at = 0
        while at < len(lows) - 1 and lows[at] in ADVERBS:
            at += 1
        low = lows[at] if at < len(lows) else ""
        if low in {"i", "we"}:
            return _Subject(at + 1, "i")
        if low in _COPULAS:
            return _Subject(at, "date")
        if low == "there" and not _COPULAS.isdisjoint(lows[at + 1 : at + 2]):
            return _Subject(at + 1, "noun", self._words[at : at + 1])
        if not low or low in OTHERS | MODALS | FUTURE:
            return None
        return self._left_out(at) or self._noun(at)

    def _left_out(self, at: int) -> _Subject | None:
        """A clause that begins with its verb: "ran 10k", "flying home"."""
        low = self._lows[at]
        is_verb = is_past_verb(low, "") or low in SAME_IN_PAST
        if is_verb or (low.endswith("ing") and self._ahead):
            return _Subject(at, "none")
        return None

    def _noun(self, at: int) -> _Subject | None:
        """A subject that is a noun: what stands before the first verb."""
        verb = next(
            (n for n in range(at + 1, min(at + _MOST_NOUN, len(self._lows))) if self._is_verb(n)),
            None,
        )
        if verb is None:
            return None
        words = self._words[at:verb]
        if any(word.is_sign for word in words):
            return None
        person = _person(words)
        if person is not None:
            return _Subject(verb, "person", (), *person)
        if words[0].low in NOUN_STARTS or words[0].is_capital or words[0].low in NOT_NAMES:
            return _Subject(verb, "noun", words)
        return None

    def _is_verb(self, at: int) -> bool:
        low, before = self._lows[at], self._lows[at - 1]
        if low == "'s":
            after = self._lows[at + 1 : at + 2]
            # "Anna's getting", "Anna's exam": a possessive if a noun follows
            return bool(after) and (after[0].endswith("ing") or after[0] in {"coming", "here"})
        if low in BEING | HAVING | FUTURE | MODALS | PAST_HELPERS | REPORTS:
            return True
        return (is_past_verb(low, before) and before not in NOUN_STARTS) or (
            low in STARTING and low.endswith("s") and before not in OWN
        )

    def _verb(self, at: int) -> _Verb | None:
        helpers: list[str] = []
        lows = self._lows
        while at < len(lows):
            low = lows[at]
            used_to = low == "used" and lows[at + 1 : at + 2] == ["to"]
            if low in NEGATIVE | MODALS or used_to:
                return None
            if low in BEING | HAVING | FUTURE or low in {"did", "do"}:
                helpers.append(low)
            elif low not in ADVERBS:
                break
            at += 1
        return _Verb(at, tuple(helpers))

    def _relative(self, verb: _Verb) -> Told | None:
        """Such as "the book I bought": what stands before the date.

        Behind it something else is said of the thing.
        """
        words = [word for word in self._words if word.start < self._place]
        if not self._past or verb.helpers or len(words) < verb.main + 1:
            return None
        return Told(words) if is_past_verb(self._lows[verb.main], "") else None

    def _is_real(self, subject: _Subject, verb: _Verb) -> bool:
        main = self._lows[verb.main] if verb.main < len(self._lows) else ""
        after = self._lows[verb.main + 1 : verb.main + 2]
        if main in WISHES or (main in REPORTS and self._tells_on(subject, verb.main)):
            return False
        if main == "died" and subject.begins in {"i", "none"}:
            return False  # who says so did not
        if main in {"going", "supposed", "about", "meant", "due"} and after == ["to"]:
            return bool(main == "going" and self._ahead and not _is_past(verb.helpers))
        if FUTURE & {*verb.helpers}:
            is_state = (
                "be" in verb.helpers and bool(main) and not main.endswith(("ing", "ed", "en"))
            )
            return self._ahead and (not is_state or main in NOUN_STARTS | PLACED)
        if self._is_done(verb, main):
            return self._past
        return self._ahead and self._is_fixed(subject, verb, main)

    def _is_done(self, verb: _Verb, main: str) -> bool:
        helpers = verb.helpers
        if _is_past(helpers):
            return True
        is_past = is_past_verb(main, "") or main in SAME_IN_PAST
        if {"have", "has"} & {*helpers}:
            return is_past or (bool(main) and helpers[-1] == "been")
        return not helpers and is_past

    def _is_fixed(self, subject: _Subject, verb: _Verb, main: str) -> bool:
        """Whether the present tense tells of something to come: an appointment, a start."""
        helpers = {*verb.helpers}
        if {"am", "are", "is", "'s"} & helpers:
            there = [word.low for word in subject.kept] == ["there"]
            return (
                not main
                or there
                or subject.begins == "date"
                or main.endswith("ing")
                or main in PLACED
            )
        if {"have", "has"} & helpers:
            return main not in {"to", "got"} and bool(main)
        if helpers or not main:
            return False
        return main in STARTING or (subject.begins == "none" and main.endswith("ing"))

    def _tells_on(self, subject: _Subject, at: int) -> bool:
        """Whether somebody says something of somebody, or to whom this is said: "told me he"."""
        if subject.begins in {"noun", "person"}:
            return True
        return not _SPOKEN_OF.isdisjoint(self._lows[at + 1 :])

    def _predicate(self, subject: _Subject, verb: _Verb) -> Told | None:
        words = self._words
        rest = words[verb.main :]
        if subject.begins == "date":
            # else it says what a day is like
            is_thing = bool(rest) and _is_noun(rest) and _LIKENING.isdisjoint(self._lows)
            return Told(rest) if is_thing else None
        helpers = verb.helpers
        only_be = bool(helpers) and all(low in BEING | FUTURE for low in helpers)
        if subject.kept:
            if not FAVOURED.isdisjoint(word.low for word in subject.kept):
                return None
            if only_be and (not rest or _is_hour(rest)):
                return Told(subject.kept)
            return Told([*subject.kept, *words[subject.verb :]])
        drops = self._drops(verb, helpers)
        begin = verb.main if drops else subject.verb
        kept = words[begin:]
        while kept and (kept[0].low in ADVERBS or (kept[0].low in HAVING and "been" in helpers)):
            kept = kept[1:]
        if not kept or (len(kept) == 1 and kept[0].low in BEING | HAVING):
            return None
        return Told(kept, subject.person, subject.is_name)

    def _drops(self, verb: _Verb, helpers: Sequence[str]) -> bool:
        """Whether the helpers go: "am moving", "have moved", "will move" say "moving", "moved"."""
        if verb.main >= len(self._lows):
            return False
        main = self._lows[verb.main]
        if _is_past(helpers) or "been" in helpers:
            return False
        if FUTURE & {*helpers}:
            return "be" not in helpers or main.endswith("ing")
        if {"have", "has"} & {*helpers}:
            return True
        return bool(helpers)


def _is_noun(words: Sequence[Word]) -> bool:
    """Whether words begin with a thing, not with what one is like: "my first day", "mum's op"."""
    return words[0].low in NOUN_STARTS or words[0].is_capital or "'s" in [w.low for w in words[:3]]


def _is_hour(words: Sequence[Word]) -> bool:
    """Whether words only say the time of the day: "at 10", "2 pm"."""
    return len(words) <= 3 and any(word.low[0].isdigit() for word in words[:2])


def is_verb(low: str) -> bool:
    """Whether a word is a verb that tells of a time, as far as its form says so."""
    return low in BEING | HAVING | FUTURE | PAST_HELPERS | MODALS or is_past_verb(low, "")


def _is_past(helpers: Sequence[str]) -> bool:
    return not PAST_HELPERS.isdisjoint(helpers)


def _trimmed(words: Sequence[Word]) -> Sequence[Word]:
    begin, end = 0, len(words)
    while begin < end and words[begin].is_sign:
        begin += 1
    while end > begin and words[end - 1].is_sign and words[end - 1].low != ")":
        end -= 1
    return words[begin:end]


def _person(words: Sequence[Word]) -> tuple[str, bool] | None:
    """The person or animal that a subject names: ("sister", False), ("Anna", True)."""
    lows = [word.low for word in words]
    if "'s" in lows:
        return None
    if len(words) == 1 and lows[0] in PERSONS:
        return lows[0], False
    if lows[0] in OWN and len(words) > 1:
        nouns = [low for low in lows[1:] if singular(low) in KIN or low in PETS]
        if len(nouns) == 1 and all(
            low in nouns or word.is_capital or word.low in _SOFT
            for low, word in zip(lows[1:], words[1:], strict=True)
        ):
            return nouns[0], False
        return None
    if all(word.is_capital and word.low not in NOT_NAMES for word in words) and words[0].start > 0:
        return " ".join(word.text for word in words), True
    return None


_SOFT: Final = word_set("little big older younger old young best good new dear eldest")
_SPOKEN_OF: Final = word_set("i we he she they it that you")
_LIKENING: Final = FAVOURED | {"not"}
