"""The system's clock and ids."""

import threading
import time
from datetime import UTC, timedelta

from hypothesis import given
from hypothesis import strategies as st

from backstory.models.system import SystemClock, TimeOrderedIds
from backstory.ports.clock import Clock
from backstory.ports.ids import Ids


def test_the_clock_is_in_utc_and_moves_forward() -> None:
    clock: Clock = SystemClock()
    first, second = clock.now(), clock.now()
    assert first.tzinfo is UTC
    assert timedelta(0) <= second - first < timedelta(seconds=10)


def test_ids_rise_and_never_repeat() -> None:
    ids: Ids = TimeOrderedIds()
    made = [ids.new() for _ in range(20_000)]
    assert made == sorted(set(made))
    assert all(len(one) == 32 and int(one, 16) >= 0 for one in made)


def test_an_id_is_a_uuid_of_version_7_with_the_time_in_it() -> None:
    before = time.time_ns() // 1_000_000
    one = TimeOrderedIds().new()
    after = time.time_ns() // 1_000_000
    assert before <= int(one[:12], 16) <= after
    assert one[12] == "7"
    assert one[16] in "89ab"


@given(st.lists(st.integers(0, 2**47), min_size=1, max_size=30))
def test_ids_rise_whatever_the_clock_does(moments: list[int]) -> None:
    ids = TimeOrderedIds(iter(moments).__next__)
    made = [ids.new() for _ in moments]
    assert made == sorted(set(made))


def test_a_stopped_clock_and_a_full_counter_still_give_rising_ids() -> None:
    ids = TimeOrderedIds(lambda: 1)
    made = [ids.new() for _ in range(263_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert int(made[-1][:12], 16) > int(made[0][:12], 16)


def test_threads_get_different_ids() -> None:
    ids = TimeOrderedIds()
    made: list[list[str]] = [[] for _ in range(4)]

    def work(own: list[str]) -> None:
        own.extend(ids.new() for _ in range(3000))

    threads = [threading.Thread(target=work, args=(own,)) for own in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    everything = [one for own in made for one in own]
    assert len(set(everything)) == len(everything)
    assert all(own == sorted(own) for own in made)
