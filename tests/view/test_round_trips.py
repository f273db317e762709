import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view import framing, projection
from fellview.view.controllers import DRAGS, KEYS, Controller
from fellview.view.extent import extent
from fellview.view.ground import floor_at
from fellview.view.picking import height_at, heights_at, hit

SIZE = (1280, 720)

unhurried = settings(deadline=None)  # a busy machine is no fault of the code


def between(low, high):
    return st.floats(low, high, allow_nan=False)


cameras = st.builds(
    Camera,
    x=between(-1e4, 1e4),
    y=between(-1e4, 1e4),
    z=between(-1e4, 1e4),
    yaw=between(-360, 360),
    pitch=between(-90, 90),
    field_of_view=between(5, 120),
)
pixels = st.tuples(between(0, SIZE[0]), between(0, SIZE[1]))


@st.composite
def lands(draw):
    rows, columns = draw(st.integers(2, 70)), draw(st.integers(2, 70))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    relief = draw(between(0, 50))
    heights = (random.random((rows, columns)) * relief).astype(np.float32)
    return HeightField(heights, (draw(between(0.1, 20)), draw(between(0.1, 20))))


@unhurried
@given(cameras, pixels, between(0.1, 1e5))
def test_a_point_on_a_pixels_ray_is_shown_by_that_pixel(camera, pixel, distance):
    origin, direction = projection.ray(camera, SIZE, pixel)
    shown = projection.project(camera, SIZE, origin + distance * direction)
    np.testing.assert_allclose(shown, pixel, atol=1e-4)


@unhurried
@given(cameras)
def test_the_axes_are_a_left_handed_frame(camera):
    right, up, forward = projection.right(camera), projection.up(camera), projection.forward(camera)
    frame = np.stack([right, up, forward])
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(frame), 1)  # as x, y, z themselves
    assert right[1] == 0 and up[1] >= -1e-12  # the horizon is level, and never upside down


@unhurried
@given(lands(), st.data())
def test_a_hit_is_on_the_ground_on_the_ray_and_the_first(field, data):
    depth, width = (field.rows - 1) * field.cell_size[0], (field.columns - 1) * field.cell_size[1]
    origin = np.array([data.draw(between(-width, 2 * width)), data.draw(between(0, 150)), data.draw(between(-9, 999))])
    origin[1] += height_at(field, origin[0], origin[2])
    aim = np.array([data.draw(between(0, width)), -1.0, data.draw(between(0, depth))])
    direction = aim - origin
    box = extent(field)
    way = np.linspace(0, 1.2, 4001)[:, np.newaxis] * direction + origin
    # a hair inside, as samples of a ray that runs along the border are rounded onto it
    inside = ((way > box.low + 1e-9) & (way < box.high - 1e-9))[:, ::2].all(axis=1)
    above = way[:, 1] - heights_at(field, way[:, 0], way[:, 2])
    dips = np.flatnonzero(inside[:-1] & inside[1:] & (above[:-1] > 1e-6) & (above[1:] < -1e-6))
    point = hit(field, origin, direction)
    if point is None:
        assert not dips.size
        return
    assert abs(point[1] - height_at(field, point[0], point[2])) < 1e-6 * (1 + np.abs(origin).max())
    reached = (point - origin) @ direction / (direction @ direction)
    np.testing.assert_allclose(point, origin + reached * direction, atol=1e-6)
    assert reached >= 0
    if dips.size:
        assert reached <= (dips[0] + 1) / 4000 * 1.2 + 1e-9


@unhurried
@given(lands(), cameras, between(0.3, 4))
def test_framing_shows_every_vertex(field, camera, aspect):
    size = (round(720 * aspect), 720)
    framed = framing.fitted(camera, field, size[0] / size[1])
    row, column = np.mgrid[: field.rows, : field.columns]
    points = np.stack([column * field.cell_size[1], field.heights, row * field.cell_size[0]], axis=-1).reshape(-1, 3)
    across, upwards, depth = projection.axes(framed.yaw, framed.pitch) @ (points - projection.eye(framed)).T
    half_height, half_width = projection.half_extents(framed, size[0] / size[1])
    assert (depth > 0).all()
    assert (np.abs(across) <= half_width * depth).all() and (np.abs(upwards) <= half_height * depth).all()


gestures = st.one_of(
    st.tuples(st.just("key"), st.sampled_from(sorted(set(KEYS.values()))), between(0, 0.5)),
    st.tuples(st.just("drag"), st.sampled_from(sorted(set(DRAGS.values()))), st.lists(pixels, min_size=2, max_size=5)),
    st.tuples(st.just("wheel"), pixels, between(-5, 5)),
)


@unhurried
@given(lands(), st.lists(gestures, max_size=12), st.data())
def test_no_input_ends_below_the_ground_or_out_of_range(field, inputs, data):
    width = extent(field).width
    camera = framing.fitted(Camera(yaw=data.draw(between(0, 360)), pitch=data.draw(between(-90, 0))), field, 16 / 9)
    assume(camera.y >= floor_at(field, camera.x, camera.z))
    controller = Controller()
    for kind, what, how in inputs:
        if kind == "key":
            controller.press(what)
            camera = controller.advance(camera, how, field)
            controller.release(what)
        elif kind == "drag":
            controller.begin_drag(what, camera, SIZE, how[0], field)
            for cursor in how[1:]:
                camera = controller.drag(camera, SIZE, cursor, field)
            controller.end_drag()
        else:
            camera = controller.wheel(camera, SIZE, how, what, field)
        assert camera.y >= floor_at(field, camera.x, camera.z) - 1e-9 * (width + abs(camera.y))
        assert 0 <= camera.yaw <= 360
        near, far = projection.clip_planes(camera, field)
        assert 0 < near < far < np.inf
