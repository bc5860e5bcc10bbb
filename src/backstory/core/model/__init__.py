"""Values: one file for each aggregate."""
