"""``python -m backstory`` is the command line."""

import sys

from backstory.cli import main

if __name__ == "__main__":
    sys.exit(main())
