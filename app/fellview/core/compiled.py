"""Numba kernels that compile on their first call, so that reading a module's parameters never imports numba.

    @kernel(parallel=True)
    def erode(heights, threshold): ...

A kernel may call kernels of its own or other modules, and `prange`: on the first call each such name in its globals is
bound to the compiled thing. Rejected: numba's own decorator at import (half a second in a process that only draws)
and a second file of kernels per step (a step is one file).

Compiled code is kept in a cache folder whose name carries a hash of the kernel sources: numba's own check looks at the
caller's file alone and misses an edit in a callee of another file. Rejected: numba's own files, too. It believes what
is in them, so that a damaged one ends every start until someone removes it, and a full disk ends the computing.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import itertools
import pickle
import sys
import types
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fellview import paths
from fellview.core import kernel_files

if TYPE_CHECKING:
    import numpy.typing as npt

prange = range
"""Stands for `numba.prange` inside a kernel; plain `range` elsewhere."""

_PACKAGE = Path(__file__).parents[1]
_PACKAGES_WITH_KERNELS = ("core", "noise", "terrain", "mesh")
_CELLS_TO_SHARE = 20_000  # over fewer a kernel takes some 50 µs, and 40 to share out
_CACHES_KEPT = 4  # a developer who switches branches keeps a few warm; each holds a few megabytes


class Kernel:
    """A function that numba compiles when it is first called.

    What was compiled is kept in `folder`: that of this version of the kernels where none is named.
    """

    def __init__(
        self,
        function: types.FunctionType,
        options: dict[str, Any],
        names: dict[str, Any] | None = None,
        folder: Path | None = None,
    ) -> None:
        self._function = function
        self._options = options
        self._names = names or {}
        self._folder = folder
        functools.update_wrapper(self, function)
        self.__qualname__: str = function.__qualname__

    def bound(self, label: str, **names: Any) -> Kernel:
        """Return a variant of this kernel in which the globals `names` have other values, such as an inner kernel.

        Numbers given this way are constants to the compiler. `label` tells the variants apart in numba's cache, which
        goes by a function's name and bytecode alone; each label may stand for one set of `names` only.
        """
        variant = Kernel(self._function, self._options, self._names | names, self._folder)
        variant.__qualname__ = f"{self._function.__qualname__}_{label}"
        return variant

    def __call__(self, *arguments: Any) -> Any:
        """Run the compiled function."""
        form = self.serial if _serial_alone and self._options.get("parallel") else self
        return form.dispatcher(*arguments)

    @functools.cached_property
    def serial(self) -> Kernel:
        """The same kernel on one thread: for work shorter than waking another, which takes some 20 µs, or milliseconds
        on a busy machine.
        """
        alone = Kernel(self._function, self._options | {"parallel": False}, self._names, self._folder)
        alone.__qualname__ = f"{self.__qualname__}_serial"  # the cache would hand out one for the other
        return alone

    def fitting(self, cells: int) -> Kernel:
        """Return the form of a parallel kernel that is quicker over so many `cells`."""
        return self if cells > _CELLS_TO_SHARE else self.serial

    @functools.cached_property
    def dispatcher(self) -> Any:
        """The numba dispatcher; made on first use, with every kernel that this one calls."""
        numba = _numba()
        scope = self._function.__globals__ | self._names
        for name in _names(self._function.__code__):
            value = scope.get(name)
            if isinstance(value, Kernel):
                scope[name] = value.dispatcher
            elif value is prange and name == "prange":
                scope[name] = numba.prange
        bound = types.FunctionType(self._function.__code__, scope, self._function.__name__)
        functools.update_wrapper(bound, self._function)
        bound.__qualname__ = self.__qualname__
        del bound.__wrapped__  # type: ignore[attr-defined] # numba would unwrap to the function without the bound names
        # error_model numpy: a division by zero gives infinity instead of a branch that keeps loops scalar
        dispatcher = numba.njit(bound, error_model="numpy", nogil=True, **self._options)
        dispatcher._cache = _CompiledBefore(bound, self._folder or _folder())
        return dispatcher


def kernel(**options: Any) -> Callable[[Callable[..., Any]], Kernel]:
    """Return a decorator that makes a lazily compiled numba kernel; `options` go to `numba.njit`."""

    def decorate(function: Callable[..., Any]) -> Kernel:
        assert isinstance(function, types.FunctionType)
        return Kernel(function, options)

    return decorate


_serial_alone = False


@contextlib.contextmanager
def serial_forms() -> Iterator[None]:
    """Have kernels run in their serial forms alone within, which takes half as long to compile as both forms do."""
    global _serial_alone
    before, _serial_alone = _serial_alone, True
    try:
        yield
    finally:
        _serial_alone = before


class _CompiledBefore:
    """The compiled forms of one function, as numba asks for them before it compiles and hands them over after.

    It has the methods of numba's own cache. A form is kept in a file of its own, whose name stands for all that decides
    it: function, source, types, processor, and what compiled it.
    """

    def __init__(self, function: types.FunctionType, folder: Path) -> None:
        self._folder = folder
        self._name = function.__name__
        code = function.__code__
        bytecode = hashlib.sha256(code.co_code).hexdigest()
        self._about = (function.__module__, function.__qualname__, _source_digest(code.co_filename), bytecode)

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled form for the types of `signature`, if there is one."""
        from numba.core import compiler

        target_context.refresh()
        path = self._path(signature, target_context)
        content = kernel_files.read(path)
        if content is None:
            return None
        try:
            return compiler.CompileResult._rebuild(target_context, *pickle.loads(content))
        except Exception:  # whatever it is, it can be compiled again
            kernel_files.drop(path)
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled form, unless it holds addresses of this process."""
        from numba.core import serialize

        if not compiled.lifted and not compiled.library.has_dynamic_globals:
            kernel_files.write(self._path(signature, compiled.target_context), serialize.dumps(compiled._reduce()))

    def _path(self, signature: Any, target_context: Any) -> Path:
        decides = [
            *self._about,
            str(signature),
            str(target_context.codegen().magic_tuple()),
            _numba().__version__,
            sys.version,
        ]
        digest = hashlib.sha256("\n".join(decides).encode()).hexdigest()
        return self._folder / f"{self._name}-{digest[:32]}{kernel_files.SUFFIX}"


@functools.cache
def _source_digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:  # a program without its sources
        return ""


def threads() -> int:
    """Return how many threads a parallel kernel runs on."""
    return int(_numba().get_num_threads())


@contextlib.contextmanager
def in_one_thread() -> Iterator[None]:
    """Run kernels on this thread alone within: on a small grid, waking others takes longer than their share.

    numba wakes another one for a parallel form even if that is the only one, and does so at each call: 0.2 ms and more.
    """
    usual = threads()
    _numba().set_num_threads(1)
    try:
        with serial_forms():
            yield
    finally:
        _numba().set_num_threads(usual)


def each_in_threads(count: int, task: Kernel, *arguments: Any) -> None:
    """Run `task(number, *arguments)` for every number below `count`, on as many threads as a parallel kernel has.

    For kernels of many arguments, and for templates of many variants: numba's own parallel loop triples the time to
    compile, to seconds over twenty arrays. The kernel must not be a parallel one itself, since numba's threads take one
    caller only.
    """
    _share_out(task, [(number, *arguments) for number in range(count)])


def in_bands(count: int, least: int, task: Kernel, *arguments: Any) -> None:
    """Run `task(first, last, *arguments)` over all below `count`, a band a thread.

    No band is of less than `least`: what is not worth waking a thread. For the same kernels as `each_in_threads`.
    """
    bands = max(1, min(threads(), count // least))
    edges = [count * band // bands for band in range(bands + 1)]
    _share_out(task, [(*edge, *arguments) for edge in itertools.pairwise(edges)])


def _share_out(task: Kernel, calls: list[tuple[Any, ...]]) -> None:
    task.dispatcher  # noqa: B018 - made here, once, and not by every thread
    if len(calls) == 1:
        task(*calls[0])
    else:
        list(_pool().map(lambda call: task(*call), calls))


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads(), thread_name_prefix="fellview-kernel")


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a view of `array` that cannot be written to.

    numba compiles a kernel twice where arrays of both sorts come, such as heights new and kept: what it only reads goes
    through here.
    """
    view = array.view()
    view.flags.writeable = False
    return view


