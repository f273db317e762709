"""What chooses the pictures of the board: their kind, how many, where they are seen from, axes, and chance."""

from __future__ import annotations

import dataclasses

from imgui_bundle import ImVec2, imgui

from fellview.core import number_format
from fellview.scene.scene import Scene
from fellview.thumbnails.messages import Look
from fellview.ui import drawn, theme, values, widgets
from fellview.ui.actions import shortcut
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.board import KINDS, SIDES, Axis, Board, Chance, axes_of, changed, told, with_axis
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px
from fellview.variants import chance
from fellview.variants.disperse import CANDIDATES, SHOWN, Spread

_KIND, _SIDE, _LOOK, _CLOSE, _FIELD, _LIST = 74.0, 38.0, 92.0, 28.0, 62.0, 188.0  # pixels: widths
_DRAG = 6.0  # pixels: a press that moves less is no drag
_LEAST_AMOUNT = 0.05
_LIKE = 0.4  # of the amount: how far what is like a land is from it
_TIPS = {
    "along": "Along one parameter, from its low end to its high end.",
    "plane": "Over a plane of two parameters: one to the right, one upwards.",
    "seeds": "The same parameters with other seeds.",
    "dispersed": f"Of {CANDIDATES} lands by chance those that differ most. Locked parameters stay.",
}
_SEEDS = "the same parameters, other seeds"
_BY: dict[Chance, str] = {
    "dispersed": f"of {CANDIDATES} lands by chance, the {SHOWN} that differ most",
    "like": f"of {CANDIDATES} lands close to the marked one, the {SHOWN} that differ most",
    "mixed": "children of the two marked ones, every group whole from either",
}
_LOOKS: dict[Look, tuple[str, str]] = {
    "views": ("Good views", "Each land from a good view of its own, or all by the scene's camera. A click takes both."),
    "above": ("From above", "All from straight above, or by the scene's own camera."),
}


class BoardHead:
    """Draws the two lines over the pictures; it holds the text fields that are typed into."""

    def __init__(self) -> None:
        self._typed: dict[str, str] = {}

    @property
    def holding(self) -> bool:
        """Return whether a field is typed into."""
        return bool(self._typed)

    def draw(self, active: ActiveWidget, board: Board, right: float) -> Board:
        """Draw both lines, the first up to `right` in the window; return the board as it was changed there."""
        scene = active.outcome.scene
        for kind, title in KINDS.items():
            if widgets.button(f"{title}##kind", px(_KIND), lit=board.kind == kind) and board.kind != kind:
                board = _of_kind(active, board, kind)
            widgets.tip(_TIPS[kind])
            imgui.same_line()
        imgui.same_line(0, px(14))
        board = _chance(active, board) if board.kind == "dispersed" else _sides(board)
        board = _looks(board, right)
        imgui.dummy(ImVec2(1, px(2)))
        if board.kind in ("along", "plane"):
            _carried(active)
            board = self._axis_line(active, board, "across", "→" if board.kind == "plane" else "")
            imgui.same_line(0, px(22))
            if board.kind == "plane":
                board = self._axis_line(active, board, "up", "↑")
            elif board.across is not None:
                imgui.text_colored(theme.ACCENT, f"now {told(scene, board.across.key)}")
        else:
            imgui.align_text_to_frame_padding()
            imgui.text_colored(theme.DIM, _SEEDS if board.kind == "seeds" else _BY[board.by])
        return board

    def _axis_line(self, active: ActiveWidget, board: Board, name: str, sign: str) -> Board:
        """Draw an axis: its parameter in a list, and the ends of its range, which are typed."""
        scene, one = active.outcome.scene, getattr(board, name)
        free = axes_of(scene)
        imgui.push_id(name)
        if sign:
            imgui.align_text_to_frame_padding()
            imgui.text_colored(theme.DIM, sign)
            imgui.same_line()
        imgui.set_next_item_width(px(_LIST))
        imgui.push_style_var(imgui.StyleVar_.frame_padding, _padding())
        corner = imgui.get_cursor_screen_pos()
        size = ImVec2(px(_LIST), px(theme.ROW_HEIGHT + 2))
        active.places[f"board {name}"] = (corner.x, corner.y, size.x, size.y)
        if widgets.begin_list(f"##{name}", free.get(one.key, one.key)):
            for key, title in free.items():
                if imgui.selectable(title, key == one.key)[0]:
                    board = with_axis(board, scene, name, key)
                if key == one.key:
                    imgui.set_item_default_focus()
            widgets.end_list()
        if active.carried in free and _takes_drop(corner, ImVec2(corner.x + size.x, corner.y + size.y)):
            board = with_axis(board, scene, name, active.carried)
        widgets.tip("The parameter that changes.", "or drag a label of the panel here")
        for end_name in ("low", "high"):
            imgui.same_line()
            if end_name == "high":
                imgui.text_colored(theme.DIM, "–")
                imgui.same_line()
            board = self._end_of(scene, board, name, end_name)
        imgui.pop_style_var()
        imgui.same_line()
        _, _, declaration = scene.find(getattr(board, name).key)
        imgui.text_colored(theme.DIM, declaration.unit)
        imgui.pop_id()
        return board

    def _end_of(self, scene: Scene, board: Board, name: str, end: str) -> Board:
        """Draw one end of an axis's range as a field to type in."""
        one: Axis = getattr(board, name)
        _, _, declaration = scene.find(one.key)
        field = f"{name} {end}"
        imgui.set_next_item_width(px(_FIELD))
        shown = self._typed.get(field, f"{getattr(one, end):.4g}")
        is_new, text = imgui.input_text(f"##{end}", shown, imgui.InputTextFlags_.auto_select_all)
        drawn.note(Drawn("track", f"board {field}", widgets.place(), shown))
        if is_new:
            self._typed[field] = text
        if imgui.is_item_deactivated():
            typed = self._typed.pop(field, None)
            value = None if typed is None else values.typed(declaration, typed)
            if value is not None and not imgui.is_key_pressed(imgui.Key.escape, False):
                moved = dataclasses.replace(one, **{end: float(value)})  # type: ignore[arg-type]
                if moved.low < moved.high:
                    board = changed(board, {name: moved})
        low, high = number_format.number(declaration.low), number_format.number(declaration.high)
        widgets.tip("Where the axis begins." if end == "low" else "Where it ends.", f"{low} to {high}")
        return board


