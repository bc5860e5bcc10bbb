"""Counters by name, by file and by function; each failure says what to do."""

import gzip
import hashlib
import sys
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from backstory.core.tokens import token_upper_bound
from backstory.errors import ConfigurationError, MissingDependencyError
from backstory.models.counters import TokenCounter, make_counter
from backstory.packing.packer import Item, Section, pack
from bench.encodings import encoding_counter

HOSTILE = ["", "plain words", "<|endoftext|>", "NUL \x00", "lone \ud800 half", "😀" * 9, "\u202e"]


def test_the_default_is_the_bound() -> None:
    assert make_counter().name == "bound"
    for text in HOSTILE[:4]:
        assert make_counter("bound")(text) == token_upper_bound(text)


@given(st.text(st.characters(exclude_categories=())))
def test_bytes_are_utf8(text: str) -> None:
    storable = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    assert make_counter("bytes")(text) == len(storable.encode())


@pytest.fixture
def tiktoken_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A filled cache, so that tiktoken needs no network; the data is that of bpe-openai."""
    host = "https://openaipublic.blob.core.windows.net"
    url = f"{host}/encodings/cl100k_base.tiktoken"
    packed = (resources.files("bpe_openai") / "data" / "cl100k_base.tiktoken.gz").read_bytes()
    name = hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()
    (tmp_path / name).write_bytes(gzip.decompress(packed))
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))


@pytest.mark.usefixtures("tiktoken_cache")
def test_tiktoken_counts_what_the_encoding_counts() -> None:
    counter = make_counter("tiktoken:cl100k_base")
    reference = encoding_counter("cl100k_base")
    assert [counter(text) for text in HOSTILE] == [reference(text) for text in HOSTILE]
    assert counter.name == "tiktoken:cl100k_base"


def test_tiktoken_that_cannot_load_says_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    for scheme in ("http", "https"):
        monkeypatch.setenv(f"{scheme}_proxy", "http://127.0.0.1:9")
    with pytest.raises(ConfigurationError, match="TIKTOKEN_CACHE_DIR"):
        make_counter("tiktoken:p50k_base")
    with pytest.raises(ConfigurationError, match=r"'nope' \(.*o200k_base"):
        make_counter("tiktoken:nope")


def test_tiktoken_that_is_missing_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(MissingDependencyError, match=r'pip install "backstory\[tiktoken\]"'):
        make_counter("tiktoken:o200k_base")


@pytest.fixture
def tokenizer_file(tmp_path: Path) -> Path:
    """A word tokenizer that cuts at 3 tokens, pads to 8 and adds a start token."""
    words = {"[UNK]": 0, "[START]": 1, "[PAD]": 2, "a": 3}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[START] $A", special_tokens=[("[START]", 1)]
    )
    tokenizer.enable_truncation(3)
    tokenizer.enable_padding(length=8, pad_id=2, pad_token="[PAD]")  # noqa: S106
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    return path


def test_a_tokenizer_file_counts_the_whole_text_and_nothing_else(tokenizer_file: Path) -> None:
    for spec in (tokenizer_file, str(tokenizer_file)):
        counter = make_counter(spec)
        assert counter.name == "tokenizer.json"
        assert [counter(text) for text in ("", "a", "a b c d e f g h i j")] == [0, 1, 10]
    assert all(isinstance(counter(text), int) for text in HOSTILE)


def test_a_bad_tokenizer_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    for content in (b"{}", b"not json", b"\xff\xfe"):
        broken.write_bytes(content)
        with pytest.raises(ConfigurationError, match=r"broken\.json"):
            make_counter(broken)
    with pytest.raises(ConfigurationError, match=r"absent\.json' cannot be read"):
        make_counter(str(tmp_path / "absent.json"))
    with pytest.raises(ConfigurationError, match="cannot be read"):
        make_counter(tmp_path)


def test_any_function_is_a_counter() -> None:
    counter = make_counter(len)
    assert (counter.name, counter("four")) == ("len", 4)
    assert make_counter(counter) is counter
    packed = pack([Section(name="s", items=[Item(key=1, text="x" * 9)])], 9, counter)
    assert packed.tokens == 9


@pytest.mark.parametrize("result", [1.5, -1, None, "7", False])
def test_a_function_that_returns_no_count_is_refused(result: object) -> None:
    counter = make_counter(lambda text: result)  # type: ignore[arg-type,return-value]
    with pytest.raises(ConfigurationError, match="must return an int >= 0"):
        counter("text")


def test_what_the_function_raises_is_chained() -> None:
    def broken(text: str) -> int:
        raise RuntimeError(text)

    with pytest.raises(ConfigurationError, match="broken failed: RuntimeError: boom"):
        TokenCounter("broken", broken)("boom")


@pytest.mark.parametrize("spec", ["", "gpt-4", "Bound", 7, None, b"bytes"])
def test_what_is_no_counter_is_refused_with_the_choices(spec: object) -> None:
    with pytest.raises(ConfigurationError, match=r'use "bound", "bytes", "tiktoken:<encoding>"'):
        make_counter(spec)  # type: ignore[arg-type]
