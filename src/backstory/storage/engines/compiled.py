"""What SQLAlchemy makes of statements, once for all stores of a process.

By itself it keeps that for each engine. Compiling what a store's first calls run takes longer
than running it, and programs that open one store after another would do so for each.
"""

from collections.abc import Iterator, MutableMapping
from threading import Lock
from typing import Any, Final

from sqlalchemy import Dialect
from sqlalchemy.engine import Compiled

_MOST: Final = 1_000
"""Statements, some 20 kB each. All parts of a store run fewer on one database."""


class CompiledStatements(MutableMapping[Any, Compiled]):
    """Compiled statements; an engine takes it as its execution option ``compiled_cache``.

    A key of SQLAlchemy begins with the engine's dialect, of which each engine has its own. Here it
    counts as its kind and the version of the server: that is all that changes the words.

    Args:
        most: So many are kept; of more, those made first are dropped.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: dict[Any, Compiled] = {}
        self._lock = Lock()

    def __getitem__(self, key: Any) -> Compiled:
        return self._kept[_of_kind(key)]

    def __setitem__(self, key: Any, value: Compiled) -> None:
        with self._lock:
            self._kept[_of_kind(key)] = value
            while len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]

    def __delitem__(self, key: Any) -> None:
        with self._lock:
            del self._kept[_of_kind(key)]

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._kept))

    def __len__(self) -> int:
        return len(self._kept)


def _of_kind(key: Any) -> Any:
    dialect, *rest = key
    if not isinstance(dialect, Dialect):
        return key
    return type(dialect), dialect.server_version_info, *rest


COMPILED: Final = CompiledStatements()
