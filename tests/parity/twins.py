"""Running twins, which are generators, and counting the textures that they hold."""


def finished(work):
    """Return what the generator `work` returns, and the list of what it yielded on the way."""
    seen = []
    while True:
        try:
            seen.append(next(work))
        except StopIteration as end:
            return end.value, seen


def lent(passes):
    """Return how many textures of `passes` are in use; none has been given back twice."""
    given = [texture.glo for texture in passes.spare]
    assert len(set(given)) == len(given)
    return len(passes.in_use)
