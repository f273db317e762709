"""Runs the command line as ``python -m fellview``."""

import sys

from fellview.cli import main

if __name__ == "__main__":
    sys.exit(main())
