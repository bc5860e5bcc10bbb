"""Reported failures of other systems: facts that were doubled, lost or half written."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import pairwise

import pytest

from backstory.errors import StoreError
from backstory.models.system import SystemClock
from backstory.settings import Settings
from backstory.testing import HashEmbedder
from backstory.testing.wire import EmbeddingServer, Fault, Request
from tests.acceptance.places import ON_ONE, Place
from tests.acceptance.talks import Talk
from tests.counts import cases
from tools import forked

ALLERGY, DOG, HOME = "health.allergy", "pet.dog", "home.place"
WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from backstory import Memory
url, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Memory(url, embedder=None) as memory:
    def write(n):
        facts = memory.facts
        facts.store(user_id="vera", key=f"note.{name}_{n}", value=f"{name} {n}")
        memory.add("My dog is called Bolt", user_id="vera")
        facts.store(user_id="vera", key="home.place", value=f"town {name} {n}")
    with ThreadPoolExecutor(count // 2) as pool:
        list(pool.map(write, range(count)))
"""


def test_every_way_in_knows_what_is_there(place: Place) -> None:
    """BUG-011: by hand, in a message, in an import and by hand again: one fact, all its sources."""
    talk = Talk(place)
    talk.state(ALLERGY, "peanuts")
    first = talk.say("I am allergic to peanuts").messages[0]
    with talk.memory.session(user_id=talk.user, bulk_import=True) as session:
        second = session.add("user", "I'm allergic to Peanuts.", timestamp=talk.clock.now())
    talk.state(ALLERGY, " PEANUTS ", evidence=[first.id])
    talk.memory.add("i am allergic to peanuts", user_id="another")
    assert talk.held() == {(ALLERGY, "peanuts")}
    (fact,) = talk.rows()
    assert {evidence.message_id for evidence in fact.evidence} == {first.id, second.id}
    assert fact.mentions == 3  # the same message is no further mention


@ON_ONE
def test_case_spacing_and_form_make_no_new_value(place: Place) -> None:
    """BUG-013: in one batch, in one message, and by hand."""
    talk = Talk(place)
    talk.memory.add(["I like tea", "I like  tea ", "I like Tea.", "I LIKE TEA"], user_id=talk.user)
    talk.say("I like tea and TEA.")
    assert talk.held() == {("preference.like", "tea")}
    cafe = "Café Möwe"
    for form in ("NFC", "NFD", "NFKC"):
        for value in (cafe, cafe.upper(), f"  {cafe}  ", cafe.replace(" ", "  ")):
            talk.state("work.employer", unicodedata.normalize(form, value))
    assert len(talk.rows()) == 2
    assert talk.rows()[1].mentions == 12
    assert len(talk.fact_lines()) == 2


@ON_ONE
def test_a_value_that_differs_in_more_is_another(place: Place) -> None:
    """BUG-013: what is a name, a number or a sign of a value is not folded away."""
    talk = Talk(place, embedder=None)
    for value in ("C", "C++", "C#", "1.5", "15", "-15", "Müller", "Muller"):
        talk.state("thing", value, cardinality="many")
    assert {value for _, value in talk.held()} >= {"C", "C++", "C#", "1.5", "15", "-15"}


def test_the_same_statement_from_many_threads_is_one_fact(place: Place) -> None:
    """BUG-063: all calls succeed."""
    talk = Talk(place, embedder=None)

    def add(_: int) -> int:
        return len(talk.memory.add("My dog is called Bolt", user_id=talk.user).facts)

    with ThreadPoolExecutor(20) as pool:
        told = list(pool.map(add, range(20)))
    assert talk.held() == {(DOG, "Bolt")}
    (fact,) = talk.rows()
    assert fact.mentions == 20
    assert len(fact.evidence) == 20
    assert set(told) <= {0, 1}  # what another call had in hand, it read


def test_two_processes_keep_one_row_for_each_slot(place: Place) -> None:
    """BUG-063 and BUG-065: nothing lost, nothing doubled, and the chain of changes is whole."""
    talk = Talk(place, embedder=None)
    talk.clock.set(SystemClock().now() + timedelta(minutes=5))
    count = cases(6, 10)
    writers = [forked.start(WRITER, place.url, name, str(count)) for name in "ab"]
    ended = [writer.finish() for writer in writers]
    assert [writer.returncode for writer in ended] == [0, 0], ended
    held = talk.held()
    assert {(key, value) for key, value in held if key.startswith("note.")} == {
        (f"note.{name}_{n}", f"{name} {n}") for name in "ab" for n in range(count)
    }
    assert [value for key, value in held if key == DOG] == ["Bolt"]
    (dog,) = talk.rows(key=DOG)
    assert dog.mentions == 2 * count
    homes = talk.memory.facts.history(talk.rows("active", key=HOME)[0].id)
    assert len([fact for fact in homes.facts if fact.status == "active"]) == 1
    assert len(homes.facts) == 2 * count
    changed = [line.fact_id for line in homes.corrections if line.change == "superseded"]
    # a value that had to wait for a later one of the other process takes its place in the past: the
    # row before it changes again; the very first in time, which may be any of
    # those that are written at once at the start, changes none
    assert count <= len(changed) < 2 * count
    assert set(changed) <= {fact.id for fact in homes.facts if fact.status == "superseded"}
    for one, following in pairwise(homes.facts):
        assert one.superseded_by is not None
        assert one.valid_until == following.valid_from
    talk.memory.close()
    again = Talk(place, embedder=None)
    again.clock.set(talk.clock.now())
    assert again.held() == held


