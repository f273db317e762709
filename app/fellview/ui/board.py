"""The board: a grid of small pictures of variants in the land's place, and what chooses them.

It draws from plain data: what is no part of the recipe comes in as a `Board` and goes out as a new one, and pictures
are named by the textures they lie in. A click on one makes it the scene, in one undo step.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from imgui_bundle import ImVec2, imgui

from fellview.core import number_format
from fellview.scene.scene import Scene
from fellview.ui import drawn, theme, values, widgets
from fellview.ui.actions import shortcut
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px
from fellview.variants import axes, chance
from fellview.variants.disperse import CANDIDATES, SHOWN

Rectangle = tuple[float, float, float, float]

KINDS = {"along": "Along", "plane": "Plane", "seeds": "Seeds", "dispersed": "Different"}
"""What pictures differ by, and how the board calls it."""

SIDES = (3, 4, 5)
_IN_A_ROW = 4  # of dispersed and mixed ones
_FIRST_AXES = ("erosion.duration", "noise.amplitude", "noise.frequency")  # the first two of these that have an effect
_HEAD = 34.0  # pixels: a line of what chooses the pictures
_LABEL = 19.0  # below a picture
_GAP, _MARGIN = 8.0, 12.0
_LARGE = 2.1  # times a picture's sides, of the one under a pointer that rests
_LARGE_AFTER_S = 0.4
_FIELD = 62.0
_LIKE = 0.4  # of the amount: how far what is like a land is from it
_FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_background
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_nav
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_bring_to_front_on_focus
    | imgui.WindowFlags_.no_scroll_with_mouse
)


@dataclass(frozen=True)
class Axis:
    """A parameter's key and the range that the board goes along."""

    key: str
    low: float
    high: float


@dataclass(frozen=True)
class Spread:
    """Variants that differ most, which are wished for: around a scene, at most `amount` away from it."""

    around: Scene
    amount: float


@dataclass(frozen=True)
class Board:
    """The board as the person left it.

    `first_seed` is that of the first picture over seeds. `found` are the scenes that were dispersed or mixed, and
    `wanted` what they are dispersed around where that is to be done anew. `marked` are scenes, the last one last.
    """

    shown: bool = False
    kind: str = "along"
    across: Axis | None = None
    up: Axis | None = None
    side: int = SIDES[0]
    first_seed: int = 0
    from_above: bool = False
    amount: float = chance.AMOUNT
    found: tuple[Scene, ...] = ()
    wanted: Spread | None = None
    marked: tuple[Scene, ...] = ()
    under: Scene | None = None
    """The scene whose picture is shown large."""


@dataclass(frozen=True)
class Cell:
    """One picture: its scene, and what stands below it."""

    scene: Scene
    label: str


@dataclass(frozen=True)
class Pictures:
    """What has been drawn: textures by scene, the large one's, the fraction that is measured, and faults by scene."""

    textures: Mapping[Scene, int]
    large: tuple[Scene, int] | None = None
    measured: float | None = None
    faults: Mapping[Scene, str] = dataclasses.field(default_factory=dict)


def opened(board: Board, scene: Scene) -> Board:
    """Return `board` shown over `scene`, with axes that have an effect there."""
    free = axes_of(scene)
    named = [key for key in (*_FIRST_AXES, *free) if key in free]
    across = board.across if board.across and board.across.key in free else _axis(scene, named[0])
    others = [key for key in named if key != across.key]
    up = board.up if board.up and board.up.key in free and board.up.key != across.key else _axis(scene, others[0])
    return dataclasses.replace(board, shown=True, across=across, up=up, first_seed=scene.noise.seed)


def _axis(scene: Scene, key: str) -> Axis:
    return Axis(key, *axes.usual_range(scene, key))


def axes_of(scene: Scene) -> dict[str, str]:
    """Return every parameter that can be an axis: how it is called, by its key."""
    return {
        f"{group.key}.{name}": f"{group.title}: {declaration.label.lower()}"
        for group in chance.at_work(scene)
        for name, declaration in group.declarations().items()
        if declaration.type in (int, float) and values.on_slider(declaration) and declaration.row and group.shows(name)
    }


