"""The built-in bound for texts that share their lines with earlier ones, as contexts do."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Final, TypeAlias

from backstory.core.token_lines import LineBound, line_bound, lines_of
from backstory.core.tokens import count_bytes, token_upper_bound

# Longer texts are counted in bulk, which is faster for lines that were never seen.
_LONGEST_TEXT: Final = 1 << 16
_LONGEST_LINE: Final = 3000
_DIGEST_BYTES: Final = 16
_NO_LINE: Final = line_bound("")
Counter: TypeAlias = Callable[[str], int]


class LineCounter:
    """``token_upper_bound``, with what was counted before remembered line by line.

    Lines are remembered by a digest: no text outlives the call, so forgetting a user leaves
    nothing here. One counter may be used from several threads.

    Args:
        most: How many lines are remembered at least; twice as many at most, 0.2 kB each.
    """

    __name__ = "bound"

    def __init__(self, most: int = 4096) -> None:
        self._most = most
        self._young: dict[bytes, LineBound] = {}
        self._old: dict[bytes, LineBound] = {}

    def __call__(self, text: str) -> int:
        """Tokens of a text, exactly ``token_upper_bound(text)``."""
        if len(text) > _LONGEST_TEXT:
            return token_upper_bound(text)
        return _sum(text, self._bound)

    def of_one_call(self) -> "Counter":
        """A counter of the same that also remembers texts as they are, and so is faster.

        It is thrown away after one call, with the texts.
        """
        known: dict[str, LineBound] = {}

        def bound(line: str) -> LineBound:
            found = known.get(line)
            if found is None:
                found = known[line] = self._bound(line)
            return found

        def count(text: str) -> int:
            return token_upper_bound(text) if len(text) > _LONGEST_TEXT else _sum(text, bound)

        return count

    def _bound(self, line: str) -> LineBound:
        if not line:
            return _NO_LINE
        key = blake2b(line.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key) or line_bound(line)
            if len(self._young) >= self._most:
                self._young, self._old = {}, self._young
            self._young[key] = found
        return found


def _sum(text: str, bound: Callable[[str], LineBound]) -> int:
    *before, last = lines_of(text)
    if len(text) > _LONGEST_LINE and max(map(len, (*before, last))) > _LONGEST_LINE:
        return token_upper_bound(text)
    total = bound(last).alone
    for line in before:
        total += bound(line).ended
    return min(total, count_bytes(text))
