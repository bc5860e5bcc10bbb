"""Facts, contradictions and collisions in SQL."""
