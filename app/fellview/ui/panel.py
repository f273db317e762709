"""The panel: a section for each parameter group, a row for each declaration, and the bar pinned on top.

It holds no scene: a scene comes in, and `Outcome` carries the scene that the person made of it. What it does hold is
the one widget under the finger, and which sections are open.
"""

from __future__ import annotations

import dataclasses
import math
import secrets
from collections.abc import Callable, Mapping

from imgui_bundle import ImVec2, imgui

from fellview.core import written
from fellview.core.parameters import Group, Value
from fellview.draw import marks
from fellview.io import heights
from fellview.scene.scene import Scene
from fellview.ui import landforms, overlays, rows, theme, values, widgets
from fellview.ui.hand import Hand
from fellview.ui.overlays import Rectangle
from fellview.ui.status import Outcome, Status
from fellview.ui.sun_pad import sun_pad
from fellview.ui.widgets import Track, px

_TITLE = "Fellview"
# the rest fits 720 pixels without scrolling
_CLOSED_AT_FIRST = (
    *("imported", "curve", "terrace", "edge", "rock", "crags", "scree", "smooth"),
    *("ground", "sky", "air", "view", "camera", "grid"),
)
_ELSEWHERE = {"noise": ("seed",)}  # parameters with a place of their own in the bar
_ON_PAD = ("azimuth", "elevation", "ambient")  # rows beside the sun's pad
_SEEDS = 1_000_000  # a dice throw that a person can read out to another
_SWITCH = "enabled"  # the parameter that stands in a section's header as a box to tick
_SHORT_A_LINE = 3  # titles of closed sections with a switch, side by side
_OFF_VEIL = 0.6  # of the panel's own colour over the rows of what is switched off
_LARGEST_SHARE = 0.45  # of the window's width


OverLand = Callable[[Hand, Scene, Rectangle], None]
"""Draws in the land's part of the window, given the hand and the scene as it was loaded."""


