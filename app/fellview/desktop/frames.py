"""One frame of the window: the panel and what the person did in it, and below it the land or the noise lab."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Protocol

from fellview import paths
from fellview.desktop.commands.desk import Desk
from fellview.desktop.commands.files import open_source
from fellview.desktop.events import EventQueue
from fellview.desktop.faults import Faults
from fellview.desktop.land_map import MapDesk
from fellview.desktop.pace import BUSY_TICK_S, Pace
from fellview.desktop.picking import drawn_land
from fellview.draw.overlay.held import HeldOverlay
from fellview.draw.overlay.overlay import DrawData, Overlay
from fellview.draw.present import Part
from fellview.io import settings
from fellview.io.sessions import Claim
from fellview.scene.scene import Scene
from fellview.ui import actions, overlays
from fellview.ui.imgui_host import Host
from fellview.ui.noise_lab import GROUND
from fellview.ui.panel import Panel
from fellview.ui.status import Outcome, Status
from fellview.view.controllers import through_other_lens

_SLOW_S = 0.05  # what a picture takes for which a press does not wait


def usual_panel() -> Panel:
    """Return a panel as wide as the person has left it."""
    return Panel(settings.load(paths.state_folder()).panel_width)


class Parts(Desk, Protocol):
    """What a frame is made of, and what is done with what comes of it."""

    host: Host
    faults: Faults
    pace: Pace
    claim: Claim
    overlay: Overlay
    queue: EventQueue
    map: MapDesk

    def status(self) -> Status:
        """Return what is told to the panel."""

    def attempt(self, command: Callable[[], None]) -> None:
        """Carry `command` out; what it refuses becomes a notice."""

    def act(self, action_id: str) -> None:
        """Carry an action of the table out."""


class Frames:
    """Draws frames."""

    def __init__(self, parts: Parts, first_area: Part | None = None) -> None:
        self._parts = parts
        self._first_area = first_area  # of the land, where the panel's first frame does not know what it leaves to it
        self._before_pressed = False
        self._held = HeldOverlay(parts.window.context, parts.overlay)
        self._panel_shown_at = -BUSY_TICK_S
        self._follows_camera = True  # what the panel drew last over the land

    def draw(self) -> bool:
        """Draw one frame and show it; return whether it was shown, or events came that the next one answers.

        What the hand does, but for drags over the land, does not wait for a picture that is slow: the last one that is
        finished is shown until then. One that nobody has seen yet may go first, see `Pictures.goes_first`.
        """
        parts, pictures, pace = self._parts, self._parts.pictures, self._parts.pace
        waits_for_land = not parts.host.hurried and parts.input.moves_on_land
        at_once = pictures.under_way or (pictures.seconds > _SLOW_S and not waits_for_land)
        start = time.monotonic()
        seconds = start - pace.last_frame
        pace.last_frame = start
        parts.layout.take_extent(parts.window.extent())
        data = None
        passes_over = self._may_pass_over(start)
        if passes_over:
            with parts.faults.guarded("moving"):
                parts.host.pass_over(seconds)
                parts.input.move(seconds)
        else:
            data = self._new_panel(seconds)
        if parts.layout.land_covered:
            pictures.give_up()
            self._draw_covered(data, start, seconds)
        else:
            if pictures.frames_shown:  # the window is up before anything is drawn in it
                with parts.faults.guarded("drawing the land"):
                    pictures.begin()
            waited_for = pictures.brings_land or (pictures.drawing_anew and parts.host.pointer.owner == "panel")
            if waited_for and seconds < BUSY_TICK_S:
                at_once = False  # the hand saw the panel a moment ago
            if not (at_once or pictures.goes_first) and not pictures.go_on():
                if data is not None:
                    parts.overlay.update(data)
                return False
            with parts.faults.guarded("computing"):
                if parts.session.poll():  # the next land is computed while this one is shown
                    parts.redraw()
            self._show(data, start, passes_over=passes_over)
        parts.window.swap_buffers()
        pictures.frames_shown += 1
        if pictures.frames_shown == 1 and (told := parts.claim.tell()):  # which passes: not before it can be read
            parts.session.notify(told, passing=True)
        if pictures.frames_shown == 1:  # the land's picture is the next one's
            parts.redraw()
        pace.frame_s = time.monotonic() - start
        return True

    def _may_pass_over(self, now: float) -> bool:
        """Return whether this frame may show the panel as it was drawn last.

        So it is where frames are late and the hand moves over the land: there is nothing new in the panel but the
        camera's numbers.
        """
        parts, host, layout = self._parts, self._parts.host, self._parts.layout
        over_land = host.held_by == "scene" and host.place != host.pointer.position
        flies = parts.input.controller.moving and host.place in (None, host.pointer.position)
        return (
            parts.pictures.drawing_scale.scale < 1
            and host.only_moved
            and not host.hurried  # what a press changes shows in a panel, and each frame until then is in vain
            and (over_land or flies)
            and now - self._panel_shown_at < BUSY_TICK_S
            and self._held.holds(layout.extent.framebuffer)
            and parts.window.extent() == layout.extent
            and not (self._follows_camera or layout.land_covered or layout.bare or len(parts.queue))
        )

    def _new_panel(self, seconds: float) -> DrawData | None:
        """Draw the panel and carry out what was done in it; return its triangles, none where it has failed."""
        parts, data = self._parts, None
        with parts.faults.guarded("drawing the panel"):
            if parts.presenting.shown:
                parts.host.new_frame(seconds, parts.pace.frame_s)
                parts.presenting.draw()
                return parts.host.end_frame()
            outcome, answer = self._draw_panel(seconds)
            data = parts.host.end_frame()
            # nothing may change the session before: the panel hands back the scene that it was given
            self._apply(outcome)
            parts.comparing.apply()
            parts.beside.apply()
            parts.picture_frame.apply()
            if answer is not None:
                parts.attempt(answer)
        if data is None:
            self._drop_panel()
        return data

    def _draw_panel(self, seconds: float) -> tuple[Outcome, Callable[[], None] | None]:
        """Draw the panel and what floats over the land; return what was done in it, and the answer to a question."""
        parts, layout, session = self._parts, self._parts.layout, self._parts.session
        parts.host.new_frame(seconds, parts.pace.frame_s)
        parts.input.move(seconds)
        over_land = layout.over_land
        layout.panel.active.locked = session.locked
        status = parts.status()
        self._follows_camera = status.measure is not None or status.edge is not None
        outcome = layout.panel.draw(session.scene, session.home, status, layout.panel_shown, over_land)
        if not layout.land_covered:
            parts.comparing.draw()
            parts.beside.draw()
        if layout.help_shown:
            layout.help_shown = overlays.help_window(actions.rows(), layout.panel.room)
        parts.map.draw()
        layout.draw_palette(outcome, status)
        answer = parts.dialogs.draw()
        parts.window.show_cursor(parts.host.cursor)
        return outcome, answer

    def _drop_panel(self) -> None:
        """End a panel that failed in its middle; what floats over the land is closed, as it may be the reason.

        Where the next one fails, too, the panel begins anew.
        """
        parts, layout = self._parts, self._parts.layout
        parts.host.abandon_frame()
        parts.dialogs.drop()
        layout.help_shown = layout.palette.shown = False
        layout.map_where = ""
        parts.beside.close()
        if parts.presenting.shown:
            parts.presenting.end()
        if layout.lab.state.shown:
            layout.lab.toggle()
        if layout.board.state.shown:
            layout.board.toggle(parts.session.scene)
        if parts.faults.failed_turns:
            layout.panel = usual_panel()
            parts.session.finish_gesture()

    def _draw_covered(self, data: DrawData | None, now: float, seconds: float) -> None:
        """Draw the panel with the board or the lab, and its maps where they have changed; the land is not seen."""
        parts, lab = self._parts, self._parts.layout.lab
        drawn = not lab.state.shown
        with parts.faults.guarded("drawing the noise lab"):
            if lab.state.shown:
                lab.draw(parts.session.visible.noise, now, seconds, parts.pace.frame_s)
                drawn = True
        if not drawn:
            lab.toggle()
        screen = parts.window.fbo
        screen.use()
        screen.clear(*GROUND)
        if data is not None:
            parts.overlay.draw(data, screen)

    def _show(self, data: DrawData | None, now: float, *, passes_over: bool) -> None:
        """Put the newest finished picture of the land on the screen, and the panel over it, where there is one."""
        parts, layout, screen = self._parts, self._parts.layout, self._parts.window.fbo
        size, area = layout.extent.framebuffer, self._first_area or layout.area()
        self._first_area = None
        for present, columns in parts.pictures.shown:
            present.draw(screen, size, area, columns)
        parts.pictures.unseen = False
        if data is not None and layout.bare and not parts.presenting.shown:
            parts.overlay.update(data)
            return
        if data is not None:
            self._panel_shown_at = now
            passes_over = parts.pictures.drawing_scale.scale < 1 and parts.input.moves_on_land
            if passes_over:
                self._held.take(data, size)
            else:
                parts.overlay.draw(data, screen)
        if passes_over:
            self._held.draw(screen, area)

    def _apply(self, outcome: Outcome) -> None:
        """Carry out what the person did in the panel."""
        parts, session = self._parts, self._parts.session
        if outcome.opens_field:
            parts.host.await_text()
        if outcome.gesture or outcome.gesture_ended:
            session.begin_gesture(outcome.label)
        session.set(self._through_its_lens(outcome.scene), outcome.label)
        if outcome.gesture_ended or outcome.cancelled:
            session.finish_gesture()
        if outcome.before != self._before_pressed:
            self._before_pressed = outcome.before
            session.show_before(outcome.before)
        for index in sorted(outcome.dismiss, reverse=True):
            del session.notices[index]
        if outcome.panel_width is not None:
            parts.attempt(lambda: settings.change(paths.state_folder(), panel_width=outcome.panel_width))
        if outcome.used is not None:
            parts.attempt(lambda: settings.change(paths.state_folder(), used=outcome.used))
        if outcome.remark:
            session.notify(outcome.remark, passing=True)
        chosen = outcome.choose or outcome.open
        if chosen is not None:
            open_source(parts, chosen)
        if outcome.locked is not None:
            session.locked = outcome.locked
        for order in outcome.shelf:
            parts.attempt(functools.partial(parts.shelf.obey, order))
        if outcome.own is not None:
            parts.attempt(functools.partial(parts.shelf.open_own, outcome.own))
        if outcome.forget is not None:
            parts.attempt(functools.partial(parts.shelf.forget, outcome.forget))
        for kept in outcome.keep:
            parts.attempt(functools.partial(parts.shelf.keep, kept))
        if outcome.view is not None:
            parts.views.choose(outcome.view)
        parts.views.enlarge(outcome.view_under)
        for action_id in (*outcome.actions, *parts.map.obey()):
            parts.act(action_id)

    def _through_its_lens(self, scene: Scene) -> Scene:
        """Return `scene`; where its projection has changed, what was in the middle is as large as it was."""
        parts = self._parts
        camera, land = parts.session.scene.camera, drawn_land(parts.session)
        if scene.camera.projection == camera.projection or land is None:
            return scene
        return scene.with_group(through_other_lens(camera, parts.layout.area_pixels(), land))
