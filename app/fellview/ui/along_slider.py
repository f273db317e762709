"""Seven small pictures along the slider under the pointer while Alt is held; a click on one sets its value.

The one that the pointer rests on is shown large, above the others or below them.

Side Views, M. Terry and E. D. Mynatt, 2002 (doi:10.1145/571985.571996).
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from fellview.core import number_format
from fellview.core.parameters import Value
from fellview.scene.scene import Scene
from fellview.ui import drawn, enlarged, theme, windows
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.board import Pictures
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px
from fellview.variants.axes import usual_range

Rectangle = tuple[float, float, float, float]

COUNT = 7
_GAP, _MARGIN, _LABEL = 6.0, 10.0, 19.0
_WIDEST = 210.0
_HEIGHT = 0.62  # of a picture's width
_LARGE = 3.0  # times a picture's sides, of the one that the pointer rests on


class Strip:
    """The previews; `key` is the parameter that they go along, none where they are closed."""

    def __init__(self) -> None:
        self.key: str | None = None
        self.picture_size = (0.0, 0.0)
        """Of one picture, in window units."""
        self.large_size = (0.0, 0.0)
        """Of the one that is shown large."""
        self.under: Scene | None = None
        """The scene of the preview that the pointer rests on."""
        self._values: list[Value] = []  # as they were when it opened: a click leaves them, and the way back
        self._top = 0.0
        self._rest = enlarged.Rest()

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted without an event."""
        return self._rest.wake_after if self.key is not None else None

    def scenes(self, scene: Scene) -> list[Scene]:
        """Return the scenes of the previews, from the slider's low end to its high end."""
        assert self.key is not None
        return [scene.replace({self.key: value}) for value in self._values]

    def draw(self, active: ActiveWidget, area: Rectangle, pictures: Pictures) -> None:
        """Open, draw or close the previews beside the panel; a click on one sets its value through `active`."""
        if not imgui.get_io().key_alt or active.gesture is not None:
            self.key = self.under = None
            self._rest.leave()
            return
        if active.under is not None and active.under[0] != self.key:
            self.key, self._top = active.under
            self._values = along(active.outcome.scene, self.key)
        if self.key is None:
            return
        scene, chosen = active.outcome.scene, self._values
        room = area[2] - 2 * px(_MARGIN + 6) - (len(chosen) - 1) * px(_GAP)
        wide = min(room / len(chosen), px(_WIDEST))
        high = _HEIGHT * wide
        self.picture_size = wide, high
        size = ImVec2(
            len(chosen) * (wide + px(_GAP)) - px(_GAP) + 2 * px(_MARGIN), high + px(_LABEL) + 2 * px(_MARGIN) - px(4)
        )
        top = min(max(self._top - size.y / 2, area[1] + px(6)), area[1] + area[3] - size.y - px(6))
        imgui.set_next_window_pos(ImVec2(area[0] + px(6), top))
        imgui.set_next_window_size(size)
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(_MARGIN), px(_MARGIN)))
        imgui.begin("##along a slider", None, windows.FLOATING)
        start = imgui.get_cursor_screen_pos()
        present = scene.get(self.key)
        now = min(chosen, key=lambda value: abs(float(value) - float(present)))
        over: tuple[Scene, Rectangle] | None = None
        for number, value in enumerate(chosen):
            corner = ImVec2(start.x + number * (wide + px(_GAP)), start.y)
            if self._preview(active, scene, value, corner, pictures, is_now=value == now):
                over = scene.replace({self.key: value}), (corner.x, corner.y, wide, high)
        self._enlarge(over, area, (top, top + size.y), pictures)
        imgui.end()
        imgui.pop_style_var()

    def _enlarge(
        self, over: tuple[Scene, Rectangle] | None, area: Rectangle, strip: tuple[float, float], pictures: Pictures
    ) -> None:
        """Draw the preview that the pointer is `over`, once it rests, large in what the `strip` leaves of `area`.

        `strip` is where that begins and ends, from above.
        """
        left, first, width, height = area
        above, below = (first, strip[0]), (strip[1], first + height)
        top, foot = max(above, below, key=lambda part: part[1] - part[0])
        gap = px(_GAP)
        within = left + gap, top + gap, width - 2 * gap, max(foot - top - 2 * gap, px(_LABEL))
        self.large_size = enlarged.place((0, 0, *self.picture_size), within, _LARGE)[2:]
        rests = self._rest.has_come(None if over is None else over[0])
        self.under = over[0] if over is not None and rests else None
        if over is not None and rests and (texture := pictures.finest(over[0])) is not None:
            enlarged.draw(texture, enlarged.place(over[1], within, _LARGE))

    def _preview(
        self, active: ActiveWidget, scene: Scene, value: Value, corner: ImVec2, pictures: Pictures, *, is_now: bool
    ) -> bool:
        """Draw the preview of a `value`, take its click in, and return whether the pointer is over it."""
        assert self.key is not None
        key = self.key
        wide, high = self.picture_size
        end = ImVec2(corner.x + wide, corner.y + high)
        imgui.set_cursor_screen_pos(corner)
        pressed = imgui.invisible_button(f"##preview {value}", ImVec2(wide, high))
        lit = imgui.is_item_hovered()
        one = scene.replace({key: value})
        _, _, declaration = scene.find(key)
        shown = number_format.with_unit(float(f"{float(value):.3g}"), declaration.unit)
        drawn.note(Drawn("entry", f"preview {value}", (corner.x, corner.y, wide, high), shown))
        canvas = imgui.get_window_draw_list()
        canvas.add_rect_filled(corner, end, theme.packed(theme.TRACK), px(3))
        if (texture := pictures.textures.get(one)) is not None:
            canvas.add_image(imgui.ImTextureRef(texture), corner, end)
        if lit or is_now:
            canvas.add_rect(corner, end, theme.packed(theme.ACCENT if lit else theme.DIM), px(3), thickness=px(2))
        at = ImVec2(corner.x + (wide - imgui.calc_text_size(shown).x) / 2, end.y + px(2))
        canvas.add_text(at, theme.packed(theme.TEXT if lit or is_now else theme.DIM), shown)
        if pressed:
            self._rest.have_done()  # what was chosen is seen behind it
            active.click({key: value}, f"{scene.groups()[key.partition('.')[0]].title}: {declaration.label.lower()}")
        return lit


def along(scene: Scene, key: str) -> list[Value]:
    """Return the values of the previews: evenly over the useful range and up to the present value, each once.

    The present value takes the place of the nearest. Of a parameter that wraps they lie evenly all around.
    """
    _, _, declaration = scene.find(key)
    low, high = usual_range(scene, key)
    if declaration.wraps:
        return list(declaration.spread(low, high, COUNT + 1)[:COUNT])
    now = float(scene.get(key))
    low, high = min(low, now), max(high, now)
    found = [float(f"{float(value):.3g}") for value in declaration.spread(low, high, COUNT)]
    found[round((COUNT - 1) * declaration.share(now, low, high))] = now
    return list(dict.fromkeys(declaration.clamped(value) for value in found))
