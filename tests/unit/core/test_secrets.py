"""Secrets are found and never shown; ordinary text stays as it is."""

import base64
import hashlib
import json
import re
import string
from dataclasses import fields
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.randomness import entropy, is_random
from backstory.core.secrets import FoundSecret, redact
from tests.counts import cpu_seconds

KINDS = {
    "api key", "token", "password", "pin", "private key", "card number", "iban", "seed phrase",
    "random string",
}  # fmt: skip
ALNUM = string.ascii_letters + string.digits
MADE = st.text(ALNUM, min_size=30, max_size=40).filter(
    lambda text: any(map(str.isdigit, text)) and text.lower() != text != text.upper()
)
PREFIXES = {
    "api key": ["sk-", "sk-proj-", "sk-ant-api03-", "sk_live_", "AIza", "gsk_", "hf_"],
    "token": ["ghp_", "github_pat_", "glpat-", "xoxb-", "npm_"],
}


@given(MADE, st.sampled_from([(kind, one) for kind, many in PREFIXES.items() for one in many]))
def test_keys_of_known_shapes(body: str, prefix: tuple[str, str]) -> None:
    kind, begin = prefix
    redacted = redact(f"my key is {begin}{body}, does it work?")
    assert redacted.text == f"my key is [redacted {kind}], does it work?"
    assert [one.kind for one in redacted.found] == [kind]


def luhn(body: str) -> str:
    for check in string.digits:
        digits = [int(char) for char in f"{body}{check}"]
        doubled = [
            d if i % 2 == len(digits) % 2 ^ 1 else sum(divmod(d * 2, 10))
            for i, d in enumerate(digits)
        ]
        if sum(doubled) % 10 == 0:
            return f"{body}{check}"
    raise AssertionError


@given(st.text(string.digits, min_size=14, max_size=14), st.sampled_from(["", " ", "-"]))
def test_card_numbers_by_their_check_digit(body: str, gap: str) -> None:
    number = luhn(f"4{body}")
    wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
    written, mistyped = (gap.join(n[i : i + 4] for i in range(0, 16, 4)) for n in (number, wrong))
    assert redact(f"pay with {written} now").text == "pay with [redacted card number] now"
    assert redact(f"pay with {mistyped} now").found == ()


@given(st.sampled_from(["DE", "GB", "SE", "NL"]), st.text(string.digits, min_size=18, max_size=18))
def test_ibans_by_their_check_digits(country: str, account: str) -> None:
    number = int("".join(str(int(char, 36)) for char in f"{account}{country}00"))
    iban = f"{country}{98 - number % 97:02}{account}"
    spaced = " ".join(iban[i : i + 4] for i in range(0, len(iban), 4))
    for written in (iban, spaced):
        assert redact(f"to {written}.").text == "to [redacted iban]."
    assert redact(f"to {country}{(98 - number % 97 + 1) % 97:02}{account}.").found == ()


@given(
    st.sampled_from(["postgresql", "mysql", "mongodb+srv", "redis", "amqp", "https"]),
    st.text(ALNUM + "!$%*_-", min_size=5, max_size=30).filter(
        lambda text: text[0].isalnum() and text.casefold() != "password"
    ),
)
def test_passwords_in_addresses(scheme: str, password: str) -> None:
    redacted = redact(f"use {scheme}://vera:{password}@db.example.net:5432/app")
    assert redacted.text == f"use {scheme}://vera:[redacted password]@db.example.net:5432/app"


SAID = [
    "the wifi pass is {}", "the wifi pass at home is {}, write it down", "my password is {}",
    "I changed my password to {}", "password: {}", "password={}", "export DB_PASSWORD='{}' fails",
    "the passcode for the safe is {}", 'client_secret = "{}"', "my netflix password's {}",
    "log in with root / {}",
]  # fmt: skip


@given(
    st.sampled_from(SAID),
    st.from_regex(r"[a-z]{3,8}-?[A-Z0-9]{2,6}[a-z0-9]{0,4}", fullmatch=True),
)
def test_passwords_in_prose_and_assignments(sentence: str, password: str) -> None:
    redacted = redact(sentence.format(password))
    assert redacted.text == sentence.format("[redacted password]")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("my PIN is 4821", "pin"),
        ("the door code at the office is 2580", "pin"),
        ("cvv: 123", "pin"),
        ("Authorization: Bearer abcdef1234567890ABCDEF", "token"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAAAA\n-----END RSA PRIVATE KEY-----",
            "private key",
        ),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNza", "private key"),
        ("seed phrase: " + " ".join(["ocean", "tiger", "maple", "robot"] * 3), "seed phrase"),
        ("https://api.example.net/v1?api_key=9f8a7b6c5d4e", "token"),
        ("AKIA" + "ABCDEFGH12345678", "api key"),
        ("look: x8Kq2LmZ9vTb4RwY7nPc3Jd6", "random string"),
        ("the wifi password is sunflower", "password"),
        ("my password is sunflower", "password"),
    ],
)
def test_other_kinds(text: str, kind: str) -> None:
    redacted = redact(text)
    assert [one.kind for one in redacted.found] == [kind]
    assert f"[redacted {kind}]" in redacted.text


@given(st.dictionaries(st.text("abc", min_size=1), st.integers() | st.text("abc"), min_size=1))
def test_json_web_tokens(claims: dict[str, object]) -> None:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    signature = base64.urlsafe_b64encode(hashlib.sha256(b"x").digest()).decode().rstrip("=")
    jwt = f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part(claims)}.{signature}"
    assert (
        redact(f"the cookie holds {jwt} since today").text
        == "the cookie holds [redacted token] since today"
    )


