"""What a person has set of a film, of whatever scene there is: a motion of each kind, of which one is chosen."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from fellview.core.errors import InputError
from fellview.core.parameters import Group, Value, choice, switch, text
from fellview.scene.scene import Scene
from fellview.studio.films import film_file, sweep
from fellview.studio.films.day import Day
from fellview.studio.films.film import Film, Motion, Timing
from fellview.studio.films.flight import BookmarkFlight
from fellview.studio.films.morph import Morph
from fellview.studio.films.turntable import Turntable

WEBP, MP4, PICTURES = "webp", "mp4", "pictures"


@dataclass(frozen=True)
class Output(Group):
    """What a film is written as."""

    key: ClassVar[str] = "output"
    title: ClassVar[str] = "File"

    size: str = text("1280x720", tip="WIDTHxHEIGHT of a frame in pixels.", longest=11)
    format: str = choice(
        WEBP,
        (WEBP, MP4, PICTURES),
        tip="WebP plays in any browser, MP4 wherever PyAV is installed; numbered pictures can be gone on with.",
    )
    keep: bool = switch(
        False,
        label="Keep frames",
        tip="On, numbered pictures stay beside the file, so that a film that was stopped goes on where it was.",
        only={"format": (WEBP, MP4)},
    )


@dataclass(frozen=True)
class Swept:
    """A parameter that a sweep changes, by its key, and from which value to which."""

    key: str
    low: Value
    high: Value


@dataclass(frozen=True)
class Settings:
    """The `kind` of motion that is chosen, a name of `film_file.KINDS`, and the numbers of all kinds.

    `swept` is what a sweep changes, `to` what a morph goes to. Rows of the panel ask for values by key, as of a scene.
    """

    kind: str = "turntable"
    film: Timing = field(default_factory=Timing)
    output: Output = field(default_factory=Output)
    turntable: Turntable = field(default_factory=Turntable)
    flight: BookmarkFlight = field(default_factory=BookmarkFlight)
    day: Day = field(default_factory=Day)
    swept: tuple[Swept, ...] = ()
    to: Scene | None = None

    def get(self, key: str) -> Value:
        """Return the value of `key`, such as ``turntable.pitch``."""
        group, _, name = key.partition(".")
        return getattr(getattr(self, group), name)  # type: ignore[no-any-return]

    def replace(self, changes: Mapping[str, Value]) -> Settings:
        """Return validated settings with `changes` made, such as ``{"film.frames": 240}``."""
        changed = self
        for key, value in changes.items():
            group, _, name = key.partition(".")
            changed = dataclasses.replace(changed, **{group: getattr(changed, group).replace(**{name: value})})  # type: ignore[arg-type]
        return changed

    @property
    def group(self) -> Group | None:
        """The numbers of the motion that is chosen; none of a kind that has none."""
        return {"turntable": self.turntable, "flight": self.flight, "day": self.day}.get(self.kind)

    def made(self, scene: Scene) -> Film:
        """Return the film of `scene`; `InputError` where there is none, in the words for a person."""
        motion = self._motion(scene)
        by_speed = motion.frames(scene, self.film.rate)
        timing = self.film if by_speed is None else self.film.replace(frames=by_speed)
        return Film(scene, motion, timing, film_file.size_of(self.output.size))

    def _motion(self, scene: Scene) -> Motion:
        if self.kind == "sweep":
            return sweep.from_table(scene, {one.key: [one.low, one.high] for one in self.swept})
        if self.kind == "erosion":
            return sweep.growing_erosion(scene)
        if self.kind == "morph":
            if self.to is None:
                raise InputError("morph: no land to go to: expected one that is kept on the shelf")
            return Morph(self.to)
        assert isinstance(self.group, Turntable | BookmarkFlight | Day)
        return self.group


def settings_of(film: Film, before: Settings) -> Settings:
    """Return the settings that make `film` of its scene; what it says nothing of is as `before`.

    `InputError` where a sweep goes through more values than two.
    """
    kind = film_file.kind_of(film)
    motion = film.motion
    found = dataclasses.replace(
        before,
        kind=kind,
        film=film.timing,
        output=before.output.replace(size=f"{film.size[0]}x{film.size[1]}"),
    )
    if isinstance(motion, Group):
        return dataclasses.replace(found, **{kind: motion})  # type: ignore[arg-type]
    if isinstance(motion, Morph):
        return dataclasses.replace(found, to=motion.to)
    if kind == "erosion":
        return found
    assert isinstance(motion, sweep.Sweep)
    for key, several in motion.values.items():
        if len(several) != 2:
            raise InputError(
                f"sweep: {key}: {len(several)} values: expected 2 in the window; `fellview film` takes more"
            )
    return dataclasses.replace(found, swept=tuple(Swept(key, *ends) for key, ends in motion.values.items()))
