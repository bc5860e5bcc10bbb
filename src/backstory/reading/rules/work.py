"""Work: role, employer, place, hours, since when.

For: "I'm a tram driver", "I work as a carer", "I work for Hollin Rail", "been a midwife for years",
"I'm a data engineer at Quell", "started at Quell in March", "I teach maths", "I run a pub", "I work
nights". Not for: judgements ("I'm a terrible cook"), wishes, other people's jobs.
"""

import re
from typing import Final

from backstory.reading.rules.employers import Words, employer_at, house_at, long_name
from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.things import FIELDS, HOME_JOBS, STUDENTS, WORK_VEHICLES
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.roles import PARENTS, role_at
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.values import bare, name_at, phrase_at, place_at

NO_SUBJECT: Final = word_set(
    """
    phd masters master's full-time part-time university uni college graduate undergraduate first
    second third final year exchange international mature high school doctoral a-level former
    foreign master bachelor st nd rd th new poor broke year-old
    """
)
_AFTER_ROLE: Final = frozenset(
    {
        "",
        ",",
        "\u00b7",
        "at",
        "in",
        "for",
        "of",
        "now",
        "by",
        "and",
        "but",
        "with",
        "(",
        "from",
        "on",
    }
)
_NO_MODIFIER: Final = word_set("day night lot bit few couple pair bunch")


_STATE_ENDS: Final = word_set(", and but now \u00b7 from these since at again")


def be(scene: Scene, said: Predicate) -> None:
    """Read "I'm a ROLE (at EMPLOYER)", "I've been a ROLE for years"."""
    words = said.rest
    if said.subject != "i" and not said.auxiliaries:
        return
    at = _past_name(words)
    if _keeps_home(scene, words):
        return
    if at >= len(words):
        return
    role(scene, words, at, changed="now" in said.adverbs)
    low = words[at].low
    if low in {"retired", "unemployed", "self-employed", "freelance"} and (
        at + 1 >= len(words) or words[at + 1].low in _STATE_ENDS
    ):
        scene.claim("work.role", words[at].text)
    _at_employer(scene, words, at)
    _on_shifts(scene, words)


_SHIFTS: Final = re.compile(r"^on (?:the )?((?:day|night|early|late|rotating)(?:s|[ -]shifts?))\b")


def _on_shifts(scene: Scene, words: Words) -> None:
    """Read "I'm on day shifts now", "I'm on nights"."""
    found = _SHIFTS.match(" ".join(word.low for word in words[:4]))
    if found is not None:
        scene.claim("work.schedule", found.group(1))


def _keeps_home(scene: Scene, words: Words) -> bool:
    """Read "I'm a stay at home mum"."""
    begin = 1 if words and words[0].low in {"a", "the"} else 0
    lows = [word.low for word in words[begin : begin + 5]]
    joined = " ".join(lows)
    for phrase in HOME_JOBS:
        size = len(phrase.split())
        if (
            joined.startswith(phrase)
            and lows[size : size + 1]
            and lows[size] in PARENTS | {"parent"}
        ):
            scene.claim("work.role", scene.span(words[begin : begin + size + 1]))
            return True
    return False


def _past_name(words: Words) -> int:
    end = name_at(words)
    return end + 1 if 0 < end < len(words) and words[end].low == "," and len(words) > end + 1 else 0


def _at_employer(scene: Scene, words: Words, at: int) -> None:
    """Read "I'm at EMPLOYER" as the answer to a question about work."""
    if words[at].low not in {"at", "with"}:
        return
    asked = scene.asked
    if "work" in asked or "employer" in asked:
        employer_at(scene, words[at + 1 :])


def role(scene: Scene, words: Words, at: int, *, told: bool = False, changed: bool = False) -> bool:
    """Note the occupation at ``at``, and the employer behind it."""
    article = at < len(words) and words[at].low in {"a", "an", "the"}
    begin = at + article
    if (
        begin < len(words)
        and words[begin].low in _NO_MODIFIER
        and role_at(words, begin + 1) == begin + 1
    ):
        return False
    if begin < len(words) and words[begin].low.endswith("year-old"):
        begin += 1
    end = role_at(words, begin, told=told)
    if end == begin or not _ends_role(words, end, free=told, article=article):
        return False
    changed = changed or any(word.low == "now" for word in words[end : end + 3])
    scene.claim("work.role", scene.span(words[begin:end]), changed=changed)
    if words[end - 1].low in STUDENTS:
        _studies(scene, words, begin, end)
        return True
    workplace(scene, words[end:], changed=changed)
    return True


def _ends_role(words: Words, end: int, *, free: bool, article: bool) -> bool:
    """Whether what follows lets the phrase before be an occupation."""
    after = words[end].low if end < len(words) else ""
    if after == "'s":
        return False
    if free or after in _AFTER_ROLE:
        return True
    return article and not words[end].is_capital


