"""What is no file of past chats is refused by name, and damage costs nothing but itself."""

import gzip
import json
from pathlib import Path

import pytest

from backstory.errors import FileError, InvalidInputError
from backstory.services.moving import foreign_records
from tests.acceptance.chat_files import FILES, put, zipped
from tests.acceptance.places import ON_ONE, Place
from tests.unit.core.foreign.exports import chatgpt, claude


@ON_ONE
def test_archives_that_are_refused(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = place.open()
    monkeypatch.setattr(foreign_records, "_SMALL", 1000)
    bomb = zipped(tmp_path, {"conversations.json": b"[" + b" " * 5_000_000 + b"]"})
    with pytest.raises(InvalidInputError, match="unpacks to more than 200 times"):
        memory.import_file(bomb, user_id="vera")
    nothing = zipped(tmp_path, {"user.json": {}, "conversations.json.txt": b"x"})
    with pytest.raises(InvalidInputError, match=r"holds no conversations\.json"):
        memory.import_file(nothing, user_id="vera")
    path = zipped(tmp_path, {"conversations.json": [chatgpt()]})
    raw = path.read_bytes()
    path.write_bytes(raw[:-30])
    with pytest.raises(InvalidInputError, match="damaged"):
        memory.import_file(path, user_id="vera")
    place_of_data = raw.index(b"conversations.json") + 40
    path.write_bytes(raw[:place_of_data] + b"\xff" * 8 + raw[place_of_data + 8 :])
    with pytest.raises(InvalidInputError, match="damaged"):
        memory.import_file(path, user_id="vera")
    all_broken = {f"conversations-{number}.json": b"[\xff nonsense" for number in range(2)}
    with pytest.raises(InvalidInputError, match=r"nothing .* can be read: conversations-0\.json: "):
        memory.import_file(zipped(tmp_path, all_broken), user_id="vera")
    assert memory.users() == []


@ON_ONE
def test_a_damaged_part_of_an_archive_costs_no_other(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    broken = b"[\xff nonsense"
    parts = {"conversations-0.json": broken, "conversations-1.json": [chatgpt()]}
    done = memory.import_file(zipped(tmp_path, parts), user_id="vera")
    assert done.imported == {"message": 4}
    (problem,) = done.problems
    assert problem.reason.startswith("conversations-0.json: ")
    # the header of the last part, which is read when its turn comes
    raw = bytearray(zipped(tmp_path, {**parts, "conversations-2.json": [claude()]}).read_bytes())
    raw[raw.rindex(b"PK\x03\x04")] = 0
    path = tmp_path / "header.zip"
    path.write_bytes(raw)
    done = memory.import_file(path, user_id="otto")
    assert done.problem_count == 2
    refused = [problem.reason.partition(":")[0] for problem in done.problems]
    assert refused == ["conversations-0.json", "conversations-2.json"]


@ON_ONE
@pytest.mark.parametrize(
    ("raw", "match"),
    [
        (b"", "no JSON: it is empty"),
        (b"\xef\xbb\xbf \n", "no JSON: it is empty"),
        (gzip.compress(b"[]"), "packed by gzip; unpack it first"),
        (b"conversations.json".ljust(257, b"\0") + b"ustar\x0000", "a tar archive; unpack"),
        (b"PK\x05\x06" + bytes(18), r"holds no conversations\.json"),
        (b"hello", "no JSON"),
        (b"[]", "holds no JSON object"),
        (b"[1, 2]", "holds no JSON object"),
        (b'{"b": 1, "a": 2}', "has the fields b, a"),
        (b'{"a": 1}\n{"a": 2}', "has the fields a"),
        (json.dumps([chatgpt()]).encode("utf-16"), "UTF-16"),
        (json.dumps([chatgpt()]).encode("utf-16-le"), "UTF-16"),
        (json.dumps(chatgpt()).encode("utf-16-be"), "UTF-16"),
        (json.dumps([chatgpt()]).encode("utf-32"), "UTF-32"),
        (json.dumps([chatgpt()]).encode("utf-32-le"), "UTF-32"),
        (json.dumps(chatgpt()).encode("utf-32-be"), "UTF-32"),
        (json.dumps([{**chatgpt(), **claude()}]).encode(), "looks like chatgpt and claude"),
    ],
)
def test_a_file_whose_format_cannot_be_told(
    place: Place, tmp_path: Path, raw: bytes, match: str
) -> None:
    path = tmp_path / "what.json"
    path.write_bytes(raw)
    with pytest.raises(InvalidInputError, match=match):
        place.open().import_file(path, user_id="vera")
    with pytest.raises(FileError):
        place.open().import_file(tmp_path / "missing.json", user_id="vera")


@ON_ONE
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_another_format_is_refused(place: Place, tmp_path: Path, name: str) -> None:
    memory = place.open()
    path = put(tmp_path, FILES[name])
    for other in {*FILES, "mem0", "zep", "langmem"} - {name}:
        try:
            done = memory.import_file(path, other, user_id="vera")
        except InvalidInputError:
            continue
        assert not done.imported
        assert done.problem_count