@functools.lru_cache(maxsize=4)  # asked for in every frame and every turn of the loop: 15 ms of dispersed ones
def cells(board: Board, scene: Scene) -> tuple[list[Cell], int]:
    """Return the pictures of `board` over `scene`, row by row, and how many stand in a row."""
    side = board.side
    if board.kind == "seeds":
        base = scene.replace({"noise.seed": board.first_seed})
        return [Cell(one, f"seed {one.noise.seed:,}") for one in axes.seeds(base, side * side)], side
    if board.kind == "dispersed":
        seen = [one.viewed_as(scene) for one in board.found]
        return [Cell(one, chance.most_changed(one, scene)) for one in seen], _IN_A_ROW
    assert board.across is not None and board.up is not None
    across, up = board.across, board.up
    if board.kind == "along":
        found = axes.along(scene, across.key, across.low, across.high, side * side)
        return [Cell(one, _told(one, across.key)) for one in found], side
    found = axes.plane(scene, across.key, up.key, (across.low, across.high), (up.low, up.high), side, side)
    return [Cell(one, f"{_told(one, across.key)},  {_told(one, up.key)}") for one in found], side


def _told(scene: Scene, key: str) -> str:
    _, _, declaration = scene.find(key)
    value = float(f"{float(scene.get(key)):.3g}")
    return number_format.with_unit(round(value) if declaration.type is int else value, declaration.unit)


