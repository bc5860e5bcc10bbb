# ruff: noqa: RUF001
"""What kind of answer is asked for, as far as its first words tell.

After the classes of questions of Li and Roth (2002), of which only those count whose answers
can be
told by their look: quantities and times, numbers of items, and open questions.
"""

import re
from functools import cache
from typing import Final

_QUANTITY: Final = re.compile(
    r"\bhow (?:long|many|much|often|old|far|tall|big|high|late|early|soon)\b|\bwhat time\b"
    r"|\bwhen (?:do|does|did|is|was|will|should|can|must)\b"
    r"|\bwie (?:lange|viele?|oft|alt|weit|spät)\b|\bhur (?:länge|många|mycket|ofta|gammal"
    r"|långt)\b"
    r"|\bcombien\b|\bcuánt[oa]s?\b|\bcuanto\b|\bquanti?[oea]?\b|\bhoe (?:lang|veel|vaak|oud"
    r"|ver)\b"
    r"|\bile\b|\bсколько\b|多少|几点|幾つ|いくつ|何時|몇",
    re.IGNORECASE,
)
_NUMBERS: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "två": 2, "tre": 3, "fyra": 4, "fem": 5,
    "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5,
    "due": 2, "quattro": 4, "cinque": 5, "dois": 2, "três": 3,
}  # fmt: skip
_COUNT: Final = re.compile(
    rf"\b(\d{{1,2}}|{'|'.join(_NUMBERS)})\s+(?:\w+\s+)?"
    r"(?:ideas?|tips?|ways?|options?|reasons?|examples?|steps?|suggestions?|names?|questions?"
    r"|recipes?|books?|films?|movies?|places?|things|points?|ideen|tipps|gründe|beispiele"
    r"|vorschläge"
    r"|namen|idéer|tips|skäl|exempel|förslag|idées|conseils|raisons|exemples|consejos|razones"
    r"|ejemplos|idee|consigli|motivi|esempi)\b",
    re.IGNORECASE,
)
_OPEN: Final = re.compile(
    r"\b(?:how (?:do|can|should|could|would|to)|why|explain|compare|describe|plan|write|draft"
    r"|tell me"
    r"|summari[sz]e|what (?:can|should|could) (?:i|we)|which .{0,40}should|any ideas?|suggest"
    r"|recommend|wie (?:kann|mache|soll)|warum|erkläre?|beschreib\w*|hur (?:kan|gör|ska|tar)"
    r"|varför"
    r"|comment|pourquoi|explique\w*|cómo|por qué|come (?:posso|si)|perché|como (?:posso|faço)"
    r"|waarom"
    r"|hoe (?:kan|moet)|jak|dlaczego|как|почему)\b|怎么|为什么|どうやって|なぜ|어떻게|왜|كيف"
    r"|لماذا",
    re.IGNORECASE,
)
_LOOKED_AT: Final = 1_500
_NUMBER_WORDS: Final = """
    two three four five six seven eight nine ten twelve fifteen twenty thirty forty fifty half
    quarter
    hundred hundreds dozen once twice hour hours minute minutes second seconds midnight noon never
    zwei drei vier funf sechs sieben acht neun zehn zwolf zwanzig halbe stunde stunden minuten
    tage
    tva tre fyra fem sex sju atta nio tio timme timmar minuter deux trois quatre cinq six sept
    huit
    neuf dix heure heures minutes dos cuatro cinco siete ocho nueve diez hora horas minutos due
    quattro cinque sette otto nove dieci ora ore minuti twee drie vijf zes zeven negen tien uur
    minuten dwa trzy cztery piec godzina godziny minut minute minuty
    """


@cache
def number_words() -> frozenset[str]:
    """Numbers and units of time in words, without accents."""
    return frozenset(_NUMBER_WORDS.split())


def wants_quantity(prompt: str) -> bool:
    """Whether a number, an amount or a time is asked for."""
    return "?" in prompt[-_LOOKED_AT:] and _QUANTITY.search(prompt[-_LOOKED_AT:]) is not None


def asked_count(prompt: str) -> int:
    """How many items are asked for ("three ideas"), or 0."""
    found = _COUNT.search(prompt[-_LOOKED_AT:])
    if found is None:
        return 0
    number = found.group(1).lower()
    return int(number) if number.isdecimal() else _NUMBERS.get(number, 0)


def is_open(prompt: str) -> bool:
    """Whether more than a word is asked for: how, why, which one, a text, a plan."""
    return _OPEN.search(prompt[-_LOOKED_AT:]) is not None
