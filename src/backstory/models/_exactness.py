"""Whether this processor multiplies 8-bit numbers exactly in onnxruntime's fast way.

Processors without VNNI add two products of an unsigned and a signed byte in 16 bits, and what is
too large is cut off. onnxruntime can be told to go another way, which is exact everywhere but
takes up to four times as long; so it is tried out which one this processor needs.
"""

from typing import Final

import numpy as np
import onnxruntime as ort

_UINT8: Final = 2
_INT8: Final = 3
_INT32: Final = 6
# As wide as the model's layers; heights of one token and of a sentence.
_WIDTH: Final = 384
_HEIGHTS: Final = (1, 7, 32)
_LARGE: Final = 255
_WEIGHT: Final = 127


def is_exact() -> bool:
    """Try the largest products that there are, in the way that an unset option gives."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = ort.InferenceSession(_product(), options, providers=["CPUExecutionProvider"])
    right = _WIDTH * _LARGE * _WEIGHT
    for height in _HEIGHTS:
        given = np.full((height, _WIDTH), _LARGE, dtype=np.uint8)
        (found,) = session.run(None, {"a": given})
        if not (np.asarray(found) == right).all():
            return False
    return True


def _product() -> bytes:
    """An ONNX model that multiplies its input by a matrix of the largest weights.

    Written as protocol buffers by hand, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto,
    so that nothing has to be installed for it.
    """
    node = _text(1, "a") + _text(1, "b") + _text(2, "c") + _text(4, "MatMulInteger")
    weights = bytes([_WEIGHT]) * _WIDTH * _WIDTH
    matrix = (_number(1, _WIDTH) + _number(1, _WIDTH) + _number(2, _INT8) + _text(8, "b")) + _part(
        9, weights
    )
    graph = (
        _part(1, node)
        + _text(2, "probe")
        + _part(5, matrix)
        + _part(11, _table("a", _UINT8))
        + _part(12, _table("c", _INT32))
    )
    opset = _text(1, "") + _number(2, 13)
    return _number(1, 8) + _part(8, opset) + _part(7, graph)


def _table(name: str, kind: int) -> bytes:
    """A matrix of any height and the fixed width."""
    shape = _part(1, _text(2, "height")) + _part(1, _number(1, _WIDTH))
    return _text(1, name) + _part(2, _part(1, _number(1, kind) + _part(2, shape)))


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _part(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _text(field: int, value: str) -> bytes:
    return _part(field, value.encode())
