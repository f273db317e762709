"""Where water runs: one receiver a cell, the lakes it has to cross, and the area that drains through each cell.

Arrays are flat and padded by one cell on every side: cell (r, c) of R×C lies at (r + 1)·(C + 2) + c + 1, so that every
cell has eight neighbours in memory and no loop asks where the edge is. Heights in the padding are infinite.

- **Receiver**: the neighbour n with the largest (h − h_n)/L_n · (1 + j·b), b a hash of the cell and the direction; the
  jitter j breaks the eight directions of the grid. A cell from which receivers lead to an outlet is drained.
- **Water level** W = h on drained cells, elsewhere max(h, min over the neighbours n of (W_n + e·L_n)): the lakes
  filled to their sills, with a slope e on them so that no flat is left; e is a hash of the cell, so that rivers wind
  across. As e > 0 there is one such W, whatever computes it. Cells that are not drained take receivers from W.
- **Order**: each cell after its receiver, tributary by tributary, so that passes up and down the tree stay in the cache
  (the stack of Braun & Willett).

So only the cells that are not drained are flooded, lowest first. The trees of different outlets
share nothing: they are dealt out to `LANES`, which run side by side with the same result.

References: J. Braun, S. D. Willett, "A very efficient O(n), implicit and parallel method to solve the stream power
equation", Geomorphology 180–181 (2013), doi:10.1016/j.geomorph.2012.10.008; R. Barnes, C. Lehman, D. Mulla,
"Priority-flood", Computers & Geosciences 62 (2014), doi:10.1016/j.cageo.2013.04.024. Rejected: a flood of all cells in
each iteration (5 ms of 12 at 512²) and drainage that creeps one cell an iteration (a long river never gets its area).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.compiled import kernel, prange
from fellview.noise.hash import mix

LANES = 2
"""Lanes that the trees are dealt out to: a third gains little, since a few trees hold most of the land."""

ROOT = 8
"""The direction of a cell that has no receiver. 0 to 7 are the neighbours in scan order; 7 − k is opposite k."""

_CELLS_A_LOOK = 1 << 16  # 1 to 3 ms of work between two looks at the cancel flag


def padded(values: NDArray[Any], fill: float) -> NDArray[Any]:
    """Return the flat, padded copy of `values` [row, column] with `fill` around it."""
    rows, columns = values.shape
    flat = np.full((rows + 2, columns + 2), fill, values.dtype)
    flat[1:-1, 1:-1] = values
    return flat.ravel()


def inner(flat: NDArray[Any], rows: int, columns: int) -> NDArray[Any]:
    """Return the view [row, column] of a padded array without its padding."""
    return flat.reshape(rows + 2, columns + 2)[1:-1, 1:-1]


def repeat_edge(flat: NDArray[Any], rows: int, columns: int) -> None:
    """Give the padding of `flat` the values of the cells beside it, so that nothing flows over the edge."""
    field = flat.reshape(rows + 2, columns + 2)
    field[0], field[-1] = field[1], field[-2]
    field[:, 0], field[:, -1] = field[:, 1], field[:, -2]


def border(rows: int, columns: int) -> NDArray[np.int64]:
    """Return the (row, column) of the cells along the edge, clockwise from (0, 0), int64 (cells, 2)."""
    r, c = np.arange(rows), np.arange(columns)
    row = np.concatenate([0 * c, r[1:], 0 * c[1:] + rows - 1, r[-2:0:-1]])
    column = np.concatenate([c, 0 * r[1:] + columns - 1, c[-2::-1], 0 * r[-2:0:-1]])
    return np.stack([row, column], axis=1)


@kernel(inline="always")
def mixed(x):
    """Return the 32 bits of `x` scrambled as in `noise/hash.py`, whatever `x` has beyond them."""
    return mix(np.uint32(x))


@kernel(parallel=True)
def draw_bits(bits, rows, columns, salt, cancel):
    """Fill the padded uint32 `bits` with a hash of each cell: four bits for each of its eight directions."""
    stride = columns + 2
    for r in prange(rows):
        if cancel[0]:
            continue
        base = mixed(np.uint32(r) * np.uint32(0x9E3779B9) + np.uint32(salt))
        for c in range(columns):
            bits[np.uint64((r + 1) * stride + 1 + c)] = mixed(base + np.uint32(c))


@kernel(inline="always")
def _steeper(best, direction, drop, bits, k, gain):
    """Return the better of the steepest way found and direction `k`, which falls by `drop` a unit of length."""
    jitter = np.float32(1) + gain * np.float32(np.int32((bits >> np.uint32(4 * k)) & np.uint32(15)))
    fall = drop * jitter
    return max(best, fall), np.int32(k) if fall > best else direction


@kernel(parallel=True)
def find_receivers(heights, rows, columns, bits, inverse_lengths, jitter, directions, cancel):
    """Write each cell's direction to its receiver on `heights`; ROOT where no neighbour lies lower.

    `inverse_lengths` are of a step along z, along x and across.
    """
    stride = np.uint64(columns + 2)
    gain = np.float32(jitter / 15)
    iz, ix, across = inverse_lengths
    for r in prange(rows):
        if cancel[0]:
            continue
        first = np.uint64(r + 1) * stride + np.uint64(1)
        for c in range(columns):
            i = first + np.uint64(c)
            h = heights[i]
            b = bits[i]
            best, d = np.float32(0), np.int32(ROOT)
            up, down = i - stride, i + stride
            best, d = _steeper(best, d, (h - heights[up - np.uint64(1)]) * across, b, 0, gain)
            best, d = _steeper(best, d, (h - heights[up]) * iz, b, 1, gain)
            best, d = _steeper(best, d, (h - heights[up + np.uint64(1)]) * across, b, 2, gain)
            best, d = _steeper(best, d, (h - heights[i - np.uint64(1)]) * ix, b, 3, gain)
            best, d = _steeper(best, d, (h - heights[i + np.uint64(1)]) * ix, b, 4, gain)
            best, d = _steeper(best, d, (h - heights[down - np.uint64(1)]) * across, b, 5, gain)
            best, d = _steeper(best, d, (h - heights[down]) * iz, b, 6, gain)
            best, d = _steeper(best, d, (h - heights[down + np.uint64(1)]) * across, b, 7, gain)
            directions[i] = d


@kernel(parallel=True)
def find_donors(directions, rows, columns, donors):
    """Write for each cell which of its eight neighbours drain into it, one bit each."""
    stride = np.uint64(columns + 2)
    one = np.uint64(1)
    for r in prange(rows):
        first = np.uint64(r + 1) * stride + one
        for c in range(columns):
            i = first + np.uint64(c)
            up, down = i - stride, i + stride
            found = np.uint8(directions[up - one] == 7)
            found |= np.uint8(directions[up] == 6) << np.uint8(1)
            found |= np.uint8(directions[up + one] == 5) << np.uint8(2)
            found |= np.uint8(directions[i - one] == 4) << np.uint8(3)
            found |= np.uint8(directions[i + one] == 3) << np.uint8(4)
            found |= np.uint8(directions[down - one] == 2) << np.uint8(5)
            found |= np.uint8(directions[down] == 1) << np.uint8(6)
            found |= np.uint8(directions[down + one] == 0) << np.uint8(7)
            donors[i] = found


@kernel(inline="always")
def offset(direction, stride):
    """Return how far away the neighbour in `direction` lies."""
    scan = direction if direction < 4 else direction + 1
    return (scan // 3 - 1) * stride + scan % 3 - 1


@kernel(parallel=True)
def climb(roots, lane_starts, donors, columns, orders, parents, counts, cancel):
    """Write every lane's cells to `orders`, each after its receiver, whose place in the order goes to `parents`.

    The end of the same arrays holds the cells still to be visited; the two parts never meet, for a cell is in one of
    them only. A root's parent is itself. `counts` receives the cells of each lane.
    """
    stride = columns + 2
    offsets = np.empty(8, np.int64)
    for k in range(8):
        offsets[k] = offset(k, stride)
    for lane in prange(LANES):
        order, parent = orders[lane], parents[lane]
        done = 0
        for root in range(lane_starts[lane], lane_starts[lane + 1]):
            top = np.uint64(order.size - 1)
            order[top], parent[top] = roots[root], done
            waiting = 1
            while waiting:
                if done % _CELLS_A_LOOK == 0 and cancel[0]:
                    break
                cell, up = order[top], parent[top]
                top += np.uint64(1)
                waiting -= 1
                place = np.uint64(done)
                order[place], parent[place] = cell, up
                left = donors[np.uint64(cell)]
                while left:
                    k = 0
                    low = left & (~left + np.uint8(1))
                    k = (
                        (low & np.uint8(0xAA) != 0)
                        | ((low & np.uint8(0xCC) != 0) << 1)
                        | ((low & np.uint8(0xF0) != 0) << 2)
                    )
                    left ^= low
                    top -= np.uint64(1)
                    waiting += 1
                    order[top], parent[top] = cell + offsets[k], done
                done += 1
        counts[lane] = done


@kernel(parallel=True)
def sum_up(orders, parents, counts, area, load, with_load, cancel):
    """Sum each cell's 1, and its `load`, over all that drains through it: `area` int32, `load` float32 in place."""
    for lane in prange(LANES):
        order, parent = orders[lane], parents[lane]
        n = counts[lane]
        areas = np.ones(n, np.int32)
        loads = np.empty(n if with_load else 0, np.float32)
        if with_load:
            for place in range(n):
                loads[place] = load[np.uint64(order[place])]
        for back in range(n):
            if back % _CELLS_A_LOOK == 0 and cancel[0]:
                break
            i = np.uint64(n - 1 - back)
            up = np.uint64(parent[i])
            cell = np.uint64(order[i])
            area[cell] = areas[i]
            if with_load:
                load[cell] = loads[i]
            if up != i:
                areas[up] += areas[i]
                if with_load:
                    loads[up] += loads[i]


