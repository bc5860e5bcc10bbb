"""What every test gets: an empty data folder, servers, and rules about skipping."""

import fcntl
import itertools
import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

import pytest
from blockbuster import blockbuster_ctx
from hypothesis import settings

from tests.databases import ReadyDatabases, sqlite_with_tables
from tools.local_bolt import LocalBolt
from tools.local_postgres import LocalPostgres

SHARED_VARIABLE = "BACKSTORY_SHARED"
SHARED_UNSET = f"{SHARED_VARIABLE} is not set"
_home_numbers = itertools.count()

# A law is tried on 25 cases here, and on twelve times as many by `make soak`.
settings.register_profile("backstory", deadline=None, print_blob=True, max_examples=25)
settings.register_profile("soak", deadline=None, print_blob=True, max_examples=300)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "backstory"))

# No test asks a server outside. Each client of a model reads the authorities that it trusts, and
# reading those of the system takes longer than most tests: here it trusts one that signs nothing.
if "NEO4J_URI" not in os.environ:
    os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "data" / "authority.pem")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test that uses the fixture ``shared``."""
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker("shared")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where nothing may be skipped."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        has_shared = SHARED_VARIABLE in os.environ
        must_run = item.get_closest_marker("shared") is not None and has_shared
        in_ci = bool(os.environ.get("CI")) and SHARED_UNSET not in str(report.longrepr)
        if must_run or in_ci:
            report.outcome = "failed"
            report.longrepr = f"may not be skipped here, but was: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn the skip of a whole file into a failure in CI."""
    report = yield
    if report.skipped and os.environ.get("CI"):
        report.outcome = "failed"
        report.longrepr = f"may not be skipped here, but was: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def take_turns(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Let a test that is marked ``alone`` run while no other pytest worker runs one."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    folder = tmp_path_factory.getbasetemp().parent
    alone = request.node.get_closest_marker("alone") is not None
    with ExitStack() as files:
        turn, room = (files.enter_context((folder / name).open("w")) for name in ("turn", "room"))
        # Who waits for the room alone keeps the turn, so that nobody enters before it.
        fcntl.flock(turn, fcntl.LOCK_EX)
        fcntl.flock(room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(turn, fcntl.LOCK_UN)
        yield


@pytest.fixture(autouse=True)
def own_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Give each test an unused data folder and no other setting from the environment."""
    for name in [name for name in os.environ if name.startswith("BACKSTORY_")]:
        if name != SHARED_VARIABLE:
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / f"home-{next(_home_numbers)}"
    monkeypatch.setenv("BACKSTORY_HOME", str(home))


@pytest.fixture(autouse=True)
def no_blocking_in_acceptance(request: pytest.FixtureRequest) -> None:
    """Apply ``no_blocking`` to each acceptance test that is not marked ``may_block``."""
    if "acceptance" in request.path.parts and request.node.get_closest_marker("may_block") is None:
        request.getfixturevalue("no_blocking")


@pytest.fixture
def no_blocking() -> Iterator[None]:
    """Make a blocking call of backstory on an event loop an error (BlockingError)."""
    with blockbuster_ctx("backstory"):
        yield


@pytest.fixture
def shared() -> Path:
    """The folder of evaluation material that is kept beside the repository.

    Without BACKSTORY_SHARED the test is skipped. With it the folder must be there, and a file
    that the test misses in it is a failure.
    """
    value = os.environ.get(SHARED_VARIABLE)
    if value is None:
        pytest.skip(SHARED_UNSET)
    path = Path(value)
    if not path.is_dir():
        pytest.fail(f"{SHARED_VARIABLE} names no folder: {value}")
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[LocalPostgres]:
    """A PostgreSQL server with pgvector, one for each pytest process. Never stop it in a test.

    A test that kills a server makes its own ``LocalPostgres``.
    """
    with LocalPostgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: LocalPostgres) -> Iterator[str]:
    """The URL of an empty database; connections left open are closed after the test.

    pgvector is there for ``CREATE EXTENSION vector``.
    """
    url = postgres_server.take_database()
    yield url
    postgres_server.give_back(url)


@pytest.fixture(scope="session")
def ready_databases(postgres_server: LocalPostgres) -> ReadyDatabases:
    """Databases with current tables."""
    return ReadyDatabases(postgres_server)


@pytest.fixture
def ready_postgres_url(ready_databases: ReadyDatabases) -> Iterator[str]:
    """The URL of a database with current tables and no rows."""
    with ready_databases.one() as url:
        yield url


@pytest.fixture(scope="session")
def ready_sqlite(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of an SQLite file with current tables and no rows."""
    return sqlite_with_tables(tmp_path_factory.mktemp("ready"))


@pytest.fixture(scope="session")
def bolt_url() -> Iterator[str]:
    """The address of a server that speaks Bolt: the one of NEO4J_URI, else one for each process.

    The user of NEO4J_URI is in it, the password in NEO4J_PASSWORD. What tests write there is
    removed; nothing else is.
    """
    given = os.environ.get("NEO4J_URI")
    if not given:
        with LocalBolt() as server:
            yield server.url
        return
    scheme, _, rest = given.partition("://")
    user, at, place = rest.rpartition("@")
    password = quote(os.environ.get("NEO4J_PASSWORD", ""), safe="")
    yield f"{scheme}://{user if at else 'neo4j'}:{password}@{place}"
