"""The deck: slides in the order in which they are shown. It is a frozen value; a change gives a new one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

from fellview.core.errors import InputError, quoted
from fellview.core.parameters import Group, is_text, real, switch
from fellview.scene.groups.view import View
from fellview.scene.groups.view_modes import DIFFERENCE
from fellview.scene.scene import Scene
from fellview.studio.shelf import Shelf

MOST = 200
"""How many slides a deck has room for: a talk of three hours, a minute each."""

LONGEST_CAPTION = 240
"""Characters: what stands in four lines in a corner and is read while someone talks."""

Transition = Literal["flight", "wipe", "morph", "cut"]
TRANSITIONS: tuple[Transition, ...] = get_args(Transition)


@dataclass(frozen=True)
class Slide:
    """A land as it is seen from the scene's camera, what is said below it, and how one comes to it."""

    scene: Scene
    caption: str = ""
    transition: Transition = "flight"

    def __post_init__(self) -> None:
        """Raise `InputError` where caption or transition is none."""
        if not is_text(self.caption, LONGEST_CAPTION):
            expected = f"a text in Unicode of at most {LONGEST_CAPTION} characters"
            raise InputError(f"caption = {quoted(self.caption)}: expected {expected}")
        if self.transition not in TRANSITIONS:
            raise InputError(f"transition = {quoted(self.transition)}: expected one of {', '.join(TRANSITIONS)}")


@dataclass(frozen=True)
class Showing(Group):
    """How slides are shown."""

    key: ClassVar[str] = "show"
    title: ClassVar[str] = "Show"

    turn: bool = switch(False, tip="On, the camera goes slowly round what a slide shows.")
    turn_speed: float = real(
        2.0, -30.0, 30.0, unit="°/s", tip="Low is hardly seen to turn, high is fast; below 0 it goes the other way."
    )
    seconds: float = real(2.0, 0.2, 60.0, unit="s", tip="Low is a quick wipe or morph, high a slow one.")
    changes: bool = switch(False, tip="On, what differs from the slide before stands small above the caption.")


@dataclass(frozen=True)
class Deck:
    """The slides in their order. `InputError` where there are more than `MOST`."""

    slides: tuple[Slide, ...] = ()
    showing: Showing = field(default_factory=Showing)

    def __post_init__(self) -> None:
        """Raise `InputError` where it cannot be."""
        if len(self.slides) > MOST:
            raise InputError(f"the deck: {len(self.slides)} slides: expected at most {MOST}")

    def __len__(self) -> int:
        """Return how many slides there are."""
        return len(self.slides)

    def add(self, slides: Iterable[Slide], place: int | None = None) -> Deck:
        """Return the deck with `slides` from `place` on, or behind the others where that is none."""
        at = len(self) if place is None else place
        return self._with((*self.slides[:at], *slides, *self.slides[at:]))

    def change(self, place: int, slide: Slide) -> Deck:
        """Return the deck with another `slide` at `place`."""
        return self._with((*self.slides[:place], slide, *self.slides[place + 1 :]))

    def move(self, place: int, to: int) -> Deck:
        """Return the deck with the slide at `place` at `to` in the new order, or at the end that is nearer to that."""
        others = [*self.slides[:place], *self.slides[place + 1 :]]
        others.insert(min(max(to, 0), len(others)), self.slides[place])
        return self._with(tuple(others))

    def delete(self, place: int) -> Deck:
        """Return the deck without the slide at `place`."""
        return self._with((*self.slides[:place], *self.slides[place + 1 :]))

    def _with(self, slides: tuple[Slide, ...]) -> Deck:
        return dataclasses.replace(self, slides=slides)


def slide_of(scene: Scene, caption: str = "", before: Slide | None = None) -> Slide:
    """Return the slide of `scene` behind the slide `before`: over the same land one flies, to another one wipes.

    Its view is the usual one where it shows the difference to another land, which is not kept with it.
    """
    if scene.view.mode == DIFFERENCE:
        scene = scene.with_group(scene.view.replace(mode=View().mode))
    other_land = before is not None and before.scene.terrain_groups() != scene.terrain_groups()
    return Slide(scene, caption, "wipe" if other_land else "flight")


def of_bookmarks(scene: Scene, before: Slide | None = None) -> tuple[Slide, ...]:
    """Return a slide for each bookmark of `scene`, from its camera and with its name, behind the slide `before`."""
    return _slides([(scene.with_group(one.camera), one.name) for one in scene.bookmarks], before)


def of_starred(shelf: Shelf, before: Slide | None = None) -> tuple[Slide, ...]:
    """Return a slide for each land of `shelf` that has a star, in its order and with its name."""
    return _slides([(one.scene, one.name) for one in shelf.variants if one.star], before)


def _slides(named: Iterable[tuple[Scene, str]], before: Slide | None) -> tuple[Slide, ...]:
    found: list[Slide] = []
    for scene, name in named:
        found.append(slide_of(scene, name, found[-1] if found else before))
    return tuple(found)
