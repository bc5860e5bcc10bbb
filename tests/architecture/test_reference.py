"""The reference says what the code says: signatures, attributes, settings, errors, tables."""

import inspect
import re
import tomllib
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import PrimaryKeyConstraint, Table

import backstory
from backstory import errors, functions
from backstory.api.blocking import (
    Collisions,
    Contradictions,
    DocumentChapters,
    DocumentDrafts,
    DocumentEntities,
    DocumentThreads,
    Emotions,
    Facts,
    Intentions,
    Observations,
    QualityScores,
    Summaries,
    Textures,
)
from backstory.core.content import read_role
from backstory.core.model.record import Record
from backstory.settings import Settings
from backstory.storage.schema import HEAD
from backstory.storage.tables import build_tables

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
PARTS = (
    Facts,
    Contradictions,
    Collisions,
    Emotions,
    Intentions,
    Observations,
    QualityScores,
    Summaries,
    Textures,
)
# A part whose class has another name than the property: a record has that name.
NAMED: dict[type, str] = {QualityScores: "quality"}
TABLES = [table for table in vars(build_tables()).values() if isinstance(table, Table)]
ERRORS = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, errors.BackstoryError)
]
RESULTS = [
    name
    for name in backstory.__all__
    if isinstance(kind := getattr(backstory, name), type) and issubclass(kind, Record)
]


def section(page: str, title: str) -> str:
    """The text under a heading, up to the next heading."""
    text = (REFERENCE / page).read_text(encoding="utf-8")
    found = re.search(rf"^#+ `{re.escape(title)}`$\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no heading `{title}`"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The cells of the table rows that begin with a name in backticks."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    # GitHub ends a cell at a bar, also within backticks; one with a backslash stands for itself
    return [
        [cell.strip().replace("\\|", "|") for cell in line.strip("|").split(" | ")]
        for line in lines
    ]


def first_names(text: str) -> list[str]:
    return [row[0].strip("` ") for row in rows(text)]


def signature(prefix: str, function: Any) -> str:
    """As the reference writes it: no annotations, an argument left out with meaning is …"""
    found = inspect.signature(function)
    plain = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in found.parameters.values()
        if parameter.name != "self"
    ]
    shown = found.replace(parameters=plain, return_annotation=inspect.Signature.empty)
    return f"{prefix}{shown}".replace("<Unset.UNSET: 'unset'>", "…")


def methods(name: str) -> list[str]:
    kind = getattr(backstory, name)
    return [one for one, value in vars(kind).items() if one[0] != "_" and callable(value)]


@pytest.mark.parametrize(
    ("kind", "method"),
    [(kind, method) for kind in ("Memory", "Session", "Document") for method in methods(kind)],
)
def test_methods_have_the_documented_signature(kind: str, method: str) -> None:
    wanted = signature(f"{kind.lower()}.{method}", getattr(getattr(backstory, kind), method))
    assert f"\n{wanted}\n" in section("api.md", f"{kind}.{method}")


@pytest.mark.parametrize(
    "method", ["Memory.session", "Memory.add", "Memory.search", "Memory.context", "Session.add"]
)
def test_the_parameters_of_long_calls_are_explained(method: str) -> None:
    kind, _, name = method.partition(".")
    cells = " ".join(row[0] for row in rows(section("api.md", method)))
    names = list(inspect.signature(getattr(getattr(backstory, kind), name)).parameters)
    assert sorted(re.findall(r"`(\w+)`", cells)) == sorted(names[1:])


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        (kind, method)
        for kind in PARTS
        for method, value in vars(kind).items()
        if method[0] != "_" and callable(value)
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_parts_of_a_memory_have_the_documented_signatures(kind: type, method: str) -> None:
    name = f"memory.{NAMED.get(kind, kind.__name__.lower())}.{method}"
    # a default that is a member of an enumeration equals its text, which is what a caller writes
    wanted = re.sub(r"<\w+\.\w+: ('\w+')>", r"\1", signature(name, getattr(kind, method)))
    assert f"\n{wanted}\n" in section("api.md", name)


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        (kind, method)
        for kind in (DocumentChapters, DocumentEntities, DocumentThreads, DocumentDrafts)
        for method, value in vars(kind).items()
        if method[0] != "_" and callable(value)
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_parts_of_a_document_have_the_documented_signatures(kind: type, method: str) -> None:
    part = kind.__name__.removeprefix("Document").lower()
    name = f"document.{part}.{method}"
    wanted = re.sub(r"<\w+\.\w+: ('\w+')>", r"\1", signature(name, getattr(kind, method)))
    assert f"\n{wanted}\n" in section("api.md", name)


def test_storing_a_fact_is_explained() -> None:
    text = section("api.md", "memory.facts.store")
    assert first_names(text) == list(inspect.signature(Facts.store).parameters)[1:]


