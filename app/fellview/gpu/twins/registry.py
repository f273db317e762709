"""The twins of each step, found by the names of their files: a twin that is written joins unasked.

`terrace.py` has the twin of the step `terrace`; `perturb_cells.py` and `perturb_smooth.py` have those of two modes of
`perturb`. Slots such as `landform1` and `landform2` share `landform.py`. Files that belong to no step help the others.
"""

from __future__ import annotations

import importlib
import pkgutil

from fellview.gpu import twins
from fellview.gpu.twin import Twin

_FILES = sorted(module.name for module in pkgutil.iter_modules(twins.__path__))


def twins_of(key: str) -> tuple[Twin, ...]:
    """Return the twins of the step called `key`, in the order of their files; none where only the CPU runs it."""
    step = key.rstrip("0123456789")
    files = [name for name in _FILES if name == step or name.startswith(f"{step}_")]
    return tuple(importlib.import_module(f"{twins.__name__}.{name}").TWIN for name in files)
