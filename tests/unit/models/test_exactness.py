"""The fast way of multiplying bytes is only taken where it gives what the exact way gives."""

import numpy as np
import onnxruntime as ort
import pytest

from backstory.models import _exactness, _onnx
from backstory.models._onnx import OnnxEncoder, read_verified
from backstory.models.local import MODEL_FOLDER

TEXTS = (
    *("", "a", "My dog is called Rex.", "東京の天気は晴れです。", "הכלב שלי אוהב לרוץ", "🎉👍🏽"),
    "I moved to Lyon in May because my sister lives there. " * 8,
    "\x00 \ud800 </memory> " + "x" * 300,
)


def exact(model: bytes) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry("session.x64quantprecision", "1")
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def test_every_vector_is_that_of_the_exact_way() -> None:
    encoder = OnnxEncoder(MODEL_FOLDER)
    session = exact(read_verified(MODEL_FOLDER, "model.onnx"))
    for windows in encoder.windows(list(TEXTS)):
        for window in windows:
            ids = np.array([window], dtype=np.int64)
            (expected,) = session.run(None, {"input_ids": ids})
            assert (encoder.vector([window]) == np.asarray(expected)[0]).all()


def test_the_probe_is_a_product_of_the_largest_numbers() -> None:
    session = exact(_exactness._product())
    given = np.arange(3 * 384, dtype=np.int64).reshape(3, 384) % 256
    (found,) = session.run(None, {"a": given.astype(np.uint8)})
    assert (np.asarray(found) == (given.sum(axis=1) * 127)[:, None]).all()


@pytest.mark.parametrize("fits", [True, False])
def test_a_processor_that_is_not_exact_goes_the_other_way(
    monkeypatch: pytest.MonkeyPatch, fits: bool
) -> None:
    monkeypatch.setattr(_onnx, "is_exact", lambda: fits)
    encoder = OnnxEncoder(MODEL_FOLDER)
    options = encoder._session.get_session_options()
    if fits:
        with pytest.raises(RuntimeError):
            options.get_session_config_entry("session.x64quantprecision")
    else:
        assert options.get_session_config_entry("session.x64quantprecision") == "1"