def test_an_update_that_fails_leaves_the_old_value(place: Place) -> None:
    """BUG-067: under the same id, on every surface; and the retry works."""
    talk = Talk(place)
    fact = talk.state("work.role", "welder")
    before = talk.shown()
    lift = place.refuse("facts", "UPDATE", "NEW.value = 'baker'")
    with pytest.raises(StoreError):
        talk.memory.facts.update(fact.id, value="baker")
    with pytest.raises(StoreError):
        talk.memory.update(fact.id, value="baker")
    assert talk.memory.get(fact.id) == fact
    assert talk.held() == {("work.role", "welder")}
    assert talk.shown() == before
    lift()
    assert talk.memory.facts.update(fact.id, value="baker").id == fact.id
    assert talk.held() == {("work.role", "baker")}


@pytest.mark.parametrize("table", ["fact_corrections", "fact_revisions", "facts"])
def test_a_change_is_whole_or_not_at_all(place: Place, table: str) -> None:
    """BUG-067: never the old one ended without the new one, nor a chain without its log."""
    talk = Talk(place)
    talk.say("I live in Lund")
    before = talk.shown()
    lift = place.refuse(table, "INSERT", "1 = 1")
    failed = talk.say("I moved to Kiel")
    assert failed.degraded is not None
    assert "refused" in failed.degraded
    assert failed.facts == ()
    assert talk.held() == {(HOME, "Lund")}
    assert talk.past() == set()
    with pytest.raises(StoreError):
        talk.state(HOME, "Oslo")
    assert talk.held() == {(HOME, "Lund")}
    assert "Kiel" in str(talk.memory.get(failed.messages[0].id))
    lift()
    assert talk.memory.flush(talk.user).read == 1
    assert talk.held() == {(HOME, "Kiel")}
    assert talk.past() == {(HOME, "Lund", "superseded")}
    assert "Lund" in before


def test_reading_again_changes_nothing(place: Place) -> None:
    """Reprocess: a flush, another process, the same import and the same ids."""
    talk = Talk(place)
    talk.say("I live in Lund", "I moved to Kiel", "I am allergic to nuts", "My dog is called Bolt")
    told = [
        {"role": "user", "content": "I work at Volvo", "id": "m1"},
        {"role": "user", "content": "I started at Saab last week", "id": "m2"},
    ]
    for _ in range(3):
        talk.memory.add(told, user_id=talk.user, session_id="told")
        with talk.memory.session(user_id=talk.user, session_id="old", bulk_import=True) as old:
            old.add("user", "I live in Oslo", message_id="o1", timestamp="2020-02-03T08:00Z")
    before = [fact.to_dict() for fact in talk.rows()]
    log = [talk.memory.facts.history(fact.id).to_dict() for fact in talk.rows()]
    for _ in range(2):
        talk.memory.flush(talk.user)
        talk.memory.close()
        talk = Talk(place)
        assert [fact.to_dict() for fact in talk.rows()] == before
        assert [talk.memory.facts.history(fact.id).to_dict() for fact in talk.rows()] == log
    assert {fact.mentions for fact in talk.rows()} == {1}


def _tails(requests: list[Request]) -> list[list[Request]]:
    """Each request with all that came after it."""
    return [requests[place:] for place in range(len(requests))]


@ON_ONE
def test_a_batch_that_is_refused_in_part_is_stored_in_the_end(place: Place) -> None:
    """BUG-061: messages and facts; the wait that is asked for is kept, calls are bounded."""
    with EmbeddingServer() as server:
        answers = [Fault()] * 3 + [Fault(status=429, headers={"Retry-After": "1"})]
        server.script(*answers)
        talk = Talk(
            place,
            embedder="openai:words",
            settings=Settings(embedder_url=server.url),
        )
        texts = [f"My sister is called Dora{n}" for n in range(15)]
        results = [talk.memory.add(text, user_id=talk.user) for text in texts]
        assert all(len(result.messages) == 1 for result in results)
        for _ in range(5):
            done = talk.memory.flush(talk.user)
            if not (done.pending or done.failed):
                break
        assert (done.pending, done.failed) == (0, 0)
        assert talk.memory.get_all(user_id=talk.user).total == 15
        assert len(talk.held()) == 15
        waits = [
            next((two.at_s - one.at_s for two in later if set(one.texts) & set(two.texts)), 0.0)
            for one, *later in _tails(server.requests)
        ]
        assert max(waits) >= 0.9
        assert len(server.requests) <= 60
        for hits in (
            talk.memory.search("sister", user_id=talk.user, top_k=50, explain=True, threshold=0),
            talk.memory.facts.search("sister", user_id=talk.user, top_k=50, explain=True),
        ):
            assert all(hit.why is not None and hit.why.cosine is not None for hit in hits)


@ON_ONE
def test_an_embedder_that_is_down_costs_no_fact(place: Place) -> None:
    """BUG-061: facts are there by their words at once, and their vectors later."""
    embedder = HashEmbedder(fail_times=1000)
    talk = Talk(place, embedder=embedder)
    result = talk.say("I live in Lund")
    assert result.degraded is not None
    assert [fact.value for fact in result.facts] == ["Lund"]
    assert talk.answers("home place Lund") == ["Lund"]
    embedder.fail_times = 0
    for _ in range(3):
        talk.memory.flush(talk.user)
    (hit,) = talk.memory.facts.search("home place: Lund", user_id=talk.user, explain=True)
    assert hit.why is not None
    assert hit.why.cosine is not None
    assert hit.why.cosine > 0.5
