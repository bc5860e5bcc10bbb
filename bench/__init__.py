"""Benchmarks: each is a module with ``main(argv)``. Run ``python -m bench``."""
