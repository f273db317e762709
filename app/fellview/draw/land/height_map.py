"""The height field on the GPU: heights as an R32F texture and normals made from them by a pass."""

from __future__ import annotations

import moderngl

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw.land import block_detail
from fellview.draw.land.block_detail import BlockDetail, BlockDetailPass
from fellview.gpu import bindings, formats, programs
from fellview.gpu.engine import GpuField


class HeightMap:
    """The height texture and the normal texture of the field that is shown.

    Heights that are a texture of this context already are drawn from there; `field` holds them.

    Texel [row, column] is vertex [row, column]. Normals are the demo's averaged face normals, their x and z as RG32F;
    y is what is left of length 1, since no ground overhangs. `detail` is what blocks of cells are like.
    """

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._program = programs.program(context, "gpu/full_screen.vert", "draw/land/normals.frag")
        self._pass = context.vertex_array(self._program, [])
        self.field: HeightField | None = None
        self.version = 0
        """Grows with every upload."""
        self.heights: moderngl.Texture | None = None
        self.normals: moderngl.Texture | None = None
        self._own: moderngl.Texture | None = None
        self.detail: BlockDetail | None = None
        self._rough = False  # of `detail`, whose errors are those of heights before
        self._detail_pass = BlockDetailPass(context)
        self._framebuffer: moderngl.Framebuffer | None = None

    def upload(self, field: HeightField, *, rough: bool = False) -> None:
        """Show `field`: upload its heights and make its normals.

        Where that is enough, `rough`, the errors of `detail` stay those of the heights before, until `measure`.
        """
        size = (field.columns, field.rows)
        largest = self._context.info["GL_MAX_TEXTURE_SIZE"]
        if max(size) > largest:
            raise InputError(f"grid.rows × grid.columns = {size[1]} × {size[0]}: this OpenGL draws at most {largest}²")
        ready = field.texture_in(self._context) if isinstance(field, GpuField) else None
        if self.normals is None or self.normals.size != size:
            self.release()
            found = formats.of(self._context)
            self.normals = self._texture(size, 2, found.drawn(2, formats.PRECISE, "the ground's normals"))
            # drawn from coarser levels where cells are smaller than pixels, or they would glitter
            self.normals.build_mipmaps()
            self.normals.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            self._framebuffer = self._context.framebuffer(self.normals)
        if ready is None:
            dtype = formats.of(self._context).kept(1, formats.PRECISE, "heights")
            self._own = self._own or self._texture(size, 1, dtype)
            self._own.write(formats.packed(field.heights, dtype))
        self.heights = ready or self._own
        assert self._framebuffer is not None and self.heights is not None
        self.field = field
        self.version += 1
        self._framebuffer.use()
        self._context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
        bindings.use(self._program, {"u_heights": self.heights})
        self._program["u_cell_m"] = (field.cell_size[1], field.cell_size[0])
        self._pass.render(moderngl.TRIANGLES, vertices=3)
        self.normals.build_mipmaps()
        self._rough = rough and self.detail is not None
        if self._rough and self.detail is not None:
            self.detail = block_detail.with_errors(field.heights, self.detail.errors)
        else:
            self.detail = self._detail_pass.measure(self.heights)

    def measure(self) -> None:
        """Bring `detail` up to date where it is rough."""
        if self._rough and self.heights is not None:
            self.detail, self._rough = self._detail_pass.measure(self.heights), False

    def _texture(self, size: tuple[int, int], components: int, dtype: str) -> moderngl.Texture:
        texture = self._context.texture(size, components, dtype=dtype)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.repeat_x = texture.repeat_y = False
        return texture

    def release(self) -> None:
        """Give the textures back that are not the field's."""
        for thing in (self._framebuffer, self._own, self.normals):
            if thing is not None:
                thing.release()
        self._framebuffer = self.heights = self.normals = self._own = self.detail = None
        self._detail_pass.release()
