"""Suspicions while a message is read: it seems to contradict a stored fact."""

from backstory.core.inline.detecting import MAX_SUSPICIONS, KeyedValue, Suspicion, detect_inline

__all__ = ["MAX_SUSPICIONS", "KeyedValue", "Suspicion", "detect_inline"]
