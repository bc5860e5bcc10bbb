"""What a clause says of its writer: the verb, its tense, whether it is denied, and the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from backstory.reading.rules.clauses import Clause
from backstory.reading.rules.lexicon import word_set
from backstory.reading.rules.text import Word

_ADVERBS: Final = word_set(
    """
    just also really actually still now currently always only absolutely originally both totally
    properly personally mostly usually finally recently already basically officially kinda
    definitely truly sort kind of all normally typically mainly generally genuinely ever so
    simply long very much proudly presently happily almost nearly about sadly quite bloody
    fucking damn honestly even often sometimes secretly partly
    """
)
_NEGATIVE: Final = word_set("not never neither hardly barely nor cannot")
_AUXILIARIES: Final = word_set(
    """
    am is are was were have has had do does did will would can could may might must shall should
    's
    """
)
_BEING: Final = word_set("am are is was were be been being")

_FORMS: Final = """
    be am is are was were been being | have has had having got 've | live lives lived living liv
    | reside resides resided residing | base based | move moved moving movd relocate relocated
    relocating | work works worked working | like likes liked liking | love loves loved loving
    | adore adores adored | hate hates hated | loathe loathes loathed | dislike dislikes disliked
    | detest | despise | enjoy enjoys enjoyed enjoying | prefer prefers preferred
    | speak speaks spoke speaking | play plays played playing | drive drives drove driving driven
    | ride rides rode riding | own owns owned owning | study studies studied studying
    | learn learns learned learnt learning | teach teaches taught teaching
    | collect collects collected collecting | keep keeps kept keeping | run runs ran running
    | do does did done doing | start started starting | join joined joining | go goes went going
    gone | plan planned planning | train trained training | save saving saved | try trying tried
    | turn turned turning | come comes came coming | grow grew grown growing | bear born
    | commute commutes commuting commuted | buy bought buying | get gets getting
    | eat eats eating ate | drink drinks drinking drank | smoke smokes smoking smoked
    | sing sings singing sang | paint paints painting painted | take takes taken taking took
    | stand | call called calling | name named | marry married | diagnose diagnosed
    | follow follows following followed | want wants wanted | fly flying flew | use uses used using
    | retire retired | become became | employ employed | raise raised | weigh | measure
    | restore restores | quit quitting | stop stopped stopping | sell sold selling
    | leave left leaving | switch switched switching | swap swapped | cancel cancelled canceled
    | prefer | knit knits knitting | build builds building | write writes writing wrote
    | dance dances dancing danced | practise practice practising practicing practises
    | suffer suffers suffering | wear wears wearing | travel travelling traveling | visit visiting
    | make makes making made | cook cooks cooking | design designs | repair repairs | sell sells
    | cycle cycles cycling | need | share sharing | stay staying stayed | rent renting rented
    | keep | grow | volunteer volunteering volunteers | major majoring majored | adopt adopted
    adopting | rescue rescued | tutor | manage manages managing
    | coach coaches coaching | breed breeds breeding | brew brews brewing | attend attends attending
    | book booked booking | wish | hope | dream | think | know | guess | mean meant | bake bakes
    baking baked | garden gardening | swim swims swimming | climb climbs climbing | fish fishing
    | draw draws drawing drew | sew sews sewing | sail sails sailing | hike hikes hiking
    | surf surfs surfing | ski skis skiing | row rows rowing | box boxing | bowl bowling
    | blog blogging | crochet crocheting | foster fostering | look looking | work
    | pass passed | sell | trade traded | upgrade upgraded | finish finished finishing
    | support supports supporting | translate translates translating | edit edits editing
