"""How good responses are: scored as they are saved, as the user replies, and by a model."""
