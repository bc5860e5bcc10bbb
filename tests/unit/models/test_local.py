"""The local embedder: files, threads, windows, the event loop, the numbers of the model."""

import asyncio
import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from backstory.errors import ConfigurationError, EmbeddingError, ModelFileError
from backstory.models._onnx import WINDOW, OnnxEncoder
from backstory.models.local import MODEL_FOLDER, LocalEmbedder
from tests.counts import cases

ENCODER = OnnxEncoder(MODEL_FOLDER)


def test_files_are_those_of_the_manifest_and_small_enough() -> None:
    manifest = json.loads((MODEL_FOLDER / "manifest.json").read_text("utf-8"))
    assert set(manifest["files"]) == {"model.onnx", "tokenizer.json", "LICENSE"}
    for name, entry in manifest["files"].items():
        content = (MODEL_FOLDER / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]
        assert len(content) == entry["bytes"]
    assert manifest["files"]["model.onnx"]["bytes"] < 25_000_000
    assert manifest["version"] == LocalEmbedder.identity.version
    assert "Apache License" in (MODEL_FOLDER / "LICENSE").read_text("utf-8")
    assert manifest["source"]["model.safetensors"] in (MODEL_FOLDER / "PROVENANCE.md").read_text(
        "utf-8"
    )


def test_creating_an_embedder_loads_nothing() -> None:
    code = (
        "import sys; from backstory.models.factory import make_embedder; make_embedder('local'); "
        "heavy = {'onnxruntime', 'tokenizers', 'pydantic_ai'}; "
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "manifest.json"])
@pytest.mark.parametrize("damage", ["missing", "cut", "changed"])
def test_a_bad_file_is_named_with_the_way_out(tmp_path: Path, name: str, damage: str) -> None:
    folder = tmp_path / "minilm"
    folder.mkdir()
    for whole in MODEL_FOLDER.iterdir():
        if whole.name != name:
            (folder / whole.name).symlink_to(whole)
    path = folder / name
    content = (MODEL_FOLDER / name).read_bytes()
    if damage == "missing":
        assert not path.exists()
    elif damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    else:
        middle = len(content) // 2
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :])
    embedder = LocalEmbedder(folder=folder)
    with pytest.raises(ModelFileError) as failure:
        asyncio.run(embedder.embed(["text"]))
    assert "pip install" in str(failure.value)
    if name != "manifest.json":
        assert str(path) in str(failure.value)
    # A repaired file works without a new object.
    path.write_bytes(content)
    assert asyncio.run(embedder.embed(["text"])).shape == (1, 384)
    asyncio.run(embedder.aclose())


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_below_one_are_refused(threads: int) -> None:
    with pytest.raises(ConfigurationError):
        LocalEmbedder(threads=threads)


def test_known_pairs_have_the_cosines_of_the_exact_model() -> None:
    """Values of the unquantised model, before quantisation by tools/export_embedder.py."""
    pairs = {
        ("I sold the blue bicycle.", "The bike was bought by someone."): 0.654,
        ("I sold the blue bicycle.", "Rain is expected in the mountains."): 0.0404,
        ("Where do you live?", "My home is in Lisbon."): 0.3841,
    }
    for (one, other), exact in pairs.items():
        first, second = (ENCODER.vector(windows) for windows in ENCODER.windows([one, other]))
        assert float(first @ second) == pytest.approx(exact, abs=0.015)


@given(st.one_of(st.text(max_size=300), st.text(alphabet="ab .x", min_size=500, max_size=1500)))
@settings(max_examples=cases(8, 60))
def test_windows_keep_every_token_in_order(text: str) -> None:
    windows = ENCODER.windows([text])[0]
    plain = [piece for window in windows for piece in window[1:-1]]
    tokenizer = Tokenizer.from_file(str(MODEL_FOLDER / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    readable = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not any(len(word) > 100 for word in readable.split()):
        assert plain == tokenizer.encode(readable, add_special_tokens=False).ids
    assert all(2 <= len(window) <= WINDOW for window in windows)
    assert all(window[0] == 101 and window[-1] == 102 for window in windows)
    assert len(windows) == max(1, -(-len(plain) // (WINDOW - 2)))
    sizes = [len(window) for window in windows]
    assert max(sizes) - min(sizes) <= 1


def test_a_text_of_several_windows_is_their_weighted_mean() -> None:
    words = ["harvest", "river", "volcano", "bicycle", "guitar"] * 130
    windows = ENCODER.windows([" ".join(words)])[0]
    assert len(windows) == 3
    rows = np.stack([ENCODER.vector([window]) for window in windows])
    weights = np.array([len(window) - 2 for window in windows], dtype=np.float64)
    mean = weights @ rows
    assert np.allclose(ENCODER.vector(windows), mean / np.linalg.norm(mean), atol=1e-6)


def test_a_long_run_without_spaces_is_not_one_unknown_word() -> None:
    (windows,) = ENCODER.windows(["abcdefghij" * 30])
    assert sum(len(window) - 2 for window in windows) > 10


@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=6))
@settings(max_examples=cases(6, 40))
def test_vectors_do_not_depend_on_thread_count_or_company(texts: list[str]) -> None:
    expected = [ENCODER.vector(windows) for windows in ENCODER.windows(texts)]
    for threads in (1, 3):
        embedder = LocalEmbedder(threads=threads)
        embedder._encoder = ENCODER
        vectors = asyncio.run(embedder.embed(texts))
        asyncio.run(embedder.aclose())
        assert np.array_equal(vectors, np.stack(expected))


def test_the_event_loop_runs_while_the_model_loads_and_works(no_blocking: None) -> None:
    embedder = LocalEmbedder(threads=1)

    async def work() -> tuple[float, float]:
        task = asyncio.create_task(embedder.embed(["some words of a text " * 12] * 24))
        others = []
        longest, last = 0.0, time.perf_counter()
        started = last
        while not task.done():
            # A second call must not wait for the lock that is held while the model loads.
            await asyncio.sleep(0.001)
            others.append(asyncio.create_task(embedder.embed(["another"])))
            await asyncio.sleep(0.02)
            now = time.perf_counter()
            longest, last = max(longest, now - last), now
        await asyncio.gather(task, *others)
        await embedder.aclose()
        return longest, last - started

    longest, whole = asyncio.run(work())
    assert longest < max(0.1, whole / 4)


def test_closing_during_a_call_gives_an_embedding_error() -> None:
    embedder = LocalEmbedder(threads=1)

    async def work() -> None:
        await embedder.embed(["warm"])
        task = asyncio.create_task(embedder.embed(["some words of a text " * 20] * 200))
        await asyncio.sleep(0.05)
        await embedder.aclose()
        with pytest.raises(EmbeddingError, match="closed"):
            await task

    asyncio.run(work())
