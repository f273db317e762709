"""What is read apart from the window: a foreign file at a time, and the textures of a person's folder."""

from __future__ import annotations

from collections.abc import Callable

from fellview.core.errors import FellviewError, named, one_line
from fellview.desktop import window
from fellview.desktop.faults import Faults
from fellview.draw.ground import cover, ground_textures
from fellview.io.reading import LIMIT_S, Reading
from fellview.scene.scene import Scene
from fellview.session.session import Session


class FileReader:
    """Reads a foreign file at a time, within `limit_s` seconds; the newest wins."""

    def __init__(self, session: Session, faults: Faults, redraw: Callable[[], None], limit_s: float = LIMIT_S) -> None:
        self._session, self._faults, self._redraw, self._limit_s = session, faults, redraw, limit_s
        self._reading: Reading[Callable[[], None]] | None = None

    @property
    def under_way(self) -> Reading[Callable[[], None]] | None:
        """The file that is being read."""
        return self._reading

    def read(self, name: str, read: Callable[[], Callable[[], None]]) -> None:
        """Have `read` look at the foreign file `name` apart from the window; what it returns is then done here.

        A file that is still being read is given up for it.
        """
        self._reading = Reading(named(one_line(name)), read, window.wake, self._limit_s)
        self.take()
        self._redraw()

    def take(self) -> None:
        """Do what is to be done with a file once it is read."""
        reading = self._reading
        if reading is not None and reading.over:
            self._reading = None
            with self._faults.guarded(f"reading {reading.name}"):
                reading.result()()
            self._redraw()

    def give_up(self) -> bool:
        """Do without the file that is being read; return whether there was one."""
        if self._reading is None:
            return False
        self._session.notify(f"{self._reading.name}: given up", passing=True)
        self._reading = None
        self._redraw()
        return True


class TextureReader:
    """Reads the ground textures of a person's folder, or leaves all folders alone where they are not `wanted`.

    `taken` is called when there are others to draw with. `take` reads a folder, for which it has `limit_s` seconds.
    """

    def __init__(
        self,
        faults: Faults,
        taken: Callable[[], None],
        *,
        wanted: bool = True,
        take: Callable[[str], None] = ground_textures.take,
        limit_s: float = LIMIT_S,
    ) -> None:
        self._faults, self._taken, self._wanted, self._take, self._limit_s = faults, taken, wanted, take, limit_s
        self._reading: Reading[None] | None = None

    def has_those_of(self, scene: Scene) -> bool:
        """Return whether the textures of `scene` are there."""
        return ground_textures.is_taken(self._folder(scene))

    def want(self, scene: Scene) -> None:
        """Have the textures that `scene` takes from a person's folder read."""
        folder, reading = self._folder(scene), self._reading
        if reading is not None and reading.over:
            self._reading = None
            try:
                reading.result()
            except FellviewError as fault:
                ground_textures.leave(reading.name, str(fault))
            except Exception as fault:
                ground_textures.leave(reading.name, self._faults.crashes.note(fault, "reading textures"))
            self._taken()
        elif not ground_textures.is_taken(folder) and (reading is None or reading.name != folder):
            self._reading = Reading(folder, lambda: self._take(folder), window.wake, self._limit_s)

    def _folder(self, scene: Scene) -> str:
        return cover.textures(scene) if self._wanted else ""
