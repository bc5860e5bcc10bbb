"""Sentences as plain lines with contractions spelt out, which patterns of change are matched on.

Each stretch of a line knows its place in the message. A line is cut out of a sentence that its
writer states: questions, wishes, quotations and fiction give none.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backstory.reading.rules.clauses import PRONOUNS, Clause
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word

_TIMED: Final = frozenset({"since", "as"})
"""Conjunctions that also say since when: "since April I …", "as of June we …"."""
_MOST_WORDS: Final = 120
"""Words. A longer stretch is no sentence of talk."""
_GLUED: Final = frozenset({",", ".", ";", ":", "!", "?", ")", "'s", "\u00b7"})


@dataclass(frozen=True, slots=True)
class Line:
    """One stated stretch of a sentence.

    Attributes:
        text: Its words with one blank between them, contractions spelt out.
        words: The words of the message it is made of.
        begins: Where each word begins in ``text``.
        sentence: The number of its sentence in the message.
    """

    text: str
    words: tuple[Word, ...]
    begins: tuple[int, ...]
    sentence: int

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the line stands in the message."""
        inside = [
            word
            for word, begin, following in zip(
                self.words, self.begins, (*self.begins[1:], len(self.text) + 1), strict=True
            )
            if begin < end and following > start
        ]
        return (inside[0].start, inside[-1].end) if inside else (0, 0)


def line_of(words: Sequence[Word], sentence: int) -> Line:
    """Make a line of words."""
    text, begins = "", []
    for number, word in enumerate(words):
        written = word.text if word.text.lower() == word.low else word.low
        if word.text == "&" and _is_in_name(words, number):
            written = "&"
        glued = word.low in _GLUED or (number and words[number - 1].low == "(")
        if text and not glued:
            text += " "
        begins.append(len(text))
        text += written
    return Line(text, tuple(words), tuple(begins), sentence)


def _is_in_name(words: Sequence[Word], at: int) -> bool:
    """Whether a sign for "and" joins two parts of a name: "Marl & Sons"."""
    return 0 < at < len(words) - 1 and words[at - 1].is_capital and words[at + 1].is_capital


def stated_lines(scene: Scene) -> list[Line]:
    """The sentences of a message, without the clauses that are not stated."""
    if len(scene.moods) < len(scene.clauses):
        return []  # nothing of the message is read
    lines: list[Line] = []
    run: list[Word] = []
    number = -1
    for clause, meant in zip(scene.clauses, scene.moods, strict=True):
        mood = Mood.STATED if _is_term(clause) and run else meant
        if clause.sentence != number or mood is not Mood.STATED:
            _close(lines, run, number)
            run, number = [], clause.sentence
        if mood is Mood.STATED:
            run += _joined(run, clause.words, clause.lead)
    _close(lines, run, number)
    return lines


def _is_term(clause: Clause) -> bool:
    """Whether a clause is only the end of a time: "until Friday"."""
    return clause.lead == "until" and not any(word.low in PRONOUNS for word in clause.words)


def _close(lines: list[Line], run: list[Word], number: int) -> None:
    if 0 < len(run) <= _MOST_WORDS:
        lines.append(line_of(run, number))


def _joined(run: Sequence[Word], words: Sequence[Word], lead: str) -> list[Word]:
    """The words with the sign or conjunction that cut them off from those before."""
    if not run:
        place = (words[0].start, words[0].start)
        return [Word(lead, lead, *place), *words] if lead in _TIMED else list(words)
    joint = lead or ","
    return [Word(joint, joint, run[-1].end, words[0].start), *words]


TOKEN: Final = re.compile(r"[^\W_]+(?:['.&+#-][^\W_]+)*[+#]*", re.UNICODE)
"""A word of a value."""
