"""The records of a JSON file: an array, an object with one, JSON Lines, or an archive of arrays."""

import codecs
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

from backstory.core.foreign.scanning import ArrayScanner
from backstory.errors import FileError, InvalidInputError

MOST_DOCUMENT_BYTES: Final = 256 * 2**20
MOST_RECORD_CHARS: Final = 256 * 2**20
MOST_LINE_BYTES: Final = 64 * 2**20
# What a packed file may unpack to: text packs to a tenth, seldom to a fiftieth.
MOST_RATIO: Final = 200
_SMALL: Final = 16 * 2**20
_PIECE: Final = 2**20
_PEEK: Final = 4096
_MEMBER: Final = re.compile(r"conversations(?:[-_]?(\d{1,9}))?\.json")
_BOM: Final = codecs.BOM_UTF8
# of a file that is something else: what it begins with, what it is, what to do
_STRANGE: Final = (
    # UTF-32 begins like UTF-16, with its mark and without
    (
        (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, b"[\0\0", b"\0\0", b"{\0\0"),
        "text in UTF-32; save it in UTF-8",
    ),
    (
        (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"[\0", b"\0[", b"{\0", b"\0{"),
        "text in UTF-16; save it in UTF-8",
    ),
    ((b"\x1f\x8b",), "packed by gzip; unpack it first"),
)
_TAR: Final = (b"ustar", 257)
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
# The services use these; others have bombs and errors of their own.
_PACKINGS: Final = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
# A name in a damaged archive may be no text.
_DAMAGES: Final = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    EOFError,
    UnicodeDecodeError,
)


@dataclass(frozen=True)
class Damage:
    """Why a place of a file holds no record."""

    reason: str


@dataclass(frozen=True)
class Record:
    """One record with its place: the line from 1 in JSON Lines, else the place from 0."""

    position: int
    value: Any


