"""The labelled sentences of tests/data/chapter_states.jsonl, and how they are scored."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from backstory.core.model.entity import Entity, EntityKind
from backstory.reading.chapters.names import find_cast
from backstory.reading.chapters.states import read_states

FILE = Path(__file__).parents[3] / "data" / "chapter_states.jsonl"
KNOWN = tuple(
    Entity(id=name, name=name, kind=kind)
    for name, kind in (
        ("Anna", EntityKind.PERSON),
        ("Tom", EntityKind.PERSON),
        ("Mara", EntityKind.PERSON),
        ("Elias", EntityKind.PERSON),
        ("Captain Oss", EntityKind.PERSON),
        ("Judge Harrow", EntityKind.PERSON),
        ("Vell", EntityKind.PLACE),
        ("Kestrel", EntityKind.THING),
    )
)

State = tuple[str, str, str]


@dataclass(frozen=True)
class Score:
    """How many states were read rightly, wrongly, and not at all."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)


def cases(part: str) -> Iterator[tuple[str, set[State]]]:
    for line in FILE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["part"] == part:
            states = {(s["entity"], s["attribute"], s["value"]) for s in row["states"]}
            yield row["text"], states


def read(text: str) -> set[State]:
    states = read_states(text, find_cast(text, KNOWN))
    return {(state.entity, state.attribute, state.value) for state in states}


def score(part: str) -> tuple[Score, list[str]]:
    """The score, and what went wrong."""
    right = wrong = missed = 0
    notes = []
    for text, wanted in cases(part):
        found = read(text)
        right += len(found & wanted)
        wrong += len(found - wanted)
        missed += len(wanted - found)
        if found != wanted:
            notes.append(f"{text}\n    wrong {found - wanted} missed {wanted - found}")
    return Score(right, wrong, missed), notes
