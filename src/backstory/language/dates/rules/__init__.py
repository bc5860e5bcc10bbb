"""The rules, one family in a file."""
