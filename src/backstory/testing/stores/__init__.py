"""The parts of the store contract, one file for each area."""
