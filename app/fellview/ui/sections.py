"""The panel's sections: a line for each group of parameters, its rows below where it is open, and a search over all.

A section keeps its line whatever is opened or switched, so that nothing above it moves. While something is sought, the
rows that match stand open and sections without any are left out.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence

from imgui_bundle import ImVec2, imgui

from fellview.core import number_format, wording
from fellview.core.parameters import Group, Value
from fellview.scene.locks import Locks
from fellview.scene.scene import Scene
from fellview.terrain.steps import erosion
from fellview.ui import drawn, landforms, rows, search, theme, values, widgets
from fellview.ui.actions import shortcut
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.drawn import Drawn
from fellview.ui.sun_pad import sun_pad
from fellview.ui.widgets import Track, px

_OPEN_AT_FIRST = ("noise", "perturb", "erosion", "sun", "water")
_MAIN = {
    "noise": ("kind", "frequency", "amplitude", "octaves", "gain"),
    "perturb": ("mode", "distance", "reach"),
    "erosion": erosion.MAIN,
}
"""Rows of long sections that show at once, the rest behind "More": 720 pixels have to do down to the sun."""

_ELSEWHERE = {"noise": ("seed",)}  # parameters with a place of their own in the bar
_ON_PAD = ("azimuth", "elevation", "ambient")  # rows beside the sun's pad
_SWITCH = "enabled"  # the parameter that stands before a section's title as a box to tick
_RANDOMISE, _AMOUNT, _LEAST_SEARCH = 82.0, 46.0, 90.0  # widths in the line of the search field
_ARROW, _BOX, _MORE, _LOCK = 16.0, 20.0, 52.0, 16.0  # widths of a title's parts
_GAP = 2.0  # between rows
_MARKED_S, _MARK_FADES_S, _MARK_TICK_S = 2.4, 0.8, 1 / 15  # how long what is revealed is marked
_MARK_AT = 0.4  # of what is seen of the sections: how far down it stands then
_MOST_NAMED = 5  # parameters without effect that a search names


class Sections:
    """Draws all sections with the panel's `active`; holds which are open, and what is sought."""

    def __init__(self, active: ActiveWidget) -> None:
        self.open: dict[str, bool] = {}
        """By a group's key whether it is open, and by ``<key> more`` whether its rarer rows show."""
        self.active = active
        self.amount = 0.3
        """How far randomising goes, from a nudge (0) to anything (1)."""
        self._locked: Locks = frozenset()
        self._landform = ""  # the slot whose rows are shown; none at first, or they would push all else out of sight
        self._text = ""
        self._sought: tuple[str, ...] = ()  # in the last frame
        self._focus = False
        self._scroll_before = 0.0  # where the sections stood when the search began
        self._height = 0.0  # of what is seen of the sections, in the last frame
        self._stays: tuple[str, float] | None = None  # the title by which all were opened, and its place
        self._revealed = ""  # the key of a parameter or a section that is marked
        self._revealed_at, self._goes_there = 0.0, False  # since when, and whether it is still to be scrolled to
        self._land = ""  # the imported file that the land came from, in the last frame

    @property
    def searching(self) -> bool:
        """Return whether sections are left out because something is sought."""
        return bool(search.words(self._text))

    def find(self) -> None:
        """Have the search field take the keyboard from the next frame on."""
        self._focus = True

    def forget(self) -> None:
        """Seek nothing any more."""
        self._text = ""

    def reveal(self, key: str) -> str:
        """Open the section of a parameter's or a group's `key`, go there in the next frame and mark it for a moment.

        Returned is a remark where what the parameter depends on is shown in its place.
        """
        self.forget()
        group_key, _, name = key.partition(".")
        group = self._scene.groups().get(group_key, landforms.SECTION)
        asked, remark = name, ""
        while name and not group.shows(name):  # what it depends on may depend on another
            name, accepted = next(
                (other, accepted)
                for other, accepted in group.declaration(name).only.items()
                if getattr(group, other) not in accepted
            )
            remark = _what_it_needs(group, asked, name, accepted)
        is_landform = group_key in landforms.KEYS
        self.open[landforms.SECTION.key if is_landform else group_key] = True
        if is_landform:
            self._landform = group_key
        if name in self._parted(group)[1]:
            self.open[f"{group_key} more"] = True
        self._revealed = f"{group_key}.{name}" if name not in ("", _SWITCH) else group_key
        self._revealed_at, self._goes_there = imgui.get_time(), True
        return remark

    @property
    def wake_after(self) -> float | None:
        """Seconds after which the fading mark wants a frame."""
        if self._revealed and imgui.get_time() - self._revealed_at > _MARKED_S:
            self._revealed = ""
        return _MARK_TICK_S if self._revealed else None

    def mark(self, key: str, corner: ImVec2, width: float, height: float, scrolls: bool = True) -> None:
        """Mark what was drawn from `corner` on where it is revealed; at first go there, where the window `scrolls`."""
        if key != self._revealed:
            return
        if self._goes_there and scrolls:
            imgui.set_scroll_from_pos_y(corner.y - imgui.get_window_pos().y, _MARK_AT)
        self._goes_there = False
        left = max(_MARKED_S - (imgui.get_time() - self._revealed_at), 0.0)
        strength = min(left / _MARK_FADES_S, 1.0)
        first, last = ImVec2(corner.x + px(1), corner.y - px(1)), ImVec2(corner.x + width, corner.y + height + px(1))
        canvas = imgui.get_window_draw_list()
        canvas.add_rect_filled(first, last, theme.packed(theme.WARM, 0.16 * strength), px(4))
        canvas.add_rect(first, last, theme.packed(theme.WARM, strength), px(4), thickness=px(1.4))

    def draw(self, home: Scene, locked: Locks = frozenset()) -> None:
        """Draw the search field, and the sections from there to the window's end; `locked` is what has a padlock."""
        self._locked = locked
        style = imgui.get_style()
        self._make_room_for_import()
        homes: dict[str, Group] = {**home.groups(), landforms.SECTION.key: landforms.SECTION}
        groups = [group for key, group in self._scene.groups().items() if key not in landforms.KEYS[1:]]
        groups = [landforms.SECTION if group.key == landforms.KEYS[0] else group for group in groups]
        room = imgui.get_content_region_avail().x
        folded = self._head(groups, room)
        before, sought = self._sought, search.words(self._text)
        self._sought = sought
        imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(style.item_spacing.x, px(_GAP)))
        # the scroll bar stands in the window's own padding, so that rows keep their width when it comes and goes
        imgui.begin_child("sections", ImVec2(room + style.window_padding.x, 0))
        scroll, height = imgui.get_scroll_y(), imgui.get_window_height()
        if sought != before:
            self._scroll_before = self._scroll_before if before else scroll
            imgui.set_scroll_y(0.0 if sought else self._scroll_before)
        elif folded:
            imgui.set_scroll_y(0.0)
        if sought:
            self._found(groups, homes, sought, room)
        else:
            for group in groups:
                imgui.push_id(group.key)
                main, behind = self._parted(group) if self._is_open(group) else ([], [])
                if self._title(group, homes[group.key], room, groups, behind):
                    if group is landforms.SECTION:
                        self._landforms(homes, room)
                    else:
                        shown = main + (behind if self.open.get(f"{group.key} more") else [])
                        self._draw(group, homes[group.key], shown, room)
                    imgui.dummy(ImVec2(1, px(_GAP)))
                imgui.pop_id()
            # or rows that are closed at the foot would have all the rest come down from under the pointer
            foot = scroll + min(height, self._height)
            imgui.dummy(ImVec2(1, max(foot - imgui.get_cursor_pos_y(), 0)))
        self._height = height
        imgui.end_child()
        imgui.pop_style_var()

    @property
    def _scene(self) -> Scene:
        return self.active.outcome.scene

    def _make_room_for_import(self) -> None:
        """Close sections of what is off where the land has come from another file: an import switches much off."""
        imported = self._scene.imported
        land = imported.path if imported.enabled else ""
        if land and land != self._land:
            off = [key for key, group in self._scene.groups().items() if not getattr(group, _SWITCH, True)]
            self.open |= dict.fromkeys(off, False)
        self._land = land

    # ---- search ------------------------------------------------------------------------------------------------

    def _head(self, groups: Sequence[Group], room: float) -> bool:
        """Draw the search field, and beside it the button that closes or opens all; return whether it was pressed.

        While something is sought, the button ends that.
        """
        square, space = px(28), imgui.get_style().item_spacing.x
        width = room - square - space
        chance = px(_RANDOMISE + _AMOUNT) + 2 * space
        has_room = width - chance > px(_LEAST_SEARCH)
        if has_room:
            width -= chance
        self._text = widgets.search_field(
            "##find", self._text, "Find a parameter", shortcut("find"), width, self._focus
        )
        self.active.places["find"] = widgets.place()
        self._focus = False
        widgets.tip("Words of a name, a section or a description.", f"{shortcut('find')}; Esc shows all again")
        if has_room:
            self._chance()
        imgui.same_line()
        if self._text:
            if widgets.button("×##forget", square):
                self.forget()
            widgets.tip("Show all again.", "Esc")
            return False
        opened = any(self._is_open(group) for group in groups)
        pressed = widgets.fold_button("##all", square, opened)
        self.active.places["fold"] = widgets.place()
        if pressed:
            self._set_all(groups, not opened)
        widgets.tip(f"{'Close' if opened else 'Open'} all sections.", "or Ctrl+click on a title")
        return pressed

    def _chance(self) -> None:
        """Draw the button that randomises the scene, and by how much it does."""
        imgui.same_line()
        if widgets.button("Randomise", px(_RANDOMISE)):
            self.active.outcome.actions.append("randomise")
        widgets.tip("Draw all numbers anew that have no padlock, each near to where it is.", shortcut("randomise"))
        imgui.same_line()
        imgui.set_next_item_width(px(_AMOUNT))
        padding = (px(theme.ROW_HEIGHT + 2) - imgui.get_font_size()) / 2
        imgui.push_style_var(imgui.StyleVar_.frame_padding, ImVec2(px(6), padding))
        _, percent = imgui.drag_int("##amount", round(100 * self.amount), 1.0, 0, 100, "%d %%")
        imgui.pop_style_var()
        self.amount = min(max(percent / 100, 0.0), 1.0)
        widgets.tip("How far randomising goes: from a nudge at 0 % to anything at 100 %.", "drag")

    def _found(self, groups: Sequence[Group], homes: Mapping[str, Group], sought: Sequence[str], room: float) -> None:
        """Draw the rows that match, below their sections' titles; where there are none, say so."""
        any_found = False
        for group in groups:
            imgui.push_id(group.key)
            if group is landforms.SECTION:
                any_found |= self._found_landforms(homes, sought, room)
            elif names := search.found(group, self._names(group), sought):
                any_found = True
                self._title(group, homes[group.key], room)
                self._draw(group, homes[group.key], names, room)
                imgui.dummy(ImVec2(1, px(_GAP)))
            imgui.pop_id()
        if search.found(self._scene.noise, ("seed",), sought):
            _say("The seed stands above.", room)
        elif not any_found:
            _say(f"Nothing in use matches “{self._text.strip()}”.", room)
            self._name_unused(groups, sought, room)

    def _found_landforms(self, homes: Mapping[str, Group], sought: Sequence[str], room: float) -> bool:
        """Draw the landforms that match, or what may be added; return whether there is anything."""
        slots = landforms.slots(self._scene)
        matches = {key: search.found(slots[key], self._names(slots[key]), sought) for key in slots}
        found = [place for place in enumerate(landforms.used(self._scene), 1) if matches[place[1]]]
        all_meant = search.means_landforms(sought)
        if not found and not all_meant:
            return False
        self._title(landforms.SECTION, landforms.SECTION, room)
        if all_meant:
            self._landform = landforms.draw(self.active, self._landform, room)
        for place, key in found:
            imgui.push_id(f"found {key}")
            _say(f"{place}  {wording.spoken(slots[key].kind)}", room)
            self._draw(slots[key], homes[key], matches[key], room)
            imgui.pop_id()
        imgui.dummy(ImVec2(1, px(_GAP)))
        return True

    def _name_unused(self, groups: Sequence[Group], sought: Sequence[str], room: float) -> None:
        """Name what matches but has no effect under the present choices."""
        unused = [
            f"{group.title}: {declared.label.lower()}"
            for group in groups
            for name, declared in group.declarations().items()
            if declared.row and not group.shows(name) and search.found(group, (name,), sought)
        ]
        if unused:
            named = ", ".join(unused[:_MOST_NAMED]) + (", …" if len(unused) > _MOST_NAMED else "")
            _say(f"Under other choices there is {named}.", room)

    # ---- titles ------------------------------------------------------------------------------------------------

    def _is_open(self, group: Group) -> bool:
        return self.open.setdefault(group.key, group.key in _OPEN_AT_FIRST)

    def _set_all(self, groups: Sequence[Group], opened: bool) -> None:
        self.open.update({group.key: opened for group in groups})

    def _title(
        self, group: Group, home: Group, room: float, groups: Sequence[Group] = (), behind: Sequence[str] = ()
    ) -> bool:
        """Draw a section's line: arrow, box, title, "More", the arrow that puts it back; return whether it stays open.

        `groups` are all that open and close with it; without them it stands over rows that were found. `behind` are the
        rows behind "More".
        """
        corner, height = imgui.get_cursor_screen_pos(), px(theme.TITLE_HEIGHT)
        if self._stays is not None and self._stays[0] == group.key:
            imgui.set_scroll_y(imgui.get_cursor_pos_y() - self._stays[1])
            self._stays = None
        opened = self._is_open(group) if groups else True
        has_switch = _SWITCH in group.declarations()
        on = not has_switch or bool(getattr(group, _SWITCH))
        reset, before = px(theme.RESET_WIDTH), px(_ARROW + _BOX)
        more = px(_MORE) if behind else 0.0
        lock = 0.0 if group is landforms.SECTION else px(_LOCK)
        canvas = imgui.get_window_draw_list()
        end = ImVec2(corner.x + room, corner.y + height - px(1))
        canvas.add_rect_filled(corner, end, theme.packed(theme.BAND), px(3))
        imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(0, 0))
        pressed = hovered = False
        if has_switch:
            pressed, hovered = _part("##arrow", px(_ARROW), height)
            imgui.same_line()
            if widgets.tick(group.key, on, px(_BOX), height):
                self.active.click({f"{group.key}.{_SWITCH}": not on}, f"{group.title}: {'off' if on else 'on'}")
            widgets.tip(group.declaration(_SWITCH).tip, f"{'on' if on else 'off'}; a click switches it")
            imgui.same_line()
        title = _part("##title", room - reset - more - lock - (before if has_switch else 0.0), height)
        self.active.places[group.key] = widgets.place()
        self.mark(group.key, corner, room, height - px(1))
        middle = corner.y + (height - px(1)) / 2
        if groups:
            pressed, hovered = pressed or title[0], hovered or title[1]
            widgets.arrow(canvas, corner.x + px(_ARROW) / 2, middle, opened)
        colour = theme.packed(theme.TEXT if on or hovered else theme.DIM)
        at = ImVec2(corner.x + before + px(4), middle - imgui.get_font_size() / 2)
        canvas.add_text(at, colour, group.title)
        if group is landforms.SECTION and not opened:
            _note(canvas, at, landforms.named(self._scene), group.title, corner.x + room - reset)
        if pressed and groups:
            self._fold(group, groups, not opened)
        if behind:
            imgui.same_line()
            self._more(group, home, behind, more, height)
        if lock:
            imgui.same_line()
            rows.lock(self.active, self._locked, group.key, room, lock, height)
        if group != home:
            imgui.same_line()
            if widgets.reset_arrow(reset, height):
                changes = {f"{group.key}.{name}": value for name, value in home.values().items()}
                self.active.click(changes, f"{group.title}: as loaded")
            widgets.tip(f"Put all of {group.title.lower()} back as it was loaded.")
        imgui.pop_style_var()
        return opened and not pressed

    def _fold(self, group: Group, groups: Sequence[Group], opened: bool) -> None:
        """Open or close the section of `group`; with Ctrl or Alt all of `groups`, and its title stays where it is."""
        io = imgui.get_io()
        self.open[group.key] = opened
        if not (io.key_ctrl or io.key_super or io.key_alt):
            return
        self._set_all(groups, opened)
        place = imgui.get_item_rect_min().y - imgui.get_window_pos().y
        if opened:
            self._stays = group.key, place  # how high the others are is known when they are drawn
        else:
            imgui.set_scroll_y(groups.index(group) * px(theme.TITLE_HEIGHT) - place)

    def _more(self, group: Group, home: Group, behind: Sequence[str], width: float, height: float) -> None:
        """Draw what opens and closes the rarer rows of `group`."""
        changed = any(getattr(group, name) != getattr(home, name) for name in behind)
        tip = ", ".join(group.declaration(name).label.lower() for name in behind).capitalize() + "."
        key = f"{group.key} more"
        corner = imgui.get_cursor_screen_pos()
        self.active.places[key] = (corner.x, corner.y, width, height)
        self.open[key] = rows.more(self.open.get(key, False), changed, width, height, tip)

    # ---- rows --------------------------------------------------------------------------------------------------

    def _names(self, group: Group) -> list[str]:
        """Return the parameters of `group` that have a row of their own below its title now."""
        names = [name for name in group.declarations() if name not in (_SWITCH, *_ELSEWHERE.get(group.key, ()))]
        return rows.shown(group, names)

    def _parted(self, group: Group) -> tuple[list[str], list[str]]:
        """Return those of them that show at once, and those behind "More"."""
        main = _MAIN.get(group.key)
        parts: tuple[list[str], list[str]] = ([], [])
        for name in self._names(group):
            parts[group.declaration(name).more if main is None else name not in main].append(name)
        return parts

    def _landforms(self, homes: Mapping[str, Group], room: float) -> None:
        """Draw the list of all landform slots and the rows of the one that is chosen; empty slots take no room."""
        self._landform = landforms.draw(self.active, self._landform, room)
        if not self._landform:
            return
        group, home = self._scene.groups()[self._landform], homes[self._landform]
        imgui.push_id(self._landform)
        main, behind = self._parted(group)
        self._draw(group, home, main, room)
        if behind:
            self._more(group, home, behind, room, px(theme.ROW_HEIGHT - 2))
            if self.open[f"{group.key} more"]:
                self._draw(group, home, behind, room)
        imgui.pop_id()

    def _draw(self, group: Group, home: Group, names: Sequence[str], room: float) -> None:
        """Draw the rows `names` of `group`."""
        where = rows.Row(
            group,
            home,
            room,
            px(theme.LABEL_WIDTH),
            notes(self._scene),
            not getattr(group, _SWITCH, True),
            self._locked,
        )
        if group.key == "sun" and set(_ON_PAD) <= set(names):
            self._sun(where, room)
            names = [name for name in names if name not in _ON_PAD]
        if group.key == "grid" and {"rows", "columns"} & set(names):
            self._detail(home, room, where.label_width)
        for name in names:
            self._row(where, name)

    def _row(self, where: rows.Row, name: str) -> None:
        """Draw the row of parameter `name`, marked where it is to be revealed."""
        corner = imgui.get_cursor_screen_pos()
        rows.draw(self.active, where, name)
        self.mark(f"{where.group.key}.{name}", corner, where.room, px(theme.ROW_HEIGHT))

    def _sun(self, where: rows.Row, room: float) -> None:
        """Draw the sun's pad and the rows beside it."""
        sun, diameter = self._scene.sun, px(theme.PAD_DIAMETER)
        corner = imgui.get_cursor_pos()
        sun_pad(self.active, sun.azimuth, sun.elevation, diameter)
        widgets.tip("Drag the sun: its direction seen from above, and its elevation, overhead in the middle.")
        below = imgui.get_cursor_pos_y()
        indent = diameter + px(10)
        height = len(_ON_PAD) * px(theme.ROW_HEIGHT + _GAP) - px(_GAP)
        imgui.set_cursor_pos(ImVec2(corner.x, corner.y + (diameter - height) / 2))
        beside = dataclasses.replace(where, room=room - indent, label_width=px(62))
        for name in _ON_PAD:
            imgui.set_cursor_pos_x(corner.x + indent)
            self._row(beside, name)
        imgui.set_cursor_pos(ImVec2(corner.x, below))

    def _detail(self, home: Group, room: float, label_width: float) -> None:
        """Draw the row that sets rows and columns together, in their present proportion."""
        active, grid = self.active, self._scene.grid
        keys = ("grid.rows", "grid.columns")
        label = "Grid: detail"
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + px(theme.LOCK_WIDTH))
        width = room - px(theme.LOCK_WIDTH) - label_width - px(theme.RESET_WIDTH)
        largest = "rows" if grid.rows >= grid.columns else "columns"
        declaration = grid.declaration(largest)

        def both(cells: float) -> Mapping[str, Value]:
            start = active.gesture.start if active.gesture is not None else {}
            rows, columns = (int(start.get(key, active.outcome.scene.get(key))) for key in keys)
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
        rows.label("Detail", label_width, px(widgets.LIFT))
        text = f"{grid.rows:,} × {grid.columns:,}"
        note = f"{number_format.measure(grid.cell_size[1], 'm')} a cell"
        cells = max(grid.rows, grid.columns)
        fraction = values.to_fraction(declaration, cells)
        widgets.track(active, Track("grid.detail", label, keys, text, str(cells), fraction, moved, typed, note), width)
        imgui.end_group()
        widgets.tip(
            "How finely the land is sampled, along both sides at once. Low is coarse and quick, high is fine and slow.",
            rows.range_in_words(declaration),
        )
        was = {key: getattr(home, key.partition(".")[2]) for key in keys}
        if any(active.outcome.scene.get(key) != value for key, value in was.items()):
            imgui.same_line(0, 0)
            if widgets.reset_arrow(px(theme.RESET_WIDTH), px(theme.ROW_HEIGHT)):
                active.click(was, label)
            widgets.tip(f"Back to {was[keys[0]]:,} × {was[keys[1]]:,}.")
        imgui.pop_id()


