"""Dot products by numpy. Its import is here alone, and only runs when products are asked for."""

from collections.abc import Sequence


def dot_products(rows: Sequence[bytes], query: Sequence[float]) -> list[float] | None:
    """The product of each row with the query, the same to the last bit as a plain loop gives.

    Args:
        rows: Little-endian float32 values, as many as the query has, in each.
        query: In double precision, as are the products and their sums.

    Returns:
        None where numpy is not installed.
    """
    try:
        import numpy as np
    except ImportError:
        return None
    matrix = np.frombuffer(b"".join(rows), dtype="<f4").reshape(len(rows), len(query))
    with np.errstate(all="ignore"):  # values that are not finite make sums that are not
        products = matrix * np.asarray(query, dtype=np.float64)
        # a running sum adds in order; a sum or a matrix product does not
        np.add.accumulate(products, axis=1, out=products)
    found: list[float] = products[:, -1].tolist()
    return found
