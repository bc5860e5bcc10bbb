"""How each database runs a unit of work."""
