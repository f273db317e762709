"""The look of a window's first pictures, until the shaders of the scene that is opened are compiled.

It is a simple one, which a window draws at once. The full one takes its place when it has been drawn as nobody sees it,
so that no hand waits for its first time; before, the simple one is rehearsed likewise.
"""

from __future__ import annotations

from collections.abc import Callable

from fellview.draw.passes import Passes
from fellview.draw.renderer import Renderer
from fellview.draw.simple_look import simple
from fellview.draw.target import Size, Target
from fellview.scene.scene import Scene

_LARGEST_SCALE = 0.5  # of moving frames: those of all pixels are drawn otherwise


class FirstLook:
    """Whether pictures are in the simple look, and the rehearsals of what comes next.

    `has_compiled` tells whether all is compiled that a scene is drawn with; if so of the `opened` one, pictures are in
    the full look at once.
    """

    def __init__(self, renderer: Renderer, opened: Scene, has_compiled: Callable[[Scene], bool]) -> None:
        self._renderer, self._has_compiled = renderer, has_compiled
        self.is_simple = not has_compiled(opened)
        """Whether pictures are in the simple look,"""
        self.is_unrehearsed = self.is_simple
        """and whether that has not been rehearsed yet: until then no land is drawn."""

    def of(self, scene: Scene) -> Scene:
        """Return `scene` as it is drawn now."""
        return simple(scene) if self.is_simple else scene

    def may_end(self, scene: Scene) -> bool:
        """Return whether the full look can take the place of the simple one, once it has been rehearsed."""
        return self.is_simple and self._has_compiled(scene)

    def rehearsal(self, scene: Scene, size: Size, scale: float) -> Passes[Target]:
        """Draw pictures of `scene` in the look to come, moving ones of about that `scale`.

        Given up under the hand, they begin anew when it rests, and what was made by then is there. Before the simple
        look has been rehearsed there is no land to be seen, and level ground takes its place.
        """
        renderer, scale = self._renderer, min(scale, _LARGEST_SCALE)

        def moving(scene: Scene) -> Passes[Target]:
            yield from renderer.passes(scene, size, 1, 0, scale=scale)
            return (yield from renderer.passes(scene, size, 1, 0))

        if self.is_unrehearsed:
            shown = self.of(scene)
            return (yield from renderer.on_level_ground(shown, moving(shown)))
        yield from renderer.passes(scene, size, renderer.resting_samples, 0)
        return (yield from moving(scene))

    def take_up(self) -> None:
        """Draw in the look that has been rehearsed from now on."""
        self.is_simple, self.is_unrehearsed = self.is_unrehearsed, False
