"""The knowledge graph: a closed schema, and entities and relations as facts imply them."""
