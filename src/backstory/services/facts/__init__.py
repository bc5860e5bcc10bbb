"""Facts in time: stored, found, corrected; contradictions and collisions."""