def _what_it_needs(group: Group, asked: str, name: str, accepted: Sequence[str | bool]) -> str:
    """Return a line that tells what parameter `name` has to be so that `asked` has an effect."""
    wanted, needed = group.declaration(asked).label, group.declaration(name)
    values = " or ".join(wording.in_words(needed, value) for value in accepted)
    return f"{group.title}: {wanted} has an effect where {needed.label} is {values}"


def _part(name: str, width: float, height: float) -> tuple[bool, bool]:
    """Lay a part of a title out; return whether it was clicked, and whether the pointer is over it."""
    pressed = imgui.invisible_button(name, ImVec2(max(width, 1), height))
    return pressed, imgui.is_item_hovered()


def _note(canvas: imgui.ImDrawList, at: ImVec2, text: str, title: str, right: float) -> None:
    """Write what a closed section holds at the right end of its title, where there is room for the whole of it."""
    left = right - imgui.calc_text_size(text).x - px(6)
    if left > at.x + imgui.calc_text_size(title).x + px(12):
        canvas.add_text(ImVec2(left, at.y), theme.packed(theme.DIM), text)


def _say(text: str, room: float) -> None:
    """Write a dimmed remark in place of a row."""
    drawn.note(Drawn("remark", "panel", words=text))
    imgui.push_text_wrap_pos(imgui.get_cursor_pos_x() + room)
    imgui.dummy(ImVec2(1, px(1)))
    imgui.text_colored(theme.DIM, text)
    imgui.pop_text_wrap_pos()


def notes(scene: Scene) -> dict[str, str]:
    """Return what stands at sliders' right ends: what their numbers mean on this land."""
    width = scene.grid.size_x / scene.noise.frequency
    return {"noise.frequency": f"hills {number_format.with_unit(float(f'{width:.3g}'), 'm')} wide"}


def _round_size(cells: float) -> int:
    """Return the power of two, or three quarters of one, that is nearest by ratio: sizes that people ask for."""
    exponent = math.floor(math.log2(max(cells, 2)))
    near = [2**exponent, 3 * 2 ** (exponent - 1), 2 ** (exponent + 1)]
    return min(near, key=lambda size: abs(math.log(size / cells)))
