"""Tasks on a Dask cluster: its workers need the same version of Fellview, its dashboard shows what they do.

A scheduler and its workers run whatever pickle they are sent, so that whoever reaches one can run anything there. For
that reason its address is taken only where the way there is closed to others: TLS with certificates on both sides, as
Dask's own configuration has them (`distributed.comm.tls`), or this machine itself.
"""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from fellview.batch.batch import Done, Item, Stream
from fellview.core.errors import FellviewError, InputError, one_line, quoted

_RETRIES = 3  # of a task whose worker is lost
_FOUND_WITHIN_S = 10


def require_safe(address: str) -> None:
    """Raise `InputError` unless `address` is of TLS, or of this machine."""
    scheme, separator, place = address.partition("://")
    host = place.rpartition(":")[0].strip("[]")
    if not separator or scheme not in ("tcp", "tls") or not host:
        raise InputError(f"--scheduler {quoted(address)}: expected tls://HOST:PORT, or tcp://127.0.0.1:PORT")
    if scheme == "tcp" and not _here(host):
        raise InputError(
            f"--scheduler {quoted(address)}: expected tls://, since whoever reaches a scheduler can run anything there;"
            " without TLS it has to be on this machine, such as tcp://127.0.0.1:8786"
        )


def _here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Cluster(Stream):
    """Has tasks done by the workers of a Dask client's cluster; tasks of a worker that is lost are done by others."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def each(self, task: Callable[[Item], Done], items: Sequence[Item]) -> Iterator[tuple[int, Done]]:
        """Yield them as they are done."""
        from distributed import as_completed

        futures = self._client.map(task, items, pure=False, retries=_RETRIES, batch_size=1)
        under_way = {future: index for index, future in enumerate(futures)}
        del futures  # or the cluster would keep every result
        for future in as_completed(list(under_way)):
            yield under_way.pop(future), future.result()


@contextlib.contextmanager
def opened(address: str) -> Iterator[Cluster]:
    """Give the cluster whose scheduler has `address`.

    `InputError` for an address that is not safe; `FellviewError` where nobody answers, and without Dask.
    """
    require_safe(address)
    try:
        from distributed import Client, Security
    except ImportError:
        raise FellviewError("--scheduler: Dask is not installed; expected `pip install fellview[cluster]`") from None
    security = {"security": Security(require_encryption=True)} if address.startswith("tls://") else {}
    try:
        client = Client(address, timeout=_FOUND_WITHIN_S, **security)
    except (OSError, ValueError, TypeError) as fault:
        raise FellviewError(f"--scheduler {address}: {one_line(str(fault)) or 'no answer'}") from None
    with client:
        yield Cluster(client)
