"""What is said where OpenGL is lost or has no memory left."""

from types import SimpleNamespace

import moderngl
import pytest

from fellview.core.errors import FellviewError
from fellview.gpu import context as gpu_context


def telling(*errors: str) -> SimpleNamespace:
    """Return what stands for a context that tells `errors` one by one, and the last of them for ever."""

    class Context(SimpleNamespace):
        @property
        def error(self) -> str:
            return self.told.pop(0) if len(self.told) > 1 else self.told[0]

    return Context(info={"GL_RENDERER": "Old Card 3 (driver 7)"}, told=list(errors))


@pytest.mark.parametrize(
    ("errors", "why"),
    [
        (("GL_OUT_OF_MEMORY", "GL_NO_ERROR"), "no memory is left"),
        (("GL_INVALID_ENUM", "GL_OUT_OF_MEMORY", "GL_NO_ERROR"), "no memory is left"),
        (("GL_UNKNOWN_ERROR",), "the graphics driver is lost"),
    ],
)
def test_what_no_picture_can_come_of_is_told_with_what_may_work(errors, why):
    with pytest.raises(FellviewError, match=f"^OpenGL on Old Card 3: {why}; .* may work$"):
        gpu_context.require_sound(telling(*errors))


@pytest.mark.parametrize("errors", [("GL_NO_ERROR",), ("GL_INVALID_ENUM", "GL_NO_ERROR"), ("GL_INVALID_ENUM",)])
def test_what_does_no_harm_is_passed_over(errors):
    gpu_context.require_sound(telling(*errors))


def test_what_opengl_refuses_in_a_context_of_its_own_is_one_line():
    with pytest.raises(FellviewError, match=r"^OpenGL on \w+: cannot create texture; .* may work$"):  # noqa: SIM117
        with gpu_context.aside():
            raise moderngl.Error("cannot\ncreate texture")


def test_a_real_context_that_draws_is_sound(context):
    context.simple_framebuffer((8, 8)).clear()
    gpu_context.require_sound(context)
