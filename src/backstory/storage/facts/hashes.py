"""Hashes that stand for long texts in an index, whose entries have a bounded size.

A NUL, which no stored text holds, divides the parts.
"""

import hashlib
import hmac
import json

from backstory.core.model.contradiction import Contradiction
from backstory.core.model.fact import Cardinality, Fact
from backstory.core.values import normal_value


def hash_of(*parts: str) -> str:
    """SHA-256 of some texts in order, as 64 hexadecimal digits."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def hashes_of(fact: Fact) -> dict[str, str]:
    """The columns by which a fact is looked up, and the one that two current rows may not share."""
    normal = normal_value(fact.value)
    slot = hash_of(fact.subject, fact.key)
    many = fact.cardinality is Cardinality.MANY
    return {
        "key_hash": hash_of(fact.key),
        "slot_hash": slot,
        "value_hash": hash_of(fact.subject, normal),
        "identity_hash": hash_of(fact.subject, fact.key, normal) if many else slot,
    }


def contradiction_hashes(item: Contradiction) -> dict[str, str]:
    """The columns by which a contradiction is looked up: its slot, and what is open only once."""
    stored = normal_value(item.stored_value)
    return {
        "slot_hash": hash_of(item.subject, item.key),
        "identity_hash": hash_of(item.subject, item.key, stored),
    }


def claim_hash(secret: bytes, user_id: str, claim: tuple[str, str, str]) -> str:
    """HMAC-SHA256 (RFC 2104) of a user and a claim: tells nothing without the tenant's secret.

    Args:
        secret: The tenant's.
        user_id: Whose claim.
        claim: Subject, key and normal value.
    """
    text = json.dumps([user_id, *claim])
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()
