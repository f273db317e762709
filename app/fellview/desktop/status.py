"""What the window tells the panel of a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fellview.compute.protocol import Advanced
from fellview.compute.router import EngineRouter
from fellview.desktop.beside import Beside
from fellview.desktop.good_views import GoodViews
from fellview.desktop.input import Input
from fellview.desktop.layout import Layout
from fellview.desktop.pace import Pace
from fellview.desktop.picking import Picking
from fellview.desktop.pictures import Pictures
from fellview.desktop.reading import FileReader
from fellview.desktop.saved_picture import SavedPicture
from fellview.desktop.shelf import ShelfDesk
from fellview.desktop.writing import FileWriter
from fellview.draw.renderer import Renderer
from fellview.io import scenes
from fellview.io.recent import Recent
from fellview.io.sessions import Claim
from fellview.scene.scene import Scene
from fellview.session.session import Session
from fellview.terrain.pipeline.pipeline import TITLES, remarks
from fellview.ui import actions
from fellview.ui.film import TIMELINE
from fellview.ui.status import Status
from fellview.view.exaggeration import badge
from fellview.view.scale import Spot


class Parts(Protocol):
    """All that is told of."""

    session: Session
    compute: EngineRouter
    claim: Claim
    recent: Recent
    renderer: Renderer
    layout: Layout
    picking: Picking
    input: Input
    reader: FileReader
    writer: FileWriter
    beside: Beside
    pictures: Pictures
    views: GoodViews
    shelf: ShelfDesk
    saved: SavedPicture
    pace: Pace


def status(parts: Parts) -> Status:
    """Return what is going on; the land's marked edge fades with every call."""
    session, layout = parts.session, parts.layout
    result = session.result
    work = _work(parts)
    grid, lab = session.scene.grid, layout.lab.state.shown or layout.board.state.shown or layout.map_where == "whole"
    lowest, highest = result.field.height_range if result else (None, None)
    under = _readout(parts)
    return Status(
        rows=grid.rows,
        columns=grid.columns,
        size_x=grid.size_x,
        size_z=grid.size_z,
        lowest=lowest,
        highest=highest,
        engine=parts.compute.engine,
        running=work.name,
        fraction=work.fraction,
        iteration=work.iteration,
        iterations=work.iterations,
        running_s=work.seconds,
        seconds_left=work.seconds_left,
        can_cancel=work.can_cancel,
        can_keep=work.can_keep,
        is_of_land=work.is_of_land,
        busy=session.busy,
        steps=tuple((TITLES[one.step], one.milliseconds, one.remembered) for one in result.times) if result else (),
        frame_milliseconds=1000 * (parts.pace.frame_s if layout.land_covered else parts.pictures.seconds),
        notices=tuple(session.notices),
        saved=parts.saved.shown,
        presets=scenes.presets(),
        recent=parts.recent.paths,
        titles=scenes.titles(),
        left=parts.claim.others,
        can_undo=bool(session.undo_label),
        can_redo=bool(session.redo_label),
        undo_label=session.undo_label,
        redo_label=session.redo_label,
        badges=() if lab else _badges(session.visible),
        legend=None if lab or session.visible.view.legend else parts.renderer.legend,
        hints=actions.hints() if parts.input.greeting and not lab else (),
        lab=layout.lab.state.shown,
        under=under,
        measure=None if lab else parts.picking.measured_line(under),
        edge=None if lab else parts.picking.marked_edge(),
        locked=session.locked,
        map_where=layout.map_where,
        views=None if lab else parts.views.strip,
        shelf=parts.shelf.strip,
        side=0.0 if lab else parts.beside.side,
        below=TIMELINE if parts.beside.shown == "film" and not lab else 0.0,
        own=parts.shelf.own_presets,
    )


@dataclass(frozen=True)
class _Work:
    """What is told of the work under way, in the words of `Status`."""

    name: str | None = None
    fraction: float | None = None
    iteration: int = 0
    iterations: int = 0
    seconds: float = 0.0
    seconds_left: float | None = None
    can_cancel: bool = False
    can_keep: bool = False
    is_of_land: bool = False


def _work(parts: Parts) -> _Work:
    """Return what is told of the work that Esc would end: a file that is read, else the land's, else an export."""
    session, reading, writing = parts.session, parts.reader.under_way, parts.writer.under_way
    if reading is not None:
        return _Work(f"reading {reading.name}", seconds=reading.seconds, can_cancel=True)
    if writing is not None and not session.busy:
        name, work, seconds = writing
        step, fraction = work.at or ("", None)
        named = f"exporting {name}" + (f" · {TITLES.get(step, step)}" if step else "")
        return _Work(named, fraction or None, seconds=seconds, can_cancel=True)  # at 0 nothing is known of it
    at = session.advanced
    return _Work(
        _named(at) if at else ("starting" if session.busy else None),
        at.fraction if at else None,
        at.iteration if at else 0,
        at.iterations if at else 0,
        session.computing_for,
        session.seconds_left,
        session.can_cancel,
        session.can_keep,
        is_of_land=True,
    )


def _named(at: Advanced) -> str:
    """Return what the status line says of the work under way."""
    title = TITLES.get(at.step, at.step)  # before the first step there is none
    return f"preparing {title} (first start only)" if at.compiling else title


def _readout(parts: Parts) -> Spot | None:
    """Return the ground to tell about; while something moves or is computed, nobody reads it."""
    controller = parts.input.controller
    if controller.moving or controller.dragging or parts.session.busy:
        return None
    return parts.picking.spot()


def _badges(scene: Scene) -> tuple[str, ...]:
    """Return what stands in the upper corner of the landscape as long as it holds."""
    return (*badge(scene.view.exaggeration), *remarks(scene.terrain_groups()))