@kernel()
def _push(keys, cells, size, key, cell):
    i = size
    while i > 0:
        above = (i - 1) >> 1
        if keys[above] <= key:
            break
        keys[i], cells[i] = keys[above], cells[above]
        i = above
    keys[i], cells[i] = key, cell


@kernel()
def _pop(keys, cells, size):
    """Return the lowest of the heap of `size` and leave a heap of one less."""
    key, cell = keys[0], cells[0]
    last = size - 1
    moved_key, moved_cell = keys[last], cells[last]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= last:
            break
        if child + 1 < last and keys[child + 1] < keys[child]:
            child += 1
        if moved_key <= keys[child]:
            break
        keys[i], cells[i] = keys[child], cells[child]
        i = child
    keys[i], cells[i] = moved_key, moved_cell
    return key, cell


@kernel(inline="always")
def _roughness(bits):
    return np.float32(0.25) + np.float32(1 / 128) * np.float32(bits >> np.uint32(24))


@kernel(inline="always")
def _length(k, lengths):
    return lengths[0] if k == 1 or k == 6 else (lengths[1] if k == 3 or k == 4 else lengths[2])


@kernel()
def _ways(columns, lengths):
    """Return how far away the eight neighbours lie in memory, and how long the ways to them are."""
    offsets, ways = np.empty(8, np.int64), np.empty(8, np.float32)
    for k in range(8):
        offsets[k] = offset(k, columns + 2)
        ways[k] = _length(k, lengths)
    return offsets, ways