def nearest_first(count: int, in_a_row: int) -> list[int]:
    """Return places of a grid, those nearest to its middle first."""
    rows = math.ceil(count / in_a_row)
    middle = (in_a_row - 1) / 2, (rows - 1) / 2
    places = range(count)
    return sorted(places, key=lambda at: math.hypot(at % in_a_row - middle[0], at // in_a_row - middle[1]))


def with_axis(board: Board, scene: Scene, name: str, key: str) -> Board:
    """Return `board` with the parameter `key` as the axis `name`, "across" or "up"; axes that meet change places."""
    other = "up" if name == "across" else "across"
    chosen = _axis(scene, key)
    if getattr(board, other) is not None and getattr(board, other).key == key:
        return _changed(board, {name: getattr(board, other), other: getattr(board, name)})
    return _changed(board, {name: chosen})


def _changed(board: Board, changes: Mapping[str, Any]) -> Board:
    return dataclasses.replace(board, **changes)


class BoardView:
    """The board's view; it holds the text fields that are typed into, and for how long the pointer has rested."""

    def __init__(self) -> None:
        self._typed: dict[str, str] = {}
        self._over: Scene | None = None
        self._since = 0.0
        self._came_at: tuple[float, float] | None = None
        self.picture_size = (0.0, 0.0)
        """Of one picture in the last frame, in window units."""

    def draw(self, active: ActiveWidget, area: Rectangle, board: Board, pictures: Pictures, left: int) -> Board:
        """Draw the board into `area`; return it as the person has changed it.

        A scene that was clicked goes through `active`. `left` is how many pictures have not come yet.
        """
        corner_x, top, width, height = area
        imgui.set_next_window_pos(ImVec2(corner_x, top))
        imgui.set_next_window_size(ImVec2(width, height))
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(_MARGIN), px(9)))
        imgui.begin("##board", None, _FLAGS)
        board = self._head(active, board, width)
        board = self._grid(active, board, pictures, (corner_x, top, width, height), left)
        imgui.end()
        imgui.pop_style_var(2)
        return board

    # -- what chooses the pictures -------------------------------------------------------------------------------------

    def _head(self, active: ActiveWidget, board: Board, width: float) -> Board:
        scene, space = active.outcome.scene, imgui.get_style().item_spacing.x
        for kind, title in KINDS.items():
            if widgets.button(f"{title}##kind", px(74), lit=board.kind == kind) and board.kind != kind:
                board = self._of_kind(board, scene, kind)
            widgets.tip(_TIPS[kind])
            imgui.same_line()
        imgui.same_line(0, px(14))
        if board.kind == "dispersed":
            board = self._chance(active, board)
        else:
            for side in SIDES:
                if widgets.button(f"{side}×{side}", px(38), lit=board.side == side):
                    board = dataclasses.replace(board, side=side)
                imgui.same_line()
        close = px(28)
        imgui.same_line(width - px(_MARGIN) - close - px(96) - space)
        if widgets.button("From above", px(96), lit=board.from_above):
            board = dataclasses.replace(board, from_above=not board.from_above)
        widgets.tip("All from straight above, or by the scene's own camera.")
        imgui.same_line()
        if widgets.button("×##board", close):
            board = dataclasses.replace(board, shown=False)
        widgets.tip("Back to the land.", f"{shortcut('board')} or Esc")
        imgui.dummy(ImVec2(1, px(2)))
        if board.kind in ("along", "plane"):
            board = self._axis_line(active, board, "across", "→" if board.kind == "plane" else "")
            if board.kind == "plane":
                imgui.same_line(0, px(22))
                board = self._axis_line(active, board, "up", "↑")
        else:
            imgui.align_text_to_frame_padding()
            imgui.text_colored(theme.DIM, _SAID[board.kind])
        return board

    def _of_kind(self, board: Board, scene: Scene, kind: str) -> Board:
        board = dataclasses.replace(board, kind=kind, first_seed=scene.noise.seed)
        if kind == "dispersed":
            return dataclasses.replace(board, found=(), wanted=Spread(scene, board.amount))
        return board

    def _chance(self, active: ActiveWidget, board: Board) -> Board:
        """Draw what narrows what is drawn by chance, and what is made of marked pictures."""
        scene = active.outcome.scene
        imgui.set_next_item_width(px(120))
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        share = "a nudge" if board.amount < 0.15 else "anything" if board.amount > 0.95 else f"{board.amount:.0%} away"
        changed, amount = imgui.slider_float("##amount", board.amount, 0.05, 1.0, share.replace("%", "%%"))
        drawn.note(Drawn("track", "board.amount", widgets.place(), share))
        if changed:
            board = dataclasses.replace(board, amount=min(max(round(amount, 2), 0.05), 1.0))
        if imgui.is_item_deactivated_after_edit():
            board = dataclasses.replace(board, wanted=Spread(scene, board.amount))
        imgui.pop_style_var()
        widgets.tip("How far numbers go from where they are: from a nudge to anything. Locked ones stay.")
        imgui.same_line()
        if widgets.button("More like this", px(108), len(board.marked) == 1):
            base = board.marked[-1]
            board = dataclasses.replace(board, wanted=Spread(base, _LIKE * board.amount), marked=())
        widgets.tip("Variants close to the marked one.", "mark one by Ctrl+click")
        imgui.same_line()
        if widgets.button("Mix", px(48), len(board.marked) == 2):
            children = chance.mix(board.marked[0], board.marked[1], SHOWN, locked=active.locked)
            board = dataclasses.replace(board, found=tuple(children), wanted=None, marked=())
        widgets.tip("Children of the two marked ones: every group whole from either.", "mark two by Ctrl+click")
        imgui.same_line()
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
        imgui.set_next_item_width(px(188))
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        corner = imgui.get_cursor_screen_pos()
        active.places[f"board {name}"] = (corner.x, corner.y, px(188), px(theme.ROW_HEIGHT + 2))
        if widgets.begin_list(f"##{name}", free.get(one.key, one.key)):
            for key, title in free.items():
                if imgui.selectable(title, key == one.key)[0]:
                    board = with_axis(board, scene, name, key)
                if key == one.key:
                    imgui.set_item_default_focus()
            widgets.end_list()
        over = _is_over(active.places[f"board {name}"])
        if active.carried and over:
            canvas = imgui.get_window_draw_list()
            end = ImVec2(corner.x + px(188), corner.y + px(theme.ROW_HEIGHT + 2))
            canvas.add_rect(corner, end, theme.packed(theme.ACCENT), px(4), thickness=px(2))
            if imgui.is_mouse_released(0) and active.carried in free:
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
        changed, text = imgui.input_text(f"##{end}", shown, imgui.InputTextFlags_.auto_select_all)
        drawn.note(Drawn("track", f"board {field}", widgets.place(), shown))
        if changed:
            self._typed[field] = text
        if imgui.is_item_deactivated():
            typed = self._typed.pop(field, None)
            value = None if typed is None else values.typed(declaration, typed)
            if value is not None and not imgui.is_key_pressed(imgui.Key.escape, False):
                moved = dataclasses.replace(one, **{end: float(value)})  # type: ignore[arg-type]
                if moved.low < moved.high:
                    board = _changed(board, {name: moved})
        low, high = number_format.number(declaration.low), number_format.number(declaration.high)
        widgets.tip("Where the axis begins." if end == "low" else "Where it ends.", f"{low} to {high}")
        return board

    # -- pictures ------------------------------------------------------------------------------------------------------

    def _grid(self, active: ActiveWidget, board: Board, pictures: Pictures, area: Rectangle, left: int) -> Board:
        scene = active.outcome.scene
        found, in_a_row = cells(board, scene)
        rows = max(math.ceil(len(found) / in_a_row), 3 if board.kind == "dispersed" else 1)
        start = imgui.get_cursor_screen_pos()
        top = start.y + px(4)
        foot = px(22)
        wide = (area[2] - 2 * px(_MARGIN) - (in_a_row - 1) * px(_GAP)) / in_a_row
        high = (area[1] + area[3] - top - foot) / rows - px(_LABEL)
        self.picture_size = max(wide, 16.0), max(high, 16.0)
        over: Scene | None = None
        for number, cell in enumerate(found):
            row, column = divmod(number, in_a_row)
            corner = ImVec2(start.x + column * (wide + px(_GAP)), top + row * (high + px(_LABEL)))
            imgui.set_cursor_screen_pos(corner)
            pressed = imgui.invisible_button(f"##cell {number}", ImVec2(*self.picture_size))
            drawn.note(Drawn("entry", f"board {number}", (corner.x, corner.y, *self.picture_size), cell.label))
            if imgui.is_item_hovered():
                over = cell.scene
                imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
            self._picture(board, cell, pictures, corner, scene, lit=over is cell.scene)
            if pressed:
                board = self._pressed(active, board, cell)
        if not found:
            imgui.set_cursor_screen_pos(ImVec2(start.x, top + px(30)))
            imgui.text_colored(theme.DIM, "Looking for lands that differ…")
        self._foot(board, pictures, left, ImVec2(start.x, area[1] + area[3] - foot + px(1)))
        return self._enlarged(board, found, in_a_row, pictures, over, start.x, top, area)

    def _pressed(self, active: ActiveWidget, board: Board, cell: Cell) -> Board:
        if imgui.get_io().key_shift:
            active.outcome.keep.append(cell.scene)
            return board
        if imgui.get_io().key_ctrl:
            others = tuple(one for one in board.marked if one != cell.scene)
            if len(others) < len(board.marked):
                return dataclasses.replace(board, marked=others)
            return dataclasses.replace(board, marked=(*others, cell.scene)[-2:])
        active.take_over(cell.scene, "Variant")
        return board

    def _picture(
        self, board: Board, cell: Cell, pictures: Pictures, corner: ImVec2, scene: Scene, *, lit: bool
    ) -> None:
        """Draw a picture, what stands below it, and whether it is the scene, marked or under the pointer."""
        canvas = imgui.get_window_draw_list()
        wide, high = self.picture_size
        end = ImVec2(corner.x + wide, corner.y + high)
        texture = pictures.textures.get(cell.scene)
        canvas.add_rect_filled(corner, end, theme.packed(theme.TRACK), px(3))
        if texture is not None:
            canvas.add_image(imgui.ImTextureRef(texture), corner, end)
        elif cell.scene in pictures.faults:
            canvas.add_text(ImVec2(corner.x + px(8), corner.y + px(8)), theme.packed(theme.WARM), "not possible")
        is_scene, is_marked = cell.scene.viewed_as(scene) == scene, cell.scene in board.marked
        if is_scene or is_marked or lit:
            colour = theme.WARM if is_marked else theme.ACCENT if is_scene else theme.DIM
            canvas.add_rect(corner, end, theme.packed(colour), px(3), thickness=px(2 if is_scene or is_marked else 1))
        if is_marked:
            place = board.marked.index(cell.scene) + 1
            canvas.add_circle_filled(ImVec2(end.x - px(14), corner.y + px(14)), px(9), theme.packed(theme.WARM))
            size = imgui.calc_text_size(str(place))
            at = ImVec2(end.x - px(14) - size.x / 2, corner.y + px(14) - size.y / 2)
            canvas.add_text(at, theme.packed(theme.GROUND), str(place))
        text = f"{cell.label}  ·  now" if is_scene else cell.label
        label = ImVec2(corner.x + px(2), end.y + px(1))
        canvas.push_clip_rect(label, ImVec2(end.x, end.y + px(_LABEL)), True)
        canvas.add_text(label, theme.packed(theme.TEXT if is_scene or lit else theme.DIM), text)
        canvas.pop_clip_rect()

    def _foot(self, board: Board, pictures: Pictures, left: int, at: ImVec2) -> None:
        """Say what is under way, and else what a click does."""
        if pictures.measured is not None:
            text = f"comparing lands  {pictures.measured:.0%}"
        elif left:
            text = f"drawing, {left} to come"
        else:
            text = "Click takes it   ·   rest on it to see it large   ·   Shift+click keeps it   ·   Ctrl+click marks"
        drawn.note(Drawn("remark", "board", words=text))
        imgui.get_window_draw_list().add_text(at, theme.packed(theme.DIM), text)

    def _enlarged(
        self, board: Board, found: Sequence[Cell], in_a_row: int, pictures: Pictures, over: Scene | None,
        left: float, top: float, area: Rectangle,
    ) -> Board:  # fmt: skip
        """Draw the picture under a pointer that rests large over the others; return the board with that scene."""
        now, mouse = imgui.get_time(), imgui.get_mouse_pos()
        if imgui.is_window_appearing():
            self._came_at = mouse.x, mouse.y
        if over != self._over or self._came_at == (mouse.x, mouse.y):  # one that was there before asks for nothing
            self._over, self._since = over, now
        if over is None or now - self._since < _LARGE_AFTER_S or imgui.is_mouse_down(0):
            return dataclasses.replace(board, under=None) if board.under is not None else board
        number = next(at for at, cell in enumerate(found) if cell.scene is over)
        row, column = divmod(number, in_a_row)
        wide, high = self.picture_size
        large_wide, large_high = min(_LARGE * wide, area[2] - px(24)), min(_LARGE * high, area[3] - px(90))
        middle_x, middle_y = left + column * (wide + px(_GAP)) + wide / 2, top + row * (high + px(_LABEL)) + high / 2
        x = min(max(middle_x - large_wide / 2, left), area[0] + area[2] - px(_MARGIN) - large_wide)
        y = min(max(middle_y - large_high / 2, top), area[1] + area[3] - px(6) - large_high)
        texture = pictures.textures.get(over)
        if pictures.large is not None and pictures.large[0] == over:
            texture = pictures.large[1]
        if texture is not None:
            canvas = imgui.get_foreground_draw_list()
            first, last = ImVec2(x, y), ImVec2(x + large_wide, y + large_high)
            edge = px(2)
            canvas.add_rect_filled(
                ImVec2(x - edge, y - edge), ImVec2(last.x + edge, last.y + edge), theme.packed(theme.ACCENT), px(4)
            )
            canvas.add_image(imgui.ImTextureRef(texture), first, last)
        return board if board.under == over else dataclasses.replace(board, under=over)

    @property
    def under_pointer(self) -> Scene | None:
        """The scene whose picture is under the pointer."""
        return self._over

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted without an event: the pointer may come to have rested."""
        if self._over is None or (rested := imgui.get_time() - self._since) > _LARGE_AFTER_S + 0.1:
            return None
        return max(_LARGE_AFTER_S - rested, 0.0) + 0.02

    @property
    def holding(self) -> bool:
        """Return whether a field is typed into."""
        return bool(self._typed)

    def large_size(self) -> tuple[float, float]:
        """Return the size of the large picture in window units."""
        return _LARGE * self.picture_size[0], _LARGE * self.picture_size[1]


def _is_over(place: Rectangle) -> bool:
    mouse = imgui.get_mouse_pos()
    return place[0] <= mouse.x < place[0] + place[2] and place[1] <= mouse.y < place[1] + place[3]


_TIPS = {
    "along": "Along one parameter, from its low end to its high end.",
    "plane": "Over a plane of two parameters: one to the right, one upwards.",
    "seeds": "The same parameters with other seeds.",
    "dispersed": f"Out of {CANDIDATES} by chance those that differ most. Locked parameters stay.",
}
_SAID = {
    "seeds": "the same parameters, other seeds",
    "dispersed": f"out of {CANDIDATES} by chance those that differ most",
}
