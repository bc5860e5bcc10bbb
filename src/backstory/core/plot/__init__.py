"""Plot threads: what their events say, what a reader says of them, when they are paid off."""
