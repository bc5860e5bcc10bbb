"""Derived records: their versions, vectors, and which sessions are due."""
