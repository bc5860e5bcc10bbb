"""The rules solve kinds of sentences: nothing of the measuring cases stands in the source."""

import json
import re
from pathlib import Path

import backstory

_SOURCE = Path(backstory.__file__).parent
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_SENTENCE_END = re.compile(r"(?<=[.!?…:;])\s+|\n")
_LONG_ENOUGH = 4
"""Words. Shorter sentences ("I'm vegan") are what everybody says."""

# Capitalised words that belong to the language, not to a case.
_GENERAL = frozenset(
    [
        "i",
        "i'm",
        "i'd",
        "i've",
        "i'll",
        "may",
        "july",
        "february",
        "january",
        "march",
        "april",
        "friday",
        "monday",
        "sunday",
        "saturday",
        "capricorn",
        "pisces",
        "leo",
        "french",
        "spanish",
        "finnish",
        "basque",
        "english",
        "hi",
        "sorry",
        "my",
        "our",
        "the",
        "was",
        "just",
        "love",
        "your",
        "print",
        "right",
        # Parts of titles and of names of places, which chapters are read with.
        "majesty",
        "house",
    ]
)


def _texts(shared: Path) -> list[str]:
    lines = (shared / "gold" / "facts.jsonl").read_text("utf-8").splitlines()
    return [m["text"] for line in lines for m in json.loads(line)["messages"]]


def _proper_nouns(text: str) -> set[str]:
    """Capitalised words that do not begin a sentence."""
    found: set[str] = set()
    for sentence in _SENTENCE_END.split(text):
        words = _WORD.findall(sentence)
        found |= {w.removesuffix("'s") for w in words[1:] if w[0].isupper() and not w.isupper()}
    return {w for w in found if w.casefold() not in _GENERAL and len(w) > 1}


def _source() -> dict[Path, str]:
    return {path: path.read_text("utf-8") for path in sorted(_SOURCE.rglob("*.py"))}


def test_no_proper_noun_of_a_case_occurs_in_the_source(shared: Path) -> None:
    names = set().union(*(_proper_nouns(text) for text in _texts(shared)))
    assert len(names) > 50
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
    found = {
        (str(p.relative_to(_SOURCE)), n) for p, t in _source().items() for n in pattern.findall(t)
    }
    assert found == set()


def test_no_sentence_of_a_case_occurs_in_the_source(shared: Path) -> None:
    sentences = {
        " ".join(sentence.casefold().split()).rstrip(".!?")
        for text in _texts(shared)
        for sentence in _SENTENCE_END.split(text)
        if len(sentence.split()) >= _LONG_ENOUGH
    }
    assert len(sentences) > 50
    source = {path: " ".join(text.casefold().split()) for path, text in _source().items()}
    found = {
        (str(p.relative_to(_SOURCE)), s) for p, t in source.items() for s in sentences if s in t
    }
    assert found == set()
