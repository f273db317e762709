"""The panel's looks: one calm dark palette and the sizes, in unscaled pixels."""

from __future__ import annotations

from imgui_bundle import ImVec2, ImVec4, imgui

FONT_SIZE = 14.0
ROW_HEIGHT = 22.0
TITLE_HEIGHT = 19.0
PANEL_WIDTH = 340.0
LABEL_WIDTH = 92.0
RESET_WIDTH = 20.0
LOCK_WIDTH = 12.0
PAD_DIAMETER = 88.0

Colour = tuple[float, float, float, float]


def _hex(code: str, alpha: float = 1.0) -> Colour:
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue, alpha


GROUND = _hex("15181c", 0.97)
RAISED = _hex("1c2026", 0.98)
BAND = _hex("1b2026")
TRACK = _hex("252b33")
TRACK_HOVERED = _hex("2d343e")
TRACK_HELD = _hex("323b46")
GROOVE = _hex("3d4753")
SLIDER = _hex("5b8fb5")
FILL = _hex("3b5b73")
FILL_HELD = _hex("487394")
ACCENT = _hex("7fb8dc")
WARM = _hex("e9b872")
TEXT = _hex("dfe4ea")
DIM = _hex("98a3b0")
NOTE = _hex("b3bdc9")
FAINT = _hex("5d6875")
LINE = _hex("2a3038")
DIM_BEHIND = 0.45
"""By what share it is darker behind a dialog."""


def packed(colour: Colour, alpha: float = 1.0) -> int:
    """Return `colour` as draw lists take it, its opacity times `alpha`."""
    red, green, blue, opacity = colour
    return imgui.color_convert_float4_to_u32(ImVec4(red, green, blue, opacity * alpha))


def apply(scale: float) -> None:
    """Set Dear ImGui's style: our colours, and all sizes and the font times `scale`."""
    style = imgui.Style()  # sizes are scaled in place, so that each change of scale starts from fresh ones
    style.window_padding = ImVec2(10, 8)
    style.frame_padding = ImVec2(8, 3)
    style.item_spacing = ImVec2(6, 3)
    style.item_inner_spacing = ImVec2(6, 4)
    style.cell_padding = ImVec2(6, 3)
    style.scrollbar_size = 10
    style.window_border_size = 0
    style.popup_border_size = 1
    style.frame_border_size = 0
    style.window_rounding = 6
    style.child_rounding = 4
    style.popup_rounding = 5
    style.frame_rounding = 4
    style.grab_rounding = 4
    style.scrollbar_rounding = 5
    style.separator_text_border_size = 1
    style.window_title_align = ImVec2(0.5, 0.5)
    style.disabled_alpha = 0.42
    style.hover_delay_short = 0.35  # a tooltip under every passing pointer would hide the land
    colours = {
        imgui.Col_.text: TEXT,
        imgui.Col_.text_disabled: DIM,
        imgui.Col_.window_bg: GROUND,
        imgui.Col_.child_bg: (0.0, 0.0, 0.0, 0.0),
        imgui.Col_.popup_bg: (*RAISED[:3], 1.0),
        imgui.Col_.border: _hex("39424d"),
        imgui.Col_.frame_bg: TRACK,
        imgui.Col_.frame_bg_hovered: TRACK_HOVERED,
        imgui.Col_.frame_bg_active: TRACK_HELD,
        imgui.Col_.title_bg: _hex("12151a"),
        imgui.Col_.title_bg_active: _hex("1a1f26"),
        imgui.Col_.scrollbar_bg: (0.0, 0.0, 0.0, 0.0),
        imgui.Col_.scrollbar_grab: _hex("3a434e"),
        imgui.Col_.scrollbar_grab_hovered: _hex("4b5663"),
        imgui.Col_.scrollbar_grab_active: FILL_HELD,
        imgui.Col_.check_mark: ACCENT,
        imgui.Col_.slider_grab: FILL_HELD,
        imgui.Col_.slider_grab_active: ACCENT,
        imgui.Col_.button: _hex("2a313a"),
        imgui.Col_.button_hovered: _hex("37424e"),
        imgui.Col_.button_active: FILL,
        imgui.Col_.header: _hex("2b3540"),
        imgui.Col_.header_hovered: _hex("34424f"),
        imgui.Col_.header_active: FILL,
        imgui.Col_.separator: LINE,
        imgui.Col_.separator_hovered: FILL,
        imgui.Col_.separator_active: ACCENT,
        imgui.Col_.resize_grip: (0.0, 0.0, 0.0, 0.0),
        imgui.Col_.plot_histogram: FILL_HELD,
        imgui.Col_.text_selected_bg: _hex("3f6a8a"),
        imgui.Col_.input_text_cursor: ACCENT,
        imgui.Col_.nav_cursor: ACCENT,
        imgui.Col_.table_row_bg_alt: (1.0, 1.0, 1.0, 0.02),
    }
    for index, colour in colours.items():
        style.set_color_(index, ImVec4(*colour))
    style.scale_all_sizes(scale)
    style.font_size_base = FONT_SIZE
    style.font_scale_dpi = scale
    _copy(style)
    dim_behind()


def dim_behind(share: float = DIM_BEHIND) -> None:
    """Have what is behind a dialog be darker by that `share`, from the frame under way on."""
    imgui.get_style().set_color_(imgui.Col_.modal_window_dim_bg, ImVec4(0.0, 0.0, 0.0, share))


def _copy(style: imgui.Style) -> None:
    """Bring every value of `style` into the context's own, which cannot be exchanged as a whole."""
    own = imgui.get_style()
    for name in dir(style):
        value = getattr(style, name)
        if not name.startswith("_") and not callable(value):
            setattr(own, name, value)
    for index in range(imgui.Col_.count):
        own.set_color_(index, style.color_(index))
