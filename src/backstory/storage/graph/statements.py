"""What is said to a graph server. Names, ids and queries are parameters, never parts of these.

Each node and each relationship carries tenant and user, and each statement asks for both. Times are
microseconds since 1970 UTC; what is open has the largest or smallest number, so that no statement
compares with nothing.
"""

from typing import Final

_OF: Final = "{tenant: $tenant, user: $user}"
_KNOWN: Final = "r.known <= $known AND r.replaced > $known"
_COUNTS: Final = (
    "r.tenant = $tenant AND r.user = $user AND "
    f"{_KNOWN} AND r.status IN $statuses AND r.begin <= $latest AND r.end > $earliest"
)

INDEXES: Final = (
    "CREATE INDEX backstory_entity IF NOT EXISTS "
    "FOR (e:BackstoryEntity) ON (e.tenant, e.user, e.id)",
    "CREATE CONSTRAINT backstory_user IF NOT EXISTS "
    "FOR (u:BackstoryUser) REQUIRE (u.tenant, u.user) IS UNIQUE",
)
STAMP: Final = f"MATCH (u:BackstoryUser {_OF}) RETURN u.stamp AS stamp"
LOCK: Final = f"MERGE (u:BackstoryUser {_OF}) SET u.turn = coalesce(u.turn, 0) + 1"
"""The first statement of every change: changes of one user wait for each other at it."""
SET_STAMP: Final = f"MERGE (u:BackstoryUser {_OF}) SET u.stamp = $stamp"
ENTITY_MARKS: Final = (
    f"MATCH (e:BackstoryEntity {_OF}) WHERE e.replaced = $open RETURN e.id AS id, e.mark AS mark"
)
RELATION_MARKS: Final = (
    f"MATCH (:BackstoryEntity {_OF})-[r:BACKSTORY_RELATION]->() WHERE r.replaced = $open "
    "RETURN r.id AS id, r.mark AS mark"
)
PUT_ENTITIES: Final = (
    "UNWIND $rows AS row "
    "MERGE (e:BackstoryEntity {tenant: $tenant, user: $user, id: row.id}) "
    "SET e += row.values"
)
PUT_RELATIONS: Final = (
    "UNWIND $rows AS row "
    "MATCH (s:BackstoryEntity {tenant: $tenant, user: $user, id: row.subject}) "
    "MATCH (o:BackstoryEntity {tenant: $tenant, user: $user, id: row.object}) "
    "CREATE (s)-[r:BACKSTORY_RELATION {tenant: $tenant, user: $user, id: row.id}]->(o) "
    "SET r += row.values"
)
END_RELATIONS: Final = (
    f"MATCH (:BackstoryEntity {_OF})-[r:BACKSTORY_RELATION]->() "
    "WHERE r.id IN $ids AND r.replaced = $open SET r.replaced = $now"
)
END_ENTITIES: Final = (
    f"MATCH (e:BackstoryEntity {_OF}) WHERE e.id IN $ids AND e.replaced = $open "
    "SET e.replaced = $now"
)
DROP_RELATIONS: Final = (
    f"MATCH (:BackstoryEntity {_OF})-[r:BACKSTORY_RELATION]->() WHERE r.id IN $ids DELETE r"
)
DROP_ENTITIES: Final = f"MATCH (e:BackstoryEntity {_OF}) WHERE e.id IN $ids DETACH DELETE e"
COUNT_RELATIONS: Final = (
    f"MATCH (:BackstoryEntity {_OF})-[r:BACKSTORY_RELATION]->() RETURN count(r) AS number"
)
COUNT_ENTITIES: Final = f"MATCH (e:BackstoryEntity {_OF}) RETURN count(e) AS number"
FORGET: Final = (
    f"MATCH (e:BackstoryEntity {_OF}) DETACH DELETE e",
    f"MATCH (u:BackstoryUser {_OF}) DETACH DELETE u",
)
CLEAR: Final = (
    "MATCH (e:BackstoryEntity) DETACH DELETE e",
    "MATCH (u:BackstoryUser) DETACH DELETE u",
)
CENTRES: Final = (
    f"MATCH (e:BackstoryEntity {_OF})-[r:BACKSTORY_RELATION]-() WHERE {_COUNTS} "
    "WITH e.id AS id, count(r) AS number RETURN id, number "
    "ORDER BY CASE WHEN id = $first THEN 0 ELSE 1 END, number DESC, id LIMIT $most"
)
CANDIDATES: Final = (
    f"MATCH (e:BackstoryEntity {_OF}) WHERE e.known <= $known AND e.replaced > $known "
    "AND any(form IN e.forms WHERE $query CONTAINS form) "
    "RETURN e.body AS body LIMIT $most"
)
AROUND: Final = (
    f"MATCH (e:BackstoryEntity {_OF})-[r:BACKSTORY_RELATION]-(o:BackstoryEntity {_OF}) "
    f"WHERE e.id IN $ids AND {_COUNTS} "
    "WITH e.id AS id, e.body AS body, r, o ORDER BY r.at DESC, r.id "
    "WITH id, body, collect([r.body, o.body])[0..$limit] AS found RETURN id, body, found"
)
BODIES: Final = (
    f"MATCH (e:BackstoryEntity {_OF}) WHERE e.id IN $ids AND e.known <= $known "
    "AND e.replaced > $known RETURN e.body AS body"
)
