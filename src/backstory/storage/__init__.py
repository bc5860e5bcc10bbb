"""The databases."""
