"""Hobbies, instruments, studies, what one is learning.

For: "I play the oboe and chess", "I've taken up beekeeping", "I collect old keys", "I do pottery",
"I
sing in a choir", "hobbies? archery, sudoku", "I'm studying law in X", "a PhD in soil science", "I'm
learning Welsh". Not for: "I play a role", "I do the dishes", single occasions.
"""

from collections.abc import Sequence
from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.peoples import LANGUAGES
from backstory.reading.rules.lexicon.things import DONE, INSTRUMENTS, MEMBERSHIPS, SPORTS
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.text import Word
from backstory.reading.rules.values import bare, items, name_at, phrase_at, place_at

Words = Sequence[Word]


_PLAY_1: Final = word_set("some first second a lot bit lead")


def play(scene: Scene, said: Predicate) -> None:
    """Read "I play the oboe", "I play chess on Mondays", "play bass in a band"."""
    if said.form not in {"play", "played", "playing"} or (
        said.form == "played" and not said.is_perfect
    ):
        return
    for item in items(said.rest, inner=frozenset()):
        lows = [word.low for word in item]
        while lows and lows[0] in _PLAY_1:
            item, lows = item[1:], lows[1:]
        if not lows:
            continue
        if {*lows} & INSTRUMENTS:
            scene.claim("hobby.instrument", scene.span(item))
        elif {*lows} & (SPORTS | DONE):
            scene.claim("hobby.activity", f"play {scene.span(item)}" if False else scene.span(item))
        elif lows[-1] in {"games", "instruments", "music"} and len(lows) > 1:
            scene.claim("hobby.activity", scene.span(item))
    _member(scene, said.rest)


def _member(scene: Scene, words: Words) -> None:
    """Note the choir or club in "in a covers band", "for the village team"."""
    for at, word in enumerate(words[:-1]):
        if word.low in {"in", "of", "for", "with"} and words[at + 1].low in {
            "a",
            "an",
            "the",
            "my",
            "our",
        }:
            end = phrase_at(words, at + 1, most=5)
            item = bare(words[at + 1 : end])
            if item and item[-1].low in MEMBERSHIPS:
                scene.claim("hobby.activity", scene.span(item))
                return


def sing(scene: Scene, said: Predicate) -> None:
    """Read "I sing in a choir", "I'm a member of the rowing club", "I row for …"."""
    if said.is_past and not said.is_perfect:
        return
    _member(scene, said.rest)


def be(scene: Scene, said: Predicate) -> None:
    """Read "I'm a member of the X club", "I'm in a band", "I'm in my second year of X"."""
    lows = [word.low for word in said.rest]
    if lows[:2] == ["in", "my"] and "year" in lows[:5]:
        degree(scene, said.rest)
        return
    if (
        lows[:3] == ["a", "member", "of"]
        or lows[:2] in (["in", "a"], ["part", "of"])
        or lows[:1] == ["in"]
    ):
        _member(scene, said.rest)


_UP: Final = word_set("up")


_TAKE_1: Final = word_set("too so a space time your residence")


def take(scene: Scene, said: Predicate) -> None:
    """Read "I've taken up beekeeping", "took up the banjo"."""
    words = said.rest
    if said.form in {"taken", "took", "taking"} and words and words[0].low in _UP:
        end = phrase_at(words, 1, most=4)
        item = bare(words[1:end])
        if item and item[0].low not in _TAKE_1:
            key = "hobby.instrument" if {w.low for w in item} & INSTRUMENTS else "hobby.activity"
            scene.claim(key, scene.span(item))


_COLLECT_1: Final = word_set(
    "it them my the data points dust money taxes payment payments unemployment"
)


def collect(scene: Scene, said: Predicate) -> None:
    """Read "I collect stamps"."""
    if said.form == "collect" and not {"do", "will"} & {*said.auxiliaries}:
        for item in items(said.rest, inner=frozenset({"of", "from"})):
            kept = item
            while len(kept) > 1 and kept[-1].low in {"well", "mostly"}:
                kept = kept[:-1]
            if kept[0].low not in _COLLECT_1:
                scene.claim(
                    "hobby.activity", f"collect {scene.span(kept)}" if False else scene.span(kept)
                )


def do(scene: Scene, said: Predicate) -> None:
    """Read "I do pottery on Tuesdays", "I'm doing a PhD in X", "doing line cooking"."""
    words = said.rest
    if said.form not in {"do", "doing"} or not words:
        return
    if said.form == "do" or said.auxiliaries:
        for item in items(words, inner=frozenset()):
            if {word.low for word in item} & DONE:
                end = 1 + max(i for i, word in enumerate(item) if word.low in DONE)
                scene.claim("hobby.activity", scene.span(item[:end]))
    degree(scene, words)
    lows = [word.low for word in words]
    if "apprenticeship" in lows[:5] and "as" in lows:
        at = lows.index("as")
        end = phrase_at(words, at + 1)
        item = bare(words[at + 1 : end])
        if item:
            scene.claim("work.role", f"apprentice {scene.span(item)}", changed="now" in lows)
    elif lows[0] == "line" and lows[1:2] == ["cooking"]:
        scene.claim("work.role", scene.span(words[:2]))