@kernel()
def _settle(first, heights, level, directions, settled, bits, offsets, ways, least, keys, cells, queue, sizes, cancel):
    """Let the settled cell `first` tell its neighbours how low their water can be.

    A neighbour that stands above the water is settled at once, at its own height, and goes on telling. `sizes`: entries
    of the heap, cells left to settle. Returns the heap's arrays.
    """
    size = sizes[0]
    queue[0] = first
    told, known = 0, 1
    while told < known:  # all that stand above the water first: otherwise most of them would pass through the heap
        if told % 4096 == 0 and cancel[0]:
            break
        i = np.uint64(queue[np.uint64(told)])
        told += 1
        water = level[i]
        for k in range(8):
            n = np.uint64(np.int64(i) + offsets[k])
            if settled[n]:
                continue
            h = heights[n]
            if h > water and water + least * _roughness(bits[n]) * ways[k] <= h:
                level[n] = h
                settled[n] = 1
                queue[np.uint64(known)] = n
                known += 1
    sizes[1] -= known - 1
    for at in range(known):
        if at % 4096 == 0 and cancel[0]:
            break
        i = np.uint64(queue[np.uint64(at)])
        for k in range(8):
            n = np.uint64(np.int64(i) + offsets[k])
            if settled[n]:
                continue
            reached = max(heights[n], level[i] + least * _roughness(bits[n]) * ways[k])
            if reached < level[n]:
                level[n] = reached
                directions[n] = 7 - k
                if size == keys.size:
                    keys = np.concatenate((keys, np.empty_like(keys)))
                    cells = np.concatenate((cells, np.empty_like(cells)))
                _push(keys, cells, size, reached, np.int32(n))
                size += 1
    sizes[0] = size
    return keys, cells


