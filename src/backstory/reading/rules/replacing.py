"""A thing that was lost or broke, and the one that was got in its place.

For: "the Corolla died, got a Swift", "sold the Fiesta and bought a Yaris", "my old Lumo broke, I'm
on a Zenta 5 now". Not for: "my phone died, got a charger", "my car broke down, got an Uber".
"""

from typing import Final

from backstory.core.facts.slots import AGE
from backstory.core.model.reading import Act
from backstory.reading.rules import marks
from backstory.reading.rules.course import Course, over_of, put
from backstory.reading.rules.held import Held, named
from backstory.reading.rules.patterns import Pattern
from backstory.reading.rules.phrases import START, pattern_of

_LOST: Final = (
    pattern_of(
        rf"{START}(?:my |our |the |that )?(?P<o>[^,;:!?()\u00b7]{{2,40}}?) "
        r"(?:(?:has|have|had|just|finally|recently|sadly|is|was|got|were) )*"
        r"(?:died|dead|broke|broken|stolen|kaput|packed (?:up|in)|gave up the ghost|bit the dust"
        r"|conked out|fell apart|failed (?:its|the) (?:mot|test|inspection)|written off|totalled"
        r"|crashed|gone|beyond repair|in the river|out)\b"
    ),
    pattern_of(
        r"\b(?:sold|lost|dropped|wrecked|totalled|crashed|smashed|broke|wrote off|ditched|scrapped"
        r"|returned|gave away|got rid of|killed|drowned)(?: (?:my|our|the|that))? "
        r"(?P<o>[^,;:!?()\u00b7]{2,40})"
    ),
)
_GOT: Final = pattern_of(
    r"\b(?:got|bought|have|picked up|ordered|drive|driving|ride|riding|using|use|on|with)"
    r"(?: myself| me| ourselves)? (?:an?|the|my) "
    r"(?:(?:\w+ )?(?:car|phone|bike|laptop|van), (?:an? |the )?)?(?:(?:new|used|newer"
    r"|second-hand|secondhand|shiny|electric|cheap|refurbished) )*"
    r"(?!(?:Uber|Lyft|Bolt|Taxi|Amazon|Google|Thursday|Friday|Monday|Sunday)\b)"
    r"(?P<v>[A-Z][\w'-]*(?: (?:[A-Z][\w'-]*|\d\w*))*)(?= now| instead| yesterday| last| this"
    r"|\s*(?:[,;!()\u00b7]|\.(?:\s|$)|$))"
)
_NOT_YET: Final = Pattern(r"\b(?:almost|nearly|never|not|if|might|would|should|want)\b")


def replace_lost(course: Course) -> None:
    """Put what was got in the place of a held thing that is said to be lost."""
    things = [h for h in course.held if h.key.startswith("possession.")]
    if not things:
        return
    text = course.scene.turn.text.replace("\u2019", "'")
    got = _GOT.search(text)
    if got is None or course.scene.rejections or "?" in text or _NOT_YET.search(text):
        return
    lost = next((h for m in _LOST if (h := _lost(m, text, things)) is not None), None)
    if lost is None or named(got["v"], [lost]) or any(c.key == lost.key for c in course.plain):
        return
    quote = course.scene.turn.text.strip()
    since = course.dated(marks.event_time, text)
    start = since.after(lost.said_at, course.at)
    if not lost.is_one:
        course.others.append(over_of(course, lost, quote, since))
    put(
        course,
        course.made(
            Act.STATE, lost.key, got["v"], quote, changed=True, valid_from=start,
            replaces=lost.value if lost.is_one else None,
        ),
    )  # fmt: skip


_TODAY: Final = Pattern(
    r"^\W*(?P<v>\d{2})(?: years old)? (?:today|now|yesterday|as of today|since (?:yesterday|last"
    r" week|\w+day))\b"
    r"(?!\s*[\w%\u00b0-])"
)


def turn_older(course: Course) -> None:
    """Read "25 today!" of somebody who was 24 when last heard of."""
    held = next((h for h in course.held if h.key == AGE), None)
    said = _TODAY.match(course.scene.turn.text) if held else None
    if said is None or held is None or not held.value.isdigit() or course.plain:
        return
    if int(held.value) < int(said["v"]) <= int(held.value) + _MOST_YEARS:
        put(course, course.made(Act.STATE, AGE, said["v"], said.group().strip(), changed=True))


_MOST_YEARS: Final = 2


def _lost(pattern: Pattern, text: str, things: list[Held]) -> Held | None:
    for match in pattern.finditer(text):
        found = named(match["o"], things)
        if found:
            return found[0]
    return None
