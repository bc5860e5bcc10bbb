"""When two values, or two keys, are the same one: the normal forms that identity compares."""

import re
from functools import lru_cache
from typing import Final
from unicodedata import combining, name, normalize

from backstory.core.text import IGNORABLE
from backstory.errors import InvalidInputError

MAX_KEY_CHARS: Final = 200

_MAX_ROUNDS: Final = 8
_SHORT: Final = 200
# Characters that show nothing. Tag characters stay: they tell one flag from another.
_UNSEEN: Final = re.compile(f"[{IGNORABLE}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
# NFKC would make 10² and 102 the same number.
_POWER: Final = re.compile("(?<=[0-9])[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+")
_DECOMPOSED: Final = re.compile("(.)([\u0300-\u036f]+)")
# Letters that Unicode does not decompose but that are typed as these without their stroke.
_UNSTROKE: Final = str.maketrans(
    {
        "\u00f8": "o",
        "\u0142": "l",
        "\u0111": "d",
        "\u00f0": "d",
        "\u0127": "h",
        "\u0131": "i",
        "\u00e6": "ae",
        "\u0153": "oe",
        "\u00fe": "th",
        "\u0451": "\u0435",
        "\u2019": "'",
        "\u2018": "'",
        "\u02bc": "'",
        "\u2010": "-",
        "\u2011": "-",
        "\u2212": "-",
    }
)
_PAIRS: Final = (
    ('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u201e", "\u201c"), ("\u00ab", "\u00bb"),
    ("\u00bb", "\u00ab"), ("\u300c", "\u300d"), ("\u300e", "\u300f"), ("(", ")"), ("[", "]"),
    ("{", "}"), ("`", "`"), ("*", "*"),
)  # fmt: skip
# A dot, sign or hash in front is part of the value (".NET", "-5"), as are signs behind ("C++").
_BEFORE: Final = "\u00bf\u00a1\u2022\u00b7,;:!? "
_BEHIND: Final = ".,;:!?\u2026\u3002\u3001\u061f\u060c\u061b\u0964 "
_BULLET: Final = re.compile(r"[-\u2013\u2014*]\s+")

_SEPARATORS: Final = re.compile(r"[\s_\-/\u2010-\u2015]+")
_DOTS: Final = re.compile(r"_*\.[._]*")


def normal_value(value: str) -> str:
    """The form in which two values are compared: equal forms are the same value.

    Unicode NFKC, case folded, accents of Latin and Greek letters taken off (marks of other
    scripts tell words apart and stay), each run of blanks one space, invisible characters
    and the punctuation around the whole dropped. Signs that carry meaning stay: ``C++``,
    ``-5``, ``.NET`` and ``10²`` are not ``C``, ``5``, ``NET`` and ``102``.

    Idempotent. Empty for a blank value only. It may be as long as the value, or longer.
    """
    return _normal_short(value) if len(value) <= _SHORT else _normal(value)


def _normal(value: str) -> str:
    form = value
    for _ in range(_MAX_ROUNDS):
        rounded = _one_round(form)
        if rounded == form:
            break
        form = rounded
    return form


# One decision compares the same few values many times.
_normal_short = lru_cache(maxsize=4096)(_normal)


def _one_round(value: str) -> str:
    powered = _POWER.sub(lambda match: f"^{match.group()}", value)
    folded = normalize("NFKC", normalize("NFKC", powered).casefold())
    spaced = " ".join(folded.split())
    seen = " ".join(_UNSEEN.sub("", spaced).split()) or spaced
    plain = fold_accents(seen)
    return _strip(plain) or plain


def fold_accents(text: str) -> str:
    """Lower-case text with the accents of Latin and Greek letters taken off.

    Marks of other scripts stay, because there they tell words apart: the dots of kana, the
    vowel signs of Devanagari, the breve of Cyrillic.
    """
    if text.isascii():
        return text
    apart = normalize("NFD", text)
    return normalize("NFC", _DECOMPOSED.sub(_without_marks, apart)).translate(_UNSTROKE)


def _without_marks(match: re.Match[str]) -> str:
    base = match.group(1)
    folds = not combining(base) and name(base, "").startswith(("LATIN", "GREEK"))
    return base if folds else match.group()


def _strip(text: str) -> str:
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    text = text.lstrip(_BEFORE).rstrip(_BEHIND)
    for opening, closing in _PAIRS:
        inner = text[1:-1]
        if (
            len(text) > 2
            and text[0] == opening
            and text[-1] == closing
            and opening not in inner
            and closing not in inner
        ):
            return inner.strip()
    return text


def normal_key(key: str) -> str:
    """The form in which a fact's key is stored: ``Home / Postal-Code`` is ``home_postal_code``.

    A dot divides the parts of a slot (``work.employer``); blanks, ``_``, ``-`` and ``/`` divide
    words and become one ``_``. Unicode NFKC, case folded. Idempotent.

    Raises:
        InvalidInputError: The key is not text, names nothing, holds a NUL or a lone
            surrogate, or has more than 200 characters.
    """
    if not isinstance(key, str):
        raise InvalidInputError(f"a fact's key must be text, not {type(key).__name__}")
    if "\0" in key:
        raise InvalidInputError("a fact's key holds a NUL character; remove it")
    if any("\ud800" <= char <= "\udfff" for char in key):
        raise InvalidInputError("a fact's key holds a lone surrogate; it is not valid Unicode")
    form = str.__str__(key)
    for _ in range(_MAX_ROUNDS):
        rounded = _one_key_round(form)
        if rounded == form:
            break
        form = rounded
    if not any(map(str.isalnum, form)):
        raise InvalidInputError("a fact's key is empty; name a slot, such as work.employer")
    if len(form) > MAX_KEY_CHARS:
        raise InvalidInputError(f"a fact's key has {len(form)} characters; at most {MAX_KEY_CHARS}")
    return form


def _one_key_round(key: str) -> str:
    folded = normalize("NFKC", normalize("NFKC", key).casefold())
    words = _SEPARATORS.sub("_", _UNSEEN.sub("", folded))
    return _DOTS.sub(".", words).strip("._")
