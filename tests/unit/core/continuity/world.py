"""The document that the labelled texts of tests/data/continuity.jsonl are held against."""

from backstory.core.model.entity import Entity, EntityKind, EntityState, Knower
from backstory.core.model.plot import PlotThread, ThreadStatus

_SAID = (
    ("Anna Bell", "eyes", "green", 1, "Anna's green eyes followed him."),
    ("Anna Bell", "hair", "black", 1, "Her black hair was wet."),
    ("Anna Bell", "birthplace", "Vell", 2, "Anna was born in Vell."),
    ("Tom", "eyes", "brown", 1, "Tom's eyes were brown."),
    ("Tom", "life", "dead", 5, "Tom died on the bridge."),
    ("Mara", "body", "lost her left arm", 4, "Mara lost her left arm to the saw."),
    ("Elias", "age", "forty", 3, "Elias was forty years old."),
)
_SECRET = EntityState(
    id="s-secret",
    entity="Judge Harrow",
    attribute="note",
    value="sold the mill",
    chapter=6,
    quote="Judge Harrow sold the mill.",
    known_by=(Knower(name="Anna Bell", since_chapter=6),),
)
_ALIASES = {"Anna Bell": ("Anna",), "Judge Harrow": ("Harrow",), "Captain Oss": ("Oss",)}
_NAMES = ("Anna Bell", "Tom", "Mara", "Elias", "Judge Harrow", "Captain Oss")


def entities(chapter: int) -> tuple[Entity, ...]:
    """All entities with their states before a chapter."""
    states = [
        EntityState(
            id=f"s{number}",
            entity=name,
            attribute=attribute,
            value=value,
            chapter=when,
            quote=quote,
        )
        for number, (name, attribute, value, when, quote) in enumerate(_SAID)
    ]
    return tuple(
        Entity(
            id=name,
            name=name,
            kind=EntityKind.PERSON,
            aliases=_ALIASES.get(name, ()),
            states=tuple(s for s in (*states, _SECRET) if s.entity == name and s.chapter < chapter),
        )
        for name in _NAMES
    )


def threads(chapter: int) -> tuple[PlotThread, ...]:
    """Three threads as they stand before a chapter: solved in 7, given up in 8, open."""
    told = (
        (1, "Who burned the mill?", ThreadStatus.RESOLVED, 7, "Judge Harrow burned the mill."),
        (2, "Mara seeks her lost ship.", ThreadStatus.ABANDONED, 8, "Mara gave up her ship."),
        (3, "Elias looks for the map.", ThreadStatus.OPEN, None, ""),
    )
    return tuple(
        PlotThread(
            number=number,
            summary=summary,
            status=status if closed is None or closed < chapter else ThreadStatus.OPEN,
            planted_in=1,
            closed_in=closed if closed is not None and closed < chapter else None,
            note=note if closed is not None and closed < chapter else "",
        )
        for number, summary, status, closed, note in told
    )