_DEGREES: Final = word_set(
    """
    degree masters master's master phd doctorate bachelor's bachelor bachelors msc bsc ba ma mba
    diploma course apprenticeship a-levels major minor law-degree
    """
)


_DEGREE_1: Final = word_set("a an the my of doing")
_DEGREE_2: Final = word_set("a an the my university high some")


def degree(scene: Scene, words: Words) -> None:
    """Note the subject of "a part-time masters in X", "a PhD in X", "a chemistry degree"."""
    lows = [word.low for word in words]
    if "year" in lows[:5] and lows[lows.index("year") + 1 : lows.index("year") + 2] in (
        ["of"],
        ["at"],
    ):
        _year_of(scene, words, lows.index("year") + 1)
        return
    at = next((i for i, low in enumerate(lows[:8]) if low in _DEGREES), None)
    if at is None:
        return
    if at + 2 < len(lows) + 1 and lows[at + 1 : at + 2] and lows[at + 1] in {"'s", "degree"}:
        at += 1
    if lows[at + 1 : at + 2] == ["in"]:
        end = phrase_at(words, at + 2, most=4, inner=frozenset({"and"}))
        item = words[at + 2 : end]
        if item:
            scene.claim("study.subject", scene.span(item))
    elif at and lows[at] in {"degree", "major", "course", "phd", "masters"}:
        begin = at - 1
        while begin > 0 and lows[begin - 1] not in _DEGREE_1 and not words[begin - 1].is_sign:
            begin -= 1
        item = [
            w
            for w in words[begin:at]
            if w.low not in {"part-time", "full-time", "second", "online"}
        ]
        if item and item[0].low not in _DEGREE_2:
            scene.claim("study.subject", scene.span(item))


_YEAR_OF_1: Final = word_set("marriage high my being living life")


def _year_of(scene: Scene, words: Words, at: int) -> None:
    """Note what follows in "second year of X", "final year at X"."""
    lows = [word.low for word in words]
    if words[at].low == "at":
        end = name_at(words, at + 1)
        if end > at + 1:
            scene.claim("study.school", scene.span(words[at + 1 : end]))
        return
    end = phrase_at(words, at + 1, most=5)
    item = bare(words[at + 1 : end])
    if {*lows[at + 1 : end]} & _DEGREES:
        degree(scene, words[at + 1 :])
    elif item and item[0].low not in _YEAR_OF_1:
        scene.claim("study.subject", scene.span(item))


def major(scene: Scene, said: Predicate) -> None:
    """Read "majoring in X", "I majored in X"."""
    if said.rest and said.rest[0].low == "in":
        end = phrase_at(said.rest, 1, most=4)
        if end > 1:
            scene.claim("study.subject", scene.span(said.rest[1:end]))


_STUDY_1: Final = word_set("for to at in hard the my this abroad together with a")


def study(scene: Scene, said: Predicate) -> None:
    """Read "I'm studying X at Y", "I study X"."""
    words = said.rest
    if said.form not in {"study", "studying"} or not words:
        return
    if words[0].low in _STUDY_1:
        if words[0].low in {"at", "in"}:
            _school(scene, words)
        return
    for_degree = phrase_at(words, 0, most=5, inner=frozenset({"and"}))
    scene.claim("study.subject", scene.span(words[:for_degree]), changed="now" in said.adverbs)
    _school(scene, words[for_degree:])


def _school(scene: Scene, words: Words) -> None:
    if len(words) > 1 and words[0].low in {"at", "in"}:
        at = 1 + (words[1].low == "the")
        if words[1].low in {"the", "a"}:
            end = phrase_at(words, 1, most=4, inner=frozenset({"in", "of"}))
            if any(word.is_capital for word in words[1:end]):
                scene.claim("study.school", scene.span(bare(words[1:end])))
            return
        end = name_at(words, at) or place_at(words, at)
        if end > at:
            scene.claim("study.school", scene.span(words[at:end]))


_LEARN_1: Final = word_set(
    "a lot how about more new so things something that what from it much live"
)


_UNCLEAR: Final = word_set("it them this that these those myself yourself you your")


def _can_be_learnt(words: Words) -> bool:
    lows = [word.low for word in words]
    if not lows or {*lows} & _UNCLEAR:
        return False
    if lows[0] == "to" or lows[:2] == ["how", "to"] or words[0].is_capital:
        return True
    known = LANGUAGES | INSTRUMENTS | SPORTS | DONE
    return (
        bool({*lows[:4]} & known) or len(words) == 1 or lows[-1] in {"language", "design", "dance"}
    )


