"""The states that a chapter's own sentences give its characters, by careful patterns. Pure.

A wrong state does more harm than a missing one: it stands in every later context. What is
spoken, asked, denied, supposed, dreamed or told of is not read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from backstory.core.continuity.marks import FIRST_MARK, MOST_MARKS, NAME, mark
from backstory.core.continuity.prose import (
    SPOKEN,
    Span,
    narrated,
    paragraphs,
    replaced,
    sentences,
)
from backstory.core.model.chapter_reading import StateRead
from backstory.core.model.entity import EntityKind
from backstory.core.text import one_line
from backstory.reading.chapters.lexicon import PLACE_ENDS, TRAPS
from backstory.reading.chapters.names import Cast, Mention
from backstory.reading.chapters.state_rules import RULES, StateRule

# In the same clause, up to the end of what is stated.
_UNSURE: Final = re.compile(
    r"\b(?:if|unless|whether|would|could|might|may|should|must|will|shall|perhaps|maybe|possibly"
    r"|probably|almost|nearly|hardly|barely|scarcely|not|never|no|nobody|none|neither|nor|cannot"
    r"|without|th(?:ought|ink|inks|inking)|believe[ds]?|fear(?:ed|s)?|hope[ds]?|wish(?:ed|es)?"
    r"|wonder(?:ed|s)?|suppos(?:ed|e|es)|suspect(?:ed|s)?|guess(?:ed|es)?|assum(?:ed|e|es)"
    r"|expect(?:ed|s)?|doubt(?:ed|s)?|pretend(?:ed|s|ing)?|claim(?:ed|s)?|sw(?:ore|ears?)"
    r"|l(?:ied|ying)"
    r"|said|says|say|told|tells|heard|rumou?rs?|allegedly|as if|as though|like|seem(?:ed|s)?"
    r"|look(?:ed|s)? (?=dead)|appear(?:ed|s)?|want(?:ed|s)?|plan(?:ned|s)?|tried|try"
    r"|threaten(?:ed|s)?"
    r"|for a moment|used to|once|no longer|ask(?:ed|s)?|to have"
    r"|nicht|nie|kein\w*|fast|beinahe|w\u00e4re|w\u00fcrde|vielleicht|wenn|ob|glaubte|dachte"
    r"|casi|nunca|si|quiz\u00e1s?|cre\u00eda|pensaba|ne|jamais|presque|peut-\u00eatre|croyait"
    r"|pensait|non|quasi|forse|mai|quase|n\u00e3o|talvez|не|если|чуть|почти|будто|никогда)\b"
    r"|n['\u2019]t\b|\bn['\u2019](?=\w)",
    re.IGNORECASE,
)
# Anywhere before it in the paragraph: what follows is not what happens in the book.
_UNREAL: Final = re.compile(
    r"\b(?:dream(?:s|ed|t|ing)?|nightmares?|imagin(?:ed|es|ing|ation)|visions?|hallucinat\w+"
    r"|legends?|(?:in|of) the (?:story|tale|play|novel|film|song|book)|(?:story|tale) (?:\S+ )?told"
    r"|once upon|tr\u00e4um\w+|Traum|so\u00f1\w+|r\u00eav\w+)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"[;:]|,? (?:and|but) |, (?=while\b|then\b)")
_PRONOUN: Final = re.compile(r"(?:He|She)\b")
_SEX: Final = {"He": re.compile(r"\b(?:he|him|his)\b"), "She": re.compile(r"\b(?:she|her|hers)\b")}
_LONGEST_QUOTE: Final = 500
_ONE_AT_A_TIME: Final = frozenset({"location"})
_BODILY: Final = frozenset({EntityKind.PLACE, EntityKind.GROUP, EntityKind.THING, EntityKind.LORE})
_NO_PLACES: Final = frozenset({EntityKind.PERSON, EntityKind.GROUP})
_PLACED: Final = frozenset({"home", "birthplace", "location"})


@dataclass(frozen=True, slots=True)
class _Marked:
    """A sentence with its names marked and what is spoken masked; each code point in its place."""

    span: Span
    text: str
    mentions: tuple[Mention, ...]

    def name(self, marked: str) -> str:
        """Whose name a mark stands for."""
        return self.mentions[ord(marked[0]) - FIRST_MARK].name

    def said(self, start: int, end: int) -> str:
        """The words of the chapter at a place of the marked sentence, names for pronouns."""
        if "\ue000" <= self.text[start] <= "\uf7ff":
            mention = self.mentions[ord(self.text[start]) - FIRST_MARK]
            if mention.start == mention.end:
                return mention.name
        return one_line(self.span.text[start:end])


def read_states(text: str, cast: Cast) -> list[StateRead]:
    """The states that a chapter states, each with its sentence, in order.

    Args:
        text: The chapter.
        cast: Who occurs where in it.

    Returns:
        Each entity, attribute and value once; of moves only the last of each entity.
    """
    kinds = {one.name: one.kind for one in cast.sightings}
    found: dict[tuple[str, str, str], StateRead] = {}
    for marked in _marked(text, cast.mentions):
        for state in _states(marked):
            if kinds.get(state.entity) in _BODILY or _is_no_place(state, kinds):
                continue
            if state.attribute in _ONE_AT_A_TIME:
                for key in [key for key in found if key[:2] == (state.entity, state.attribute)]:
                    del found[key]
            found.setdefault((state.entity, state.attribute, state.value.casefold()), state)
    return list(found.values())


def _marked(text: str, mentions: Sequence[Mention]) -> Iterator[_Marked]:
    told = narrated(text)
    place = 0
    for paragraph in paragraphs(text):
        unreal = False
        before: _Marked | None = None
        for span in _within(paragraph):
            while place < len(mentions) and mentions[place].end <= span.start:
                place += 1
            inside = []
            at = place
            while at < len(mentions) and mentions[at].end <= span.end:
                inside.append(mentions[at])
                at += 1
            marked = _mark(span, told[span.start : span.end], inside)
            unreal = unreal or _UNREAL.search(span.text) is not None
            referred = _refer(marked, before)
            before = marked
            if not unreal and not span.text.rstrip("\"'\u201d\u2019 ").endswith("?"):
                yield referred


def _within(paragraph: Span) -> Iterator[Span]:
    for span in sentences(paragraph.text):
        start = paragraph.start + span.start
        yield Span(start, paragraph.start + span.end, span.text)


def _mark(span: Span, told: str, mentions: Sequence[Mention]) -> _Marked:
    kept = tuple(mentions[:MOST_MARKS])
    places = [(one.start - span.start, one.end - span.start) for one in kept]
    marks = (
        (start, end, mark(number, end - start))
        for number, (start, end) in enumerate(places)
        if told[start] != SPOKEN
    )
    return _Marked(span, replaced(told, marks).replace("\n", " "), kept)


def _refer(marked: _Marked, before: _Marked | None) -> _Marked:
    """The sentence with the pronoun that begins it as a name, where only one can be meant.

    The sentence before names one character and says "her" of somebody: then "She" is that one.
    """
    pronoun = _PRONOUN.match(marked.text)
    if not pronoun or before is None or len(marked.mentions) >= MOST_MARKS:
        return marked
    names = {before.name(found.group()) for found in re.finditer(NAME, before.text)}
    own, other = (_SEX[word] for word in sorted(_SEX, key=lambda one: one != pronoun.group()))
    if len(names) != 1 or not own.search(before.text) or other.search(before.text):
        return marked
    mention = Mention(0, 0, names.pop())
    own_mark = mark(len(marked.mentions), pronoun.end())
    text = own_mark + marked.text[pronoun.end() :]
    return _Marked(marked.span, text, (*marked.mentions, mention))


def _states(marked: _Marked) -> Iterator[StateRead]:
    if not re.search(NAME, marked.text):
        return
    for rule in RULES:
        if any(hint in marked.text for hint in rule.hints):
            for found in rule.pattern.finditer(marked.text):
                state = _state(marked, rule, found)
                if state is not None:
                    yield state


def _state(marked: _Marked, rule: StateRule, found: "re.Match[str]") -> StateRead | None:
    start = 0
    for clause in _CLAUSE.finditer(marked.text, 0, found.start()):
        start = clause.end()
    if _UNSURE.search(marked.text, start, found.end()):
        return None
    groups = found.groupdict()
    attribute = rule.attribute or groups["attribute"].lower()
    value = rule.value or marked.said(*found.span("value"))
    if "first" in groups:
        value = f"{groups['first']} {value}"
    who = marked.name(found["who"])
    if not rule.attribute and who == marked.name(found["value"]):
        return None
    return StateRead(
        entity=who,
        attribute=attribute,
        value=value,
        quote=marked.span.text[:_LONGEST_QUOTE].rstrip(),
    )


def _is_no_place(state: StateRead, kinds: Mapping[str, EntityKind]) -> bool:
    """Whether somebody is said to be where no place can be: with a person, in a month."""
    if state.attribute not in _PLACED:
        return False
    words = state.value.split()
    return kinds.get(state.value) in _NO_PLACES or (
        words[0] in TRAPS and words[-1] not in PLACE_ENDS
    )
