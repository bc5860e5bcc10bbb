"""The generator of the blocking classes, on a small set of asynchronous ones."""

import ast
import inspect
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.generate_blocking import ROOT, ConventionError, formatted, generate, main

SHOP = '''
from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, overload
import math

from backstory.errors import ClosedError

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

LIMIT = 3
_Colour = Literal["red", "blue"]


class _AsyncStock:
    async def remove(self, name: str, *, amount: int = 1) -> None:
        """Remove some.

        Raises:
            KeyError: There is none.
        """
        raise KeyError(name)

    async def add(self, name: str) -> str:
        """Hidden by the class that uses this one."""
        return name


class AsyncShop(_AsyncStock):
    """An AsyncShop sells.

    async with AsyncShop("x") as shop:
        await shop.add("pear")
    """

    def __init__(self, name: str, *, tax: "Decimal | None" = None) -> None:
        """Name it."""
        self._name = name
        self._opened = 0

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """Read a mapping."""
        return cls(**config)

    async def _open(self) -> None:
        if self._name == "ruin":
            raise ClosedError("ruin")
        self._opened += 1

    async def __aenter__(self) -> Self:
        await self._open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncShop {self._name}>"

    async def close(self) -> None:
        """End."""
        self._opened = -1

    async def add(self, name: str, /, colour: _Colour = "red", *, limit: int = LIMIT) -> str:
        """Add one."""
        return f"{name} {colour} {limit} {math.floor(1.5)}"

    @overload
    async def find(self, kind: Literal["one"]) -> int: ...
    @overload
    async def find(self, kind: Literal["all"]) -> list[int]: ...
    async def find(self, kind: str) -> int | list[int]:
        """Find."""
        return 1 if kind == "one" else [1]

    async def numbers(self, *first: int, **more: int) -> AsyncIterator[int]:
        """Stream."""
        for number in (*first, *more.values()):
            yield number

    def opened(self) -> int:
        """Count."""
        return self._opened

    @staticmethod
    def slogan(loud: bool = False) -> str:
        """Advertise."""
        return "BUY" if loud else "buy"

    @property
    def till(self) -> "AsyncTill":
        """The till."""
        return AsyncTill(self)

    def visit(self, *, hours: float = 1.5) -> "AsyncVisit":
        """Enter."""
        return AsyncVisit()

    async def rush(self) -> "AsyncVisit":
        """Run in."""
        return AsyncVisit()


class AsyncTill:
    """A till."""

    def __init__(self, shop: AsyncShop) -> None:
        self._shop = shop

    async def total(self) -> float:
        """Sum."""
        return 0.5


class AsyncVisit:
    """One visit of an AsyncShop."""

    @property
    def id(self) -> str:
        """The id."""
        return "v1"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> bool:
        return True
'''

USE = """
from backstory.api.blocking import Shop, Till, Visit
from backstory.errors import ClosedError

with Shop("corner") as shop:
    assert type(shop) is Shop
    assert shop.opened() == 2
    assert repr(shop) == "<Shop corner>"
    assert shop.add("pear", "blue", limit=9) == "pear blue 9 1"
    assert shop.add("pear") == "pear red 3 1"
    assert (shop.find("one"), shop.find("all")) == (1, [1])
    assert list(shop.numbers(1, 2, x=3)) == [1, 2, 3]
    assert Shop.slogan(True) == "BUY"
    assert isinstance(shop.till, Till) and shop.till.total() == 0.5
    assert isinstance(shop.rush(), Visit)
    with shop.visit(hours=2) as visit:
        assert visit.id == "v1"
        raise ValueError("kept back by __exit__")
    try:
        shop.remove("pear")
    except KeyError as error:
        assert error.args == ("pear",)
    else:
        raise AssertionError
assert shop.opened() == -1
assert Shop.from_config({"name": "x"}).opened() == 1
for make in (lambda: Shop("ruin"), lambda: Shop.from_config({"name": "ruin"})):
    try:
        make()
    except ClosedError:
        continue
    raise AssertionError
print("used")
"""


