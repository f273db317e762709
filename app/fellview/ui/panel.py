"""The panel: a section for each parameter group, a row for each declaration, and the bar pinned on top.

It holds no scene: a scene comes in, and `Outcome` carries the scene that the person made of it. What it does hold is
the one active widget, which sections are open, what is sought, and how wide the panel is.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

from imgui_bundle import ImVec2, imgui

from fellview.core import wording
from fellview.core.errors import one_line
from fellview.core.parameters import Value
from fellview.draw.overlay import marks
from fellview.scene.scene import Scene
from fellview.ui import drawn, overlays, rows, theme, values, widgets, windows
from fellview.ui.actions import BY_ID, shortcut
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.drawn import Drawn
from fellview.ui.panel_edge import Edge
from fellview.ui.sections import Sections
from fellview.ui.shelf import ShelfView
from fellview.ui.status import Outcome, Status
from fellview.ui.view_strip import ViewStrip
from fellview.ui.widgets import Track, px
from fellview.ui.windows import Rectangle

_TITLE = "Fellview"
_OWN = (64.0, 36.0)  # of an own preset's thumbnail in the list of scenes
_SEEDS = 1_000_000  # a dice throw that a person can read out to another

OverLand = Callable[[ActiveWidget, Scene, Rectangle], None]
"""Draws in the land's part of the window, given the active widget and the scene as it was loaded."""


_MAP_SHARE, _LEAST_MAP, _MOST_MAP = 0.4, 320.0, 0.6  # of the land's width, what a map beside it takes; pixels at least


