"""What runs inside a peer's environment. These modules import nothing else of ``bench``."""
