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
    """Open or close the noise lab; the board is closed."""
    _cover_land(desk)
    if desk.layout.board.state.shown:
        desk.layout.board.toggle(desk.session.scene)
    desk.layout.lab.toggle()


@command("board")
def toggle_board(desk: WindowDesk) -> None:
    """Open or close the board of variants; the noise lab is closed."""
    _cover_land(desk)
    if desk.layout.lab.state.shown:
        desk.layout.lab.toggle()
    desk.layout.board.toggle(desk.session.scene)


def _cover_land(desk: WindowDesk) -> None:
    desk.input.controller.clear()  # a movement key's release still comes, but the land is not to drift meanwhile
    desk.layout.bare = False


@command("lab.play")
def play_lab(desk: WindowDesk) -> None:
    """Play or pause the noise lab's slices."""
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
    if desk.views.shown and not covered:
        desk.views.close()
        covered = True
    if not covered and not (desk.layout.lab.state.shown or desk.layout.board.state.shown):
        if desk.session.busy:
            desk.session.cancel_job()
        else:
            desk.writer.give_up()
    desk.layout.help_shown = desk.layout.bare = False
    desk.input.controller.clear()
    if desk.layout.lab.state.shown and not covered:
        desk.layout.lab.toggle()
    if desk.layout.board.state.shown and not covered:
        desk.layout.board.toggle(desk.session.scene)
