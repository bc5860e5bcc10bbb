"""Decisions about feelings: what is a moment, how a session ended, how its trace fades."""
