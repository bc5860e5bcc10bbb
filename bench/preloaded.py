"""What a process that forks imports first: it uses a memory once, so that its forks need not load.

A writer that spends its life on imports proves nothing.
"""

import asyncio

from tools.forked import load

asyncio.run(load())
