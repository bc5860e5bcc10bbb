"""Secrets in a text, found and blacked out before anything of it becomes a fact.

Found by shape (keys of known providers, private keys, JSON Web Tokens, addresses with a
password), by check digits (card numbers, IBANs), by the words before (``password=``, "the
wifi pass is"), and, for what is left, by how random a run of characters is.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from backstory.core.randomness import is_random
from backstory.core.wordlists import word_set


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundSecret:
    """Where a secret stood, never what it was.

    Attributes:
        kind: ``api key``, ``token``, ``password``, ``pin``, ``private key``, ``card number``,
            ``iban``, ``seed phrase`` or ``random string``.
        start: The first character, in the text as it was given.
        end: Behind the last one.
    """

    kind: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Redacted:
    """A text without its secrets.

    Attributes:
        text: Each secret is replaced by its kind in brackets: ``[redacted password]``.
        found: Where they stood, in order, without overlaps.
    """

    text: str
    found: tuple[FoundSecret, ...]


_FIGURES: Final = tuple("0123456789")


class _Rule(NamedTuple):
    """How one kind of secret is found.

    Attributes:
        kind: What it is called.
        pattern: Where one may stand.
        accepts: Whether what stands there is one.
        needs: What an ASCII text has that holds one: one of these, in lower case; or a run
            without blanks of so many characters.
    """

    kind: str
    pattern: re.Pattern[str]
    accepts: Callable[[str, re.Match[str]], bool]
    needs: tuple[str, ...] | int

    def may_be_in(self, low: str, longest: int) -> bool:
        """Whether an ASCII text may hold one: in lower case, with the length of its longest run."""
        if isinstance(self.needs, int):
            return longest >= self.needs
        for need in self.needs:  # noqa: SIM110 - ``any`` takes twice the time
            if need in low:
                return True
        return False


_MARK: Final = re.compile(r"\[redacted [a-z ]+\]")

_API_KEY: Final = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"sk-(?:[a-z]{2,12}-)*[A-Za-z0-9_-]{10,200}"
    r"|(?:sk|pk|rk|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{16,120}"
    r"|(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}"
    r"|AIza[A-Za-z0-9_-]{30,45}"
    r"|gsk_[A-Za-z0-9]{20,80}|xai-[A-Za-z0-9]{20,100}|pplx-[A-Za-z0-9]{20,80}|r8_[A-Za-z0-9]{20,60}"
    r"|hf_[A-Za-z0-9]{16,60}|api_org_[A-Za-z0-9]{20,60}|nvapi-[A-Za-z0-9_-]{20,100}"
    r"|SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,60}|key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}"
    r"|(?:AC|SK)[0-9a-f]{32}|dop_v1_[0-9a-f]{32,80}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{24,40}"
    r"|lin_api_[A-Za-z0-9]{24,60}|secret_[A-Za-z0-9]{32,60}|tvly-[A-Za-z0-9-]{16,60}"
    r"|pcsk_[A-Za-z0-9_]{20,120}"
    r")(?![A-Za-z0-9_])"
)
_TOKEN: Final = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|gl(?:pat|ptt|dt|rt"
    r"|cbt)-[A-Za-z0-9_-]{16,60}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-[A-Za-z0-9-]{10,250}|npm_[A-Za-z0-9]{30,50}"
    r"|pypi-[A-Za-z0-9_-]{40,300}|ya29\.[A-Za-z0-9_-]{20,300}|EAA[A-Za-z0-9]{40,300}"
    r"|\d{8,10}:AA[A-Za-z0-9_-]{30,40}"
    r"|[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}"
    r"|eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{4,6000}(?:\.[A-Za-z0-9_-]{0,2000})?"
    r"|hvs\.[A-Za-z0-9_-]{20,200}|dckr_pat_[A-Za-z0-9_-]{20,60}|sl\.[A-Za-z0-9_-]{60,300}"
    r")(?![A-Za-z0-9_])"
)
_BEARER: Final = re.compile(
    r"\b(?:bearer|basic)\s+(?P<value>[A-Za-z0-9._~+/-]{12,4000}=*)", re.IGNORECASE
)
_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?!-----BEGIN )[\s\S]){0,20000}?(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"|\Z)"
    r"|\bAGE-SECRET-KEY-1[A-Z0-9]{20,80}"
)
_ADDRESS: Final = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,30}://[^\s:/@]{0,200}:(?P<value>[^\s/]{1,300})@(?=[\w\[])", re.IGNORECASE
)
_PARAMETER: Final = re.compile(
    r"[?&;](?:api[_-]?key|key|token|access_token|auth|sig|signature|password|pwd|secret|accountkey"
    r"|sharedaccesskey|client_secret)=(?P<value>[^\s&;#\"']{6,2000})",
    re.IGNORECASE,
)

_NAMES: Final = (
    r"(?:pass(?:word|wd|phrase|code)?|pwd|passwort|mot de passe|contrase\u00f1a|l\u00f6senord|senha"
    r"|wachtwoord"
    r"|(?:api|secret|access|auth|private|signing|encryption|license|account)[ _-]?key|secret|token"
    r"|credentials?)"
)
_ASSIGNED: Final = re.compile(
    rf"(?:(?<![A-Za-z])|(?<=[a-z])(?=(?-i:[A-Z]))){_NAMES}s?[\"']?\s?(?::=|=>|=|:)\s?"
    r"(?:\"(?P<double>[^\"\n]{3,300})\"|'(?P<single>[^'\n]{3,300})'|`(?P<tick>[^`\n]{3,300})`"
    r"|(?P<value>[^\s\"'`,;]{4,300}))",
    re.IGNORECASE,
)
_SAID: Final = re.compile(
    r"\b(?P<name>pass(?:word|code|phrase)?|pwd|passwort|mot de passe|contrase\u00f1a|l\u00f6senord"
    r"|senha|wachtwoord"
    r"|wi-?fi (?:key|code|pass)|network key|login)\b"
    r"(?P<between>(?:\s(?:at|in|for|to|of|on|here)(?:\s(?:my|the|our|his|her"
    r"|their))?(?:\s[\w'-]+){1,3}?)?)"
    r"(?:\s(?:is|was|ist|est|es|\u00e9|\u00e4r)(?:\s(?:now|still|just|literally|actually|currently"
    r"|set to|changed to))?|'s|\sto)"
    r"\s?[:\"'`\u201c\u2018]?\s?(?P<value>[^\s\"'`\u201d\u2019]{4,200})",
    re.IGNORECASE,
)
_LOGIN: Final = re.compile(
    r"\blog(?:ged)?[ -]?in (?:with|as|using) \S{1,60} (?:and"
    r"|/) (?:pass(?:word)?\s)?(?P<value>\S{4,100})",
    re.IGNORECASE,
)
_PIN: Final = re.compile(
    r"\b(?:pin(?: (?:code|number))?|cvv2?|cvc|(?:door|gate|alarm|entry|access|security|safe|lock"
    r"|unlock|verification"
    r"|one-time|2fa|sms|otp)(?: pass)? ?code|combination|otp)\b(?:\s(?:at|in|for|to|of"
    r"|on)(?:\s[\w'-]+){1,4}?)?"
    r"(?:\s(?:is|was)|'s|\s?[:=]|\s)\s?[\"']?(?P<value>\d(?:[ -]?\d){2,9})(?![\w.-]*\d)",
    re.IGNORECASE,
)
_SEED: Final = re.compile(
    r"\b(?:mnemonic|(?:seed|recovery|backup|wallet)(?: (?:seed|recovery|phrase|words"
    r"|key))+)\b[^\w\n]{0,4}"
    r"(?:(?:is|was|are)\b)?[\s:\"'\u201c-]{0,6}(?P<value>[a-z]{3,8}(?:[\s,]{1,3}(?:\d{1,2}[.)]\s)?[a-z]{3,8}){11,24})",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"(?<![\w.+/:-])\d(?:[ -]?\d){11,18}(?![\w/:]|[.-]\d)")
_IBAN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])")
_RUN: Final = re.compile(r"(?<![\w/.@:+=-])[A-Za-z0-9_+/=.~-]{20,4000}(?![\w@])")

_MOST_BRANDS: Final = re.compile(r"(?:4|5[1-5]|2[2-7]|3[4-9]|6)")
_IBAN_LENGTHS: Final = range(15, 35)
# Words that follow "the password is" and are none.
_NO_PASSWORD: Final = word_set(
    "wrong correct incorrect invalid expired weak strong required needed missing empty blank not "
    "never always too very "
    "long short secret safe secure unknown lost gone hard easy stored saved hidden written reset "
    "changed changing "
    "different same something anything nothing that this what the a an my your his her their our "
    "it in on at to so "
    "being case only under with from about sent protected hashed encrypted broken forgotten "
    "working fine good bad "
    "here there case-sensitive none null true false undefined optional your_password yourpassword "
    "string "
    "str int bool text value field because and or but if when where how why who which is was be "
    "been also all "
    "please no yes ok okay limit limits count counts usage budget bucket left used per"
)
_GRAMMAR: Final = word_set(
    "and but the for was were his her had has have been from are which their our would could them "
    "than not"
)
_TRAILING: Final = ".,;:!?)]}>\u2026"


def redact(text: str) -> Redacted:
    """Black out the secrets in a text.

    Doing it again changes nothing. A text without secrets comes back as it is: prose, dates,
    phone numbers, UUIDs, hashes of commits and files, and plain addresses are none.

    Args:
        text: Any text.
    """
    found = _without_overlaps(_finds(text))
    pieces: list[str] = []
    done = 0
    for one in found:
        pieces += (text[done : one.start], f"[redacted {one.kind}]")
        done = one.end
    return Redacted(text="".join((*pieces, text[done:])), found=found)


def _finds(text: str) -> Iterator[FoundSecret]:
    marks = [match.span() for match in _MARK.finditer(text)] if "[redacted" in text else []
    starts = [start for start, _ in marks]
    for kind, pattern, accepts, _ in _rules_for(text):
        for match in pattern.finditer(text):
            start, end = _value_span(match)
            end = start + len(text[start:end].rstrip(_TRAILING)) if pattern in _LOOSE else end
            before = bisect_right(starts, end - 1) - 1
            marked = before >= 0 and marks[before][1] > start
            if end > start and not marked and accepts(text[start:end], match):
                yield FoundSecret(kind=kind, start=start, end=end)


def _rules_for(text: str) -> list[_Rule]:
    """The rules that may find something: a look for what they need takes a tenth of trying them."""
    if not text.isascii():  # some letters beyond ASCII are the same as others but for their case
        return list(_RULES)
    low = text.lower()
    longest = max(map(len, text.split()), default=0)
    return [rule for rule in _RULES if rule.may_be_in(low, longest)]


def _value_span(match: re.Match[str]) -> tuple[int, int]:
    for name in ("value", "double", "single", "tick"):
        if name in match.re.groupindex and match.group(name) is not None:
            return match.span(name)
    return match.span()


def _without_overlaps(finds: Iterator[FoundSecret]) -> tuple[FoundSecret, ...]:
    """The finds in order; of those that overlap, one that covers them all."""
    kept: list[FoundSecret] = []
    for one in sorted(finds, key=lambda found: (found.start, -found.end)):
        if kept and one.start < kept[-1].end:
            last = kept[-1]
            kept[-1] = FoundSecret(kind=last.kind, start=last.start, end=max(last.end, one.end))
        else:
            kept.append(one)
    return tuple(kept)


def _always(_value: str, _match: re.Match[str]) -> bool:
    return True


def _is_key(value: str, _match: re.Match[str]) -> bool:
    """A key has figures or both cases; a hyphenated word that begins alike has not."""
    return any(map(str.isdigit, value)) or (value != value.lower() and value != value.upper())


def _is_assigned(value: str, match: re.Match[str]) -> bool:
    plain = value.strip("\"'<>{}$%*.").casefold()
    if (
        plain in _NO_PASSWORD
        or len(plain) < _SHORTEST
        or value.startswith(("${", "{{", "<", "$(", "os.", "env."))
    ):
        return False
    quoted = match.group("value") is None
    spaced = ": " in match.group() and not quoted
    return (
        quoted
        or not spaced
        or _looks_made(value)
        or "pass" in match.group()[: match.start("value") - match.start()].casefold()
    )


def _is_said(value: str, match: re.Match[str]) -> bool:
    plain = value.casefold().rstrip(_TRAILING)
    if plain in _NO_PASSWORD or len(plain) < _SHORTEST:
        return False
    if match.group("name").casefold() in {"login", "pass"}:
        return _looks_made(plain)
    return _looks_made(value.rstrip(_TRAILING)) or not _is_verb(plain)


def _is_seed(value: str, _match: re.Match[str]) -> bool:
    """Lists of such words have no words of grammar."""
    return _GRAMMAR.isdisjoint(re.findall(r"[a-z]+", value.casefold()))


def _looks_made(value: str) -> bool:
    """Whether a word has figures or signs in it, or capitals behind its first letter."""
    return (
        any(map(str.isdigit, value))
        or any(not char.isalnum() and char not in "'\u2019." for char in value)
        or value[1:] != value[1:].lower()
    )


def _is_verb(word: str) -> bool:
    return word.endswith(("ed", "ing", "able", "ly"))


def _is_card(value: str, _match: re.Match[str]) -> bool:
    digits = [int(char) for char in value if char.isdigit()]
    if len(digits) not in _CARD_LENGTHS or not _MOST_BRANDS.match(value) or len(set(digits)) == 1:
        return False
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_iban(value: str, _match: re.Match[str]) -> bool:
    """ISO 13616: country and check digits to the end, letters as 10 to 35, modulo 97 is 1."""
    plain = value.replace(" ", "")
    if len(plain) not in _IBAN_LENGTHS:
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


def _is_run(value: str, _match: re.Match[str]) -> bool:
    return is_random(value)


def _is_url_password(value: str, _match: re.Match[str]) -> bool:
    return value.casefold() not in {
        "password",
        "***",
        "****",
        "*****",
        "pass",
    } and not value.startswith(("<", "${", "{"))


_SHORTEST: Final = 4
_CARD_LENGTHS: Final = frozenset({13, 14, 15, 16, 19})
# Of these the punctuation of the sentence may stand behind the value.
_LOOSE: Final = frozenset({_ASSIGNED, _SAID, _LOGIN, _RUN})
_SAID_BY: Final = (
    "pass", "pwd", "senha", "wachtwoord", "wifi", "wi-fi", "network key", "login",
)  # fmt: skip
_RULES: Final = (
    _Rule("private key", _PRIVATE_KEY, _always, ("-----begin ", "age-secret-key-1")),
    _Rule("api key", _API_KEY, _is_key, 13),
    _Rule("token", _TOKEN, _is_key, 13),
    _Rule("token", _BEARER, _is_key, ("bearer", "basic")),
    _Rule("password", _ADDRESS, _is_url_password, ("://",)),
    _Rule("token", _PARAMETER, _is_key, ("=",)),
    _Rule("password", _ASSIGNED, _is_assigned, ("=", ":")),
    _Rule("password", _SAID, _is_said, _SAID_BY),
    _Rule("password", _LOGIN, lambda value, _match: _looks_made(value), ("log",)),
    _Rule("pin", _PIN, _always, _FIGURES),
    _Rule("seed phrase", _SEED, _is_seed, ("mnemonic", "seed", "recovery", "backup", "wallet")),
    _Rule("card number", _DIGITS, _is_card, _FIGURES),
    _Rule("iban", _IBAN, _is_iban, _FIGURES),
    _Rule("random string", _RUN, _is_run, 20),
)