@kernel()
def flood(heights, level, directions, settled, bits, rows, columns, inverse_lengths, lengths, jitter, least, cancel):
    """Raise `level`, a copy of `heights`, to the water level on the cells that are not `settled`, and settle them.

    Directions of raised cells become their ways over the lakes, and cells above them that lost their receiver to the
    water find another. `lengths` are for the slope `least` of lakes, `inverse_lengths` for the steepest way. `settled`
    is not 0 on the padding.
    """
    stride = columns + 2
    offsets, ways = _ways(columns, lengths)
    _, inverses = _ways(columns, inverse_lengths)
    left = 0
    for r in range(rows):
        for i in range((r + 1) * stride + 1, (r + 1) * stride + 1 + columns):
            if not settled[np.uint64(i)]:
                level[np.uint64(i)] = np.float32(np.inf)
                left += 1
    queue = np.empty(left + 1, np.int32)
    raised = np.empty(left, np.int32)
    old = directions.copy()
    keys, cells = np.empty(left + 64, np.float32), np.empty(left + 64, np.int32)
    sizes = np.array([0, left])
    for r in range(rows):
        if cancel[0]:
            return
        for i in range((r + 1) * stride + 1, (r + 1) * stride + 1 + columns):
            if settled[np.uint64(i)] == 1:
                for k in range(8):
                    if not settled[np.uint64(i + offsets[k])]:
                        keys, cells = _settle(
                            i,
                            heights,
                            level,
                            directions,
                            settled,
                            bits,
                            offsets,
                            ways,
                            least,
                            keys,
                            cells,
                            queue,
                            sizes,
                            cancel,
                        )
                        break
    count = 0
    while sizes[0] and sizes[1]:
        if count % 1024 == 0 and cancel[0]:
            return
        _, i = _pop(keys, cells, sizes[0])
        sizes[0] -= 1
        if settled[i]:
            continue
        settled[i] = 1
        raised[count] = i
        count += 1
        sizes[1] -= 1
        keys, cells = _settle(
            i, heights, level, directions, settled, bits, offsets, ways, least, keys, cells, queue, sizes, cancel
        )
    for r in range(rows):  # cells that looked like lakes and then turned out to stand above them
        for i in range((r + 1) * stride + 1, (r + 1) * stride + 1 + columns):
            if level[np.uint64(i)] == heights[np.uint64(i)]:
                directions[np.uint64(i)] = old[np.uint64(i)]
    gain = np.float32(jitter / 15)
    for at in range(count):
        for k in range(8):
            i = raised[at] + offsets[k]
            if level[i] > heights[i] or old[i] != 7 - k:
                continue
            best, direction = np.float32(0), np.int32(ROOT)
            for way in range(8):
                drop = (level[i] - level[i + offsets[way]]) * inverses[way]
                best, direction = _steeper(best, direction, drop, bits[i], way, gain)
            directions[i] = direction


@kernel(parallel=True)
def mark(orders, counts, drained):
    """Set `drained`, uint8 and padded, to 1 on the cells of `orders`; it must be 0 on all others."""
    for lane in prange(LANES):
        order = orders[lane]
        for i in range(counts[lane]):
            drained[np.uint64(order[i])] = 1
