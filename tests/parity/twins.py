"""Running twins, which are generators."""


def finished(work):
    """Return what the generator `work` returns, and the list of what it yielded on the way."""
    seen = []
    while True:
        try:
            seen.append(next(work))
        except StopIteration as end:
            return end.value, seen
