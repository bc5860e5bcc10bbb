"""The task of reading what stands beside facts, and the shape of that part of the answer."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from backstory.core.graph.schema import RULES, EntityKind, RelationType
from backstory.reading.shapes_beside import (
    ENTITIES,
    EVENTS,
    INTENTIONS,
    MOMENTS,
    RELATIONS,
    SUMMARIES,
)

TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number"}
_INTEGER: Final = {"type": "integer"}
_TEXTS: Final = {"type": "array", "items": TEXT}


@dataclass(frozen=True, kw_only=True)
class Part:
    """One list of the answer.

    Attributes:
        task: What it holds.
        example: What it holds for the turns of the example.
        fields: The JSON schema of the fields of its items.
    """

    task: str
    example: str
    fields: Mapping[str, Any]


_EVENTS: Final = Part(
    task="""\
events: what happened, or is fixed to happen, at a date that the turn gives. subject: as of a fact.
what: what happened, in the words of the turn, without the date and without "I". when: the words of
the date, copied exactly ("last Tuesday", "in March"); no event without such words. At most 20.
""",
    example="""\
[{"message": 1, "quote": "I left Zintmar in the spring", "subject": "user",
"what": "left Zintmar", "when": "in the spring"}]""",
    fields={
        "message": _INTEGER,
        "quote": TEXT,
        "subject": TEXT,
        "what": TEXT,
        "when": TEXT,
    },
)
_MOMENTS: Final = Part(
    task="""\
moments: turns in which the user shows a strong feeling of their own; most turns show none.
valence (unpleasant to pleasant), arousal (calm to stirred), dominance (overwhelmed to in control):
each from -1 to 1, 0 in between. tags: one to three names of feelings, such as "grief". At most 6.
""",
    example="[]",
    fields={
        "message": _INTEGER,
        "quote": TEXT,
        "valence": _NUMBER,
        "arousal": _NUMBER,
        "dominance": _NUMBER,
        "tags": _TEXTS,
    },
)
_INTENTIONS: Final = Part(
    task="""\
intentions: what the user says they mean to do and have not done ("I should really call my
landlord"); no wishes, no requests to the assistant. what: in the words of the turn, as something to
do ("call my landlord"). when: the words that say when, or "". At most 6.
""",
    example="[]",
    fields={"message": _INTEGER, "quote": TEXT, "what": TEXT, "when": TEXT},
)
_ENTITIES: Final = Part(
    task=f"""\
entities: persons, pets, places and so on that a user turn names. kind: one of
{", ".join(EntityKind)}. name: the proper name as the turn writes it, never a description. aliases:
other names that a turn says are the same one's, else []. At most 20.
""",
    example="""\
[{"message": 1, "quote": "I'm with Qorbelle now", "kind": "organisation", "name": "Qorbelle",
"aliases": []}]""",
    fields={
        "message": _INTEGER,
        "quote": TEXT,
        "kind": {"type": "string", "enum": [kind.value for kind in EntityKind]},
        "name": TEXT,
        "aliases": _TEXTS,
    },
)
_RELATIONS: Final = Part(
    task="""\
relations: how two entities are tied, as a user turn states. subject, object: names from entities,
or "user". since, until: as of a fact. type, with what it joins:
{types}. At most 20.
""",
    example="""\
[{"message": 1, "quote": "I'm with Qorbelle now", "type": "works_at", "subject": "user",
"object": "Qorbelle", "since": "", "until": ""}]""",
    fields={
        "message": _INTEGER,
        "quote": TEXT,
        "type": {"type": "string", "enum": [kind.value for kind in RelationType]},
        "subject": TEXT,
        "object": TEXT,
        "since": TEXT,
        "until": TEXT,
    },
)
_SUMMARIES: Final = Part(
    task="""\
summaries: for each session of the turns to read (a heading "Session" gives its number, else it is
1): text: what was said in it so far, in one to three plain sentences, at most 60 words, in the
language of its turns. Begin with what "said before" tells of the session, if it is given, and take
the new turns in; lose no name, number or date that matters. Nothing that was not said.
""",
    example="""\
[{"session": 1, "text": "The user left Zintmar in the spring and is with Qorbelle now. It is their \
sister who lives in Vexholm."}]""",
    fields={"session": _INTEGER, "text": TEXT},
)
PARTS: Final[Mapping[str, Part]] = {
    EVENTS: _EVENTS,
    MOMENTS: _MOMENTS,
    INTENTIONS: _INTENTIONS,
    ENTITIES: _ENTITIES,
    RELATIONS: _RELATIONS,
    SUMMARIES: _SUMMARIES,
}
"""By the name of the list, in the order in which they are asked for."""


def tasks(asked: Collection[str]) -> Iterator[str]:
    """What each list that is asked for holds."""
    for name, part in PARTS.items():
        if name in asked:
            yield part.task.replace("{types}", _types())


def examples(asked: Collection[str]) -> Iterator[str]:
    """The lists of the example's answer."""
    for name, part in PARTS.items():
        if name in asked:
            yield f'"{name}": {part.example}'


def _types() -> str:
    shown = (
        f"{kind} ({_kinds(rule.subjects)} - {_kinds(rule.objects)})" for kind, rule in RULES.items()
    )
    return ", ".join(shown)


def _kinds(kinds: Collection[EntityKind]) -> str:
    if len(kinds) == len(EntityKind):
        return "any"
    return "/".join(kind for kind in EntityKind if kind in kinds)
