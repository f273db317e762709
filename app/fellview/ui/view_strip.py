"""Good views of the land as a strip of thumbnails over its lower edge, to choose one from."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui

from fellview.ui import drawn, enlarged, theme, windows
from fellview.ui.actions import shortcut
from fellview.ui.drawn import Drawn
from fellview.ui.status import Strip, Thumbnail
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle

_MARGIN, _GAP, _PADDING = 14.0, 6.0, 8.0
_WIDEST, _NARROWEST = 210.0, 64.0  # of a thumbnail: of what is wider there are enough, in what is narrower nothing
_LARGE = 3.0  # times a thumbnail's sides, of the one that the pointer rests on


class ViewStrip:
    """The strip; it holds for how long the pointer has rested on a thumbnail."""

    def __init__(self) -> None:
        self._rest = enlarged.Rest()
        self.clicked: int | None = None
        """The thumbnail that was clicked in the last frame."""
        self.under: int | None = None
        """The thumbnail that the pointer rests on."""
        self.stands = 0.0
        """How high the strip stands over the land's lower edge."""

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted without an event."""
        return self._rest.wake_after

    def draw(self, strip: Strip | None, scene: Rectangle) -> None:
        """Draw `strip` over the lower edge of the landscape, and the thumbnail that the pointer rests on large."""
        self.clicked, self.stands = None, 0.0
        wide = 0.0 if strip is None else _width(strip, scene)
        if strip is None or wide < px(_NARROWEST):
            self.under = None
            self._rest.leave()
            return
        left, top, width, height = scene
        count, high = max(len(strip.thumbnails), 1), wide / strip.aspect
        line = imgui.get_text_line_height() + px(4)
        full = (count * wide + (count - 1) * px(_GAP) + 2 * px(_PADDING), high + line + 2 * px(_PADDING))
        at = ImVec2(left + width / 2, top + height - px(_MARGIN))
        imgui.set_next_window_pos(at, imgui.Cond_.always, ImVec2(0.5, 1))
        imgui.set_next_window_size(ImVec2(*full))
        imgui.set_next_window_bg_alpha(0.92)
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(_PADDING), px(_PADDING)))
        imgui.push_style_var(imgui.StyleVar_.window_rounding, px(7))
        if imgui.begin("##good views", None, windows.FLOATING)[0]:
            imgui.text_colored(theme.TEXT, "Good views")
            imgui.same_line(0, px(10))
            imgui.text_colored(theme.DIM, strip.wait or f"click to fly there; {shortcut('views')} or Esc closes")
            drawn.note(Drawn("remark", "views", words=strip.wait))
            corner = imgui.get_window_pos()
            places = [
                (corner.x + px(_PADDING) + number * (wide + px(_GAP)), corner.y + px(_PADDING) + line, wide, high)
                for number in range(len(strip.thumbnails))
            ]
            self._thumbnails(strip, places, (left, top, width, corner.y - top))
        imgui.end()
        imgui.pop_style_var(2)
        self.stands = full[1] + px(_MARGIN)

    def _thumbnails(self, strip: Strip, places: Sequence[Rectangle], above: Rectangle) -> None:
        """Draw the thumbnails at their `places`, and the one that the pointer rests on large `above` them."""
        over: int | None = None
        for number, (one, place) in enumerate(zip(strip.thumbnails, places, strict=True)):
            pressed, hovered = _thumbnail(number, one, place)
            if pressed:
                self.clicked = number
                self._rest.have_done()  # or the large picture would hide where one flies to
            if hovered:
                over = number
        self.under = over if self._rest.has_come(over) else None
        if self.under is not None:
            ready = strip.large is not None and strip.large[0] == self.under
            texture = strip.large[1] if strip.large is not None and ready else strip.thumbnails[self.under].texture
            assert texture is not None
            left, top, width, height = above
            within = left + px(_GAP), top + px(_GAP), width - 2 * px(_GAP), height - 2 * px(_GAP)
            enlarged.draw(texture, enlarged.place(places[self.under], within, _LARGE))


def _width(strip: Strip, scene: Rectangle) -> float:
    """Return how wide a thumbnail is."""
    count = max(len(strip.thumbnails), 1)
    room = scene[2] - px(2 * _MARGIN + 2 * _PADDING) - (count - 1) * px(_GAP)
    return min(room / count, px(_WIDEST))


def _thumbnail(number: int, one: Thumbnail, place: Rectangle) -> tuple[bool, bool]:
    """Draw one of the thumbnails; return whether it was clicked, and whether the pointer is on it."""
    x, y, wide, high = place
    first, last = ImVec2(x, y), ImVec2(x + wide, y + high)
    imgui.set_cursor_screen_pos(first)
    pressed = imgui.invisible_button(f"##view {number}", ImVec2(wide, high))
    hovered = imgui.is_item_hovered()
    canvas = imgui.get_window_draw_list()
    canvas.add_rect_filled(first, last, theme.packed(theme.TRACK), px(3))
    if one.texture is None:
        return False, False
    drawn.note(Drawn("button", f"view {number + 1}", place))
    canvas.add_image(imgui.ImTextureRef(one.texture), first, last)
    if hovered or one.chosen:
        canvas.add_rect(first, last, theme.packed(theme.TEXT if hovered else theme.ACCENT), 0.0, thickness=px(2))
    return pressed, hovered
