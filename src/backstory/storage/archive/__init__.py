"""All records of a user, out and in."""