def records(path: Path, lists: tuple[str, ...]) -> Iterator[Record]:
    """The records of a file, in order. It blocks.

    Args:
        path: The file.
        lists: Under which names an object may hold the list.

    Raises:
        FileError: It cannot be read.
        InvalidInputError: It is no such file, or too large for what it is.
    """
    with _reading(path), path.open("rb") as file:
        if file.read(4) in _ZIP:
            yield from _packed(path)
            return
        file.seek(0)
        yield from _of_stream(path, file, lists)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Errors of reading as errors of this package."""
    try:
        yield
    except _DAMAGES as error:
        raise InvalidInputError(f"the archive {path} is damaged ({error})") from error
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror or error})") from error


def first_line(path: Path) -> bytes:
    """The beginning of a file, up to the first line break at most."""
    with _reading(path), path.open("rb") as file:
        return file.readline(_PIECE)


def document(path: Path) -> Any:
    """A whole file: one JSON document, or a list of the lines of JSON Lines. It blocks.

    Raises:
        FileError: It cannot be read.
        InvalidInputError: It is no JSON in UTF-8, or too large to be read whole.
    """
    with _reading(path), path.open("rb") as file:
        raw = file.read(MOST_DOCUMENT_BYTES + 1)
    if len(raw) > MOST_DOCUMENT_BYTES:
        raise InvalidInputError(
            f"{path} has more than {MOST_DOCUMENT_BYTES >> 20} MiB, which this format needs whole "
            "in memory; divide it"
        )
    try:
        text = raw.decode("utf-8-sig")
    except ValueError as error:
        raise InvalidInputError(f"{path} is no text in UTF-8") from error
    return _parsed(path, text)


def _parsed(path: Path, text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise InvalidInputError(f"{path} is no JSON ({error})") from error
    # a damaged line becomes a record that cannot be read, and is reported as one
    found = [_line(line) for line in lines]
    if all(record is None for record in found):
        raise InvalidInputError(f"{path} is neither JSON nor JSON Lines")
    return found


def _line(line: str) -> Any:
    try:
        return json.loads(line, strict=False)
    except (ValueError, RecursionError):
        return None


def _of_stream(path: Path, file: IO[bytes], lists: tuple[str, ...]) -> Iterator[Record]:
    _refuse_strange(path, file.read(_PEEK))
    file.seek(0)
    line = file.readline(MOST_LINE_BYTES)
    while line and not line.removeprefix(_BOM).strip():
        line = file.readline(MOST_LINE_BYTES)
    rest = file.read(_PEEK).lstrip()
    file.seek(0)
    begin = line.removeprefix(_BOM).lstrip()
    if begin.startswith(b"["):
        yield from _array(file, 0)
    elif begin.startswith(b"{") and _is_lines(begin, rest, lists):
        yield from _lines(file)
    elif begin.startswith(b"{"):
        yield from _object(path, lists)
    else:
        what = "it begins with neither [ nor {" if begin else "it is empty"
        raise InvalidInputError(f"{path} is no JSON: {what}")


def _refuse_strange(path: Path, head: bytes) -> None:
    """Name what a file is that is often taken for JSON."""
    for begins, what in _STRANGE:
        if head.startswith(begins):
            raise InvalidInputError(f"{path} is {what}")
    mark, place = _TAR
    if head[place:].startswith(mark):
        raise InvalidInputError(f"{path} is a tar archive; unpack it first")


def _is_lines(line: bytes, rest: bytes, lists: tuple[str, ...]) -> bool:
    """Whether a file has an object in each line, not one over several or one with a list."""
    if rest.startswith(b"{"):
        return True
    try:
        value = json.loads(line, strict=False)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and not any(isinstance(value.get(n), list) for n in lists)


def _lines(file: IO[bytes]) -> Iterator[Record]:
    number = 0
    while raw := file.readline(MOST_LINE_BYTES):
        number += 1
        whole = raw
        while len(raw) == MOST_LINE_BYTES and not raw.endswith(b"\n"):
            raw = file.readline(MOST_LINE_BYTES)
            whole = b""
        if not whole:
            yield Record(number, Damage(f"the line has more than {MOST_LINE_BYTES:,} bytes"))
        elif whole.strip():
            yield Record(number, _value(whole.removeprefix(_BOM) if number == 1 else whole))


def _value(raw: bytes) -> Any:
    try:
        return json.loads(raw.decode("utf-8"), strict=False)
    except UnicodeDecodeError:
        return Damage("the line is not UTF-8")
    except (ValueError, RecursionError) as error:
        return Damage(f"the line is no JSON ({error})")


def _object(path: Path, lists: tuple[str, ...]) -> Iterator[Record]:
    value = document(path)
    if not isinstance(value, dict):
        raise InvalidInputError(f"{path} is no JSON object")
    listed = next((value[name] for name in lists if isinstance(value.get(name), list)), None)
    for place, one in enumerate([value] if listed is None else listed):
        yield Record(place, one)


def _array(file: IO[bytes], first: int, part: str | None = None) -> Iterator[Record]:
    """The elements of an array. Behind damage nothing can be told apart: it ends the reading.

    Args:
        file: Where it is.
        first: The place of its first element.
        part: The name of the file, if it is one of several.
    """
    scanner = ArrayScanner(MOST_RECORD_CHARS)
    decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
    place = first
    last = False
    try:
        while not last:
            raw = file.read(_PIECE)
            last = not raw
            for element in scanner.feed(decoder.decode(raw, final=last), last=last):
                yield Record(place, element)
                place += 1
    except (InvalidInputError, *_DAMAGES) as error:
        if part is None and place == 0:
            raise
        where = "" if part is None else f"{part}: "
        yield Record(place, Damage(f"{where}{error}; what stands behind it was not read"))


def _packed(path: Path) -> Iterator[Record]:
    """The conversations of an archive that a service gave out."""
    with zipfile.ZipFile(path) as archive:
        members = _members(path, archive)
        place = 0
        for member in members:
            part = member.filename if len(members) > 1 else None
            try:
                with archive.open(member) as file:
                    for record in _array(file, place, part):
                        yield record
                        place = record.position + 1
            except _DAMAGES as error:
                if part is None:
                    raise
                yield Record(place, Damage(f"{part}: {error}; it was not read"))
                place += 1


def _members(path: Path, archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    found: list[tuple[int, str, zipfile.ZipInfo]] = []
    for info in archive.infolist():
        place = PurePosixPath(info.filename)
        match = _MEMBER.fullmatch(place.name)
        if match and not info.is_dir() and "__MACOSX" not in place.parts:
            found.append((int(match.group(1) or 0), info.filename, info))
    if not found:
        raise InvalidInputError(f"the archive {path} holds no conversations.json")
    for _, name, info in found:
        if info.flag_bits & 1:
            raise InvalidInputError(f"{name} in {path} is encrypted; unpack it first")
        if info.compress_type not in _PACKINGS:
            raise InvalidInputError(f"{name} in {path} is packed in a rare way; unpack it first")
        if info.file_size > max(_SMALL, MOST_RATIO * info.compress_size):
            raise InvalidInputError(
                f"{name} in {path} unpacks to more than {MOST_RATIO} times its size; that is no "
                "export of a service"
            )
    return [info for _, _, info in sorted(found, key=lambda one: one[:2])]
