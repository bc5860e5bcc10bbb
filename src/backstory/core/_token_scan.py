"""The same bound for long texts: what is simple is counted with numpy, the rest unit by unit.

The text is cut where a unit begins whatever stands before it. A piece that is a known English word,
a group of digits or one sign is counted in bulk; every other piece goes through
:func:`backstory.core._token_units.unit_cost`. The sum is exactly that of the units.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backstory.core._token_units import LONGEST_RUN, load_tables, unit_cost, units

_LETTER, _DIGIT, _SPACE, _SIGN, _OTHER, _LINE, _FOREIGN = range(7)
_KINDS: Final = 7
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)
_MASKS: Final = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)
_SPACED: Final = 0x5555555555555555
_WORD_BYTES: Final = 24
_SLOT_BITS: Final = 18
_ROUNDS: Final = 4
# Longest piece, in bytes, whose bound is kept.
_KEPT: Final = 64

_Ints = NDArray[np.int64]
_Keys = NDArray[np.uint64]
_Mask = NDArray[np.bool_]


def _class_table() -> bytes:
    table = bytearray([_OTHER]) * 128 + bytearray([_FOREIGN]) * 128
    for code in range(0x21, 0x7F):
        char = chr(code)
        table[code] = _LETTER if char.isalpha() else _DIGIT if char.isdigit() else _SIGN
    table[ord(" ")] = _SPACE
    table[ord("\n")] = table[ord("\r")] = _LINE
    return bytes(table)


_CLASSES: Final = _class_table()


def _keys(padded: bytes, starts: _Ints, sizes: _Ints, spaced: _Mask) -> _Keys:
    """64-bit keys of words of at most 24 bytes.

    Args:
        padded: The text and at least 32 bytes more.
        starts: Offsets of the words.
        sizes: Bytes of the words.
        spaced: Whether a space stands before the word.

    Returns:
        The keys. Words of up to 8 bytes cannot share one; longer ones do with odds of 1 in 2**64.
    """
    windows: _Keys = np.ndarray((len(padded) - 8,), dtype="<u8", buffer=padded, strides=(1,))
    keys = (windows[starts] & _MASKS[np.minimum(sizes, 8)]) * _MULTIPLIER
    long = np.flatnonzero(sizes > 8)
    for skip in (8, 16):
        more = windows[starts[long] + skip] & _MASKS[np.clip(sizes[long] - skip, 0, 8)]
        mixed = keys[long]
        keys[long] = ((mixed ^ (mixed >> np.uint64(29))) + more) * _MULTIPLIER
    keys[spaced] ^= np.uint64(_SPACED)
    return keys


class WordIndex(NamedTuple):
    """Known ASCII words by key: one slot array per round.

    Attributes:
        slots: ``(rounds, 2**18)`` keys; 0 is an empty slot.
        rest: Keys that found no slot, sorted.
    """

    slots: _Keys
    rest: _Keys


def _slot(keys: _Keys, turn: int) -> _Ints:
    return ((keys >> np.uint64(46 - 11 * turn)) & np.uint64((1 << _SLOT_BITS) - 1)).astype(np.int64)


@cache
def word_index() -> WordIndex:
    """Index the known words that consist of ASCII letters, once per process.

    Returns:
        The index.
    """
    words = [
        word
        for word in load_tables().known
        if word.isascii() and word.lstrip(" ").isalpha() and len(word) <= _WORD_BYTES
    ]
    packed = "".join(words).encode() + bytes(40)
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    spaced = np.array([word[0] == " " for word in words])
    starts = np.cumsum(lengths) - lengths + spaced
    keys = np.unique(_keys(packed, starts, lengths - spaced, spaced))
    slots = np.zeros((_ROUNDS, 1 << _SLOT_BITS), dtype=np.uint64)
    for turn in range(_ROUNDS):
        at = _slot(keys, turn)
        slots[turn, at] = keys
        keys = keys[slots[turn, at] != keys]
    return WordIndex(slots, keys)


def _is_known(keys: _Keys) -> _Mask:
    index = word_index()
    found: _Mask = index.slots[0][_slot(keys, 0)] == keys
    for turn in range(1, _ROUNDS):
        missing = np.flatnonzero(~found)
        left = keys[missing]
        found[missing] = index.slots[turn][_slot(left, turn)] == left
    if index.rest.size:
        found |= np.isin(keys, index.rest)
    return found


class Pieces(NamedTuple):
    """A text cut where a unit begins whatever stands before it.

    Attributes:
        starts: First run of each piece.
        ends: One after the last run of each piece.
        runs: Offset of each run of one class, and the length of the text.
        kinds: Class of each run.
    """

    starts: _Ints
    ends: _Ints
    runs: _Ints
    kinds: NDArray[np.uint8]


def _pieces(data: bytes) -> Pieces:
    """Cut bytes into pieces.

    Cuts lie where a run of letters, digits, signs or line ends is over and no unit can go on. An
    apostrophe may belong to the letters after it, so no cut lies between them.
    """
    classes = np.frombuffer(data.translate(_CLASSES), dtype=np.uint8)
    inner = np.flatnonzero(classes[1:] != classes[:-1]) + 1
    runs = np.concatenate((np.zeros(1, dtype=np.int64), inner, np.array([len(data)])))
    kinds = classes[runs[:-1]]
    before, after = kinds[:-1], kinds[1:]
    cut = _CUTS.take(before * np.uint8(_KINDS) + after)
    quote = np.frombuffer(data, dtype=np.uint8)[runs[1:-1] - 1] == ord("'")
    cut &= ~quote
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.flatnonzero(cut) + 1))
    return Pieces(starts, np.append(starts[1:], len(kinds)), runs, kinds)


def _cut_table() -> _Mask:
    table = np.zeros((_KINDS, _KINDS), dtype=bool)
    table[_LETTER, [_SPACE, _SIGN, _OTHER, _LINE]] = True
    table[_DIGIT, [_SPACE, _SIGN, _OTHER, _LINE, _LETTER]] = True
    table[_FOREIGN, [_SPACE, _LINE]] = True
    table[_SIGN, [_SPACE, _LETTER, _DIGIT, _FOREIGN]] = True
    table[_LINE, [_LETTER, _DIGIT, _FOREIGN]] = True
    return table


_CUTS: Final = _cut_table()


def scan_upper_bound(data: bytes) -> int:
    """Bound of a text, with the result of summing its units.

    Args:
        data: UTF-8 bytes, not empty; a lone surrogate as its three bytes.

    Returns:
        Tokens.
    """
    starts, ends, runs, kinds = _pieces(data)
    first = kinds[starts]
    led = (first == _SPACE) & (ends - starts == 2) & (runs[starts + 1] - runs[starts] == 1)
    core = starts + led
    single = ends - core == 1
    kind = kinds[core]
    size = runs[core + 1] - runs[core]
    words = np.flatnonzero(single & (kind == _LETTER) & (size <= _WORD_BYTES))
    keys = _keys(data + bytes(40), runs[core[words]], size[words], led[words])
    done = np.zeros(len(starts), dtype=bool)
    done[words] = _is_known(keys)
    signs = single & (kind == _SIGN) & (size == 1)
    lines = single & ~led & (kind == _LINE) & (size == 1)
    done |= signs | lines
    total = int(np.count_nonzero(done))
    digits = np.flatnonzero(single & (kind == _DIGIT) & (size <= LONGEST_RUN))
    total += int(((size[digits] + 2) // 3).sum()) + int(np.count_nonzero(led[digits]))
    done[digits] = True
    rest = np.flatnonzero(~done)
    froms, tos = runs[starts[rest]], runs[ends[rest]]
    kept = tos - froms <= _KEPT
    total += sum(map(_piece_cost, _slices(data, froms[kept], tos[kept])))
    return total + sum(map(_units_cost, _slices(data, froms[~kept], tos[~kept])))


def _slices(data: bytes, froms: _Ints, tos: _Ints) -> Iterator[bytes]:
    return map(data.__getitem__, map(slice, froms.tolist(), tos.tolist()))


def _units_cost(piece: bytes) -> int:
    return sum(map(unit_cost, units(piece.decode("utf-8", "surrogatepass"))))


_piece_cost = lru_cache(maxsize=1 << 15)(_units_cost)
