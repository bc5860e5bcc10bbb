"""An item of a context is made like every other record, though it is made by hand."""

import inspect
from dataclasses import MISSING, FrozenInstanceError, fields, replace

import pytest

from backstory.core.model.context import ContextItem

ITEM = ContextItem(source="facts", text="Vera lives in Leeds", tokens=7, message_ids=("m1",))


def test_it_takes_its_fields_with_their_defaults() -> None:
    parameters = inspect.signature(ContextItem).parameters
    assert list(parameters) == [field.name for field in fields(ContextItem)]
    for field in fields(ContextItem):
        default = parameters[field.name].default
        assert (MISSING if default is inspect.Parameter.empty else default) == field.default


def test_it_is_a_frozen_record() -> None:
    with pytest.raises(FrozenInstanceError):
        ITEM.tokens = 8  # type: ignore[misc]
    assert replace(ITEM) == ITEM
    assert hash(ITEM) == hash(replace(ITEM))
    assert replace(ITEM, kept=False) != ITEM
    assert ITEM.to_dict()["message_ids"] == ["m1"]
    assert "tokens=7" in repr(ITEM)
