"""The board as it is drawn in the land's place: a grid of small pictures of variants, of which a click takes one.

It draws from plain data: what is no part of the recipe comes in as a `Board` and goes out as a new one, and pictures
are named by the textures they lie in.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui

from fellview.scene.scene import Scene
from fellview.ui import drawn, enlarged, theme, windows
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.board import Board, Cell, Pictures, adopted, cells, own_place
from fellview.ui.board_head import BoardHead
from fellview.ui.drawn import Drawn
from fellview.ui.widgets import px
from fellview.variants.disperse import SHOWN

Rectangle = tuple[float, float, float, float]

_HEAD = 72.0  # pixels: two lines of what chooses the pictures
_LABEL = 19.0  # below a picture
_FOOT = 22.0
_GAP, _MARGIN = 8.0, 12.0
_LEAST_ROWS = 3  # of dispersed ones, so that few of them are no larger than many

BEFORE = 0.45
"""Opacity of a picture that is about to be exchanged."""


@dataclasses.dataclass(frozen=True)
class _Grid:
    """Where pictures stand: the upper left corner of the first, their sizes, and how many there are."""

    left: float
    top: float
    wide: float
    high: float
    in_a_row: int
    rows: int

    def place(self, number: int) -> Rectangle:
        """Return the rectangle of a picture."""
        row, column = divmod(number, self.in_a_row)
        x, y = self.left + column * (self.wide + px(_GAP)), self.top + row * (self.high + px(_LABEL))
        return x, y, self.wide, self.high


class BoardView:
    """The board's view; it holds what is typed in its head, and for how long the pointer has rested."""

    def __init__(self) -> None:
        self._head = BoardHead()
        self._rest = enlarged.Rest()
        self._seen: dict[int, Scene] = {}  # by place: of which scene there was a picture last
        self._seen_of: tuple[object, ...] = ()
        self.picture_size = self.large_size = (0.0, 0.0)
        """Of one picture in the last frame and of the one that is shown large, in window units."""
        self.under_pointer: Scene | None = None
        """The scene that a click would take."""

    @property
    def holding(self) -> bool:
        """Return whether a field is typed into."""
        return self._head.holding

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted without an event."""
        return self._rest.wake_after

    def draw(self, active: ActiveWidget, area: Rectangle, board: Board, pictures: Pictures, left: int) -> Board:
        """Draw the board into `area`; return it as the person has changed it.

        A scene that was clicked goes through `active`. `left` is how many pictures have not come yet.
        """
        imgui.set_next_window_pos(ImVec2(*area[:2]))
        imgui.set_next_window_size(ImVec2(*area[2:]))
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(_MARGIN), px(9)))
        imgui.begin("##board", None, windows.PANE | imgui.WindowFlags_.no_background)
        board = self._head.draw(active, board, area[2] - px(_MARGIN))
        board = self._pictures(active, area, board, pictures, left)
        imgui.end()
        imgui.pop_style_var(2)
        return board

    def _pictures(self, active: ActiveWidget, area: Rectangle, board: Board, pictures: Pictures, left: int) -> Board:
        scene = active.outcome.scene
        found, in_a_row = cells(board, scene)
        grid = self._laid_out(area, board, len(found), in_a_row)
        if self._seen_of != (of := (board.kind, board.found, len(found), in_a_row)):
            self._seen, self._seen_of = {}, of
        over: int | None = None
        for number, cell in enumerate(found):
            place = grid.place(number)
            imgui.set_cursor_screen_pos(ImVec2(*place[:2]))
            pressed = imgui.invisible_button(f"##cell {number}", ImVec2(*place[2:]))
            drawn.note(Drawn("entry", f"board {number}", place, cell.label))
            if imgui.is_item_hovered():
                over = number
                imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
            self._picture(number, cell, pictures, place, goes=board.wanted is not None)
            _told(board, cell, place, scene, lit=over == number)
            if pressed:
                board = _pressed(active, board, cell, pictures)
        self.under_pointer = None if over is None else adopted(found[over], scene, pictures, board.look)
        for number in range(0 if found else SHOWN):
            _ground(grid.place(number))
        if found and not any(_is(cell, scene) for cell in found):
            _mark_own(board, scene, grid)
        foot_y = area[1] + area[3] - px(_FOOT - 1)
        _foot(pictures, left, ImVec2(grid.left, foot_y))
        _tell_marked(len(board.marked), area[0] + area[2] - px(_MARGIN), foot_y)
        return self._enlarged(board, found, pictures, over, grid, area)

    def _picture(self, number: int, cell: Cell, pictures: Pictures, place: Rectangle, *, goes: bool) -> None:
        """Draw a cell's picture; until it has come, the one that was there before stays, dimmed.

        So is one that `goes`, since others are being looked for.
        """
        canvas = imgui.get_window_draw_list()
        corner, end = _ground(place)
        texture, opacity = pictures.textures.get(cell.scene), BEFORE if goes else 1.0
        if texture is not None:
            self._seen[number] = cell.scene
        elif cell.scene in pictures.faults:
            canvas.add_text(ImVec2(corner.x + px(8), corner.y + px(8)), theme.packed(theme.WARM), "not possible")
        elif number in self._seen:
            texture, opacity = pictures.textures.get(self._seen[number]), BEFORE
        if texture is not None:
            tint = theme.packed((1.0, 1.0, 1.0, opacity))
            canvas.add_image(imgui.ImTextureRef(texture), corner, end, ImVec2(0, 0), ImVec2(1, 1), tint)

    def _laid_out(self, area: Rectangle, board: Board, count: int, in_a_row: int) -> _Grid:
        """Return where pictures stand: of every kind at the same height."""
        top = area[1] + px(_HEAD)
        rows = max(math.ceil(count / in_a_row), _LEAST_ROWS if board.kind == "dispersed" else 1)
        wide = (area[2] - 2 * px(_MARGIN) - (in_a_row - 1) * px(_GAP)) / in_a_row
        high = (area[1] + area[3] - top - px(_FOOT)) / rows - px(_LABEL)
        self.picture_size = max(wide, 16.0), max(high, 16.0)
        return _Grid(area[0] + px(_MARGIN), top, *self.picture_size, in_a_row, rows)

    def _enlarged(
        self, board: Board, found: Sequence[Cell], pictures: Pictures, over: int | None, grid: _Grid, area: Rectangle
    ) -> Board:
        """Draw the picture under a pointer that rests large over the others; return the board with that scene."""
        within = grid.left, grid.top, area[2] - 2 * px(_MARGIN), area[1] + area[3] - px(6) - grid.top
        self.large_size = enlarged.place((0, 0, *self.picture_size), within)[2:]
        under = None if over is None else found[over].scene
        if not self._rest.has_come(under) or under is None or over is None:
            return dataclasses.replace(board, under=None) if board.under is not None else board
        if (texture := pictures.finest(under)) is not None:
            enlarged.draw(texture, enlarged.place(grid.place(over), within), found[over].label)
        return board if board.under == under else dataclasses.replace(board, under=under)


def _is(cell: Cell, scene: Scene) -> bool:
    return not cell.scene.changed_since(scene)


def _pressed(active: ActiveWidget, board: Board, cell: Cell, pictures: Pictures) -> Board:
    taken = adopted(cell, active.outcome.scene, pictures, board.look)
    if imgui.get_io().key_shift:
        active.outcome.keep.append(taken)
        return board
    if imgui.get_io().key_ctrl:
        others = tuple(one for one in board.marked if one != cell.scene)
        if len(others) < len(board.marked):
            return dataclasses.replace(board, marked=others)
        return dataclasses.replace(board, marked=(*others, cell.scene)[-2:])
    active.take_over(taken, "Variant")
    return board


def _told(board: Board, cell: Cell, place: Rectangle, scene: Scene, *, lit: bool) -> None:
    """Draw what stands below a picture, and whether it is the scene, marked or under the pointer."""
    canvas = imgui.get_window_draw_list()
    corner, end = _corners(place)
    is_scene, is_marked = _is(cell, scene), cell.scene in board.marked
    if is_scene or is_marked or lit:
        colour = theme.WARM if is_marked else theme.ACCENT if is_scene else theme.DIM
        canvas.add_rect(corner, end, theme.packed(colour), px(3), thickness=px(2 if is_scene or is_marked else 1))
    if is_marked:
        number = str(board.marked.index(cell.scene) + 1)
        canvas.add_circle_filled(ImVec2(end.x - px(14), corner.y + px(14)), px(9), theme.packed(theme.WARM))
        size = imgui.calc_text_size(number)
        at = ImVec2(end.x - px(14) - size.x / 2, corner.y + px(14) - size.y / 2)
        canvas.add_text(at, theme.packed(theme.GROUND), number)
    text = f"{cell.label}  ·  now" if is_scene else cell.label
    label = ImVec2(corner.x + px(2), end.y + px(1))
    canvas.push_clip_rect(label, ImVec2(end.x, end.y + px(_LABEL)), True)
    canvas.add_text(label, theme.packed(theme.TEXT if is_scene or lit else theme.DIM), text)
    canvas.pop_clip_rect()


def _corners(place: Rectangle) -> tuple[ImVec2, ImVec2]:
    return ImVec2(*place[:2]), ImVec2(place[0] + place[2], place[1] + place[3])


def _ground(place: Rectangle) -> tuple[ImVec2, ImVec2]:
    """Draw what is seen where a picture has not come yet; return its corners."""
    corner, end = _corners(place)
    imgui.get_window_draw_list().add_rect_filled(corner, end, theme.packed(theme.TRACK), px(3))
    return corner, end


def _mark_own(board: Board, scene: Scene, grid: _Grid) -> None:
    """Mark where the scene's own values lie between those of the pictures: a line along an axis, a ring on a plane."""
    canvas, colour = imgui.get_window_draw_list(), theme.packed(theme.ACCENT)
    if board.kind == "along" and board.across is not None:
        at = own_place(board.across, scene, grid.in_a_row * grid.rows)
        if at is not None:
            x, y, wide, high = grid.place(math.floor(at))
            middle = x + wide + px(_GAP) / 2
            canvas.add_line(ImVec2(middle, y), ImVec2(middle, y + high), colour, px(3))
            drawn.note(Drawn("remark", "own", (middle, y, px(3), high)))
    if board.kind == "plane" and board.across is not None and board.up is not None:
        along, up = own_place(board.across, scene, grid.in_a_row), own_place(board.up, scene, grid.rows)
        if along is not None and up is not None:
            x = grid.left + along * (grid.wide + px(_GAP)) + grid.wide / 2
            y = grid.top + (grid.rows - 1 - up) * (grid.high + px(_LABEL)) + grid.high / 2
            canvas.add_circle(ImVec2(x, y), px(6), theme.packed(theme.GROUND), thickness=px(5))
            canvas.add_circle(ImVec2(x, y), px(6), colour, thickness=px(2.5))
            drawn.note(Drawn("remark", "own", (x - px(6), y - px(6), px(12), px(12))))


def _tell_marked(count: int, right: float, y: float) -> None:
    """Say at the right end of the foot how many are marked, on whichever board they stand, and what takes them."""
    if count:
        text = "1 marked, for More like this" if count == 1 else f"{count} marked, for Mix"
        drawn.note(Drawn("remark", "marked", words=text))
        at = ImVec2(right - imgui.calc_text_size(text).x, y)
        imgui.get_window_draw_list().add_text(at, theme.packed(theme.WARM), text)


def _foot(pictures: Pictures, left: int, at: ImVec2) -> None:
    """Say what is under way, and else what a click does."""
    if pictures.measured is not None:
        text = f"comparing lands  {pictures.measured:.0%}"
    elif left:
        text = f"drawing, {left} to come"
    else:
        text = "Click takes it   ·   rest on it to see it large   ·   Shift+click keeps it   ·   Ctrl+click marks"
    drawn.note(Drawn("remark", "board", words=text))
    imgui.get_window_draw_list().add_text(at, theme.packed(theme.DIM), text)