def load() -> None:
    """Import numba now, where it would otherwise count as the first kernel's time."""
    _numba()


def sources(package: Path = _PACKAGE) -> str:
    """Return a digest of all files of `package` that hold kernels: compiled code belongs to it."""
    digest = hashlib.sha256()
    for name in _PACKAGES_WITH_KERNELS:
        for source in sorted((package / name).rglob("*.py")):
            digest.update(source.relative_to(package).as_posix().encode() + source.read_bytes())
    return digest.hexdigest()


def none_compiled() -> bool:
    """Return whether no kernel has ever been compiled here, so that it is the very first start."""
    return not kernel_files.any_kept(_folder())


def tell_compiling(listener: Callable[[str], None]) -> None:
    """Have `listener` told the name of each kernel that is about to be compiled, rather than taken from the cache."""
    _numba()
    _listeners.append(listener)


_listeners: list[Callable[[str], None]] = []


def _watch_compiling(events: types.ModuleType) -> None:
    """Have `_listeners` told what is compiled, and no garbage collected meanwhile.

    The compiler leaves a million objects behind and hardly a cycle; looking for those took a sixth of its time.
    """
    depth = 0
    collects = False

    class Watch(events.Listener):  # type: ignore[name-defined, misc]
        def on_start(self, event: Any) -> None:
            nonlocal depth, collects
            depth += 1
            if depth == 1:
                collects = gc.isenabled()
                gc.disable()
            function = event.data["dispatcher"].py_func
            if function.__module__.startswith("fellview."):
                for listener in _listeners:
                    listener(function.__name__)

        def on_end(self, event: Any) -> None:
            nonlocal depth
            depth -= 1
            if depth == 0 and collects:
                gc.enable()

    events.register("numba:compile", Watch())


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


@functools.cache
def _numba() -> types.ModuleType:
    import numba

    # workqueue: no libgomp to install and no spinning beside a drawing thread; it allows one calling thread only
    numba.config.THREADING_LAYER = "workqueue"
    from numba.core import event

    _watch_compiling(event)
    return numba


@functools.cache
def _folder() -> Path:
    return cache_folder(_PACKAGE, paths.cache_folder())


def cache_folder(package: Path, caches: Path) -> Path:
    """Return the folder in `caches` for the kernels of `package`, after dropping all but the newest few of others.

    Any change of a source has another one. Where nothing can be written it may be none: kernels are compiled all the
    same.
    """
    root = caches / "kernels"
    folder = root / sources(package)[:16]
    with contextlib.suppress(OSError):  # also where another process drops the same ones
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        others = sorted((entry for entry in root.iterdir() if entry != folder), key=lambda entry: entry.stat().st_mtime)
        for stale in others[: max(0, len(others) - _CACHES_KEPT + 1)]:
            paths.remove_tree(stale)
    kernel_files.sweep(folder)
    return folder
