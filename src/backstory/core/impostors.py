"""Names that a reader could take for a role."""

import re
from itertools import pairwise
from typing import Final
from unicodedata import name as unicode_name
from unicodedata import normalize

from backstory.core.content import ROLE_NAMES
from backstory.core.text import IGNORABLE

# Letters of other scripts that look like one of a role's name, or like a Latin one in general.
_ALIKE: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u0475\u0442\u043f\u043c"
    "\u043d\u043a\u0432\u0433\u04cf\u050d\u03bf\u03b1\u03bd\u03b9\u03ba\u03c1\u03c4\u03c5\u03b7\u03b5"
    "\u0131\u0261\u0251",
    "aeopcyxijshdvtnmhkbrlgoavikptunei" + "ga",
)
# Shorter ones are part of many a name ("Kai", "O'Toole").
_TELLING: Final = tuple(role for role in ROLE_NAMES if len(role) > 5)
_BETWEEN: Final = re.compile(r"[\W\d_]+")
_UNSEEN: Final = re.compile(f"[{IGNORABLE}]")
# Scripts that are written together in one word.
_EAST_ASIAN: Final = {"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"}
# Not scripts: first words in the names of letters that stand in words of any script.
_ANY_SCRIPT: Final = {"MODIFIER", "MASCULINE", "FEMININE", ""}


def may_mislead(name: str) -> bool:
    """Whether a name is, or looks like, that of a role, or mixes scripts within a word.

    Compared without accents, capitals, digits, punctuation and letters of other scripts that look
    Latin: ``assistant_``, ``Vera assistant`` and ``AI`` are names of roles; ``Kai`` is not.
    """
    if _UNSEEN.search(name):
        return True
    plain = "".join(
        char for char in normalize("NFKD", name).casefold() if char.isalpha() or char in " .-'_"
    )
    if any(map(_mixes_scripts, plain.split())):
        return True
    latin = plain.translate(_ALIKE)
    letters = _BETWEEN.sub("", latin)
    return (
        letters in ROLE_NAMES
        or any(word in ROLE_NAMES for word in _BETWEEN.split(latin))
        or any(role in letters for role in _TELLING)
    )


def _mixes_scripts(word: str) -> bool:
    if word.isascii():
        return False
    scripts = [_script(char) for char in word if char.isalpha()]
    return any(one != other for one, other in pairwise(s for s in scripts if s not in _ANY_SCRIPT))


def _script(letter: str) -> str:
    script = unicode_name(letter, "").split(" ")[0].split("-")[0]
    return "CJK" if script in _EAST_ASIAN else script