def learn(scene: Scene, said: Predicate) -> None:
    """Read "I'm learning Welsh", "teaching myself the banjo", "learning to weld"."""
    words = said.rest
    if said.form not in {"learning", "studying", "teaching"} or not words:
        return
    if said.form == "teaching":
        if words[0].low != "myself":
            return
        words = words[1:]
    if not _can_be_learnt(words):
        return
    at = 1 if words and words[0].low == "to" else 0
    if [word.low for word in words[:2]] == ["how", "to"]:
        at = 2
    end = phrase_at(words, at, most=4)
    item = bare(words[at:end])
    if not item or item[0].low in _LEARN_1:
        return
    scene.claim("study.learning", scene.span(item))


def bare_lists(scene: Scene) -> None:
    """Read "hobbies? archery, sudoku", "hobbies: A and B", "second year of a chemistry degree"."""
    if scene.mood not in (Mood.STATED, Mood.QUESTION):
        return
    words = scene.clause.words
    lows = [word.low for word in words]
    at = 0
    while at < len(words) - 1 and lows[at] in {"my", "our", "main", "other"}:
        at += 1
    if lows[at] in {"hobbies", "hobby", "pastimes"}:
        if lows[at + 1 : at + 2] and lows[at + 1] in {":", "are", "=", "is", "include"}:
            _hobbies(scene, words[at + 2 :])
        elif (
            at + 1 >= len(words)
            and scene.clause.sign.startswith("?")
            and scene.next_clause is not None
        ):
            _hobbies(scene, scene.next_clause.words)
    elif scene.mood is Mood.STATED and scene.clause.first and lows[1:3] == ["year", "of"]:
        degree(scene, words)


def _hobbies(scene: Scene, words: Words) -> None:
    for item in items(words, inner=frozenset({"of", "at", "the"})):
        if item[0].low in {"none", "nothing"}:
            return
        scene.claim("hobby.activity", scene.span(item))


_REGULAR: Final = word_set(
    """
    most every evenings weekends weekend mondays tuesdays wednesdays thursdays fridays saturdays
    sundays nights mornings
    """
)
_CRAFTS: Final = word_set(
    """
    paint knit build write dance bake garden swim climb fish draw sew sail hike surf ski row box
    brew run cycle crochet cook sing blog volunteer coach breed make grow restore
    """
)


_HABIT_1: Final = word_set("make cook run restore write build")
_HABIT_2: Final = word_set("it this up out my them")


def habit(scene: Scene, said: Predicate) -> None:
    """Read "most evenings I paint tiny figures", "I knit", "I grow the best leeks"."""
    if (
        said.verb not in _CRAFTS
        or said.form != said.verb
        or said.auxiliaries
        or said.subject != "i"
    ):
        return
    around = {w.low for w in said.before} | {w.low for w in said.rest} | {*said.adverbs}
    if said.verb in _HABIT_1 and not around & _REGULAR:
        return
    end = phrase_at(said.rest, 0, most=5)
    if not end and said.rest and not around & _REGULAR:
        return
    if end and said.rest[0].low in _HABIT_2:
        return
    if said.verb in {"box", "row", "fish", "garden", "ski"} and said.rest and not around & _REGULAR:
        return
    scene.claim(
        "hobby.activity", f"{said.form} {scene.span(said.rest[:end])}" if end else said.form
    )


_OUTINGS: Final = word_set(
    """
    swimming running climbing bouldering hiking cycling fishing dancing skiing sailing surfing
    jogging riding kayaking birdwatching camping skating bowling rowing diving snowboarding
    horse-riding
    """
)


_GO_1: Final = word_set("every times most weekly daily once twice")


def go(scene: Scene, said: Predicate) -> None:
    """Read "I go to the gym three times a week", "I go swimming every Monday"."""
    lows = [word.low for word in said.rest]
    if said.form != "go" or said.auxiliaries or not lows:
        return
    often = _GO_1 & ({*lows} | {*said.adverbs} | {w.low for w in said.before})
    days = [*lows, *(word.low for word in said.before)]
    if not often and not any(low.endswith("days") for low in days):
        return
    if lows[0] in _OUTINGS:
        scene.claim("hobby.activity", scene.span(said.rest[:1]))
    elif lows[:3] == ["to", "the", "gym"]:
        scene.claim("hobby.activity", "gym")


def volunteer(scene: Scene, said: Predicate) -> None:
    """Read "I volunteer at an animal shelter"."""
    lows = [word.low for word in said.rest]
    if (
        said.form in {"volunteer", "volunteering"}
        and lows
        and lows[0] in {"at", "for", "with", "in"}
    ):
        end = phrase_at(said.rest, 1, most=5)
        if end > 1:
            scene.claim("hobby.activity", f"{said.form} {scene.span(said.rest[:end])}")


VERBS = {
    "play": (play,),
    "sing": (sing,),
    "take": (take,),
    "collect": (collect,),
    "do": (do,),
    "study": (study,),
    "learn": (learn,),
    "teach": (learn,),
    "be": (be,),
    "go": (go,),
    "volunteer": (volunteer,),
    "major": (major,),
    **dict.fromkeys(_CRAFTS - {"sing", "volunteer"}, (habit,)),
}
CLAUSES = ((word_set("hobbies hobby pastimes year"), bare_lists),)
