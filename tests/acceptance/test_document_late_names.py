"""Names that are entered after the chapters: a writer who imports first."""

from backstory import Memory
from tests.acceptance.places import ON_ONE

_ONE = "林黛玉把遗嘱藏在了花园的井里。雨下了一整夜。林黛玉谁也没有告诉。" * 3
_TWO = "贾宝玉早上去了花园。他什么也没有看见。" * 3
_THREE = "黛玉看着贾宝玉走过来。一句话也没有说。" * 3


def _imported(memory: Memory) -> None:
    book = memory.document("红楼", planned_chapters=9)
    for number, text in enumerate((_ONE, _TWO, _THREE), 1):
        book.add_chapter(number, text)


@ON_ONE
def test_a_chinese_name_that_is_entered_late_is_found_in_all_chapters(memory: Memory) -> None:
    _imported(memory)
    book = memory.document("红楼")
    assert book.entities.list() == []
    dai = book.entities.save("林黛玉", "person", aliases=["黛玉"])
    assert (dai.first_chapter, dai.last_chapter, dai.mentions) == (1, 3, 2)
    bao = book.entities.save("贾宝玉", "person")
    assert (bao.first_chapter, bao.last_chapter, bao.mentions) == (2, 3, 2)
    knows = book.block(4, knower="林黛玉", query="遗嘱").text
    assert "遗嘱藏在了花园的井里" in knows
    assert "遗嘱藏在了花园的井里" not in book.block(4, knower="贾宝玉", query="遗嘱").text
    assert "林黛玉" in book.block(4).text


def test_sightings_follow_an_alias_that_goes(memory: Memory) -> None:
    _imported(memory)
    book = memory.document("红楼")
    book.entities.save("林黛玉", "person", aliases=["黛玉"])
    less = book.entities.save("林黛玉", "person")
    assert (less.first_chapter, less.last_chapter, less.mentions) == (1, 1, 1)


@ON_ONE
def test_an_arabic_name_with_what_is_written_onto_it(memory: Memory) -> None:
    book = memory.document("رواية")
    book.add_chapter(1, "دخلت مريم البيت ووجدت الرسالة.")
    book.add_chapter(2, "جلس يوسف ومريم عند النهر.")
    assert book.entities.save("مريم", "person").mentions == 2
