"""Graph databases that repeat the graph for those who look at it there."""
