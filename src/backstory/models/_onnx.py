"""The built-in model under onnxruntime. Importing this module costs 0.1 s; ``local`` does it late.

A text is always run by itself, without padding: then the same text gives the same bits, whatever
it is embedded with, and on any number of threads. (Batches of equally long texts differ in the
last bit and were no faster.)
"""

import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors
from tokenizers import Tokenizer

from backstory.core.text import clean
from backstory.errors import EmbeddingError, ModelFileError
from backstory.models._exactness import is_exact
from backstory.models.splitting import pool

WINDOW = 256
"""How many word pieces the model reads at once, its start and end marks included."""

_MARKS = 2
_LONGEST_WORD = 100
# The tokenizer reads an unbroken run of more than 100 characters as one unknown word.
_LONG_RUN = re.compile(r"[^\s!-/:-@\[-`{-~]{100}(?=[^\s!-/:-@\[-`{-~])")
_ONNX_ERRORS = (
    ort_errors.Fail,
    ort_errors.InvalidArgument,
    ort_errors.InvalidGraph,
    ort_errors.InvalidProtobuf,
    ort_errors.NotImplemented,
    ort_errors.RuntimeException,
)


def read_verified(folder: Path, name: str) -> bytes:
    """Read a model file and check it against the manifest.

    Args:
        folder: The folder with ``manifest.json``.
        name: The file's name.

    Raises:
        ModelFileError: A file is missing, cannot be read or has another content than it should.
    """
    repair = "Reinstall backstory: pip install --force-reinstall --no-deps backstory"
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text("utf-8"))
        expected = manifest["files"][name]["sha256"]
        path = folder / name
        content = path.read_bytes()
    except OSError as error:
        message = f"Cannot read the model file {path}: {error.strerror}. {repair}"
        raise ModelFileError(message) from error
    except (ValueError, KeyError, TypeError) as error:
        message = f"The model file {path} is damaged. {repair}"
        raise ModelFileError(message) from error
    if hashlib.sha256(content).hexdigest() != expected:
        message = f"The model file {path} is damaged ({len(content)} bytes). {repair}"
        raise ModelFileError(message)
    return content


class OnnxEncoder:
    """The loaded model. Its methods may be called from several threads at once."""

    def __init__(self, folder: Path) -> None:
        """Load the model.

        Args:
            folder: The folder with the model, its tokenizer and its manifest.

        Raises:
            ModelFileError: A file is missing or damaged, or onnxruntime cannot run it.
        """
        tokenizer = read_verified(folder, "tokenizer.json")
        model = read_verified(folder, "model.onnx")
        self._tokenizer = Tokenizer.from_buffer(tokenizer)
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._first, self._last = self._tokenizer.encode("").ids
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            if not is_exact():
                options.add_session_config_entry("session.x64quantprecision", "1")
            self._session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except _ONNX_ERRORS as error:
            message = (
                f"onnxruntime {ort.__version__} cannot load {folder / 'model.onnx'}. "
                "Update it: pip install --upgrade onnxruntime"
            )
            raise ModelFileError(message) from error

    def windows(self, texts: list[str]) -> list[list[list[int]]]:
        """Token ids of each text, in one or more windows of at most ``WINDOW`` ids.

        A longer text gets the fewest windows that hold it, of nearly equal size.
        """
        clean = [_readable(text) for text in texts]
        encoded = self._tokenizer.encode_batch(clean, add_special_tokens=False)
        return [self._split(one.ids) for one in encoded]

    def _split(self, ids: list[int]) -> list[list[int]]:
        room = WINDOW - _MARKS
        count = max(1, -(-len(ids) // room))
        cuts = [len(ids) * number // count for number in range(count + 1)]
        return [[self._first, *ids[start:end], self._last] for start, end in pairwise(cuts)]

    def vector(self, windows: list[list[int]]) -> NDArray[np.float32]:
        """The unit vector of one text from its windows, each weighted by its tokens.

        Raises:
            EmbeddingError: The model failed.
        """
        try:
            rows = [self._run(window) for window in windows]
        except _ONNX_ERRORS as error:
            message = f"The local embedding model failed: {error}"
            raise EmbeddingError(message) from error
        if len(rows) == 1:
            return rows[0]
        sizes = [len(window) - _MARKS for window in windows]
        return pool(np.stack(rows), sizes)

    def _run(self, window: list[int]) -> NDArray[np.float32]:
        ids = np.array([window], dtype=np.int64)
        (vectors,) = self._session.run(None, {"input_ids": ids})
        row: NDArray[np.float32] = np.asarray(vectors, dtype=np.float32)[0]
        return row


def _readable(text: str) -> str:
    """The text without what the tokenizer refuses or would read as one unknown word."""
    text = clean(text)
    if len(text) > _LONGEST_WORD:
        text = _LONG_RUN.sub(lambda run: run.group() + " ", text)
    return text