"""
LEMMAS: Final = {form: forms.split()[0] for forms in _FORMS.split("|") for form in forms.split()}


_UNREAL_MODALS: Final = word_set("would could may might must should can")


@dataclass(frozen=True, slots=True)
class Predicate:
    """A clause whose subject is the writer.

    Attributes:
        subject: "i" or "we".
        verb: The main verb's base form ("be", "have", "live"); what is not known stays as it is.
        form: The main verb as it stands, in lower case.
        auxiliaries: All of them, in order.
        adverbs: Those before the main verb.
        denied: "not", "never", "no longer" … stands before the verb.
        rest: What follows the main verb.
        before: What stands before the subject, such as "since April".
    """

    subject: str
    verb: str
    form: str
    auxiliaries: tuple[str, ...]
    adverbs: frozenset[str]
    denied: bool
    rest: tuple[Word, ...]
    before: tuple[Word, ...] = ()

    @property
    def is_unreal(self) -> bool:
        """Whether a modal verb makes it a wish, a possibility or a duty."""
        return bool(_UNREAL_MODALS & {*self.auxiliaries})

    @property
    def is_future(self) -> bool:
        """Whether it is something that will be."""
        return "will" in self.auxiliaries or "shall" in self.auxiliaries

    @property
    def is_past(self) -> bool:
        """Whether it is over: "lived", "was", "had been", "used to live"."""
        if {"was", "were", "had", "did"} & {*self.auxiliaries} or self.form in {
            "was",
            "were",
            "had",
        }:
            return True
        return (
            not self.auxiliaries
            and self.form != self.verb
            and self.form.endswith(
                (
                    "ed",
                    "ew",
                    "oke",
                    "ove",
                    "ode",
                    "ept",
                    "ied",
                    "ught",
                    "ang",
                    "an",
                    "ent",
                    "ook",
                    "id",
                    "ame",
                )
            )
        )

    @property
    def is_perfect(self) -> bool:
        """Whether it began before and holds: "have lived", "have been living"."""
        return "have" in self.auxiliaries


def predicate_of(clause: Clause) -> Predicate | None:
    """The predicate of a clause whose subject is "I" or "we", said or inherited; else None."""
    words = clause.words
    at = clause.body
    before: tuple[Word, ...] = ()
    if at >= len(words):
        return None
    subject = words[at].low
    if subject not in {"i", "we"}:
        shifted = _after_adverbial(words, at)
        if shifted is not None:
            before = tuple(words[at:shifted])
            at = shifted
            subject = words[at].low
        elif clause.heir or elided(words, at):
            return parse(words, at, "i", before)
        else:
            return None
    return parse(words, at + 1, subject, before)


_ADVERBIAL_STARTS: Final = word_set(
    """
    since from in at on during last this next after before most every these nowadays as now
    until back for today yesterday tomorrow tonight weekends mondays officially apparently
    """
)


_OTHER_SUBJECTS: Final = word_set("my he she they you it")


def _after_adverbial(words: Sequence[Word], at: int) -> int | None:
    """Where "I" stands after a time or place in front: "since April I live in …"."""
    if words[at].low not in _ADVERBIAL_STARTS:
        return None
    for index in range(at + 1, min(at + 9, len(words))):
        if words[index].low in {"i", "we"}:
            return index
        if words[index].low in _OTHER_SUBJECTS:
            return None
    return None


_ELIDED: Final = word_set(
    """
    been living working studying started moved born raised got gonna going learning driving
    turned just currently still originally training married bought joined relocated based
    playing majoring adopted doing staying retired engaged diagnosed planning saving trying
    """
)


def elided(words: Sequence[Word], at: int) -> bool:
    """Whether the words begin with a verb whose subject "I" is left out."""
    low = words[at].low
    if low in {"live", "work"} and at + 2 < len(words):
        after = words[at + 1].low
        return after == "as" or (after in {"in", "at", "for"} and words[at + 2].is_capital)
    if low in {"hate", "adore", "loathe"} and at + 1 < len(words) and not words[at + 1].is_sign:
        return _FINITE.isdisjoint(word.low for word in words[at:])
    return low in _ELIDED


_OTHERS: Final = word_set("he she they it my our his her their who everyone people this that")


def is_of_other(clause: Clause) -> bool:
    """Whether the subject of a clause is somebody or something else than its writer."""
    at = clause.body
    if at >= len(clause.words):
        return False
    return clause.words[at].low in _OTHERS


_FINITE: Final = word_set(
    "is 's was has helps makes can will brings gives keeps takes are does means"
)


def _is_gerund(words: Sequence[Word], at: int) -> bool:
    """Whether "-ing" is itself the subject: "learning Danish is hard"."""
    return any(word.low in _FINITE for word in words[at + 1 :])


def parse(
    words: Sequence[Word], at: int, subject: str, before: tuple[Word, ...]
) -> Predicate | None:
    """The predicate that begins at ``at``, behind its subject."""
    auxiliaries: list[str] = []
    adverbs: set[str] = set()
    denied = False
    while at < len(words):
        low = words[at].low
        if low in _NEGATIVE or (
            low == "no" and words[at + 1 : at + 2] and words[at + 1].low == "longer"
        ):
            denied = True
            adverbs.add("no longer" if low == "no" else low)
            at += 2 if low == "no" else 1
        elif low in _ADVERBS and at + 1 < len(words):
            adverbs.add(low)
            at += 1
        elif (low in _AUXILIARIES and _is_auxiliary(words, at)) or (
            low in {"been", "being"} and _is_auxiliary(words, at)
        ):
            auxiliaries.append(low)
            at += 1
        elif (
            low == "used"
            and words[at + 1 : at + 2]
            and words[at + 1].low == "to"
            and not ({"am", "are"} & {*auxiliaries})
        ):
            auxiliaries.append("used to")
            at += 2
        else:
            break
    if at >= len(words):
        return None
    form = words[at].low
    if subject == "i" and not auxiliaries and form.endswith("ing") and _is_gerund(words, at):
        return None
    verb = LEMMAS.get(form, form)
    return Predicate(
        subject,
        verb,
        form,
        tuple(auxiliaries),
        frozenset(adverbs),
        denied,
        tuple(words[at + 1 :]),
        before,
    )


_PARTICIPLES: Final = word_set(
    """
    based born employed called named raised diagnosed going moved relocated located
    """
)


_MODALS: Final = word_set("would will can could may might must shall should")


def _is_auxiliary(words: Sequence[Word], at: int) -> bool:
    """Whether a verb form follows, so that this form of be, have or do only helps it."""
    low = words[at].low
    follow = at + 1
    while follow < len(words) and words[follow].low in _ADVERBS | _NEGATIVE:
        follow += 1
    if follow >= len(words):
        return False
    after = words[follow].low
    if low in _MODALS:
        return True
    if low in {"do", "does", "did"}:
        return after in LEMMAS and LEMMAS[after] == after
    if low in {"have", "has", "had"}:
        return after in {"been", "got"} or (
            after in LEMMAS
            and after.endswith(("ed", "en", "wn", "t", "ne", "ung", "en"))
            and after != "quit"
        )
    if low in _BEING:
        return after in _PARTICIPLES or (after.endswith("ing") and after in LEMMAS)
    return False
