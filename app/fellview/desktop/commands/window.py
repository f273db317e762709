"""Commands on what the window shows: panel, help, noise lab, fullscreen, and the one that cancels."""

from __future__ import annotations

from fellview.desktop.commands.desk import WindowDesk
from fellview.desktop.commands.registry import command


@command("panel")
def toggle_panel(desk: WindowDesk) -> None:
    """Show or hide the panel."""
    desk.panel_shown = not desk.panel_shown


@command("find")
def find_parameter(desk: WindowDesk) -> None:
    """Have the panel search its parameters for what is typed next."""
    desk.find_parameter()


@command("bare")
def toggle_bare(desk: WindowDesk) -> None:
    """Show or hide everything but the land."""
    desk.bare = not desk.bare


@command("fullscreen")
def toggle_fullscreen(desk: WindowDesk) -> None:
    """Enter or leave fullscreen."""
    desk.window.fullscreen = not desk.window.fullscreen
    desk.on_resize()


@command("lab")
def toggle_lab(desk: WindowDesk) -> None:
    """Open or close the noise lab."""
    desk.controller.clear()  # a movement key's release still comes, but the land is not to drift meanwhile
    desk.bare = False
    desk.lab.toggle()


@command("lab.play")
def play_lab(desk: WindowDesk) -> None:
    """Play or pause the noise lab's slices."""
    desk.lab.play()


@command("help")
def toggle_help(desk: WindowDesk) -> None:
    """Show or hide the window of all keys."""
    desk.help_shown = not desk.help_shown


@command("cancel")
def cancel(desk: WindowDesk) -> None:
    """Put back what is dragged, or close what is open over the land, or else stop long work; never quit."""
    if desk.take_drag_back() or desk.give_up_reading():
        return
    covered = desk.help_shown or desk.bare or desk.holding or bool(desk.measuring)
    desk.measuring = []
    if not covered and not desk.lab.state.shown:
        desk.session.cancel_job()
    desk.help_shown = desk.bare = False
    desk.controller.clear()
    if desk.lab.state.shown and not covered:
        desk.lab.toggle()
