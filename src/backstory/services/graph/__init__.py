"""The knowledge graph: computed from facts and readings, asked by names."""
