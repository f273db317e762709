"""The height field on the GPU: heights as an R32F texture and normals made from them by a pass."""

from __future__ import annotations

from typing import NamedTuple

import moderngl

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw.land import block_detail
from fellview.draw.land.block_detail import BlockDetail, BlockDetailPass
from fellview.gpu import bindings, formats, programs
from fellview.gpu.engine import GpuField


class _Normals(NamedTuple):
    """Normals of a grid, and what draws into them."""

    texture: moderngl.Texture
    framebuffer: moderngl.Framebuffer


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
        self._fine: _Normals | None = None
        self._coarse: _Normals | None = None

    def upload(self, field: HeightField, *, rough: bool = False, every_second: moderngl.Texture | None = None) -> None:
        """Show `field`: upload its heights and make its normals.

        Where that is enough, `rough`, the errors of `detail` stay those of the heights before, until `measure`; and
        where the texture of `every_second` vertex is given, the normals are those of that.
        """
        size = (field.columns, field.rows)
        largest = self._context.info["GL_MAX_TEXTURE_SIZE"]
        if max(size) > largest:
            raise InputError(f"grid.rows × grid.columns = {size[1]} × {size[0]}: this OpenGL draws at most {largest}²")
        ready = field.texture_in(self._context) if isinstance(field, GpuField) else None
        if self._fine is None or self._fine.texture.size != size:
            self.release()
            self._fine = self._normals(size)
        if ready is None:
            dtype = formats.of(self._context).kept(1, formats.PRECISE, "heights")
            self._own = self._own or self._texture(size, 1, dtype)
            self._own.write(formats.packed(field.heights, dtype))
        heights = ready or self._own
        assert heights is not None
        self.heights, self.field = heights, field
        self.version += 1
        z, x = field.cell_size
        if every_second is None:
            self._make_normals(self._fine, heights, (x, z))
        else:
            self._coarse = self._coarse or self._normals(every_second.size)  # for one size there is one of every second
            self._make_normals(self._coarse, every_second, (2 * x, 2 * z))
        self._rough = rough and self.detail is not None
        if self._rough and self.detail is not None:
            self.detail = block_detail.with_errors(field.heights, self.detail.errors)
        else:
            self.detail = self._detail_pass.measure(heights)

    def measure(self) -> None:
        """Bring `detail` up to date where it is rough."""
        if self._rough and self.heights is not None:
            self.detail, self._rough = self._detail_pass.measure(self.heights), False

    def _normals(self, size: tuple[int, int]) -> _Normals:
        """Return where normals of heights of that `size` go."""
        dtype = formats.of(self._context).drawn(2, formats.PRECISE, "the ground's normals")
        texture = self._texture(size, 2, dtype)
        # drawn from coarser levels where cells are smaller than pixels, or they would glitter
        texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return _Normals(texture, self._context.framebuffer(texture))

    def _make_normals(self, normals: _Normals, heights: moderngl.Texture, cell_m: tuple[float, float]) -> None:
        """Make those of `heights` in metres, whose cells are `cell_m` wide along x and z, and show them."""
        normals.framebuffer.use()
        self._context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
        bindings.use(self._program, {"u_heights": heights})
        self._program["u_cell_m"] = cell_m
        self._pass.render(moderngl.TRIANGLES, vertices=3)
        normals.texture.build_mipmaps()
        self.normals = normals.texture

    def _texture(self, size: tuple[int, int], components: int, dtype: str) -> moderngl.Texture:
        texture = self._context.texture(size, components, dtype=dtype)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.repeat_x = texture.repeat_y = False
        return texture

    def release(self) -> None:
        """Give the textures back that are not the field's."""
        for each in (self._fine, self._coarse):
            if each is not None:
                each.framebuffer.release()
                each.texture.release()
        if self._own is not None:
            self._own.release()
        self._fine = self._coarse = self.heights = self.normals = self._own = self.detail = None
        self._detail_pass.release()
