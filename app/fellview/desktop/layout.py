"""What stands where in the window: the panel, beside it land, noise lab or board, and what is shown of them."""

from __future__ import annotations

from fellview import paths
from fellview.desktop.board import BoardDesk
from fellview.desktop.noise_lab import LabDesk
from fellview.desktop.window import Extent
from fellview.io import settings
from fellview.studio.shelf import Variant
from fellview.ui.imgui_host import Host
from fellview.ui.palette import Palette
from fellview.ui.panel import OverLand, Panel
from fellview.ui.status import Outcome, Status, Where
from fellview.view.projection import Pixel, Size


class Layout:
    """Panel, lab and board, which of them are shown, and the part of the window that is left to the land.

    No side of that part is larger than `largest_side` pixels, which is what OpenGL draws.
    """

    def __init__(self, host: Host, panel: Panel, lab: LabDesk, board: BoardDesk, largest_side: int) -> None:
        self.panel, self.lab, self.board = panel, lab, board
        self.panel_shown = True
        self.bare = self.help_shown = False
        self.palette = Palette(settings.load(paths.state_folder()).used)
        self.map_where: Where = ""
        self.extent = Extent((0, 0), (0, 0), 1.0)
        self._host, self._largest_side = host, largest_side

    def take_extent(self, extent: Extent) -> None:
        """Take how large the window is: panel, land and pointer of a frame have that one size."""
        if extent != self.extent:
            self.extent = extent
            self.board.take_extent(extent)
            self._host.content_scale(extent.scale)
            self._host.resize(extent.size, extent.framebuffer)

    def area(self) -> tuple[int, int, int, int]:
        """Return the land's part of the framebuffer: left, bottom, width, height in pixels."""
        part = (0.0, 0.0, *self.extent.size) if self.bare else self.panel.scene_rect
        return self.extent.pixels(part, self._largest_side)

    def area_pixels(self) -> tuple[int, int]:
        """Return the size of the land's part of the window in pixels."""
        _, _, width, height = self.area()
        return width, height

    def on_land(self, position: tuple[float, float]) -> tuple[Pixel, Size]:
        """Return a position in the window as one in the land's part of it, and that part's size, in window units."""
        left, top, width, height = self.panel.scene_rect
        return (position[0] - left, position[1] - top), (max(round(width), 1), max(round(height), 1))

    @property
    def land_covered(self) -> bool:
        """Return whether the noise lab, the board or the map stands where the land would be."""
        whole = self.lab.state.shown or self.board.state.shown or self.map_where == "whole"
        return whole and not self.bare

    @property
    def pixels_a_unit(self) -> float:
        """Return how many pixels a unit of the window has."""
        return self.extent.framebuffer[0] / max(self.extent.size[0], 1)

    @property
    def over_land(self) -> OverLand:
        """What is drawn in the land's place or over it: the lab, or the board and previews along a slider."""
        return self.lab.over_land if self.lab.state.shown else self.board.over_land

    @property
    def holding(self) -> bool:
        """Return whether a widget is held, typed into or sought, which Escape then puts back."""
        return self.panel.holding or self.lab.holding or self.board.holding

    def find_parameter(self) -> None:
        """Have what is typed next go to the panel's search field."""
        self.panel_shown, self.bare = True, False
        self.panel.find()
        self._host.await_text()

    def toggle_palette(self) -> None:
        """Open the command palette, which takes what is typed next, or close it."""
        self.palette.toggle()
        if self.palette.shown:
            self._host.await_text()

    def draw_palette(self, outcome: Outcome, status: Status) -> None:
        """Draw the command palette while it is open, and do in `outcome` what is taken from it."""
        self.palette.draw(outcome, status, self.panel.scene_rect, self.reveal, behind=self._host.behind)

    def reveal(self, key: str) -> str:
        """Show the row of a parameter, or a section, in the panel; return a remark where another stands for it."""
        self.panel_shown, self.bare = True, False
        self._host.redraw_for()
        return self.panel.reveal(key)

    def show_map(self, where: Where) -> None:
        """Show the map of the land beside it, in its place (``whole``), or no more."""
        self.map_where, self.bare = where, False

    def rename(self, variant: Variant) -> None:
        """Have what is typed next be the name of a kept land."""
        self.bare = False
        self.panel.shelf.rename(variant)
        self._host.await_text()
