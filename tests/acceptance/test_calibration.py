"""``calibrate()``: floors measured on what is stored, the same on both databases."""

import random

import pytest

from backstory import Calibration, Memory, Recall, Settings
from backstory.core.model.results import Check
from backstory.errors import BackstoryError, EmbeddingError
from backstory.models.local import CALIBRATION
from backstory.testing import HashEmbedder
from backstory.testing.embedders import hash_vector
from tests.acceptance.places import ON_ONE, Place

WORDS = [
    one + two + three
    for one in ("tor", "mel", "sin", "kap", "dru")
    for two in ("ba", "lo", "fi", "gu", "pe", "ny")
    for three in ("ben", "lar", "fin", "gost", "mak", "rud")
]


class CalibratedEmbedder(HashEmbedder):
    """An embedder that brings floors along."""

    calibration = CALIBRATION


def fill(memory: Memory, users: int = 3, sessions: int = 2, seed: int = 1) -> list[str]:
    """Fill it; gives the texts of the first user."""
    draw = random.Random(seed)  # noqa: S311 - texts, not secrets
    said: list[str] = []
    for user in range(users):
        for session in range(sessions):
            texts = [" ".join(draw.sample(WORDS, 8)) + f" {user}" for _ in range(20)]
            with memory.session(user_id=f"u{user}", session_id=f"s{session}") as handle:
                handle.add_many(texts)
            said += texts if user == 0 else []
    return said


def check_of(memory: Memory) -> Check:
    return next(check for check in memory.doctor().checks if check.name == "calibration")


def test_the_same_messages_give_the_same_floors_on_every_database(place: Place) -> None:
    memory = place.open()
    fill(memory)
    found = memory.calibrate()
    assert found == Calibration(low=0.3759, high=0.4816, pairs=9600, related=120)
    detail = check_of(memory).detail
    assert f"{found.low:g}" in detail
    assert "on this store" in detail
    again = place.open()
    assert check_of(again).detail == detail
    assert again.calibrate() == found


@ON_ONE
def test_a_threshold_means_the_same_on_every_database(place: Place) -> None:
    memory = place.open()
    texts = fill(memory)
    found = memory.calibrate()
    assert found is not None
    query = " ".join(texts[3].split()[:5])
    cosines = [float(hash_vector(query, 64) @ hash_vector(text, 64)) for text in texts]
    for floor in (0.1, found.low, found.high):
        recall = Recall(threshold=floor, keyword=False)
        hits = memory.search(query, user_id="u0", kind="messages", top_k=40, recall=recall)
        assert len(hits) == sum(cosine >= floor for cosine in cosines)
        assert texts[3] in [hit.text for hit in hits]
    assert len(hits) < len(texts) / 2


@ON_ONE
def test_one_user_is_measured_between_sessions(place: Place) -> None:
    memory = place.open()
    fill(memory, users=1, sessions=3)
    found = memory.calibrate()
    assert found is not None
    assert found.pairs == 60 * 40


@ON_ONE
def test_too_few_messages_leave_what_came_with_the_embedder(place: Place) -> None:
    memory = place.open(embedder=CalibratedEmbedder())
    assert memory.calibrate() == CALIBRATION
    memory.add("one message about the red tent at the lake", user_id="u")
    assert memory.calibrate() == CALIBRATION
    assert "came with the embedder" in check_of(memory).detail


@ON_ONE
def test_without_any_there_is_no_floor_and_doctor_says_so(place: Place) -> None:
    memory = place.open()
    memory.add("one message about the red tent at the lake", user_id="u")
    assert memory.calibrate() is None
    known = check_of(memory)
    assert known.ok
    assert "no floor" in known.detail


@ON_ONE
def test_without_an_embedder_there_is_nothing_to_measure(place: Place) -> None:
    memory = place.open(embedder=None)
    with pytest.raises(EmbeddingError):
        memory.calibrate()
    assert check_of(memory).ok


@ON_ONE
def test_an_embedder_that_fails_leaves_everything_as_it_was(place: Place) -> None:
    embedder = CalibratedEmbedder()
    # what runs beside the calls would take the failure
    memory = place.open(embedder=embedder, settings=Settings(background=False))
    fill(memory)
    embedder.fail_times = 1
    with pytest.raises(BackstoryError):
        memory.calibrate()
    assert "came with the embedder" in check_of(memory).detail
