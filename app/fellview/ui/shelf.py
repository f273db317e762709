"""The shelf: kept lands as a strip of thumbnails below the land. A click shows one, a drag moves it.

What is done with a kept land leaves as an `Order`; the strip itself holds what is typed, dragged and scrolled.
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from fellview.studio.shelf import LONGEST_NAME, Variant
from fellview.ui import drawn, theme, widgets, windows
from fellview.ui.actions import shortcut
from fellview.ui.drawn import Drawn
from fellview.ui.status import Kept, Order, Outcome, Shelved
from fellview.ui.widgets import px
from fellview.ui.windows import Rectangle

THUMBNAIL = (224.0, 126.0)
"""Width and height of a thumbnail in unscaled pixels: wide enough to judge a land by, and as wide as screens are."""

STAR, NO_STAR = "★", "☆"

_LABEL = 22.0  # below a thumbnail
_MARGIN, _GAP = 8.0, 8.0
_BUTTONS = 84.0  # the column on the left
_LEAST_LAND = 180.0  # of height: less is no land to look at, and the strip is left out
_DRAG = 6.0  # a press that moves less is a click
_NOTCH = 0.7  # of a thumbnail, that a notch of the wheel scrolls
_ACTIONS = (
    ("Open…", "open", "A scene, a picture, or a whole shelf."),
    ("Save…", "shelf.save", "The whole shelf as one project file."),
    ("Export…", "export", "A sheet or pictures of all kept lands, or their heights over one range: the page Shelf."),
)


class ShelfView:
    """The strip's view; it holds which name is typed, what is dragged, and how far the strip is scrolled."""

    def __init__(self) -> None:
        self._renaming: str | None = None
        self._typed = ""
        self._takes_keyboard = False
        self._dragged: str | None = None
        self._is_moved = False
        self._chosen: str | None = None  # that was brought into view

    @property
    def holding(self) -> bool:
        """Return whether a name is typed or a land is dragged."""
        return self._renaming is not None or self._is_moved

    def rename(self, variant: Variant) -> None:
        """Have the name of `variant` typed from the next frame on."""
        self._renaming, self._typed, self._takes_keyboard = variant.id, variant.name, True

    def height(self, shelf: Shelved | None, room: Rectangle) -> float:
        """Return how high the strip stands below the land in `room`; 0 where there is none, or no room for it."""
        if shelf is None or not shelf.kept:
            return 0.0
        needed = px(THUMBNAIL[1] + _LABEL + 2 * _MARGIN) + imgui.get_style().scrollbar_size
        return round(needed) if room[3] - needed >= px(_LEAST_LAND) and room[2] >= px(2 * THUMBNAIL[0]) else 0.0

    def draw(self, shelf: Shelved, place: Rectangle, outcome: Outcome) -> None:
        """Draw the strip at `place`; what the person does goes into `outcome`."""
        left, top, width, height = place
        imgui.set_next_window_pos(ImVec2(left, top))
        imgui.set_next_window_size(ImVec2(width, height))
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(_MARGIN), px(_MARGIN)))
        imgui.begin("##shelf", None, windows.PANE)
        self._buttons(shelf, outcome)
        imgui.set_cursor_pos(ImVec2(px(_BUTTONS + 2 * _MARGIN), px(_MARGIN)))
        room = ImVec2(width - px(_BUTTONS + 3 * _MARGIN), height - px(_MARGIN))
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0, 0))
        flags = imgui.WindowFlags_.horizontal_scrollbar | imgui.WindowFlags_.no_scroll_with_mouse
        if imgui.begin_child("##kept", room, imgui.ChildFlags_.none, flags | imgui.WindowFlags_.no_background):
            self._strip(shelf, outcome)
        imgui.end_child()
        imgui.pop_style_var()
        imgui.end()
        imgui.pop_style_var(2)

    def _buttons(self, shelf: Shelved, outcome: Outcome) -> None:
        """Draw the column on the left: how many are kept, and what is done with them all."""
        count = f"{len(shelf.kept)} kept"
        imgui.text_colored(theme.DIM, count)
        drawn.note(Drawn("remark", "shelf", words=count))
        for text, action, tip in (("Keep", "shelf.keep", "The land as it is, on the shelf."), *_ACTIONS):
            if widgets.button(f"{text}##shelf", px(_BUTTONS)):
                outcome.actions.append(action)
            widgets.tip(tip, shortcut(action))

    def _strip(self, shelf: Shelved, outcome: Outcome) -> None:
        wide, high = px(THUMBNAIL[0]), px(THUMBNAIL[1])
        step = wide + px(_GAP)
        self._scroll(shelf, step)
        begin = imgui.get_cursor_screen_pos()
        seen_from = imgui.get_scroll_x()
        seen_to = seen_from + imgui.get_window_width()
        for number, one in enumerate(shelf.kept):
            if not seen_from - step <= number * step <= seen_to and one.variant.id != self._dragged:
                continue  # of fifty some five are seen
            corner = ImVec2(begin.x + number * step, begin.y)
            imgui.push_id(one.variant.id)
            self._thumbnail(one, number, corner, (wide, high), outcome)
            imgui.pop_id()
        if self._is_moved:
            self._insertion(shelf, begin, step, high)
        imgui.set_cursor_screen_pos(begin)
        imgui.dummy(ImVec2(len(shelf.kept) * step - px(_GAP), high + px(_LABEL)))
        self._drop(shelf, begin.x, step, outcome)

    def _scroll(self, shelf: Shelved, step: float) -> None:
        """Scroll by the wheel, and to the land that was chosen since the last frame."""
        if imgui.is_window_hovered(imgui.HoveredFlags_.child_windows) and (wheel := imgui.get_io().mouse_wheel):
            imgui.set_scroll_x(imgui.get_scroll_x() - wheel * _NOTCH * step)
        chosen = next((number for number, one in enumerate(shelf.kept) if one.is_chosen), None)
        id = None if chosen is None else shelf.kept[chosen].variant.id
        if id == self._chosen or chosen is None:
            self._chosen = id
            return
        self._chosen = id
        left, room = chosen * step, imgui.get_window_width()
        if not imgui.get_scroll_x() <= left <= imgui.get_scroll_x() + room - step:
            imgui.set_scroll_x(max(left - (room - step) / 2, 0.0))

    # -- one of them ---------------------------------------------------------------------------------------------------

    def _thumbnail(self, one: Kept, number: int, corner: ImVec2, size: tuple[float, float], outcome: Outcome) -> None:
        """Draw a kept land with its name and star, and take in what is done with it."""
        wide, high = size
        end = ImVec2(corner.x + wide, corner.y + high)
        variant = one.variant
        imgui.set_cursor_screen_pos(corner)
        pressed = imgui.invisible_button("##picture", ImVec2(wide, high))
        hovered = imgui.is_item_hovered()
        drawn.note(Drawn("entry", f"shelf {number + 1}", (corner.x, corner.y, wide, high), variant.name))
        self._menu(variant, number, outcome)
        if imgui.is_item_active() and imgui.is_mouse_dragging(0, px(_DRAG)):
            self._dragged, self._is_moved = variant.id, True
        elif pressed and not self._is_moved:
            outcome.shelf.append(Order("show", variant.id))
        canvas = imgui.get_window_draw_list()
        canvas.add_rect_filled(corner, end, theme.packed(theme.TRACK), px(3))
        if one.texture is not None:
            canvas.add_image(imgui.ImTextureRef(one.texture), corner, end)
        if hovered:
            imgui.set_mouse_cursor(imgui.MouseCursor_.hand)
        if one.is_now or one.is_chosen or hovered:
            colour = theme.ACCENT if one.is_now else theme.TEXT if hovered else theme.DIM
            thick = px(2 if one.is_now else 1)
            inset = thick / 2
            first, last = ImVec2(corner.x + inset, corner.y + inset), ImVec2(end.x - inset, end.y - inset)
            canvas.add_rect(first, last, theme.packed(colour), px(3), thickness=thick)
        if self._dragged == variant.id and self._is_moved:
            canvas.add_rect_filled(corner, end, theme.packed(theme.GROUND, 0.55), px(3))
        self._star(variant, hovered, ImVec2(end.x - px(26), corner.y), outcome)
        self._name(one, number, ImVec2(corner.x, end.y + px(1)), wide, outcome)

    def _star(self, variant: Variant, hovered: bool, corner: ImVec2, outcome: Outcome) -> None:
        """Draw the star in a thumbnail's upper right, where there is one or the pointer asks for it."""
        side = px(26)
        place = (corner.x, corner.y, side, side)
        over = _is_over(place)
        if not (variant.star or hovered):
            return
        drawn.note(Drawn("button", f"star {variant.name}", place))
        canvas = imgui.get_window_draw_list()
        canvas.add_circle_filled(
            ImVec2(corner.x + side / 2, corner.y + side / 2), px(11), theme.packed(theme.GROUND, 0.7)
        )
        text = STAR if variant.star else NO_STAR
        size = imgui.calc_text_size(text)
        at = ImVec2(corner.x + (side - size.x) / 2, corner.y + (side - size.y) / 2)
        canvas.add_text(at, theme.packed(theme.WARM if variant.star or over else theme.TEXT), text)
        if over and outcome.shelf and outcome.shelf[-1] == Order("show", variant.id):
            outcome.shelf[-1] = Order("star", variant.id)

    def _name(self, one: Kept, number: int, corner: ImVec2, wide: float, outcome: Outcome) -> None:
        """Draw the name, or the field that it is typed into."""
        variant = one.variant
        imgui.set_cursor_screen_pos(corner)
        if self._renaming == variant.id:
            self._field(variant, wide, outcome)
            return
        imgui.invisible_button("##name", ImVec2(wide, px(_LABEL - 2)))
        drawn.note(Drawn("entry", f"name {number + 1}", (corner.x, corner.y, wide, px(_LABEL - 2)), variant.name))
        if imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
            self.rename(variant)
            outcome.opens_field = True
        widgets.tip(variant.name, f"double-click or {shortcut('shelf.rename')} renames")
        canvas = imgui.get_window_draw_list()
        text = f"{variant.name}  ·  now" if one.is_now else variant.name
        canvas.push_clip_rect(corner, ImVec2(corner.x + wide, corner.y + px(_LABEL)), True)
        colour = theme.TEXT if one.is_now or one.is_chosen else theme.DIM
        canvas.add_text(ImVec2(corner.x + px(2), corner.y + px(1)), theme.packed(colour), text)
        canvas.pop_clip_rect()

    def _field(self, variant: Variant, wide: float, outcome: Outcome) -> None:
        imgui.set_next_item_width(wide)
        if self._takes_keyboard:
            imgui.set_keyboard_focus_here()
        _, self._typed = imgui.input_text("##typed", self._typed, imgui.InputTextFlags_.auto_select_all)
        drawn.note(Drawn("track", "shelf name", widgets.place(), self._typed))
        if imgui.is_item_deactivated():
            name = self._typed.strip()[:LONGEST_NAME]
            if name and name != variant.name and not imgui.is_key_pressed(imgui.Key.escape, False):
                outcome.shelf.append(Order("rename", variant.id, name=name))
            self._renaming = None
        elif not self._takes_keyboard and not imgui.is_item_active():
            self._renaming = None  # the keyboard has gone elsewhere
        self._takes_keyboard = False

    def _menu(self, variant: Variant, number: int, outcome: Outcome) -> None:
        """Draw what a right click offers."""
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(px(8), px(6)))
        if imgui.begin_popup_context_item("##menu"):
            for text, order, keys in (
                ("Rename", None, shortcut("shelf.rename")),
                ("Take the star away" if variant.star else "Give it a star", Order("star", variant.id), ""),
                ("Duplicate", Order("duplicate", variant.id), ""),
                ("Move to the left", Order("move", variant.id, place=max(number - 1, 0)), ""),
                ("Move to the right", Order("move", variant.id, place=number + 1), ""),
                ("Compare with it", Order("compare", variant.id), ""),
                ("Into the list of scenes", Order("preset", variant.id), ""),
                ("Delete", Order("delete", variant.id), shortcut("shelf.delete")),
            ):
                if imgui.menu_item(text, keys, False, True)[0]:
                    if order is None:
                        self.rename(variant)
                        outcome.opens_field = True
                    else:
                        outcome.shelf.append(order)
                drawn.note(Drawn("button", text, widgets.place()))
            imgui.end_popup()
        imgui.pop_style_var()

    # -- another order -------------------------------------------------------------------------------------------------

    def _place(self, shelf: Shelved, left: float, step: float) -> int:
        """Return the place among the others that the dragged land would get where the pointer is."""
        at = imgui.get_mouse_pos().x - left
        middles = [(number + 0.5) * step for number, one in enumerate(shelf.kept) if one.variant.id != self._dragged]
        return sum(middle < at for middle in middles)

    def _insertion(self, shelf: Shelved, begin: ImVec2, step: float, high: float) -> None:
        """Draw the line where the dragged land would go."""
        place = self._place(shelf, begin.x, step)
        own = next((number for number, one in enumerate(shelf.kept) if one.variant.id == self._dragged), 0)
        x = begin.x + (place + (place > own)) * step - px(_GAP) / 2
        first, last = ImVec2(x, begin.y), ImVec2(x, begin.y + high)
        imgui.get_window_draw_list().add_line(first, last, theme.packed(theme.ACCENT), px(3))

    def _drop(self, shelf: Shelved, left: float, step: float, outcome: Outcome) -> None:
        """Move the dragged land where the button is let go; Esc leaves it where it was."""
        if self._is_moved and imgui.is_key_pressed(imgui.Key.escape, False):
            self._dragged, self._is_moved = None, False
            imgui.internal.clear_active_id()
        elif not imgui.is_mouse_down(0):
            if self._is_moved and self._dragged is not None:
                outcome.shelf.append(Order("move", self._dragged, place=self._place(shelf, left, step)))
            self._dragged, self._is_moved = None, False


def _is_over(place: Rectangle) -> bool:
    mouse = imgui.get_mouse_pos()
    return place[0] <= mouse.x < place[0] + place[2] and place[1] <= mouse.y < place[1] + place[3]
