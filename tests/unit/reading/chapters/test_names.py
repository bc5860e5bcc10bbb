# ruff: noqa: RUF001 (texts in many scripts)
"""Who and what occurs in a chapter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.core.model.entity import Entity, EntityKind
from backstory.reading.chapters.names import find_cast


def cast(text: str, *known: Entity) -> dict[str, tuple[str, ...]]:
    return {one.name: one.aliases for one in find_cast(text, known).sightings}


def kinds(text: str, *known: Entity) -> dict[str, EntityKind]:
    return {one.name: one.kind for one in find_cast(text, known).sightings}


def known(name: str, *aliases: str, case_sensitive: bool = True) -> Entity:
    return Entity(id=name, name=name, aliases=aliases, case_sensitive=case_sensitive)


def test_one_person_with_three_names() -> None:
    text = 'Mr. Sherlock Holmes sat down. "Holmes," said Anna, and Mr. Holmes left Anna.'
    assert cast(text).keys() == {"Sherlock Holmes", "Anna"}
    assert set(cast(text)["Sherlock Holmes"]) == {"Holmes", "Mr. Holmes"}


def test_two_who_share_a_surname_stay_two() -> None:
    text = "Anna Bell met Tom Bell. So Bell said no, and Anna left. The Bells wept, and Tom wept."
    found = {one.name: (one.aliases, one.times) for one in find_cast(text).sightings}
    assert found == {"Anna Bell": (("Anna",), 2), "Tom Bell": (("Tom",), 2)}


def test_two_who_share_a_first_name_stay_two() -> None:
    text = "It was Anna Bell who came, not Anna Stone. But Anna said nothing, and Stone left."
    assert cast(text) == {"Anna Bell": (), "Anna Stone": ("Stone",)}


def test_a_couple_is_not_one_person() -> None:
    found = cast("Mr. Vane met Mrs. Vane. Then Sybil Vane sang, and Mr. Vane and Mrs. Vane wept.")
    assert set(found) == {"Mr. Vane", "Mrs. Vane", "Sybil Vane"}


@pytest.mark.parametrize(
    "text",
    [
        "The door opened. Nobody spoke. Lightning struck. Then everybody ran. Winter came.",
        "On Monday the English priest prayed to God, for I am a Christian, he said in May.",
        "Perhaps. But no. Yet somehow. Never again! Once more. Poor thing.",
        "He asked Father and Mother. The Captain said no, and the Doctor too, on Christmas.",
        "THE HOUSE WAS ON FIRE AND NOBODY KNEW WHO HAD LEFT THE DOOR OPEN.",
        "",
        "\x00 \ud800 \U0001f600",
        "昨天下雨。大家都哭了。",
        "お母さんが来た。お母さんは笑った。皆さんも笑った。皆さん！",
    ],
)
def test_no_names(text: str) -> None:
    assert cast(text) == {}


def test_kinds() -> None:
    text = (
        'She lived in Vell. They walked through Vell to the Red Lion Inn. "No," said Mara. Then '
        "Mara joined the Salt Guild. The Amalorians came, and the Amalorians left. He boarded the "
        "Kestrel. On the Kestrel they slept, and the Kestrel sank. Captain Oss drowned "
        "near Baker Street."
    )
    found = kinds(text)
    assert found["Vell"] is EntityKind.PLACE
    assert found["Red Lion Inn"] is EntityKind.PLACE
    assert found["Baker Street"] is EntityKind.PLACE
    assert found["Mara"] is EntityKind.PERSON
    assert found["Captain Oss"] is EntityKind.PERSON
    assert found["Salt Guild"] is EntityKind.GROUP
    assert found["Amalorians"] is EntityKind.GROUP
    assert found["Kestrel"] is EntityKind.THING


def test_a_known_name_counts_where_it_begins_a_sentence() -> None:
    assert cast("Rose rose.", known("Rose")) == {"Rose": ()}
    assert cast("Ain't it nice in Maine?", known("AI")) == {"Maine": ()}


def test_a_known_person_gets_the_longer_name() -> None:
    assert cast("It was Sherlock Holmes who came.", known("Holmes")) == {
        "Holmes": ("Sherlock Holmes",)
    }
    two = (known("Anna Bell", "Bell"), known("Tom Bell"))
    assert cast("Then Bell came in, and old Bell sat.", *two) == {"Anna Bell": ()}


def test_a_name_shared_by_two_known_is_given_to_neither() -> None:
    two = (known("Anna Bell", "Bell"), known("Tom Bell", "Bell"))
    assert cast("Then Bell came in.", *two) == {}


def test_known_names_in_capitals_and_without_case() -> None:
    assert cast("HOLMES WENT OUT. WATSON STAYED.", known("Holmes")) == {"Holmes": ()}
    assert cast("昨天王小明来了。", known("王小明")) == {"王小明": ()}


def test_german_nouns_are_not_names() -> None:
    text = (
        "Anna sagte, dass der Hund im Garten ist. Das Haus war alt, und die Frau lachte. Herr "
        "Weber fragte nicht. Die Liebe und der Hass sind nicht das Gleiche. Ein Mann kam heim. "
        "Menschen lachten auf der Straße. Sie ging mit Peter Weber in die Stadt."
    )
    assert cast(text) == {"Anna": (), "Peter Weber": ("Herr Weber",)}


def test_russian_forms_of_one_name() -> None:
    text = "Анна вошла. Иван увидел Анну и сказал Анне: пора. — Да, — сказала Анна. Он ждал Ивана."
    assert set(cast(text)) == {"Анна", "Иван"}


def test_honorifics_mark_names_in_scripts_without_capitals() -> None:
    assert cast("田中さんは来た。そして田中さんは笑った。") == {"田中": ()}
    assert cast("王先生说。后来王先生走了。") == {"王先生": ()}
    assert cast("김민수 씨가 왔다. 김민수 씨는 웃었다.") == {"김민수": ()}


def test_a_heading_makes_no_name() -> None:
    assert cast("The Fall Of Reason\n\nIt rained. Reason is weak.\n") == {}


def test_mentions_are_in_the_text_and_in_order() -> None:
    text = 'Sherlock Holmes came. "Holmes!" said Dr. Watson.'
    found = find_cast(text)
    assert [(text[one.start : one.end], one.name) for one in found.mentions] == [
        ("Sherlock Holmes", "Sherlock Holmes"),
        ("Holmes", "Sherlock Holmes"),
        ("Dr. Watson", "Dr. Watson"),
    ]


@given(
    st.lists(
        st.sampled_from(
            [
                "Anna",
                "Bell",
                "Tom",
                "said",
                "the",
                "of",
                "Mr.",
                ".",
                '"',
                "in",
                "\n",
                "王",
                "さん",
                "A's",
            ]
        )
    )
)
def test_laws(words: list[str]) -> None:
    text = " ".join(words)
    found = find_cast(text, (known("Tom"), known("王")))
    names = [one.name for one in found.sightings]
    assert len(names) == len(set(names))
    assert all(one.times >= 1 for one in found.sightings)
    assert sum(one.times for one in found.sightings) == len(found.mentions)
    end = 0
    for one in found.mentions:
        assert end <= one.start < one.end <= len(text)
        assert one.name in names
        end = one.end
