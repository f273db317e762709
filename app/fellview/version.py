"""The version of this Fellview."""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _installed

try:
    VERSION = _installed("fellview")
except PackageNotFoundError:  # a checkout on the path, not installed
    VERSION = "unknown"
