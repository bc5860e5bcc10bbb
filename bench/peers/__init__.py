"""Other memories beside this one, in one run: each in a process and an environment of its own."""
