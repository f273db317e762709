"""What the window tells the panel beside the scene, and what the panel answers: plain data both ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from fellview.draw.overlay.legend import Legend
from fellview.io.sessions import Left
from fellview.scene.locks import Locks
from fellview.scene.scene import Scene
from fellview.studio.shelf import Variant
from fellview.view.projection import Pixel
from fellview.view.scale import Measured, Spot

Where = Literal["", "beside", "whole"]
"""Where the map of the land is: nowhere, beside the land or in its place."""


@dataclass(frozen=True)
class Line:
    """What is measured, from one place to another, in window units from the landscape's upper left."""

    start: Pixel
    end: Pixel
    between: Measured


@dataclass(frozen=True)
class LandEdge:
    """The land's border, in window units from the landscape's upper left, and how strongly it is drawn, 0 to 1.

    None stands for a place behind the eye.
    """

    points: tuple[Pixel | None, ...]
    strength: float


@dataclass(frozen=True)
class Thumbnail:
    """A view to choose: the texture that shows it, none as long as that is drawn, and whether one looks from there."""

    texture: int | None = None
    chosen: bool = False


@dataclass(frozen=True)
class Strip:
    """Thumbnails of good views, of `aspect` width by height; `wait` says what they wait for, or why there are none.

    `large` is the number of one and the texture that shows it large.
    """

    thumbnails: tuple[Thumbnail, ...]
    aspect: float
    wait: str = ""
    large: tuple[int, int] | None = None


@dataclass(frozen=True)
class Kept:
    """A kept land in the shelf's strip: its thumbnail's texture, none as long as that is drawn.

    `is_now` tells that the scene is this land, `is_chosen` that it was kept or shown last, so that keys act upon it.
    """

    variant: Variant
    texture: int | None = None
    is_now: bool = False
    is_chosen: bool = False


@dataclass(frozen=True)
class Shelved:
    """The shelf's strip below the land."""

    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True)
class Order:
    """What a person has done with the kept land of that id: a new `name` or `place` where that is `what`."""

    what: Literal["show", "rename", "star", "move", "duplicate", "delete", "preset", "compare"]
    id: str
    name: str = ""
    place: int = 0


@dataclass(frozen=True)
class Saved:
    """What the notice `text` of a saved picture shows of it: a texture of a `size` in unscaled pixels, or none."""

    text: str
    texture: int | None = None
    size: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Status:
    """What is going on, for one frame.

    `steps` holds (title, milliseconds, remembered) of the last result; `running` names the step at work and `fraction`
    (0 to 1, or none where unknown) how far it is, with `iteration` of `iterations` where the step counts them;
    `running_s` is for how long the work has gone on, and `is_of_land` tells that it computes land, and neither reads
    nor writes a file. Sizes and heights are metres. `titles` gives presets their written names, `left` is what other
    windows left, a hint is ``gesture — effect``, and `lab` tells that the noise lab is open. `under` is the ground
    under the pointer. `views` are good views to choose from, `shelf` what is kept, `own` the person's own presets,
    `locked` is what stays as it is when the scene is randomised. `side` is how much of the landscape's right a window
    takes, `below` of its lower edge, in unscaled pixels.
    """

    rows: int = 0
    columns: int = 0
    size_x: float = 0.0
    size_z: float = 0.0
    lowest: float | None = None
    highest: float | None = None
    engine: str = ""
    running: str | None = None
    fraction: float | None = None
    iteration: int = 0
    iterations: int = 0
    running_s: float = 0.0
    seconds_left: float | None = None
    can_cancel: bool = False
    can_keep: bool = False
    is_of_land: bool = True
    busy: bool = False
    steps: tuple[tuple[str, float, bool], ...] = ()
    frame_milliseconds: float | None = None
    notices: tuple[str, ...] = ()
    saved: Saved | None = None
    presets: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    recent: tuple[Path, ...] = ()
    left: tuple[Left, ...] = ()
    can_undo: bool = False
    can_redo: bool = False
    undo_label: str = ""
    redo_label: str = ""
    hints: tuple[str, ...] = ()
    badges: tuple[str, ...] = ()
    legend: Legend | None = None
    lab: bool = False
    under: Spot | None = None
    measure: Line | None = None
    edge: LandEdge | None = None
    views: Strip | None = None
    shelf: Shelved | None = None
    own: tuple[Kept, ...] = ()
    locked: Locks = frozenset()
    map_where: Where = ""
    side: float = 0.0
    below: float = 0.0


@dataclass
class Outcome:
    """What the person did in one frame.

    `scene` is the very scene that came in where nothing changed. `gesture` holds while a widget is held,
    `gesture_ended` in the frame in which a drag, a typed edit or a click was completed; `cancelled` where Esc (or a
    double-click that opens a text field) put the start of the gesture back. `label` names what changed, for undo.
    `actions` are ids of the table of actions; `choose` is a preset's name, `open` a recent file; `dismiss` indexes
    `Status.notices`; `before` holds while the Before button is held. `panel_width` is the width in unscaled pixels
    that the panel's edge was left at. `view` indexes the thumbnail of `Status.views` that was clicked, and `view_under`
    the one that the pointer rests on. `shelf` is what was done with kept lands, `keep` are scenes that are to be kept.
    `own` is the id of an own preset to open, `forget` of one to take away. `locked` are the locks where one was
    changed. `remark` is what the person is to be told for a moment; `used` the lines of the command palette that were
    taken last, where one was taken. `opens_field` holds where a text field opens in the next frames, which is to get
    what is typed until then.
    """

    scene: Scene
    label: str = ""
    gesture: bool = False
    gesture_ended: bool = False
    cancelled: bool = False
    actions: list[str] = field(default_factory=list)
    choose: str | None = None
    open: Path | None = None
    before: bool = False
    dismiss: list[int] = field(default_factory=list)
    panel_width: float | None = None
    view: int | None = None
    view_under: int | None = None
    shelf: list[Order] = field(default_factory=list)
    keep: list[Scene] = field(default_factory=list)
    own: str | None = None
    forget: str | None = None
    locked: Locks | None = None
    remark: str = ""
    used: tuple[str, ...] | None = None
    opens_field: bool = False
