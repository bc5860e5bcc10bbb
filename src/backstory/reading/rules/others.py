"""What is said of other people: it is kept under them, never under the writer.

For: "my boss lives in X", "my friend Greta … is allergic to nuts", "my sister works as a nurse".
Not for: "he", "she" and "they", people without a tie to the writer.
"""

import re
from dataclasses import replace
from typing import Final

from backstory.core.values import fold_accents
from backstory.reading.rules.grammar import Predicate, parse
from backstory.reading.rules.kin import noun_at
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import name_at

KEPT: Final = (
    "home.place", "work.role", "work.employer", "work.place", "work.field", "possession.",
    "health.",
    "personal.age", "personal.nationality", "preference.", "hobby.", "study.",
)  # fmt: skip
"""Slots that may be filled for another person."""
_FORMS: Final = word_set("is 's has")
_NO_SLUG: Final = re.compile(r"[^a-z0-9]+")


def of_other(scene: Scene) -> tuple[str, Predicate] | None:
    """Whom a clause is about and what it says of them, if its subject is "my KIN"."""
    if scene.mood is not Mood.STATED:
        return None
    words = scene.clause.words
    at = scene.clause.body
    if at >= len(words) or words[at].low not in {"my", "our"}:
        return None
    found = noun_at(words, at + 1)
    if found is None or found[2] or found[0].startswith("pet."):
        return None
    key, end, _ = found
    noun = words[end - 1].low
    comma = end < len(words) and words[end].low == ","
    stop = name_at(words, end + comma)
    name = words[end + comma : stop] if stop > end + comma else ()
    end = stop if name else end
    if comma and name and end < len(words) and words[end].low == ",":
        end += 1
    if end >= len(words) or (comma and not name):
        return None
    said = parse(words, end, "i", ())
    if said is None:
        return None
    return slug(key, noun, name), _as_first(said)


def _as_first(said: Predicate) -> Predicate:
    """The predicate with the verb form that goes with "I"."""
    form = said.form
    if form in {"is", "'s"}:
        form = "am"
    elif form.endswith("s") and form != said.verb and not form.endswith("ss"):
        form = said.verb
    return replace(said, form=form)


def slug(key: str, noun: str, name: tuple[Word, ...] | list[Word]) -> str:
    """The subject under which another person's facts are kept: "boss", "friend.tilda"."""
    group = key.rpartition(".")[2]
    base = (
        _NO_SLUG.sub("_", fold_accents(noun)).strip("_") if group in {"other", "child"} else group
    )
    called = _NO_SLUG.sub("_", fold_accents(" ".join(word.low for word in name))).strip("_")
    return f"{base}.{called}" if called else base or group
