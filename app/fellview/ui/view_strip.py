"""Good views of the land as a strip of thumbnails over its lower edge, to choose one from."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from fellview.ui import drawn, theme
from fellview.ui.actions import shortcut
from fellview.ui.drawn import Drawn
from fellview.ui.overlays import Rectangle
from fellview.ui.status import Strip, Thumbnail
from fellview.ui.widgets import px

_MARGIN, _GAP, _PADDING = 14.0, 6.0, 8.0
_WIDEST, _NARROWEST = 210.0, 64.0  # of a thumbnail: of what is wider there are enough, in what is narrower nothing
_FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
)


def draw(strip: Strip | None, scene: Rectangle) -> tuple[int | None, float]:
    """Draw `strip` over the lower edge of the landscape; return which thumbnail was clicked, and how high it stands."""
    left, top, width, height = scene
    if strip is None:
        return None, 0.0
    count = max(len(strip.thumbnails), 1)
    room = width - px(2 * _MARGIN + 2 * _PADDING) - (count - 1) * px(_GAP)
    wide = min(room / count, px(_WIDEST))
    if wide < px(_NARROWEST):
        return None, 0.0
    high = wide / strip.aspect
    line = imgui.get_text_line_height() + px(4)
    full = (count * wide + (count - 1) * px(_GAP) + 2 * px(_PADDING), high + line + 2 * px(_PADDING))
    imgui.set_next_window_pos(ImVec2(left + width / 2, top + height - px(_MARGIN)), imgui.Cond_.always, ImVec2(0.5, 1))
    imgui.set_next_window_size(ImVec2(*full))
    imgui.set_next_window_bg_alpha(0.92)
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(_PADDING), px(_PADDING)))
    imgui.push_style_var(imgui.StyleVar_.window_rounding, px(7))
    clicked = None
    if imgui.begin("##good views", None, _FLAGS)[0]:
        imgui.text_colored(theme.TEXT, "Good views")
        imgui.same_line(0, px(10))
        imgui.text_colored(theme.DIM, strip.wait or f"click to look from there; {shortcut('views')} or Esc closes")
        drawn.note(Drawn("remark", "views", words=strip.wait))
        corner = imgui.get_window_pos()
        y = corner.y + px(_PADDING) + line
        for number, one in enumerate(strip.thumbnails):
            x = corner.x + px(_PADDING) + number * (wide + px(_GAP))
            if _thumbnail(number, one, (x, y, wide, high)):
                clicked = number
    imgui.end()
    imgui.pop_style_var(2)
    return clicked, full[1] + px(_MARGIN)


def _thumbnail(number: int, one: Thumbnail, place: Rectangle) -> bool:
    """Draw one of the thumbnails; return whether it was clicked."""
    x, y, wide, high = place
    first, last = ImVec2(x, y), ImVec2(x + wide, y + high)
    imgui.set_cursor_screen_pos(first)
    pressed = imgui.invisible_button(f"##view {number}", ImVec2(wide, high))
    hovered = imgui.is_item_hovered()
    canvas = imgui.get_window_draw_list()
    canvas.add_rect_filled(first, last, theme.packed(theme.TRACK), px(3))
    if one.texture is None:
        return False
    drawn.note(Drawn("button", f"view {number + 1}", place))
    canvas.add_image(imgui.ImTextureRef(one.texture), first, last)
    if hovered or one.chosen:
        canvas.add_rect(first, last, theme.packed(theme.TEXT if hovered else theme.ACCENT), 0.0, thickness=px(2))
    return pressed