def _studies(scene: Scene, words: Words, begin: int, end: int) -> None:
    """Note what and where a student studies: "PhD student in X at Y", "law student"."""
    before = [w for w in words[begin : end - 1] if w.low not in NO_SUBJECT]
    if before:
        scene.claim("study.subject", scene.span(before))
    for at in range(end, min(end + 8, len(words) - 1)):
        if words[at].low in {"in", "of"} and not before and not words[at + 1].is_capital:
            stop = phrase_at(words, at + 1, most=4)
            scene.claim("study.subject", scene.span(words[at + 1 : stop]))
        elif words[at].low in {"at", "in"} and words[at + 1].is_capital:
            stop = long_name(words, at + 1)
            scene.claim("study.school", scene.span(words[at + 1 : stop]))
        elif words[at].is_sign:
            break


_WORKPLACE_ENDS: Final = word_set(", and but who since because \u00b7")


def workplace(scene: Scene, words: Words, *, changed: bool = False) -> None:
    """Note the employer or the place of work that follows "at", "for", "in" or "with"."""
    for at, word in enumerate(words[:8]):
        if word.low in {"at", "for"} and employer_at(scene, words[at + 1 :], changed=changed):
            return
        if word.low == "in" and at + 1 < len(words) and words[at + 1].low in FIELDS:
            scene.claim("work.field", scene.span(words[at + 1 : at + 2]), changed=changed)
            continue
        if word.low == "in" and words[at + 1 : at + 2] and words[at + 1].low in {"a", "an"}:
            house_at(scene, words[at + 1 :], changed=changed)
            return
        if word.low == "in" and at + 1 < len(words) and words[at + 1].is_capital:
            end = place_at(words, at + 1)
            if end > at + 1:
                scene.claim("work.place", scene.span(words[at + 1 : end]), changed=changed)
            return
        if word.low in _WORKPLACE_ENDS:
            return


_NOT_EMPLOYED: Final = [
    [low]
    for low in sorted(
        word_set("on out through towards toward hard closely together with up around well it")
    )
]


def work(scene: Scene, said: Predicate) -> None:
    """Read "I work as a ROLE", "I work at EMPLOYER", "I work nights in PLACE"."""
    words = said.rest
    lows = [word.low for word in words]
    changed = "now" in lows or "now" in said.adverbs or bool(said.before)
    if (said.is_past and not said.is_perfect) or lows[:1] in _NOT_EMPLOYED:
        return
    for at, low in enumerate(lows[:12]):
        if low == "as" and at + 1 < len(words) and words[at + 1].low in {"a", "an", "the"}:
            role(scene, words, at + 1, told=True, changed=changed)
            break
        if low == "because":
            break
    _hours(scene, lows)
    if "as" in lows[:12]:
        index = lows.index("as")
        words = words[:index] if any(x in {"at", "for"} for x in lows[:index]) else words[:0]
    if words and words[0].low == "from" and lows[1:2] == ["home"]:
        scene.claim("work.place", "from home", changed=changed)
    elif words:
        workplace(scene, words, changed=changed)


def _hours(scene: Scene, lows: list[str]) -> None:
    for phrase in (
        "night shifts",
        "early shifts",
        "late shifts",
        "shifts",
        "nights",
        "part-time",
        "part time",
        "weekends",
        "days",
        "mornings",
        "evenings",
        "full-time",
        "full time",
        "freelance",
    ):
        size = len(phrase.split())
        if " ".join(lows[:size]) == phrase:
            scene.claim("work.schedule", phrase)
            return


def start(scene: Scene, said: Predicate) -> None:
    """Read "I started at EMPLOYER in March", "joined EMPLOYER in 2019"."""
    words = said.rest
    if said.form == "started" and words:
        if words[0].low == "as":
            told = words[1:2] != () and words[1].low in {"a", "an", "the"}
            role(scene, words, 1, told=told, changed=True)
        elif (
            words[0].low == "at"
            and len(words) > 1
            and words[1].is_capital
            and employer_at(scene, words[1:], changed=True)
        ):
            year = re.search(r"\bin (\d{4}|[A-Z][a-z]+ \d{4})\b", scene.span(words))
            if year is not None:
                scene.claim("work.started", year.group(1))


def employ(scene: Scene, said: Predicate) -> None:
    """Read "I'm employed at EMPLOYER as a ROLE"."""
    if said.form == "employed":
        work(scene, said)


_PUPILS: Final = word_set(
    "others kids children students everyone my you them him her myself people"
)


def teach(scene: Scene, said: Predicate) -> None:
    """Read "I teach maths"."""
    progressive = said.form == "teaching" and "been" in said.auxiliaries
    if not (said.form == "teach" or progressive) or said.subject != "i":
        return
    if said.rest and said.rest[0].low == "at":
        workplace(scene, said.rest)
        return
    end = phrase_at(said.rest, 0, most=5, inner=frozenset({"and"}))
    if end and said.rest[0].low not in _PUPILS:
        scene.claim("work.role", f"teach {scene.span(said.rest[:end])}")