def _class(text: str, name: str) -> ast.ClassDef:
    return next(
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.ClassDef) and node.name == name
    )


def _methods(text: str, name: str) -> dict[str, ast.FunctionDef]:
    return {n.name: n for n in _class(text, name).body if isinstance(n, ast.FunctionDef)}


def _refused(member: str) -> str:
    body = "\n".join(f"    {line}" for line in member.strip().split("\n"))
    with pytest.raises(ConventionError) as caught:
        generate({"backstory.api.aio": f"class AsyncShop:\n{body}\n"})
    return str(caught.value)


@pytest.fixture(scope="module")
def text() -> str:
    return formatted(
        generate({"backstory.api.aio": SHOP}), ROOT / "src" / "backstory" / "api" / "blocking.py"
    )


def test_keeps_signatures_and_docstrings(text: str) -> None:
    methods = _methods(text, "Shop")
    assert "async def" not in text
    assert "await" not in text
    assert (
        ast.unparse(methods["add"].args)
        == "self, name: str, /, colour: _Colour='red', *, limit: int=LIMIT"
    )
    assert ast.unparse(methods["numbers"].returns or ast.Constant(0)) == "Iterator[int]"
    assert "KeyError: There is none." in str(ast.get_docstring(methods["remove"]))
    assert ast.get_docstring(_class(text, "Shop")) == inspect.cleandoc(
        """A Shop sells.

        with Shop("x") as shop:
            shop.add("pear")
        """
    )


def test_imports_what_it_needs_and_no_more(text: str) -> None:
    assert "import math" not in text
    assert "Fraction" not in text
    assert "if TYPE_CHECKING:\n    from decimal import Decimal\n" in text


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        ("facts: AsyncShop", "public attributes"),
        ("async def find(self) -> list[AsyncShop]: ...", "whole annotation"),
        ("async def find(self): ...", "no return annotation"),
        ("def find(self) -> Awaitable[int]: ...", "write it as a coroutine"),
        ("@classmethod\nasync def make(cls) -> Self: ...", "must be plain"),
        ("@classmethod\ndef make(cls) -> int: ...", "must give Self"),
        ("@name.setter\ndef name(self, value: int) -> None: ...", "read-only"),
    ],
)
def test_refuses_what_it_cannot_translate(member: str, reason: str) -> None:
    message = _refused(member)
    assert message.startswith("AsyncShop.")
    assert reason in message


def test_result_passes_the_type_checker_and_works(tmp_path: Path) -> None:
    package = tmp_path / "backstory"
    (package / "api").mkdir(parents=True)
    for name in ("__init__.py", "errors.py", "api/__init__.py", "api/portal.py"):
        (package / name).write_text("", encoding="utf-8")
    for name in ("errors.py", "api/portal.py"):
        shutil.copy2(ROOT / "src" / "backstory" / name, package / name)
    (package / "api" / "aio.py").write_text(SHOP, encoding="utf-8")
    assert main(["--api", str(package / "api")]) == 0
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    settings = ["--strict", "--config-file=", "--no-incremental", "-p", "backstory"]
    for command in (["-m", "mypy", *settings], ["use.py"]):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "used\n"


def test_check_sees_a_stale_file(tmp_path: Path) -> None:
    (tmp_path / "aio.py").write_text(SHOP, encoding="utf-8")
    assert main(["--check", "--api", str(tmp_path)]) == 1
    assert main(["--api", str(tmp_path)]) == 0
    assert main(["--check", "--api", str(tmp_path)]) == 0
    changed = SHOP.replace("limit: int = LIMIT", "limit: int = 7")
    (tmp_path / "aio.py").write_text(changed, encoding="utf-8")
    assert main(["--check", "--api", str(tmp_path)]) == 1
