"""What the writer says to be over: jobs left, things sold, hobbies given up, partings and deaths.

For: "quit my job", "sold the Fiesta", "gave up the oboe", "Ana and I broke up", "our cat died",
"the trip's cancelled". An end counts only of what is held, and is named right behind the verb. Not
for: "my phone died while I filmed our cat", "sold out", "gave up my seat", "a colleague quit".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from backstory.reading.rules.held import FOLLOWING, Held, mentioned, named, tokens
from backstory.reading.rules.lapses import lapses
from backstory.reading.rules.partings import PARTINGS
from backstory.reading.rules.patterns import Pattern, Rows
from backstory.reading.rules.phrases import ME, NAME, OBJECT, START, pattern_of

_THINGS: Final = ("possession.", "pet", "home.")
_DONE: Final = (
    "hobby.",
    "study.",
    "health.",
    "preference.",
    "goal.",
    "work.",
    "group.",
    "personal.",
)
_PLANS: Final = ("goal.", "event.", "possession.thing", "hobby.", "group.", "study.", "preference.")
_LOVE: Final = ("relationship.partner", "relationship.status", "relationship.")
_LIVING: Final = ("pet", "family.", "relationship.")
_PLACES: Final = ("work.", "study.", "hobby.", "group.", "possession.", "personal.")
_QUICK: Final = (
    "(?:have |has |had |just |finally |sadly |recently |suddenly |actually |"
    "both |officially |are |were |is |was |got |had to )*"
)
_PARTED: Final = (
    r"(?:broke(?:n)? up|split up|split(?=\s*(?:[,;.!]|$)| (?:last|in|after|this|"
    r"years|months)\b)|separated|divorced|parted ways|over|done|"
    "finished|history|called it quits|no longer (?:together|married|engaged|"
    "friends|a couple)|not (?:together|married|friends|a couple)(?: any "
    r"?more)?)\b(?! (?:three|two|four|into|on the (?:phone|train)|laughing))"
)

_BY_VERB: Final = (
    (
        (
            f"{ME}(?:sold|ditched|scrapped|got rid of|gotten rid of|gave away|given "
            f"away|donated|wrecked|totalled|traded in|rehomed|selling off){OBJECT}"
        ),
        _THINGS,
    ),
    (rf"{ME}(?:gave|given){OBJECT} (?:away|to )", _THINGS),
    (
        (
            f"{ME}(?:gave up|given up|give up|quit|stopped|dropped|packed in|over with|"
            f"through with|done with|finished with|retired from)(?: on| with)?{OBJECT}"
        ),
        _DONE,
    ),
    (
        (
            f"{ME}(?:left|leaving|quit|quitting|resigned from|walked out of|(?:was|were|"
            "got|been) (?:fired|sacked|laid off|let go|made redundant)(?: from| by| "
            f"at)?|parted ways with){OBJECT}"
        ),
        _PLACES,
    ),
    (rf"\b(?:my last day (?:at|with)|was my last day (?:at|with)|resigned from){OBJECT}", _PLACES),
    (
        (
            f"{ME}(?:dropped out of|dropped out|flunked out of|left|finished|completed|"
            f"graduated from|graduated in|done with){OBJECT}"
        ),
        ("study.",),
    ),
    (
        (
            f"{ME}(?:cancelled|canceled|called off|scrapped|dropped|shelved|"
            f"unsubscribed from|abandoned){OBJECT}"
        ),
        _PLANS,
    ),
    (
        (
            rf"{START}(?:my |our |the )?(?P<o>[^,;:!?()\u00b7]+?) {_QUICK}(?:'s |has "
            "been |have been )?(?:cancelled|canceled|called off|off the table|fell "
            r"through|fallen through|not happening|did not happen)\b"
        ),
        _PLANS,
    ),
    (
        (
            f"{ME}(?:broke up with|broken up with|split(?: up)? (?:with|from)|dumped|"
            "divorced|separated from|left|broke off the engagement with|got divorced "
            f"from){OBJECT}"
        ),
        _LOVE,
    ),
    (rf"{START}{NAME} and (?:i|me) {_QUICK}{_PARTED}", _LOVE),
    (rf"{START}(?:me and|i and) {NAME} {_QUICK}{_PARTED}", _LOVE),
    (
        (f"{START}(?:it is over (?:with|between me and)|the divorce from) {NAME}(?=$|[ ,;.!])"),
        _LOVE,
    ),
    (
        (
            f"{START}{NAME} {_QUICK}(?:dumped|left|divorced|broke up with|split up "
            r"with|walked out on) (?:me|us)(?=\s*(?:[,;.!]|$)| (?:last|in|after|this|"
            r"for|when|because|yesterday|today|and|two|three|a (?:week|month|year))\b)"
        ),
        _LOVE,
    ),
    (rf"{START}{NAME}(?:'s| is| are) {_QUICK}history\b", _LOVE),
    (
        (
            f"{START}{NAME} {_QUICK}(?:died|passed away|passed on|passed(?= (?:in|on|"
            "last|yesterday|peacefully))|dead|put (?:down|to sleep)|crossed the "
            r"rainbow bridge|gone for ever|no more)\b(?! (?:laughing|of (?:laughter|"
            "boredom|shame)|inside|on me))"
        ),
        _LIVING,
    ),
    (rf"{START}{NAME} had to be put (?:down|to sleep)\b", _LIVING),
    (
        (
            f"{START}{NAME} {_QUICK}(?:ran away|run away|went missing|"
            r"disappeared)\b(?=.*\b(?:never|for good|gone)\b)"
        ),
        ("pet",),
    ),
    (rf"{START}{NAME} {_QUICK}moved out\b", ("relationship.flatmate", "relationship.housemate")),
    (rf"\bno more {NAME} for (?:me|us)\b", (*_DONE, *_THINGS)),
    (rf"{START}(?:my |our |the )?{NAME} {_QUICK}(?:ran out|expired|lapsed|ended)\b", _PLANS),
    (
        (
            rf"\bthe {NAME} {_QUICK}(?:went to|now belongs to|belongs to|is with|lives "
            r"with) (?:my|a|our|the)\b(?! (?:car wash|garage|shop|workshop|repair\w*|mechanic"
            r"|vet|vets"
            r"|groomers?|doctor|dealer|body ?shop|cleaners?|beach|park)\b)"
        ),
        _THINGS,
    ),
    (rf"{START}{NAME}(?:'s| is) over\b", ("hobby.", "study.", "relationship.", "goal.", "event.")),
    (
        (
            f"{ME}(?:lost|buried|said goodbye to|had to say goodbye to|had to put down|"
            f"had to put|put){OBJECT}"
        ),
        ("pet", "family."),
    ),
    (
        (
            r"\b(?:a|the) (?:fox|hawk|car|coyote|marten|cat|dog|snake|owl|truck|bus) "
            f"(?:got|took|killed|ate|hit and killed){OBJECT}"
        ),
        ("pet",),
    ),
    (
        (f"{START}(?:we |i )?(?:found|have found) a (?:new |good )home for {NAME}(?=$|[ ,;.!])"),
        ("pet",),
    ),
)
_ROWS: Final = Rows((pattern_of(text), prefixes) for text, prefixes in (*_BY_VERB, *PARTINGS))
_WHOLE: Final = Rows(
    (pattern_of(text), prefixes)
    for text, prefixes in (
        (
            rf"{ME}(?:retired|retire)\b(?! (?:from|to|early to bed)\b)",
            ("work.role", "work.employer", "work.place", "work.schedule"),
        ),
        (
            (
                f"{ME}(?:quit|left|lost|resigned from) my (?:old |last |current )?(?:job|"
                r"position|post)\b"
            ),
            ("work.role", "work.employer", "work.place", "work.schedule"),
        ),
        (
            (
                f"{ME}(?:(?:was|were|got|been) )?(?:fired|sacked|laid off|made "
                r"redundant)\b(?! (?:the|my|a|an|up|from|by))"
            ),
            ("work.role", "work.employer", "work.place"),
        ),
        (
            (
                rf"\bmy (?:company|firm|employer|shop) {_QUICK}(?:went (?:bust|under|"
                "bankrupt)|gone (?:bust|under|bankrupt)|bankrupt|closed down|shut down|"
                r"folded)\b"
            ),
            ("work.employer", "work.role", "work.place"),
        ),
        (
            rf"{ME}(?:am |are |been )?(?:unemployed|out of (?:a job|work)|between jobs)\b",
            ("work.role", "work.employer", "work.place"),
        ),
        (
            (
                rf"{START}(?:we|(?:my|our) (?:\w+ and i|marriage|relationship)) "
                f"{_QUICK}(?:broke up|broken up|split up|divorced|separated|ended|is over|"
                r"are over)\b(?! the| our| my)"
            ),
            ("relationship.partner", "relationship.status"),
        ),
        (
            rf"{ME}(?:single again|divorced|newly single|a widower?|single (?=now))\b",
            ("relationship.partner", "relationship.status"),
        ),
        (
            (
                f"{START}(?:the|my|our) divorce (?:came through|is final|went through|was "
                r"final|got finalised|is through)\b"
            ),
            ("relationship.partner", "relationship.status"),
        ),
        (
            (
                f"{ME}(?:graduated|got my degree|finished (?:my|the) (?:degree|studies|phd|"
                "master'?s?|bachelor'?s?|thesis|course)|dropped out(?: of (?:uni|"
                "university|college|school))?|left (?:uni|university|college|school)|quit "
                "(?:uni|university|college|school))(?=$|[ ,;.!])(?! from)"
            ),
            ("study.subject", "study.school"),
        ),
    )
)
_LEFT: Final = Pattern(
    r"\b(?:(?:it is |there is |there are |we have |i have |we are |down to "
    r")?(?:only|just) (?P<a>[^,;:.!?()\u00b7]+?)(?P<b> left)?(?: now)?(?=$|"
    r"[,;:.!?()\u00b7]))"
)
NOT_OVER: Final = Pattern(
    r"\b(?:almost|nearly|never|not|could not|did not|do not|will not|if|might|"
    "may|could|should|would|want to|thinking of|about to|going to|planning "
    r"to)\b[^,;:.!?]*$"
)


PAUSED: Final = Pattern(
    r"\bat (?:\d{1,2}(?:am|pm)?|noon|midnight|lunch|half|one|two|three|four|"
    r"five|six|seven|eight|nine|ten)\b"
    r"|\b(?:early|late|on time|minutes ago|for (?:lunch|today|tonight|now|the "
    r"(?:day|night|weekend)))\b"
)
"""It is only over for the day: "left work at six"."""


@dataclass(frozen=True, slots=True)
class Over:
    """What of the held is over, and the stretch of the line that says so."""

    held: tuple[Held, ...]
    start: int
    end: int


def endings(line: str, held: Sequence[Held]) -> Iterator[Over]:
    """What of the held a line says to be over."""
    if not held:
        return
    yield from _named_over(line, held)
    for match, keys in _WHOLE.finditer(line):
        whole = [h for h in held if h.key in keys]
        if whole and not NOT_OVER.search(line[: match.end()]):
            yield Over(tuple(whole), match.start(), match.end())
    for over, start, end in lapses(line, held):
        if not NOT_OVER.search(line[:start]):
            yield Over(tuple(over), start, end)
    yield from _left_over(line, held)


def _named_over(line: str, held: Sequence[Held]) -> Iterator[Over]:
    """What is named behind a verb that says that it is over."""
    for match, prefixes in _ROWS.finditer(line):
        if NOT_OVER.search(line[: match.start("o")]) or PAUSED.search(match["o"]):
            continue
        if _OF_ANOTHER.match(match["o"]) or AFTER_ALL.search(line[match.start("o") :]):
            continue
        if _ONCE.match(line[match.end() - _CALLED :]) and "hobby." in prefixes:
            continue
        if _UNSURE.search(match.group()):
            continue
        if _LEFT_SOMEWHERE.match(match.group()) and "possession." in prefixes:
            continue
        found = _with_status(named(match["o"], held, prefixes), held)
        found = [h for h in found if not _is_part(match["o"], h)]
        if found:
            yield Over(tuple(found), match.start(), match.end())


_LEFT_SOMEWHERE: Final = Pattern(
    r"\W*(?:\w+ )*?(?:left|leaving)\b.*\b(?:at|in|on|with|to|outside|behind|running|unlocked"
    r"|open|there)\b"
)
_CALLED: Final = 10
_ONCE: Final = Pattern(
    r".{0,9}(?:cancel\w*|called off|not happening|off|over)\b[^,;.!?]{0,12}\b(?:tonight|today"
    r"|this (?:week|morning|evening"
    r"|afternoon|weekend)|tomorrow|because of|due to)\b"
)
"""One time of what goes on: "choir is cancelled tonight"."""


def _is_part(text: str, held: Held) -> bool:
    """Whether a common noun is named only as part of another thing: "the harp recital is over"."""
    words, want = tokens(text), tokens(held.value)
    if held.value[:1].isupper() or not want or want[-1] not in words:
        return False
    rest = words[words.index(want[-1]) + 1 :]
    return bool(rest) and rest[0] not in FOLLOWING and rest[0].isalpha()


_UNSURE: Final = Pattern(r"\b(?:almost|nearly|half)\b")
AFTER_ALL: Final = Pattern(
    r"\bbut (?:i |we |they |luckily |then |somebody |someone |have |has )*(?:found|came back"
    r"|returned"
    r"|got (?:it|him|her|them) back|changed (?:my|our) mind|started again)\b"
)
_OF_ANOTHER: Final = Pattern(
    r"(?:my|our|the|his|her|their) (?:\w+ )?(?:mum|mom|mother|dad|father|sister|brother|son"
    r"|daughter"
    r"|cousin|nephew|niece|uncle|aunt|friend|mate|boss|colleague|neighbou?r|wife|husband|partner"
    r"|girlfriend|boyfriend|flatmate|roommate|parent|landlord)(?:'s|s'?|s) (?!name\b)[\w]"
)
_COUPLED: Final = frozenset({"married", "engaged", "dating", "in a relationship", "taken"})


def _with_status(found: Sequence[Held], held: Sequence[Held]) -> list[Held]:
    """With the end of a partnership ends being married."""
    if not any(h.key == "relationship.partner" for h in found):
        return list(found)
    status = [h for h in held if h.key == "relationship.status"]
    return [*found, *(h for h in status if h.value.casefold() in _COUPLED)]


def _left_over(line: str, held: Sequence[Held]) -> Iterator[Over]:
    """Of "only A and B now": the others of the list that both are on."""
    for match in _LEFT.finditer(line):
        kept = mentioned(match["a"], held)
        keys = {h.key for h in kept}
        if len(keys) != 1 or (len(kept) < 2 and not match["b"]) or kept[0].is_one:
            continue
        values = [tuple(tokens(h.value)) for h in kept]
        gone = [h for h in held if h.key in keys and tuple(tokens(h.value)) not in values]
        if gone:
            yield Over(tuple(gone), match.start(), match.end())
