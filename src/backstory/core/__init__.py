"""Pure values and decisions: no clock, no randomness, no I/O."""
