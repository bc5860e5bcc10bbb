"""Facts on the command line: what is shown is what the memory says, on both databases."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len

from backstory import Memory
from tests.acceptance.cli_runner import answer, run
from tests.acceptance.places import ON_ONE, Place

HOSTILE = "[bold]x[/] \x1b[31mred\x1b]0;title\x07 \u202egnirts\u202c :smile: \x9b2J end"
SHOWN = "[bold]x[/] red gnirts :smile: end"
STEERING = {"\x1b", "\x07", "\x9b", "\u202e"}


@pytest.fixture
def store(place: Place) -> tuple[str, ...]:
    """The options of a store in which Ada moved from Lund to Malmö and has a sister."""
    given = ("-u", place.url, "--embedder", "none")
    with Memory(place.url, embedder=None) as memory:
        for key, value, begin, subject in (
            ("home.place", "Lund", "2020-01-01T00:00Z", "user"),
            ("home.place", "Malmö", "2024-06-01T00:00Z", "user"),
            ("home.place", "Oslo", None, "sister.mia"),
            ("health.allergy", "walnuts", "2021-01-01T00:00Z", "user"),
        ):
            memory.facts.store(
                user_id="ada", key=key, value=value, valid_from=begin, subject=subject
            )
    return given


def values(*args: str | Path) -> list[str]:
    return [fact["value"] for fact in answer(*args)]


def place_id(store: tuple[str, ...], value: str) -> str:
    found = answer("facts", "--user", "ada", "--all", *store)
    return next(str(fact["id"]) for fact in found if fact["value"] == value)


@ON_ONE
def test_the_list_holds_what_is_current(store: tuple[str, ...]) -> None:
    given = ("facts", "--user", "ada", *store)
    assert values(*given) == ["Malmö", "Oslo", "walnuts"]
    assert values(*given, "--all") == ["Lund", "Malmö", "Oslo", "walnuts"]
    assert values(*given, "--subject", "user") == ["Malmö", "walnuts"]
    assert values(*given, "--key", "health.") == ["walnuts"]
    assert values(*given, "--category", "personal", "--subject", "sister.mia") == ["Oslo"]
    assert values(*given, "--status", "superseded") == ["Lund"]
    shown = run(*given).stdout
    row = next(line for line in shown.splitlines() if "Malmö" in line)
    assert row.split() == ["home.place", "Malmö", "since", "2024-06-01", *row.split()[-1:]]
    assert "sister.mia home.place" in " ".join(shown.split())
    assert "Lund" not in shown
    past = run(*given, "--all").stdout
    assert "2020-01-01 – 2024-06-01" in past  # noqa: RUF001
    assert "superseded" in past
    limited = run(*given, "--limit", "1")
    assert "walnuts" in limited.stdout
    assert "only the latest 1 fact" in limited.stderr


def test_as_of_a_day(store: tuple[str, ...]) -> None:
    given = ("--user", "ada", "--key", "home.place", "--subject", "user", *store)
    assert values("facts", "as-of", "2022-01-01", *given) == ["Lund"]
    assert values("facts", "as-of", "2024-05-31", *given) == ["Lund"]
    assert values("facts", "as-of", "2024-06-01", *given) == ["Malmö"]
    assert values("facts", "as-of", "2024-05-31T23:00:00+01:00", *given) == ["Lund"]
    assert values("facts", "as-of", "2022-01-01", "--known-at", "2023-01-01", *given) == []
    assert values("facts", "as-of", "2022-01-01", "--known-at", "9990-01-01", *given) == ["Lund"]
    noon = ("--valid-from", "2023-03-01T12:00:00Z", "--user", "ada", *store)
    answer("facts", "store", "home.kind", "flat", *noon)
    kind = ("--key", "home.kind", "--user", "ada", *store)
    assert values("facts", "as-of", "2023-03-01", *kind) == ["flat"]  # the end of the day
    assert values("facts", "as-of", "2023-02-28", *kind) == []
    nothing = run("facts", "as-of", "1999-01-01", *given)
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert "at 1999-01-01" in nothing.stderr
    for wrong in ("yesterday", "2022-13-01", "2022-01-01T10:00:00"):
        refused = run("facts", "as-of", wrong, *given, "--json")
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert wrong in json.loads(refused.stderr)["message"]


@ON_ONE
def test_history_draws_the_slot(store: tuple[str, ...]) -> None:
    lund = place_id(store, "Lund")
    shown = run("facts", "history", lund, *store).stdout
    lines = [line.strip() for line in shown.splitlines()]
    above, below = next((a, b) for a, b in pairwise(lines) if "▶" in a)
    assert above.split() == ["Lund", "──▶", "Malmö", "──▶"]
    assert below.split() == ["2020-01-01", "2024-06-01"]
    assert above.index("Malmö") == below.index("2024-06-01")
    assert any("superseded Lund → Malmö (by api: stored by the caller)" in line for line in lines)
    assert "Oslo" not in shown
    data = answer("facts", "history", lund[-8:], "--user", "ada", *store)
    assert [fact["value"] for fact in data["facts"]] == ["Lund", "Malmö"]
    assert answer("facts", "--user", "ada", "history", lund[-8:], *store) == data


@ON_ONE
def test_ids_are_found_by_their_end(store: tuple[str, ...]) -> None:
    lund = place_id(store, "Lund")
    for wrong in ("zzz", lund[-8:] + "0", HOSTILE):
        missing = run("facts", "history", wrong, "--user", "ada", *store)
        assert missing.exit_code == 3
        assert not STEERING & set(missing.stderr)
    assert run("facts", "history", lund[-8:], *store).exit_code == 3  # without its user
    assert run("facts", "history", lund, "--user", "bob", *store).exit_code == 3
    several = run("facts", "history", lund[:2], "--user", "ada", *store)
    assert several.exit_code == 2
    assert "fits 4 ids" in several.stderr
    assert lund[-8:] in several.stderr


@ON_ONE
def test_changes_can_be_made_and_undone(store: tuple[str, ...]) -> None:
    user = ("--user", "ada", *store)
    current = ("facts", "--key", "home.place", "--subject", "user", *user)
    malmo = place_id(store, "Malmö")
    assert answer("facts", "update", malmo, "--value", "Malmö C", *store)["id"] == malmo
    assert values(*current) == ["Malmö C"]
    assert answer("facts", "undo", *user)["change"] == "updated"
    assert values(*current) == ["Malmö"]
    ended = answer("facts", "end", malmo[-8:], "--at", "2025-02-01", "--reason", "moved", *user)
    assert (ended["status"], ended["valid_until"]) == ("ended", "2025-02-01T00:00:00+00:00")
    assert values(*current) == []
    assert "Undone: home.place, ended Malmö (by api: moved)." in " ".join(
        run("facts", "undo", malmo[-8:], *user).stdout.split()
    )
    assert "Retracted: home.place = Malmö" in run("facts", "retract", malmo, *store).stdout
    then = ("facts", "as-of", "2025-01-01", "--key", "home.place", "--subject", "user", *user)
    assert values(*then) == ["Lund"]  # what it had superseded holds again
    assert run("facts", "end", malmo, *store).exit_code == 1
    assert run("facts", "undo", "--user", "bob", *store).exit_code == 3
    assert run("facts", "update", malmo, *store).exit_code == 1


def test_nothing_is_deleted_without_a_yes(store: tuple[str, ...]) -> None:
    user = ("--user", "ada", *store)
    lund = place_id(store, "Lund")
    message = answer("add", "The sea is cold.", *user)["messages"][0]["id"]
    for refused in (
        ("facts", "delete", lund, *store),
        ("delete", message, *store),
        ("forget", "ada", *store),
    ):
        result = run(*refused, "--json")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--yes" in json.loads(result.stderr)["message"]
    assert place_id(store, "Lund") == lund
    assert answer("facts", "delete", lund, "--yes", *store) == {"id": lund, "deleted": True}
    assert values("facts", "--all", *user) == ["Malmö", "Oslo", "walnuts"]
    assert run("facts", "delete", lund, "--yes", *store).exit_code == 3
    assert "Deleted" in run("delete", message[-8:], "--yes", *user).stdout
    assert answer("list", *user)["items"] == []


def test_a_contradiction_is_held_and_decided(place: Place) -> None:
    given = ("--user", "ada", "-u", place.url, "--embedder", "none")
    answer("add", "I'm vegetarian.", *given)
    answer("add", "I'm pescatarian.", *given)
    (raised,) = answer("contradictions", *given)
    assert (raised["stored_value"], raised["stated_value"]) == ("vegetarian", "pescatarian")
    end = raised["id"][-8:]
    shown = run("contradictions", *given).stdout
    assert [line.split()[:2] for line in shown.splitlines()[1:3]] == [
        ["stored", "vegetarian"],
        ["stated", "pescatarian"],
    ]
    assert run("contradictions", "hold", end, "ask at dinner", *given).stdout.startswith("Held")
    assert answer("contradictions", *given) == []
    assert "ask at dinner" in run("contradictions", "--state", "held", *given).stdout
    assert run("contradictions", "resolve", end, "maybe", *given).exit_code == 1
    assert run("contradictions", "--state", "maybe", *given).exit_code == 2
    assert run("contradictions", "hold", "zzz", "why", *given).exit_code == 3
    decided = ("contradictions", "resolve", end, "user_stated", "--note", "asked", *given)
    assert "user stated holds" in run(*decided).stdout
    assert values("facts", *given) == ["pescatarian"]
    (resolved,) = answer("contradictions", "--state", "resolved", *given)
    assert (resolved["decision"], resolved["note"]) == ("user_stated", "asked")
    assert run(*decided).exit_code == 1  # once
    assert "no open contradiction" in run("contradictions", *given).stderr


@ON_ONE
def test_a_decision_may_leave_the_facts(place: Place) -> None:
    given = ("--user", "ada", "-u", place.url, "--embedder", "none")
    answer("add", "I'm vegetarian.", *given)
    answer("add", "I'm pescatarian.", *given)
    (raised,) = answer("contradictions", *given)
    answer("contradictions", "resolve", raised["id"], "stored", "--no-apply", *given)
    assert values("facts", *given) == ["vegetarian", "pescatarian"]


@ON_ONE
def test_a_collision_is_found_and_settled(place: Place) -> None:
    given = ("--user", "ada", "-u", place.url, "--embedder", "none")
    answer("facts", "store", "pet.cat", "Momo", *given)
    assert "Nothing" in run("collisions", *given).stderr
    dog = answer("facts", "store", "pet.dog", "Momo", *given)
    found = answer("collisions", *given)
    assert (found["report"]["raised"], found["collisions"][0]["kinds"]) == (1, ["cat", "dog"])
    assert "cat, dog" in run("collisions", *given).stdout
    assert run("collisions", "settle", "Momo", "cow", *given).exit_code == 1
    assert run("collisions", "settle", "Nobody", "cat", *given).exit_code == 3
    settled = run("collisions", "settle", "Momo", "cat", "--note", "she purrs", *given).stdout
    assert dog["id"] in settled
    assert answer("collisions", *given)["collisions"] == []
    assert answer("collisions", "--all", *given)["collisions"][0]["note"] == "she purrs"
    assert "pet.dog" in run("collisions", "residues", *given).stdout
    answer("facts", "retract", dog["id"], *given)
    assert answer("collisions", "residues", *given) == []


@ON_ONE
def test_the_profile_is_of_the_user_alone(store: tuple[str, ...]) -> None:
    found = answer("profile", "--user", "ada", *store)
    kept = [fact["value"] for facts in found.values() for fact in facts]
    assert sorted(kept) == ["Malmö", "walnuts"]
    assert "Oslo" not in run("profile", "--user", "ada", *store).stdout
    assert "'bob'" in run("profile", "--user", "bob", *store).stderr


def test_search_finds_facts_of_a_time(store: tuple[str, ...]) -> None:
    given = ("search", "home place", "--user", "ada", "--kind", "facts", *store)

    def found(*options: str) -> set[str]:
        return {hit["fact"]["value"] for hit in answer(*given, *options)["hits"]}

    assert found() == {"Malmö", "Oslo", "walnuts"}
    assert found("--valid-at", "2022-01-01") == {"Lund", "walnuts"}
    assert found("--known-at", "2000-01-01") == set()
    assert found("--history") == {"Lund", "Malmö", "Oslo", "walnuts"}
    shown = run(*given, "--valid-at", "2022-01-01", "--explain").stdout
    assert "2020-01-01 – 2024-06-01" in shown  # noqa: RUF001
    assert run(*given[:4], "--kind", "nonsense", *store).exit_code == 2
    empty = run(*given, "--known-at", "2000-01-01")
    assert (empty.stdout, empty.exit_code) == ("", 0)
    assert "--history" in empty.stderr


@ON_ONE
def test_a_context_of_another_time(store: tuple[str, ...]) -> None:
    given = ("context", "home", "--user", "ada", *store)
    assert "Malmö" in run(*given).stdout
    past = run(*given, "--valid-at", "2022-01-01").stdout
    assert "Lund" in past
    assert "Malmö" not in past
    assert "Lund" in run(*given, "--history").stdout
    assert run(*given, "--known-at", "2000-01-01").stdout == ""
    assert "## What is known" in run(*given).stdout
    assert "## What is known" not in run(*given, "--max-facts", "0").stdout


READING = (
    "facts",
    "facts as-of 2024-01-01",
    "profile",
    "contradictions",
    "collisions",
    "collisions residues",
    "list",
    "search x --kind facts",
)


def test_an_empty_store_has_nothing_and_says_so(place: Place) -> None:
    place.open().users()
    for command in READING:
        given = (*command.split(), "--user", "nobody", "-u", place.url, "--embedder", "none")
        result = run(*given)
        assert (result.exit_code, result.stdout) == (0, ""), result.output
        assert result.stderr.count("\n") >= 1
    assert answer("facts", "--user", "nobody", "-u", place.url) == []
    assert answer("collisions", "--user", "nobody", "-u", place.url)["collisions"] == []


@pytest.mark.parametrize(
    "command", [*READING, "facts history x", "facts retract x", "contradictions hold x y", "get x"]
)
def test_without_a_store_nothing_is_made(command: str, tmp_path: Path) -> None:
    path = tmp_path / "typo.db"
    result = run(*command.split(), "--user", "ada", "-u", path, "--json")
    assert result.exit_code == 3
    assert json.loads(result.stderr)["error"] == "not_found"
    assert not path.exists()


@pytest.mark.parametrize("command", [*READING, "facts store a b", "facts undo", "export x.jsonl"])
def test_a_user_must_be_named(command: str) -> None:
    result = run(*command.split(), "-u", "none.db", "--json")
    assert result.exit_code == 2
    assert "--user" in json.loads(result.stderr)["message"]


def test_hostile_values_are_data(tmp_path: Path) -> None:
    path = tmp_path / "hostile.db"
    with Memory(path, embedder=None) as memory:
        for begin in ("2020-01-01T00:00Z", "2021-01-01T00:00Z"):
            memory.facts.store(
                user_id=HOSTILE,
                subject=HOSTILE,
                key=f"pet.{begin[:4]}",
                value=HOSTILE,
                valid_from=begin,
            )
        first = memory.facts.store(user_id=HOSTILE, key="home.place", value=HOSTILE)
        memory.facts.update(first.id, value=f"{HOSTILE} 2", reason=HOSTILE)
    user = ("--user", HOSTILE, "-u", path, "--embedder", "none")
    outputs = [
        run("facts", *user),
        run("facts", "--all", *user),
        run("facts", "history", first.id, *user),
        run("get", first.id, *user),
        run("profile", *user),
        run("facts", "as-of", "9999-01-01", *user),
        run("facts", "store", "a.b", HOSTILE, *user),
        run("search", "red", "--kind", "facts", *user),
        run("facts", "undo", *user),
        run("facts", "--key", "none", *user),
        run("contradictions", *user),
        run("forget", HOSTILE, "--yes", "-u", path),
    ]
    for result in outputs:
        assert result.exit_code == 0, result.output
        assert not STEERING & set(result.output)
    for result in outputs[:4]:
        assert "[bold]x[/]" in result.stdout
    assert SHOWN in " ".join(outputs[6].stdout.split())


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_wide_characters_keep_their_columns(
    tmp_path: Path, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    path = tmp_path / "wide.db"
    towns = [
        "京都市左京区",
        "Malmö",
        "서울특별시 종로구",
        "🏡🏡 hos mormor",
        "e\u0301te\u0301",
        "Ås",
    ]
    with Memory(path, embedder=None) as memory:
        for year, town in enumerate(towns, start=2001):
            begin = f"{year}-01-01T00:00Z"
            last = memory.facts.store(user_id="ada", key="home.place", value=town, valid_from=begin)
    shown = run("facts", "history", last.id, "-u", path).stdout
    lines = shown.split("fact ")[0].splitlines()
    assert all(cell_len(line) <= columns for line in lines)
    drawn = [line for line in lines if "▶" in line]
    days = [line for line in lines if "-01-01" in line]
    places = {}
    for above, below in zip(drawn, days, strict=True):
        for year, town in enumerate(towns, start=2001):
            if town in above:
                at = cell_len(above[: above.index(town)])
                assert at == cell_len(below[: below.index(f"{year}-01-01")])
                places[town] = at
    assert set(places) == set(towns)
