"""Hobbies, instruments, studies, what one is learning.

For: "I play the oboe and chess", "I've taken up beekeeping", "I collect old keys", "I do pottery",
"I
sing in a choir", "hobbies? archery, sudoku", "I'm studying law in X", "a PhD in soil science", "I'm
learning Welsh". Not for: "I play a role", "I do the dishes", single occasions.
"""

from typing import Final

from backstory.reading.rules.grammar import Predicate
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.lexicon.things import DONE, INSTRUMENTS, MEMBERSHIPS, SPORTS
from backstory.reading.rules.modality import Mood
from backstory.reading.rules.scene import Scene
from backstory.reading.rules.studies import Words, degree, learn, major, study
from backstory.reading.rules.values import bare, items, phrase_at

_BEFORE_INSTRUMENT: Final = word_set("some first second a lot bit lead")


def play(scene: Scene, said: Predicate) -> None:
    """Read "I play the oboe", "I play chess on Mondays", "play bass in a band"."""
    if said.form not in {"play", "played", "playing"} or (
        said.form == "played" and not said.is_perfect
    ):
        return
    for whole in items(said.rest, inner=frozenset()):
        begin = 0
        while begin < len(whole) and whole[begin].low in _BEFORE_INSTRUMENT:
            begin += 1
        item = whole[begin:]
        lows = [word.low for word in item]
        if not lows:
            continue
        if {*lows} & INSTRUMENTS:
            scene.claim("hobby.instrument", scene.span(item))
        elif (
            {*lows} & (SPORTS | DONE)
            or (lows[-1] in {"games", "instruments", "music"} and len(lows) > 1)
            or (len(lows) == 1 and lows[0].endswith("ball"))
        ):
            scene.claim("hobby.activity", scene.span(item))
    _member(scene, said.rest)


_CALLED: Final = word_set("called named")
_MOST_OF_KIND: Final = 5


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
            end = phrase_at(words, at + 1, most=8)
            item = bare(words[at + 1 : end])
            lows = [w.low for w in item]
            kind = next((n for n, low in enumerate(lows) if low in _CALLED), len(item))
            if 0 < kind <= _MOST_OF_KIND and lows[kind - 1] in MEMBERSHIPS:
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


_NOT_TAKEN_UP: Final = word_set("too so a space time your residence")


def take(scene: Scene, said: Predicate) -> None:
    """Read "I've taken up beekeeping", "took up the banjo"."""
    words = said.rest
    lows = [word.low for word in words[:5]]
    taught = next((n for n, low in enumerate(lows) if low in {"lessons", "classes"}), 0)
    if said.form in {"take", "taking"} and taught and lows[0] not in _NOT_TAKEN_UP:
        scene.claim("hobby.activity", scene.span(words[: taught + 1]))
    if said.form in {"taken", "took", "taking"} and words and words[0].low in _UP:
        end = phrase_at(words, 1, most=4)
        item = bare(words[1:end])
        if item and item[0].low not in _NOT_TAKEN_UP:
            key = "hobby.instrument" if {w.low for w in item} & INSTRUMENTS else "hobby.activity"
            scene.claim(key, scene.span(item))


_NOT_COLLECTED: Final = word_set(
    "it them my the data points dust money taxes payment payments unemployment"
)


def collect(scene: Scene, said: Predicate) -> None:
    """Read "I collect stamps"."""
    if said.form == "collect" and not {"do", "will"} & {*said.auxiliaries}:
        for item in items(said.rest, inner=frozenset({"of", "from"})):
            kept = item
            while len(kept) > 1 and kept[-1].low in {"well", "mostly"}:
                kept = kept[:-1]
            if kept[0].low not in _NOT_COLLECTED:
                scene.claim("hobby.activity", scene.span(kept))


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


_MAKING_VERBS: Final = word_set("make cook run restore write build")
_NO_HABITS: Final = word_set("it this up out my them")


_RACES: Final = word_set("marathons half-marathons ultras ultramarathons trails triathlons")


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
    races = said.verb == "run" and said.rest and said.rest[0].low in _RACES
    if said.verb in _MAKING_VERBS and not around & _REGULAR and not races:
        return
    end = phrase_at(said.rest, 0, most=5)
    if not end and said.rest and not around & _REGULAR:
        return
    if end and said.rest[0].low in _NO_HABITS:
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


_OFTEN: Final = word_set("every times most weekly daily once twice")


def go(scene: Scene, said: Predicate) -> None:
    """Read "I go to the gym three times a week", "I go swimming every Monday"."""
    lows = [word.low for word in said.rest]
    if said.form != "go" or said.auxiliaries or not lows:
        return
    often = _OFTEN & ({*lows} | {*said.adverbs} | {w.low for w in said.before})
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