ORDINARY = [
    "I forgot my password again", "The password is wrong", "my password is too long",
    "the secret is to use butter",
    "The token limit is 4000", "The mountain pass is closed in winter",
    "my bus pass is valid until May",
    "the boarding pass is on my phone", "the key is under the mat", "my secret: I love pop music",
    "sk-learn is a library", "call me at +46 70 123 45 67", "the meeting is on 2026-11-30 at 14:00",
    "https://github.com/someone/some-long-repository-name/blob/main/README.md",
    "ISBN 978-3-16-148410-0",
    "ThisIsAVeryLongCamelCaseClassNameForTests", "my login is vera", "bearer of bad news",
    "version 1.2.3.4.5.6.7",
    "my pin collection has 400 pieces", "the code is in /usr/local/lib/python3.11/site-packages",
    "my recovery is slow but doctors think that things will get better soon enough this winter",
    "the seed words below are old and the list has been lost since last year after they moved",
    "password=${DB_PASSWORD}", "token: one", "verification code is required",
    "I pinned 2024 photos",
]  # fmt: skip


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_prose_has_no_secrets(text: str) -> None:
    assert redact(text).text == text


@given(st.uuids() | st.uuids().map(lambda one: one.hex))
def test_ids_of_records_are_no_secrets(record: UUID | str) -> None:
    assert redact(f"the record {record} was merged").found == ()


@given(st.binary(), st.sampled_from(["sha1", "sha256", "md5"]), st.integers(7, 64))
def test_hashes_of_commits_and_files_are_no_secrets(data: bytes, name: str, length: int) -> None:
    digest = hashlib.new(name, data, usedforsecurity=False).hexdigest()[:length]
    if not digest.isdigit():
        assert redact(f"fixed in commit {digest} yesterday").found == ()


@given(st.text("0123456789abcdefABCDEF", min_size=20, max_size=64))
def test_hexadecimal_runs_are_no_secrets(run: str) -> None:
    assert not is_random(run)


@given(st.datetimes())
def test_times_are_no_secrets(when: object) -> None:
    assert redact(f"it was {when} or so").found == ()


@given(st.integers(10**6, 10**11), st.sampled_from(["+{}", "{}", "+46 {}"]))
def test_phone_numbers_are_no_secrets(number: int, written: str) -> None:
    digits = str(number)
    for shown in (digits, " ".join(digits[i : i + 3] for i in range(0, len(digits), 3))):
        assert redact(f"call me on {written.format(shown)} tonight").found == ()


WORDS = st.sampled_from(
    [
        "the",
        "my",
        "a",
        "we",
        "bread",
        "river",
        "is",
        "was",
        "walks",
        "quickly",
        "towards",
        "garden",
        "and",
        "Anna",
        "Bergen",
        "blue",
        "three",
        "12",
        "2024",
        "of",
    ]
)


@given(st.lists(WORDS, max_size=40).map(" ".join))
def test_words_are_no_secrets(text: str) -> None:
    assert redact(text).text == text


TEXTS = st.lists(
    st.text(max_size=20)
    | st.sampled_from([sentence.format("hunter2x") for sentence in SAID])
    | st.sampled_from(ORDINARY)
    | st.sampled_from(
        ["[redacted password]", "password is", "token=", "4111 1111 1111 1111", "my pin is 1234"]
    )
).map(" ".join)


@given(TEXTS)
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


@given(TEXTS)
def test_found_says_where_and_what_kind_and_no_more(text: str) -> None:
    redacted = redact(text)
    end = 0
    rest = []
    for one in redacted.found:
        assert end <= one.start < one.end <= len(text)
        rest.append(text[end : one.start] + f"[redacted {one.kind}]")
        end = one.end
    assert "".join(rest) + text[end:] == redacted.text
    assert {one.kind for one in redacted.found} <= KINDS
    assert {field.name for field in fields(FoundSecret)} == {"kind", "start", "end"}


@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "a",
        "A1b2",
        "password ",
        "pin is ",
        "x://a:",
        "-----BEGIN PRIVATE KEY-----",
        "sk-",
        "4 ",
        "eyJa.",
        "seed phrase ",
    ],
)
def test_a_hostile_text_is_read_in_linear_time(unit: str) -> None:
    text = unit * (150_000 // len(unit))
    assert cpu_seconds(lambda: redact(text)) < 1.0


def test_entropy_in_bits() -> None:
    assert entropy("") == 0
    assert entropy("abab") == 1
    assert is_random("x8Kq2LmZ9vTb4RwY7nPc3Jd6")
    assert not is_random("InternationalTelecommunication2024")


WANTED = """
    password pwd passcode wifi wi-fi login log in log-in logged with and is to the at : = => := ; "
    - ? & & @ / :// https postgres bearer Basic token= api_key sk- AKIA xoxb- ghp_ eyJ -----BEGIN
    PRIVATE KEY----- AGE-SECRET-KEY-1 pin code cvv otp door seed phrase mnemonic wallet recovery
    4111111111111111 GB82WEST12345698765432 12 3456 7 abcdefgh Xy9 hunter2 dQw4w9WgXcQ_0 Z AbC
    QWERTYUIOPASDFGH1234 apple river stone cloud table green house [redacted password]
"""
PIECES = st.sampled_from(re.findall(r"\S+", WANTED))


@given(st.lists(st.tuples(PIECES, st.sampled_from(["", "", " ", "\n"])), max_size=24))
def test_what_a_text_lacks_spares_it_only_rules_that_find_nothing(
    pieces: list[tuple[str, str]],
) -> None:
    text = "".join(piece + gap for piece, gap in pieces)
    # beside a letter beyond ASCII every rule is tried
    found = redact("\u00e9\n" + text).found
    assert redact(text).found == tuple(
        FoundSecret(kind=one.kind, start=one.start - 2, end=one.end - 2) for one in found
    )
