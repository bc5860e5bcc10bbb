"""The time line: making, choosing, ordering and rendering of dated events. Pure."""
