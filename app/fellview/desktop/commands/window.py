"""Commands on what the window shows: panel, help, noise lab, fullscreen, and the one that cancels."""

from __future__ import annotations

from fellview.desktop.commands.desk import WindowDesk
from fellview.desktop.commands.registry import command


@command("panel")
def toggle_panel(desk: WindowDesk) -> None:
    """Show or hide the panel."""
    desk.layout.panel_shown = not desk.layout.panel_shown


@command("find")
def find_parameter(desk: WindowDesk) -> None:
    """Have the panel search its parameters for what is typed next."""
    desk.layout.find_parameter()


@command("palette")
def toggle_palette(desk: WindowDesk) -> None:
    """Open or close the command palette."""
    desk.layout.toggle_palette()


@command("bare")
def toggle_bare(desk: WindowDesk) -> None:
    """Show or hide everything but the land."""
    desk.layout.bare = not desk.layout.bare


@command("fullscreen")
def toggle_fullscreen(desk: WindowDesk) -> None:
    """Enter or leave fullscreen."""
    desk.window.fullscreen = not desk.window.fullscreen
    desk.on_resize()


@command("lab")
def toggle_lab(desk: WindowDesk) -> None:
    """Open or close the noise lab; what else covers the land is closed."""
    _cover_land(desk, "lab")
    desk.layout.lab.toggle()


@command("board")
def toggle_board(desk: WindowDesk) -> None:
    """Open or close the board of variants; what else covers the land is closed."""
    _cover_land(desk, "board")
    desk.layout.board.toggle(desk.session.scene)


def _cover_land(desk: WindowDesk, by: str) -> None:
    """Make room for what is about to cover the land: close what else does."""
    desk.input.controller.clear()  # a movement key's release still comes, but the land is not to drift meanwhile
    layout = desk.layout
    layout.bare = False
    if layout.lab.state.shown and by != "lab":
        layout.lab.toggle()
    if layout.board.state.shown and by != "board":
        layout.board.toggle(desk.session.scene)
    if layout.map_where == "whole" and by != "map":
        layout.show_map("")


@command("map")
def toggle_map(desk: WindowDesk) -> None:
    """Show the map of the land beside it, or no more."""
    desk.layout.show_map("" if desk.layout.map_where else "beside")


@command("map.whole")
def toggle_whole_map(desk: WindowDesk) -> None:
    """Show the map of the land in its place, or beside it; what else covers the land is closed."""
    _cover_land(desk, "map")
    desk.layout.show_map("beside" if desk.layout.map_where == "whole" else "whole")


@command("lab.play")
def play_lab(desk: WindowDesk) -> None:
    """Play or pause the noise lab's slices, or the film where that is open."""
    if desk.beside.shown == "film" and not desk.layout.land_covered:
        desk.film.play()
    else:
        desk.layout.lab.play()


@command("help")
def toggle_help(desk: WindowDesk) -> None:
    """Show or hide the window of all keys."""
    desk.layout.help_shown = not desk.layout.help_shown


@command("cancel")
def cancel(desk: WindowDesk) -> None:
    """Put back what is dragged, or close what is open over the land, or else stop long work; never quit."""
    if desk.input.take_drag_back() or desk.reader.give_up():
        return
    covered = desk.layout.help_shown or desk.layout.bare or desk.layout.holding or bool(desk.picking.measuring)
    desk.picking.measuring = []
    if desk.beside.side and not (covered or desk.film.holding or desk.shots.holding):
        desk.beside.close()
        covered = True
    if desk.views.shown and not covered:
        desk.views.close()
        covered = True
    if not covered and not desk.layout.land_covered:
        if desk.session.busy:
            desk.session.cancel_job()
        else:
            desk.writer.give_up()
    desk.layout.help_shown = desk.layout.bare = False
    desk.input.controller.clear()
    if desk.layout.map_where == "whole" and not covered:
        desk.layout.show_map("")
    if desk.layout.lab.state.shown and not covered:
        desk.layout.lab.toggle()
    if desk.layout.board.state.shown and not covered:
        desk.layout.board.toggle(desk.session.scene)