class Panel:
    """The panel on the left; `draw` is called between the host's `new_frame` and `end_frame`.

    `width` is what the person once left its edge at, in unscaled pixels.
    """

    def __init__(self, width: float | None = None) -> None:
        self.active = ActiveWidget()
        self._view_strip = ViewStrip()
        self._edge = Edge(width)
        self.sections = Sections(self.active)
        self.shelf = ShelfView()
        self._sought = ""
        self.scene_rect: Rectangle = (0.0, 0.0, 1.0, 1.0)
        self.room: Rectangle = (0.0, 0.0, 1.0, 1.0)
        """The part of the window that is left to the land and the shelf below it."""
        self.map_rect: Rectangle = (0.0, 0.0, 1.0, 1.0)
        """The map's part of the window, where that is shown."""

    def draw(
        self, scene: Scene, home: Scene, status: Status, show_panel: bool = True, over_land: OverLand | None = None
    ) -> Outcome:
        """Draw panel, status line, notices and hints; return what the person did.

        `over_land` draws what stands in the land's place, with the panel's own active widget.

        `home` is the scene as it was loaded, to which the small arrows go back. `scene_rect` is afterwards the part of
        the window (left, top, width, height) that the panel leaves to the landscape.
        """
        active = self.active
        if self._lets_search_go(show_panel):
            self.sections.forget()
        active.begin(scene)
        overlays.status_line(status)
        if show_panel:
            self._panel(home, status)
        else:
            self._edge.let_go()
        beside = self._beside(show_panel)
        stands = self.shelf.height(status.shelf, beside)
        if not self._edge.held:
            self.room = beside
            self.scene_rect, self.map_rect = _parted((*beside[:3], beside[3] - stands), status.map_where)
        if status.shelf is not None and stands:
            self.shelf.draw(
                status.shelf, (beside[0], beside[1] + beside[3] - stands, beside[2], stands), active.outcome
            )
        bare = self._bare(show_panel)
        bare = (*bare[:2], max(bare[2] - px(status.side), 1.0), max(bare[3] - px(status.below), 1.0))
        strip = self._view_strip
        strip.draw(status.views, bare)
        active.outcome.view, active.outcome.view_under = strip.clicked, strip.under
        bare = (*bare[:3], bare[3] - strip.stands)
        if over_land is not None:
            over_land(active, home, bare)
        overlays.edge(status.edge, self.scene_rect)
        left, top, width, height = self.scene_rect
        overlays.measure(status.measure, (left, top, max(width - px(status.side), 1.0), height))
        active.outcome.actions += overlays.work(status, bare)
        if not overlays.works_long(status):  # its bar takes the place
            view = scene.view
            marked = marks.height(view.scale_bar, view.north_arrow, bare[3])
            overlays.hints(status.hints, bare, marked)
        taken = overlays.legend(status.legend, bare)
        overlays.badges(status.badges, bare, taken)
        active.outcome.dismiss, chosen = overlays.notices(
            status.notices, status.saved, overlays.beside_work(status, bare)
        )
        active.outcome.actions += chosen
        return active.finish()

    def place(self, key: str) -> Rectangle:
        """Return where the row of a parameter's `key`, a group's title or "More", or a recent file was drawn last.

        ``find`` is the search field, ``fold`` the button beside it. That is left, top, width, height in window units,
        for whoever drives the window from outside, such as benchmarks and tests. `KeyError` where it never was.
        """
        return self.active.places[key]

    def find(self) -> None:
        """Have the search field take the keyboard."""
        self.sections.find()

    def reveal(self, key: str) -> str:
        """Open the section of a parameter's or a group's `key`, go there and mark it for a moment.

        Returned is a remark where what the parameter depends on is shown in its place.
        """
        return self.sections.reveal(key)

    @property
    def holding(self) -> bool:
        """Return whether a widget or the edge is held, typed into, or something is sought."""
        active = self.active
        return (
            active.gesture is not None
            or active.typing is not None
            or self._edge.held
            or self.sections.searching
            or self.shelf.holding
        )

    def _lets_search_go(self, show_panel: bool) -> bool:
        """Return whether the search ends with this frame: with the panel, or by Esc where nothing else takes it."""
        if not show_panel:
            return True
        popup = imgui.PopupFlags_.any_popup_id | imgui.PopupFlags_.any_popup_level
        others = self.active.gesture is not None or self.active.typing is not None or self._edge.held
        return imgui.is_key_pressed(imgui.Key.escape, False) and not others and not imgui.is_popup_open("", popup)

    @property
    def wake_after(self) -> float | None:
        """Seconds after which a frame is wanted although no event came.

        A click waits for a possible second one, a picture for a pointer that has rested on it.
        """
        second_click = imgui.get_io().mouse_double_click_time + 0.01 if self.active.pending else None
        waits = (second_click, self.sections.wake_after, self._view_strip.wake_after)
        return min((wait for wait in waits if wait is not None), default=None)

    # ---- layout ------------------------------------------------------------------------------------------------

    def _panel(self, home: Scene, status: Status) -> None:
        """Draw the panel and its edge at the window's left."""
        left, top, room, height = _work()
        width = self._edge.width(room)
        imgui.set_next_window_pos(ImVec2(left, top))
        imgui.set_next_window_size(ImVec2(width, height))
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.begin(_TITLE, None, windows.PANE)
        imgui.pop_style_var()
        self._bar(home, status)
        self.sections.draw(home, status.locked)
        imgui.end()
        if self._edge.held:
            self._cover_strip(left + width)
        self.active.outcome.panel_width = self._edge.draw(left, top, height, room)

    def _beside(self, show_panel: bool) -> Rectangle:
        """Return what the panel leaves to the landscape."""
        left, top, room, height = _work()
        taken = self._edge.width(room) if show_panel else 0.0
        return left + taken, top, room - taken, height

    def _bare(self, show_panel: bool) -> Rectangle:
        """Return what is seen of the landscape, over which the panel grows while its edge is dragged."""
        left, top, width, height = self.scene_rect
        covered = max(self._beside(show_panel)[0] - left, 0.0)
        return left + covered, top, width - covered, height

    def _cover_strip(self, right: float) -> None:
        """Cover what lies bare between the panel and the land while the panel's edge is dragged.

        The land gets its new size at the end: to draw it at every width on the way takes longer than a hand waits.
        """
        left, top, _, height = self.scene_rect
        if left > right:
            colour = theme.packed((*theme.GROUND[:3], 1.0))
            canvas = imgui.get_background_draw_list()
            canvas.add_rect_filled(ImVec2(right, top), ImVec2(left, top + height), colour)

    # ---- bar ---------------------------------------------------------------------------------------------------

    def _bar(self, home: Scene, status: Status) -> None:
        active, space = self.active, imgui.get_style().item_spacing.x
        scene, outcome = active.outcome.scene, active.outcome
        square = px(28)
        room = imgui.get_content_region_avail().x
        self._scene_list(scene, home, status, room - 2 * (square + space))
        imgui.same_line()
        for action, icon, possible, what in (
            ("undo", widgets.UNDO, status.can_undo, status.undo_label),
            ("redo", widgets.REDO, status.can_redo, status.redo_label),
        ):
            if widgets.button(f"{icon}##{action}", square, possible):
                outcome.actions.append(action)
            widgets.tip(f"{action.capitalize()} {what}".strip(), BY_ID[action].keys[0])
            if action == "undo":
                imgui.same_line()
        self._seed(scene, room, square)
        words = max(imgui.calc_text_size(text).x for text in ("Before", "Picture", "Export", "Noise lab"))
        in_line = 4 if words + px(6) <= (room - 3 * space) / 4 else 2
        part = (room - (in_line - 1) * space) / in_line
        widgets.button("Before", part)
        outcome.before = imgui.is_item_active()
        widgets.tip("Hold to see the scene as it was loaded.", f"hold {shortcut('before')}")
        imgui.same_line()
        if widgets.button("Picture", part):
            outcome.actions.append("picture")
        widgets.tip("Save a picture that carries its recipe.", shortcut("picture"))
        if in_line == 4:
            imgui.same_line()
        if widgets.button("Export", part):
            outcome.actions.append("export")
        widgets.tip("Save heights, maps of the ground or a mesh for another program.", shortcut("export"))
        imgui.same_line()
        if widgets.button("Noise lab", part, lit=status.lab):
            outcome.actions.append("lab")
        widgets.tip("The noise beside another kind: maps, curves, statistics, slices that move.", shortcut("lab"))
        imgui.dummy(ImVec2(0, px(1)))

    def _scene_list(self, scene: Scene, home: Scene, status: Status, width: float) -> None:
        outcome = self.active.outcome
        changed = scene.changed_since(home)
        imgui.set_next_item_width(width)
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(8), padding))
        corner = imgui.get_cursor_screen_pos()
        self.active.places["scene"] = (corner.x, corner.y, width, imgui.get_frame_height())
        opened = widgets.begin_list("##scene", scene.name + (" •" if changed else ""))
        imgui.pop_style_var()
        if not opened:
            about = scene.sentence or "A landscape to start from."
            widgets.tip(about, "• means that it was changed since it was loaded" if changed else "")
            return
        sought = self._search(status, width)
        for name in status.presets:
            if sought not in (status.titles.get(name) or name).lower():
                continue
            if imgui.selectable(f"{status.titles.get(name) or wording.spoken(name)}##{name}", False)[0]:
                outcome.choose = name
        self._own(status, sought)
        if status.recent:
            imgui.separator_text("Recent")
        for number, path in enumerate(status.recent):
            if imgui.selectable(f"##recent {number}", False)[0]:
                outcome.open = path
            self.active.places[str(path)] = widgets.place()
            widgets.tip(one_line(str(path)))
            imgui.same_line(0, 0)
            imgui.text_unformatted(one_line(path.name))  # by itself: in a label, ## would end it
        if status.left:
            imgui.separator_text("Left by other windows")
        for one in status.left:
            if imgui.selectable(f"{one.title}##{one.path}", False)[0]:
                outcome.open = one.path
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

    def _search(self, status: Status, width: float) -> str:
        """Draw the field that the list of scenes is searched by, where there are own presets; return what is sought."""
        if not status.own:
            return ""
        appears = imgui.is_window_appearing()
        shown = "" if appears else self._sought
        self._sought = widgets.search_field("##sought", shown, "Find a scene", "", width - px(24), appears)
        drawn.note(Drawn("track", "scene search", widgets.place(), self._sought))
        return self._sought.strip().lower()

    def _own(self, status: Status, sought: str) -> None:
        """Draw the own presets in the list of scenes, each with its thumbnail and the cross that takes it away."""
        found = [one for one in status.own if sought in one.variant.name.lower()]
        if not found:
            return
        outcome, (wide, high) = self.active.outcome, (px(_OWN[0]), px(_OWN[1]))
        imgui.separator_text("Own")
        for one in found:
            imgui.push_id(one.variant.id)
            corner, room = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
            if imgui.selectable("##own", False, imgui.SelectableFlags_.allow_overlap, ImVec2(0, high))[0]:
                outcome.own = one.variant.id
            drawn.note(Drawn("entry", f"own {one.variant.name}", widgets.place()))
            canvas, end = imgui.get_window_draw_list(), ImVec2(corner.x + wide, corner.y + high)
            canvas.add_rect_filled(corner, end, theme.packed(theme.TRACK), px(2))
            if one.texture is not None:
                canvas.add_image(imgui.ImTextureRef(one.texture), corner, end)
            middle = corner.y + (high - imgui.get_font_size()) / 2
            canvas.add_text(ImVec2(end.x + px(8), middle), theme.packed(theme.TEXT), one.variant.name)
            imgui.set_cursor_screen_pos(
                ImVec2(corner.x + room - px(28), corner.y + (high - px(theme.ROW_HEIGHT + 2)) / 2)
            )
            if widgets.button(f"×##{one.variant.name}", px(26)):
                outcome.forget = one.variant.id
            widgets.tip("Take it out of the list.")
            imgui.set_cursor_screen_pos(ImVec2(corner.x, corner.y + high + imgui.get_style().item_spacing.y))
            imgui.dummy(ImVec2(0, 0))
            imgui.pop_id()

    def _seed(self, scene: Scene, room: float, square: float) -> None:
        active, space = self.active, imgui.get_style().item_spacing.x
        group, name, declaration = scene.find("noise.seed")
        key, label = f"{group.key}.{name}", "Seed"
        seed = scene.get(key)
        imgui.push_id("seed")
        corner = imgui.get_cursor_screen_pos()
        width = room - px(theme.LABEL_WIDTH) - 3 * (square + space)
        if width >= square:
            rows.label(label, px(theme.LABEL_WIDTH))
        else:  # a narrow panel has no room for the word
            width = max(room - 3 * (square + space), square)
        if widgets.button("−", square):
            active.outcome.actions.append("seed.previous")
        widgets.tip("The seed before.", shortcut("seed.previous"))
        imgui.same_line()

        def moved(pixels: float, _fine: bool) -> Mapping[str, Value]:
            start = active.gesture.start[key] if active.gesture is not None else seed
            return {key: declaration.clamped(int(start) + round(pixels / px(4)))}

        def typed(text: str) -> Mapping[str, Value] | None:
            value = values.typed(declaration, text)
            return None if value is None else {key: value}

        widgets.track(
            active, Track(key, label, (key,), str(seed), str(seed), None, moved, typed), width, px(theme.ROW_HEIGHT + 2)
        )
        widgets.tip(declaration.tip, "drag, or double-click to type")
        imgui.same_line()
        if widgets.button("+", square):
            active.outcome.actions.append("seed.next")
        widgets.tip("The next seed.", shortcut("seed.next"))
        imgui.same_line()
        if widgets.button(widgets.DICE, square):
            active.click({key: secrets.randbelow(_SEEDS)}, label)
        widgets.tip("Any seed.")
        self.sections.mark(key, corner, room, square, scrolls=False)
        imgui.pop_id()


def _parted(room: Rectangle, map_where: str) -> tuple[Rectangle, Rectangle]:
    """Return the parts of `room` for the land and for the map, which stands to its right or in its place."""
    if map_where != "beside":
        return room, room
    left, top, width, height = room
    taken = round(min(max(_MAP_SHARE * width, px(_LEAST_MAP)), _MOST_MAP * width))
    return (left, top, width - taken, height), (left + width - taken, top, taken, height)


def _work() -> Rectangle:
    """Return the window without its status line; windows of 2×2 have nothing left."""
    view = imgui.get_main_viewport()
    return view.work_pos.x, view.work_pos.y, max(view.work_size.x, 1), max(view.work_size.y, 1)