def _carried(active: ActiveWidget) -> None:
    """Name the parameter whose label is dragged beside the pointer, where it can be an axis."""
    title = axes_of(active.outcome.scene).get(active.carried)
    if title is not None and imgui.is_mouse_dragging(0, px(_DRAG)):
        imgui.set_tooltip(title)
        drawn.note(Drawn("remark", "carried", words=title))


def _takes_drop(corner: ImVec2, end: ImVec2) -> bool:
    """Return whether what is dragged has been let go here; draw that it may be."""
    is_over = imgui.is_mouse_hovering_rect(corner, end, False)
    if is_over or imgui.is_mouse_dragging(0, px(_DRAG)):
        colour, thickness = (theme.ACCENT, px(2)) if is_over else (theme.DIM, px(1))
        imgui.get_window_draw_list().add_rect(corner, end, theme.packed(colour), px(4), thickness=thickness)
    return is_over and imgui.is_mouse_released(0)


def _of_kind(active: ActiveWidget, board: Board, kind: str) -> Board:
    scene = active.outcome.scene
    board = dataclasses.replace(board, kind=kind, first_seed=scene.noise.seed)
    if kind == "dispersed":
        wanted = Spread(scene, board.amount, active.locked)
        return dataclasses.replace(board, found=(), by="dispersed", wanted=wanted)
    return board


def _sides(board: Board) -> Board:
    for side in SIDES:
        if widgets.button(f"{side}×{side}", px(_SIDE), lit=board.side == side):
            board = dataclasses.replace(board, side=side)
        imgui.same_line()
    return board


def _looks(board: Board, right: float) -> Board:
    """Draw at the right end where all are seen from, and what closes the board."""
    space = imgui.get_style().item_spacing.x
    imgui.same_line(right - px(_CLOSE) - len(_LOOKS) * (px(_LOOK) + space))
    for look, (title, tip) in _LOOKS.items():
        if widgets.button(title, px(_LOOK), lit=board.look == look):
            board = dataclasses.replace(board, look="camera" if board.look == look else look)
        widgets.tip(tip)
        imgui.same_line()
    if widgets.button("×##board", px(_CLOSE)):
        board = dataclasses.replace(board, shown=False)
    widgets.tip("Back to the land.", f"{shortcut('board')} or Esc")
    return board


def _chance(active: ActiveWidget, board: Board) -> Board:
    """Draw what narrows what is drawn by chance, and what is made of marked pictures."""
    scene = active.outcome.scene
    text = "a nudge" if board.amount < 0.15 else "anything" if board.amount > 0.95 else f"{board.amount:.0%} away"
    amount, let_go = widgets.share_slider("board.amount", text, board.amount, px(104))
    board = dataclasses.replace(board, amount=max(round(amount, 2), _LEAST_AMOUNT))
    if let_go:
        board = dataclasses.replace(board, by="dispersed", wanted=Spread(scene, board.amount, active.locked))
    widgets.tip("How far numbers go from where they are: from a nudge to anything. Locked ones stay.")
    imgui.same_line()
    if widgets.button("More like this", px(104), len(board.marked) == 1):
        around = Spread(board.marked[-1], _LIKE * board.amount, active.locked)
        board = dataclasses.replace(board, by="like", wanted=around, marked=())
    widgets.tip("Variants close to the marked one.", "mark one by Ctrl+click")
    imgui.same_line()
    if widgets.button("Mix", px(48), len(board.marked) == 2):
        children = chance.mix(board.marked[0], board.marked[1], SHOWN, locked=active.locked)
        board = dataclasses.replace(board, found=tuple(children), by="mixed", wanted=None, marked=())
    widgets.tip("Children of the two marked ones: every group whole from either.", "mark two by Ctrl+click")
    imgui.same_line()
    return board


def _padding() -> ImVec2:
    """Return what makes a field as high as a button."""
    return ImVec2(px(8), (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2)
