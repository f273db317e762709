"""What every draw pass is: a class that draws one kind of thing into a frame. `registry.py` lists them in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import moderngl

from fellview.draw.frame import Frame
from fellview.draw.passes import Passes
from fellview.gpu.uniform_block import UniformBlock


class DrawPass(ABC):
    """Draws one kind of thing. A renderer has one of each, which keeps programs and textures from frame to frame."""

    name: ClassVar[str | None]
    """What the benchmark counts its time under; None where its parts are counted by themselves."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context, self._look = context, look

    def wanted(self, frame: Frame) -> bool:
        """Return whether there may be anything to draw; it is asked when all passes before have drawn."""
        return True

    def keeps_depth(self, frame: Frame) -> bool:
        """Return whether the depth that the last frame has left is to stay; it is asked before the target is cleared.

        The frame has nothing in it of what passes before have drawn.
        """
        return False

    @abstractmethod
    def draw(self, frame: Frame) -> Passes[None] | None:
        """Draw into the bound framebuffer, which is `frame.target`; the viewport is the picture's.

        Flags of OpenGL are as in no particular state, and need not be set back. What takes long gives way in between
        (`passes.py`) and binds anew what it needs after that.
        """
