"""What a picture of another aspect than the window's will show, in the land's place while its form is open.

As with a film, what is seen is a preview: the scene that is worked on stays as it is.
"""

from __future__ import annotations

from fellview.desktop.layout import Layout
from fellview.session.session import Session
from fellview.ui import overlays
from fellview.view import framing
from fellview.view.projection import Size


class PictureFrame:
    """A frame over the land, which has a wider lens where the picture shows more than the window."""

    def __init__(self, session: Session, layout: Layout) -> None:
        self._session, self._layout = session, layout
        self._aspect: float | None = None  # of the picture, where this frame of the window shows it
        self._shown = False

    def draw(self, size: Size) -> bool:
        """Draw what a picture of `size` will show, where the land is seen; return whether it is."""
        if self._layout.land_covered:
            return False
        self._aspect = size[0] / size[1]
        overlays.picture_frame(self._aspect, self._layout.panel.scene_rect)
        return True

    def apply(self) -> None:
        """Have the land seen through the lens that the frame in the last panel is for, or again through its own."""
        aspect, self._aspect = self._aspect, None
        session = self._session
        if aspect is None:
            if self._shown:
                session.preview(None)
            self._shown = False
            return
        width, height = self._layout.area_pixels()
        wider = aspect > width / height
        camera = framing.with_room_for(session.scene.camera, aspect, width / height)
        scene = session.scene.with_group(camera) if wider else None
        if not self._shown or session.visible != (scene or session.scene):
            session.preview(scene)
        self._shown = True
