"""Models and other machines: embedders, token counters, the clock, ids."""
