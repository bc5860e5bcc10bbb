"""Damaged archives end in errors of this package, whatever is damaged."""

import io
import json
import random
import zipfile
from pathlib import Path

import pytest

from backstory.errors import FileError, InvalidInputError
from backstory.services.moving.foreign_file import ForeignFile, format_of
from tests.unit.core.foreign.exports import chatgpt

_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def archive(packing: int) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", packing) as written:
        written.writestr("e/conversations.json", json.dumps([chatgpt()]))
        written.writestr("e/\u00fcbel.txt", "x")
    return raw.getvalue()


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(archive(zipfile.ZIP_DEFLATED).replace(b"\xc3\xbc", b"\xff\xff"))
    with pytest.raises(InvalidInputError, match="damaged"):
        format_of(path)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_no_service_uses(packing: int, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(archive(packing))
    with pytest.raises(InvalidInputError, match="rare way"):
        format_of(path)


@pytest.mark.parametrize("packing", _PACKINGS)
def test_any_damage(packing: int, tmp_path: Path) -> None:
    chance = random.Random(packing)  # noqa: S311 - the same damage each time
    whole = archive(packing)
    path = tmp_path / "export.zip"
    refused = 0
    for _ in range(60):
        raw = bytearray(whole[: chance.choice([len(whole), chance.randrange(len(whole))])])
        for _ in range(8 if raw else 0):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
        path.write_bytes(raw)
        try:
            ForeignFile(path, "chatgpt").survey()
        except (InvalidInputError, FileError):
            refused += 1
    assert refused