def test_opening_is_documented() -> None:
    text = section("api.md", "Memory")
    assert f"\n{signature('Memory', backstory.Memory)}\n" in text
    assert first_names(text) == list(inspect.signature(backstory.Memory).parameters)


def test_the_async_classes_have_the_same_methods() -> None:
    twins = [(kind, f"Async{kind}") for kind in ("Memory", "Session", "Document")]
    for blocking, twin in twins:
        for method in methods(blocking):
            one, other = (getattr(getattr(backstory, k), method) for k in (blocking, twin))
            assert signature("", one) == signature("", other)


@pytest.mark.parametrize("name", RESULTS)
def test_attributes_are_documented(name: str) -> None:
    assert first_names(section("api.md", name)) == [
        f.name for f in fields(getattr(backstory, name))
    ]


def test_defaults_of_recall() -> None:
    shown = {row[0].strip("`"): row[1].strip('"') for row in rows(section("api.md", "Recall"))}
    assert shown == {f.name: str(f.default) for f in fields(backstory.Recall)}


def test_functions_have_the_documented_signature() -> None:
    for name in functions.__all__:
        wanted = signature(name, getattr(functions, name))
        assert f"\n{wanted}\n" in section("api.md", f"functions.{name}")


def test_settings() -> None:
    shown = rows((REFERENCE / "settings.md").read_text(encoding="utf-8"))
    assert [row[:4] for row in shown] == [
        [f"`{f.name}`", f"`BACKSTORY_{f.name.upper()}`", _kind(f.type), _default(f.default)]
        for f in fields(Settings)
    ]
    assert all(len(row) == 5 and row[4] for row in shown)


def _kind(hint: object) -> str:
    name = hint.__name__ if isinstance(hint, type) else str(hint).removesuffix(" | None")
    return {"str": "text", "bool": "boolean", "int": "integer", "float": "number"}[name]


def _default(value: object) -> str:
    assert value is not MISSING
    if value is None:
        return "none"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, float):
        return f"`{value:g}`"
    return f"`{value}`" if value != "" else "(empty)"


def test_errors() -> None:
    shown = rows((REFERENCE / "errors.md").read_text(encoding="utf-8"))
    assert [row[:3] for row in shown] == [
        [f"`{kind.__name__}`", f"`{kind.code}`", "yes" if kind.retryable else "no"]
        for kind in ERRORS
    ]
    assert len({kind.code for kind in ERRORS}) == len(ERRORS)


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    drawn = re.findall(r"^((?:[│ ]   )*)[├└]── (\w+)", errors.__doc__ or "", re.MULTILINE)
    page = (REFERENCE / "errors.md").read_text(encoding="utf-8")
    text = re.findall(r"^((?:[│ ]   )*)[├└]── (\w+)", page, re.MULTILINE)
    parents = ["BackstoryError"]
    for indent, name in text:
        depth = len(indent) // 4
        parents[depth + 1 :] = [name]
        assert getattr(errors, name).__bases__[0].__name__ == parents[depth]
    names = [name for _, name in text]
    assert sorted(names) == sorted(kind.__name__ for kind in ERRORS[1:])
    assert names == [name for _, name in drawn]


def test_roles() -> None:
    text = (REFERENCE / "messages.md").read_text(encoding="utf-8")
    part = text[text.index("## Roles") : text.index("## Parts")]
    for row in rows(part):
        for name in re.findall(r"`(\w+)`", " ".join(row)):
            assert read_role(name) == row[0].strip("`")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_tables(table: Table) -> None:
    text = section("tables.md", table.name)
    assert first_names(text) == [column.name for column in table.columns]
    key = next(c for c in table.constraints if isinstance(c, PrimaryKeyConstraint))
    assert f"rimary key `{', '.join(column.name for column in key.columns)}`" in text
    assert [i.name for i in table.indexes if f"`{i.name}`" not in text] == []
    for target in {key.column.table.name for key in table.foreign_keys} - {"tenants"}:
        assert f"`{target}`" in text


def test_the_documented_schema_is_the_newest() -> None:
    assert f"version, `{HEAD}`" in (REFERENCE / "tables.md").read_text(encoding="utf-8")


def test_each_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    wanted = {one for group in groups for one in group}
    names = {re.split(r"[><=\[]", one)[0] for one in wanted} - {"backstory"}
    page = (ROOT / "docs" / "adr" / "0011-dependencies.md").read_text(encoding="utf-8")
    given = {name.split("[")[0] for name in re.findall(r"`([\w.\[\],-]+)`", page)}
    assert names - given == set()
    cells = " ".join(row[0] + row[1] * row[1].startswith("`") for row in rows(page))
    listed = {name.split("[")[0] for name in re.findall(r"`([\w.\[\],-]+)`", cells)}
    assert listed - names - set(project["optional-dependencies"]) == set()