class Panel:
    """The panel docked on the left; `draw` is called between the host's `new_frame` and `end_frame`."""

    def __init__(self) -> None:
        self._hand = Hand()
        self._open: dict[str, bool] = {}
        self._landform = ""  # the slot whose rows are shown; none at first, or they would push all else out of sight
        self._width = 0.0
        self.scene_rect: Rectangle = (0.0, 0.0, 1.0, 1.0)

    def draw(
        self, scene: Scene, home: Scene, status: Status, show_panel: bool = True, over_land: OverLand | None = None
    ) -> Outcome:
        """Draw panel, status line, notices and hints; return what the person did.

        `over_land` draws what stands in the land's place, with the panel's own hand.

        `home` is the scene as it was loaded, to which the small arrows go back. `scene_rect` is afterwards the part of
        the window (left, top, width, height) that the panel leaves to the landscape.
        """
        hand = self._hand
        hand.begin(scene)
        overlays.status_line(status)
        self._lay_out(show_panel)
        if show_panel:
            flags = imgui.WindowFlags_.no_collapse | imgui.WindowFlags_.no_scrollbar
            flags |= imgui.WindowFlags_.no_scroll_with_mouse
            imgui.begin(_TITLE, None, flags)
            self._bar(home, status)
            self._sections(home)
            imgui.end()
        if over_land is not None:
            over_land(hand, home, self.scene_rect)
        overlays.measure(status.measure, self.scene_rect)
        hand.outcome.actions += overlays.work(status, self.scene_rect)
        if not overlays.works_long(status):  # its bar takes the place
            view = scene.view
            marked = marks.height(view.scale_bar, view.north_arrow, self.scene_rect[3])
            overlays.hints(status.hints, self.scene_rect, marked)
        taken = overlays.legend(status.legend, self.scene_rect)
        overlays.badges(status.badges, self.scene_rect, taken)
        hand.outcome.dismiss = overlays.notices(status.notices, self.scene_rect)
        return hand.finish()

    def place(self, key: str) -> Rectangle:
        """Return where the row of a parameter's `key`, a group's title, or its "More" (``noise more``) was drawn last.

        That is left, top, width, height of the slider or button, in window units. For whoever drives the window from
        outside, such as benchmarks and tests. `KeyError` where it never was.
        """
        return self._hand.places[key]

    @property
    def holding(self) -> bool:
        """Tell whether a widget is held or typed into."""
        return self._hand.gesture is not None or self._hand.typing is not None

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted although no event came: a click waits for a possible second one."""
        return imgui.get_io().mouse_double_click_time + 0.01 if self._hand.pending else None

    # ---- layout ------------------------------------------------------------------------------------------------

    def _lay_out(self, show_panel: bool) -> None:
        """Dock the panel on the left; the middle stays open to the landscape."""
        flags = imgui.DockNodeFlags_.passthru_central_node | imgui.DockNodeFlags_.no_docking_over_central_node
        space = imgui.get_id("fellview")
        internal, view = imgui.internal, imgui.get_main_viewport()
        size = imgui.ImVec2(max(view.work_size.x, 1), max(view.work_size.y, 1))  # windows of 2×2 have none left
        width = min(px(theme.PANEL_WIDTH), _LARGEST_SHARE * size.x)
        if internal.dock_builder_get_node(space) is None or width != self._width:  # a hand's own width stays till then
            self._width = width
            internal.dock_builder_remove_node(space)
            internal.dock_builder_add_node(space, internal.DockNodeFlagsPrivate_.dock_space)
            internal.dock_builder_set_node_size(space, size)
            split = internal.dock_builder_split_node(space, imgui.Dir.left, width / size.x)
            node = internal.dock_builder_get_node(split.id_at_dir)
            node.set_local_flags(internal.DockNodeFlagsPrivate_.no_tab_bar)
            internal.dock_builder_dock_window(_TITLE, split.id_at_dir)
            internal.dock_builder_finish(space)
        imgui.dock_space_over_viewport(space, view, flags)
        centre = internal.dock_builder_get_central_node(space)
        if centre is not None and show_panel:
            self.scene_rect = (centre.pos.x, centre.pos.y, centre.size.x, centre.size.y)
        else:
            self.scene_rect = (view.work_pos.x, view.work_pos.y, view.work_size.x, view.work_size.y)

    # ---- bar ---------------------------------------------------------------------------------------------------

    def _bar(self, home: Scene, status: Status) -> None:
        hand, space = self._hand, imgui.get_style().item_spacing.x
        scene, outcome = hand.outcome.scene, hand.outcome
        square = px(28)
        room = imgui.get_content_region_avail().x
        self._scene_list(scene, home, status, room - 2 * (square + space))
        imgui.same_line()
        for action, icon, possible, what, keys in (
            ("undo", widgets.UNDO, status.can_undo, status.undo_label, "Ctrl+Z"),
            ("redo", widgets.REDO, status.can_redo, status.redo_label, "Ctrl+Shift+Z"),
        ):
            if widgets.button(f"{icon}##{action}", square, possible):
                outcome.actions.append(action)
            widgets.tip(f"{action.capitalize()} {what}".strip(), keys)
            if action == "undo":
                imgui.same_line()
        self._seed(scene, room, square)
        words = max(imgui.calc_text_size(text).x for text in ("Before", "Picture", "Export", "Noise lab"))
        in_line = 4 if words + px(6) <= (room - 3 * space) / 4 else 2
        part = (room - (in_line - 1) * space) / in_line
        widgets.button("Before", part)
        outcome.before = imgui.is_item_active()
        widgets.tip("Hold to see the scene as it was loaded.", "hold \\")
        imgui.same_line()
        if widgets.button("Picture", part):
            outcome.actions.append("picture")
        widgets.tip("Save a picture that carries its recipe.", "F12 or P")
        if in_line == 4:
            imgui.same_line()
        if widgets.button("Export", part):
            outcome.actions.append("export")
        widgets.tip("Save the heights for another program.", f"{_formats()}; Ctrl+E")
        imgui.same_line()
        if widgets.button("Noise lab", part, lit=status.lab):
            outcome.actions.append("lab")
        widgets.tip("The noise beside another kind: maps, curves, statistics, slices that move.", "N")
        imgui.dummy(ImVec2(0, px(1)))

    def _scene_list(self, scene: Scene, home: Scene, status: Status, width: float) -> None:
        outcome = self._hand.outcome
        changed = scene.changed_since(home)
        imgui.set_next_item_width(width)
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        opened = widgets.begin_list("##scene", scene.name + (" •" if changed else ""))
        imgui.pop_style_var()
        if not opened:
            about = scene.sentence or "A landscape to start from."
            widgets.tip(about, "• means that it was changed since it was loaded" if changed else "")
            return
        for name in status.presets:
            if imgui.selectable(f"{status.titles.get(name) or widgets.spoken(name)}##{name}", False)[0]:
                outcome.choose = name
        if status.recent:
            imgui.separator_text("Recent")
        for path in status.recent:
            if imgui.selectable(f"{path.name}##{path}", False)[0]:
                outcome.open = path
            widgets.tip(str(path))
        imgui.separator()
        for action, text, possible in (
            ("scene.reset", "Back to as loaded", changed),
            ("open", "Open…", True),
            ("save", "Save…", True),
        ):
            flags = imgui.SelectableFlags_.none if possible else imgui.SelectableFlags_.disabled
            if imgui.selectable(text, False, flags)[0]:
                outcome.actions.append(action)
        widgets.end_list()

    def _seed(self, scene: Scene, room: float, square: float) -> None:
        hand, space = self._hand, imgui.get_style().item_spacing.x
        group, name, declaration = scene.find("noise.seed")
        key, label = f"{group.key}.{name}", "Seed"
        seed = scene.get(key)
        imgui.push_id("seed")
        width = room - px(theme.LABEL_WIDTH) - 3 * (square + space)
        if width >= square:
            rows.label(label, px(theme.LABEL_WIDTH))
        else:  # a narrow panel has no room for the word
            width = max(room - 3 * (square + space), square)
        if widgets.button("−", square):
            hand.outcome.actions.append("seed.previous")
        widgets.tip("The seed before.", "Shift+R")
        imgui.same_line()

        def moved(pixels: float, _fine: bool) -> Mapping[str, Value]:
            start = hand.gesture.start[key] if hand.gesture is not None else seed
            return {key: declaration.clamped(int(start) + round(pixels / px(4)))}

        def typed(text: str) -> Mapping[str, Value] | None:
            value = values.typed(declaration, text)
            return None if value is None else {key: value}

        widgets.track(
            hand, Track(key, label, (key,), str(seed), str(seed), None, moved, typed), width, px(theme.ROW_HEIGHT + 2)
        )
        widgets.tip(declaration.tip, "drag, or double-click to type")
        imgui.same_line()
        if widgets.button("+", square):
            hand.outcome.actions.append("seed.next")
        widgets.tip("The next seed.", "R")
        imgui.same_line()
        if widgets.button(widgets.DICE, square):
            hand.click({key: secrets.randbelow(_SEEDS)}, label)
        widgets.tip("Any seed.")
        imgui.pop_id()

    # ---- sections ----------------------------------------------------------------------------------------------

    def _sections(self, home: Scene) -> None:
        style = imgui.get_style()
        room = imgui.get_content_region_avail()
        # the scroll bar stands in the window's own padding, so that rows keep their width when it comes and goes
        imgui.begin_child("sections", ImVec2(room.x + style.window_padding.x, 0))
        homes = home.groups()
        groups = [group for key, group in self._hand.outcome.scene.groups().items() if key not in landforms.KEYS[1:]]
        groups = [landforms.SECTION if group.key == landforms.KEYS[0] else group for group in groups]
        homes[landforms.SECTION.key] = landforms.SECTION
        short = [self._is_short(group, homes[group.key]) for group in groups]
        column = 0  # in a line of titles side by side
        for index, group in enumerate(groups):
            alone = not short[index] or not any(short[max(index - 1, 0) : index] + short[index + 1 : index + 2])
            column = 0 if alone or column == _SHORT_A_LINE else column
            if column:
                imgui.same_line(0, 0)
            else:
                self._rule(room.x)
            imgui.push_id(group.key)
            if self._header(group, homes[group.key], room.x, alone):
                top = imgui.get_cursor_screen_pos()
                if group is landforms.SECTION:
                    self._landforms(homes, room.x)
                else:
                    self._rows(group, homes[group.key], room.x)
                if not getattr(group, _SWITCH, True):
                    low = ImVec2(top.x + room.x, imgui.get_cursor_screen_pos().y)
                    imgui.get_window_draw_list().add_rect_filled(top, low, theme.packed(theme.GROUND, _OFF_VEIL))
                imgui.dummy(ImVec2(0, px(2)))
            imgui.pop_id()
            column += not alone
        imgui.end_child()

    def _rule(self, width: float) -> None:
        corner = imgui.get_cursor_screen_pos()
        end = ImVec2(corner.x + width, corner.y)
        imgui.get_window_draw_list().add_line(corner, end, theme.packed(theme.LINE), px(1))

    def _landforms(self, homes: Mapping[str, Group], room: float) -> None:
        """Draw the list of all landform slots and the rows of the one that is chosen; empty slots take no room."""
        self._landform = landforms.draw(self._hand, self._landform, room)
        if self._landform:
            imgui.push_id(self._landform)
            self._rows(self._hand.outcome.scene.groups()[self._landform], homes[self._landform], room)
            imgui.pop_id()

    def _is_short(self, group: Group, home: Group) -> bool:
        """Tell whether a section is closed and as it was loaded, and has a switch: title and box are all there is."""
        if group is landforms.SECTION:
            return not landforms.used(self._hand.outcome.scene) and not self._is_open(group)
        return _SWITCH in group.declarations() and not self._is_open(group) and group == home

    def _is_open(self, group: Group) -> bool:
        closed = group.key in _CLOSED_AT_FIRST
        if group is landforms.SECTION:
            closed = not landforms.used(self._hand.outcome.scene)
        return self._open.setdefault(group.key, not closed)

    def _header(self, group: Group, home: Group, room: float, alone: bool) -> bool:
        """Draw a section's title, `alone` in its line or beside others; tell whether the section is open."""
        opened = self._is_open(group)
        corner, height = imgui.get_cursor_screen_pos(), px(22)
        canvas = imgui.get_window_draw_list()
        differs = group != home
        has_switch = _SWITCH in group.declarations()
        on = not has_switch or bool(getattr(group, _SWITCH))
        reset = px(theme.RESET_WIDTH)
        if alone:  # boxes stand in one column, and stay put when an arrow comes
            width = room - (reset * (1 + has_switch) if has_switch or differs else 0.0)
        else:
            width = (room - reset) / _SHORT_A_LINE - reset
        if imgui.invisible_button("##header", ImVec2(width, height)):
            self._open[group.key] = opened = not opened
        self._hand.places[group.key] = widgets.place()
        hovered = imgui.is_item_hovered()
        text = theme.packed(theme.TEXT if hovered or (opened and on) else theme.DIM)
        size = imgui.calc_text_size(group.title)
        middle = corner.y + height / 2
        widgets.arrow(canvas, corner.x + px(5), middle, opened)
        canvas.add_text(ImVec2(corner.x + px(15), middle - size.y / 2), text, group.title)
        if has_switch:
            imgui.same_line(0, 0)
            if widgets.tick(group.key, on, reset, height):
                self._hand.click({f"{group.key}.{_SWITCH}": not on}, f"{group.title}: {'off' if on else 'on'}")
                self._open[group.key] = opened = opened or not on
            widgets.tip(group.declaration(_SWITCH).tip, f"{'on' if on else 'off'}; a click switches it")
        if differs:
            imgui.same_line(0, 0)
            if widgets.reset_arrow(reset):
                changes = {f"{group.key}.{name}": value for name, value in home.values().items()}
                self._hand.click(changes, f"{group.title}: as loaded")
            widgets.tip(f"Put all of {group.title.lower()} back as it was loaded.")
        return opened

    def _rows(self, group: Group, home: Group, room: float) -> None:
        hand = self._hand
        where = rows.Row(group, home, room, px(theme.LABEL_WIDTH), self._notes(hand.outcome.scene))
        names = [name for name in group.declarations() if name not in (_SWITCH, *_ELSEWHERE.get(group.key, ()))]
        if group.key == "sun":
            diameter = px(theme.PAD_DIAMETER)
            scene = hand.outcome.scene
            corner = imgui.get_cursor_pos()
            sun_pad(hand, scene.sun.azimuth, scene.sun.elevation, diameter)
            widgets.tip("Drag the sun: its direction seen from above, and its elevation, overhead in the middle.")
            below = imgui.get_cursor_pos_y()
            indent = diameter + px(10)
            space = imgui.get_style().item_spacing.y
            height = len(_ON_PAD) * (px(theme.ROW_HEIGHT) + space) - space
            imgui.set_cursor_pos(ImVec2(corner.x, corner.y + (diameter - height) / 2))
            beside = dataclasses.replace(where, room=room - indent, label_width=px(62))
            for name in _ON_PAD:
                imgui.set_cursor_pos_x(corner.x + indent)
                rows.draw(hand, beside, name)
            imgui.set_cursor_pos(ImVec2(corner.x, below))
            names = [name for name in names if name not in _ON_PAD]
        if group.key == "grid":
            self._detail(home, room, where.label_width)
        for name in rows.shown(group, names, more=False):
            rows.draw(hand, where, name)
        behind = rows.shown(group, names, more=True)
        if behind:
            changed = any(getattr(group, name) != getattr(home, name) for name in behind)
            key = f"{group.key} more"
            tip = ", ".join(group.declaration(name).label.lower() for name in behind).capitalize() + "."
            self._open[key] = rows.more(self._open.get(key, False), changed, room, tip)
            hand.places[key] = widgets.place()
            for name in behind if self._open[key] else ():
                rows.draw(hand, where, name)

    def _notes(self, scene: Scene) -> dict[str, str]:
        """Return what stands at sliders' right ends: what their numbers mean on this land."""
        width = scene.grid.size_x / scene.noise.frequency
        return {"noise.frequency": f"hills {written.with_unit(float(f'{width:.3g}'), 'm')} wide"}

    def _detail(self, home: Group, room: float, label_width: float) -> None:
        """Draw the row that sets rows and columns together, in their present proportion."""
        hand = self._hand
        grid = hand.outcome.scene.grid
        keys = ("grid.rows", "grid.columns")
        label = "Grid: detail"
        width = room - label_width - px(theme.RESET_WIDTH)
        largest = "rows" if grid.rows >= grid.columns else "columns"
        declaration = grid.declaration(largest)

        def both(cells: float) -> Mapping[str, Value]:
            start = hand.gesture.start if hand.gesture is not None else {}
            rows, columns = (int(start.get(key, hand.outcome.scene.get(key))) for key in keys)
            share = cells / max(rows, columns)
            return {
                "grid.rows": grid.declaration("rows").clamped(rows * share),
                "grid.columns": grid.declaration("columns").clamped(columns * share),
            }

        def moved(position: float, fine: bool) -> Mapping[str, Value]:
            cells = float(values.from_fraction(declaration, position, fine))
            return both(cells if fine else _round_size(cells))

        def typed(text: str) -> Mapping[str, Value] | None:
            cells = values.typed(declaration, text)
            return None if cells is None else both(float(cells))

        imgui.push_id("detail")
        imgui.begin_group()
        rows.label("Detail", label_width)
        text = f"{grid.rows:,} × {grid.columns:,}"
        note = f"{grid.cell_size[1]:.3g} m a cell"
        cells = max(grid.rows, grid.columns)
        fraction = values.to_fraction(declaration, cells)
        widgets.track(hand, Track("grid.detail", label, keys, text, str(cells), fraction, moved, typed, note), width)
        imgui.end_group()
        widgets.tip(
            "How finely the land is sampled, along both sides at once. Low is coarse and quick, high is fine and slow.",
            rows.range_in_words(declaration),
        )
        was = {key: getattr(home, key.partition(".")[2]) for key in keys}
        if any(hand.outcome.scene.get(key) != value for key, value in was.items()):
            imgui.same_line(0, 0)
            if widgets.reset_arrow(px(theme.RESET_WIDTH)):
                hand.click(was, label)
            widgets.tip(f"Back to {was[keys[0]]:,} × {was[keys[1]]:,}.")
        imgui.pop_id()


def _formats() -> str:
    """Return what heights are written as, in words: ``NPY, PNG or R16``."""
    *others, last = (suffix.removeprefix(".").upper() for suffix in heights.SUFFIXES)
    return f"{', '.join(others)} or {last}"


def _round_size(cells: float) -> int:
    """Return the power of two, or three quarters of one, that is nearest by ratio: sizes that people ask for."""
    exponent = math.floor(math.log2(max(cells, 2)))
    near = [2**exponent, 3 * 2 ** (exponent - 1), 2 ** (exponent + 1)]
    return min(near, key=lambda size: abs(math.log(size / cells)))