_BUSINESSES: Final = word_set(
    """
    shop store pub bar cafe caf\u00e9 bakery restaurant farm hotel business company agency
    studio salon garage gallery nursery school gym b&b hostel brewery vineyard clinic practice
    stall kennel bookshop workshop
    """
)


def run(scene: Scene, said: Predicate) -> None:
    """Read "I run a plant shop in X"."""
    if said.form not in {"run", "own", "manage"} or said.auxiliaries:
        return
    end = phrase_at(said.rest, 0, most=6)
    if (
        end
        and said.rest[end - 1].low in _BUSINESSES
        and said.rest[0].low in {"a", "an", "my", "our", "the"}
    ):
        scene.claim("work.role", f"{said.form} {scene.span(said.rest[:end])}")
        rest = said.rest[end:]
        if len(rest) > 1 and rest[0].low == "in" and rest[1].is_capital:
            scene.claim("work.place", scene.span(rest[1 : place_at(rest, 1)]))


def drive(scene: Scene, said: Predicate) -> None:
    """Read "I drive a taxi": a vehicle that one drives for a living."""
    words = said.rest
    if said.form not in {"drive", "driving"} or not words:
        return
    end = phrase_at(words, 0)
    head = words[end - 1].low if end else ""
    single = {head.removesuffix("s"), head.removesuffix("es"), f"{head.removesuffix('ies')}y"}
    by_habit = head.endswith("s") and said.subject == "i" and not WORK_VEHICLES.isdisjoint(single)
    if by_habit or (head in WORK_VEHICLES and words[0].low in {"a", "an", "the"}):
        scene.claim("work.role", f"drive {scene.span(words[:end])}")


def commute(scene: Scene, said: Predicate) -> None:
    """Read "I commute to PLACE"."""
    for at, word in enumerate(said.rest[:-1]):
        if word.low in {"to", "into"}:
            end = place_at(said.rest, at + 1)
            if end > at + 1 and said.rest[at + 1].low not in {"work", "the", "my"}:
                scene.claim("work.place", scene.span(said.rest[at + 1 : end]))
            return


_LIVING: Final = re.compile(r"\b(?:do|job|work|living|profession)\b")


def any_verb(scene: Scene, said: Predicate) -> None:
    """Read the answer to one's own question: "what I do for a living? I restore organs"."""
    lows = [word.low for word in said.rest]
    if said.subject == "i" and not said.auxiliaries and lows[-3:] == ["for", "a", "living"]:
        kept = bare(said.rest[:-3])
        if kept:
            scene.claim("work.role", f"{said.form} {scene.span(kept)}")
        return
    before = scene.clauses[scene.at - 1] if scene.at else None
    if before is None or not before.sign.startswith("?") or "for a living" not in before.low():
        return
    if said.subject == "i" and not said.auxiliaries and said.rest and said.form.isalpha():
        end = phrase_at(said.rest, 0)
        if end:
            scene.claim("work.role", f"{said.form} {scene.span(said.rest[:end])}")


def aside(scene: Scene) -> None:
    """Read "as a ROLE I …", "being a ROLE I …", "I, a ROLE, …", "two jobs: A and B"."""
    if scene.mood is not Mood.STATED:
        return
    words = scene.clause.words
    lows = [word.low for word in words]
    at = scene.clause.body
    if scene.clause.lead == "as" and lows[0] in {"a", "an"}:
        _told_aside(scene, words, 0)
    elif lows[at : at + 1] in (["being"], ["as"]) and lows[at + 1 : at + 2] in (["a"], ["an"]):
        _told_aside(scene, words, at + 1)
    elif lows[:2] == ["i", ","] and lows[2:3] in (["a"], ["an"]):
        role(scene, words, 2)
    if "jobs" in lows[:3] and ":" in lows:
        _list(scene, words, lows.index(":") + 1)


def _told_aside(scene: Scene, words: Words, at: int) -> None:
    end = role_at(words, at + 1)
    follows = {word.low for word in words[end : end + 2]} & {"i", "my", ",", "we"}
    nxt = scene.next_clause
    if end > at + 1 and (
        follows or (nxt is not None and nxt.words[0].low in {"i", "my"} and end >= len(words))
    ):
        scene.claim("work.role", scene.span(words[at + 1 : end]))


def _list(scene: Scene, words: Words, at: int) -> None:
    while at < len(words):
        begin = at + (words[at].low in {"a", "an", "and", ","})
        end = role_at(words, begin)
        if end > begin:
            scene.claim("work.second", scene.span(words[begin:end]))
        at = max(end, at + 1)


VERBS = {
    "be": (be,),
    "work": (work,),
    "start": (start,),
    "employ": (employ,),
    "teach": (teach,),
    "run": (run,),
    "manage": (run,),
    "drive": (drive,),
    "commute": (commute,),
    "*": (any_verb,),
}
CLAUSES = ((word_set("a an jobs"), aside),)
