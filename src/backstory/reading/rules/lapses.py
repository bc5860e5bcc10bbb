"""Diets, allergies and states of health that an event ends without their name.

For: "the baby's here" (pregnant), "eating meat again" (vegan), "I've outgrown the allergy". Not
for: "my sister had a baby", "I might eat meat again".
"""

from collections.abc import Iterator, Sequence
from typing import Final

from backstory.reading.rules.held import Held, mentioned, tokens
from backstory.reading.rules.patterns import Pattern, Rows
from backstory.reading.rules.phrases import ME, START, pattern_of

_STATES: Final = frozenset(
    {"relationship.status", "health.condition", "health.diet", "health.habit", "goal.plan"}
)
_ROWS: Final = Rows(
    (pattern_of(text), values)
    for text, values in (
        (
            rf"{START}(?:(?:the|our|my) (?:little |new )?(?:baby|one|boy|girl|son|daughter|twins)"
            r"|she|he|baby)(?: is| has|'s| was| are)? (?:finally |just |safely )?(?:here"
            r"|arrived|born)"
            rf"\b|{ME}(?:gave birth|had (?:the|our|a) baby)\b",
            frozenset({"pregnant", "expecting"}),
        ),
        (
            rf"{ME}(?:lost (?:the|our|my) (?:baby|babies|twins|pregnancy)|miscarried"
            rf"|had a miscarriage)\b",
            frozenset({"pregnant", "expecting", "baby", "twin"}),
        ),
        (
            rf"{ME}(?:(?:started|back to|gone back to|went back to|am) )?(?:eat(?:ing)?|having"
            rf"|back on"
            r"|back to) (?:meat|beef|chicken|pork|bacon|steak)\b.*\bagain\b|\bback (?:to|on)"
            r" (?:eating )?"
            r"meat\b",
            frozenset({"vegan", "vegetarian", "pescatarian", "veggie"}),
        ),
        (
            rf"{ME}(?:called|broke|broken) off (?:the|our|my) (?:engagement|wedding)\b"
            rf"|{START}(?:the|our|my) (?:engagement|wedding) is (?:off|over|cancelled)\b",
            frozenset({"engaged"}),
        ),
        (
            rf"{ME}(?:been |am |gone |went )?smoke-?free\b|{ME}(?:stopped|quit|gave up|given up) "
            rf"(?:smoking|cigarettes|the cigarettes|vaping)\b|{ME}(?:do|am) not smok(?:e|ing)"
            rf" any ?more\b",
            frozenset({"smoker", "smoke", "vaper"}),
        ),
        (
            rf"{ME}(?:(?:started|am|have started) )?drink(?:ing)? (?:alcohol )?again\b",
            frozenset({"sober", "teetotal", "teetotaller"}),
        ),
    )
)
_OUTGROWN: Final = Pattern(
    rf"{ME}(?:outgrew|outgrown|grew out of|grown out of|lost|got rid of|am cured of|am over)"
    r" (?:the|my|that|all my) allerg(?:y|ies)\b|\b(?:allergy|allergies) (?:is|are|has|have) "
    r"(?:completely |just |finally )?(?:gone|disappeared|vanished|cleared up)\b"
)


def lapses(line: str, held: Sequence[Held]) -> Iterator[tuple[list[Held], int, int]]:
    """What of the held a line ends by telling of an event, and where the line says so."""
    for match, values in _ROWS.finditer(line):
        over = [h for h in held if h.key in _STATES and values & {*tokens(h.value)}]
        if over:
            yield over, match.start(), match.end()
    for match in _OUTGROWN.finditer(line):
        allergies = [h for h in held if h.key == "health.allergy"]
        over = mentioned(line, allergies) or (allergies if len(allergies) == 1 else [])
        if over:
            yield over, match.start(), match.end()
