"""The height field on the GPU: heights as an R32F texture and normals made from them by a pass."""

from __future__ import annotations

from typing import NamedTuple

import moderngl

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw.land import block_detail
from fellview.draw.land.block_detail import BLOCK_CELLS, BlockDetail, BlockDetailPass
from fellview.gpu import bindings, formats, mipmaps, programs
from fellview.gpu.engine import GpuField

DRAFT_VERTICES = 512
"""Vertices a side, at the least, that a draft's maps look at: two a pixel of its frame and more."""

LEAST_TEXELS = 16
"""A side of the coarsest level of maps of the land's vertices: in fewer a pixel has a tenth of a land and more."""


class _Normals(NamedTuple):
    """Normals of a grid, and what draws into them."""

    texture: moderngl.Texture
    framebuffer: moderngl.Framebuffer


class HeightMap:
    """The height texture and the normal texture of the field that is shown.

    Heights that are a texture of this context already are drawn from there; `field` holds them.

    Texel [row, column] is vertex [row, column]. Normals are the demo's averaged face normals, their x and z as RG32F;
    y is what is left of length 1, since no ground overhangs. `detail` is what blocks of cells are like.

    Maps of a draft of a large land look at every `stride`-th vertex along each axis alone, until they are asked for
    otherwise.
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
        self.stride = 1
        """How many vertices apart those are that maps look at."""
        self._own: moderngl.Texture | None = None
        self._size = (0, 0)
        self.detail: BlockDetail | None = None
        self._rough = False  # of `detail`, whose errors are those of heights before
        self._of_large: BlockDetail | None = None  # that of the last large land
        self._detail_pass = BlockDetailPass(context)
        self._drawn = (0, 0)  # the version whose normals are there, and their stride
        self._worked_out = 0  # the version whose detail is there
        self._normals: dict[tuple[int, int], _Normals] = {}

    def upload(self, field: HeightField, *, rough: bool = False, every_second: moderngl.Texture | None = None) -> None:
        """Show `field`: upload its heights and make its normals.

        Where that is enough, `rough`, the errors of `detail` stay those of the heights before, until `measure`; and
        where the texture of `every_second` vertex is given, the normals are those of that.
        """
        before = self.detail if rough else None
        self.take(field)
        assert self.heights is not None
        if every_second is None:
            self._make_normals(self.heights, field.cell_size)
        else:
            self._make_normals(every_second, (2 * field.cell_size[0], 2 * field.cell_size[1]))
        self._find_detail(before)
        self._worked_out = self.version

    def take(self, field: HeightField) -> None:
        """Upload the heights of `field`, of which nothing is drawn before `work_out`."""
        size = (field.columns, field.rows)
        largest = self._context.info["GL_MAX_TEXTURE_SIZE"]
        if max(size) > largest:
            raise InputError(f"grid.rows × grid.columns = {size[1]} × {size[0]}: this OpenGL draws at most {largest}²")
        ready = field.texture_in(self._context) if isinstance(field, GpuField) else None
        if self._size != size:
            self.release()
            self._size = size
        if ready is None:
            dtype = formats.of(self._context).kept(1, formats.PRECISE, "heights")
            self._own = self._own or self._texture(size, 1, dtype)
            self._own.write(formats.packed(field.heights, dtype))
        heights = ready or self._own
        assert heights is not None
        self.heights, self.field = heights, field
        self.version += 1
        self.stride = 1

    def draw_normals(self, *, draft: bool) -> None:
        """Have those normals drawn that `work_out` would find missing; OpenGL may be at work for some time."""
        field, heights = self.field, self.heights
        if field is None or heights is None or self._has_normals(draft=draft):
            return
        self.stride = self._coarsest if draft else 1
        self._make_normals(heights, field.cell_size)

    def work_out(self, *, draft: bool) -> None:
        """Make what is missing of the normals and the `detail` of the heights that are shown.

        In a `draft` of a large land maps look at fewer vertices, and the errors of `detail` are those of the last
        large one, until it is asked for otherwise.
        """
        field = self.field
        if field is None or self.heights is None:
            return
        had_normals = self._has_normals(draft=draft)
        self.draw_normals(draft=draft)
        if had_normals and self._worked_out == self.version and (draft or not self._rough):
            return
        # an engine's heights would have to be read back for it
        can_be_rough = self.stride > 1 and not isinstance(field, GpuField)
        self._find_detail(self._of_large if can_be_rough else None)
        if self._coarsest > 1:
            self._of_large = self.detail
        self._worked_out = self.version

    def _has_normals(self, *, draft: bool) -> bool:
        """Return whether the normals of the heights are there, for a `draft` or for any picture."""
        return self._drawn[0] == self.version and (draft or self._drawn[1] == 1)

    @property
    def _coarsest(self) -> int:
        """The stride of a draft: a power of two, as sides of textures then are or are not: software OpenGL compiles for
        those and for others."""
        assert self.heights is not None
        return 1 << max((min(self.heights.size) // DRAFT_VERTICES).bit_length() - 1, 0)

    def measure(self) -> None:
        """Bring `detail` up to date where it is rough."""
        if self._rough:
            self._find_detail(None)

    def _find_detail(self, before: BlockDetail | None) -> None:
        """Make `detail`, with the errors that it had `before` where that is given and of the same shape."""
        assert self.heights is not None and self.field is not None
        columns, rows = (-(-(side - 1) // BLOCK_CELLS) for side in self.heights.size)
        self._rough = before is not None and before.shape == (rows, columns)
        if self._rough and before is not None:
            self.detail = block_detail.with_errors(self.field.heights, before.errors)
        else:
            self.detail = self._detail_pass.measure(self.heights)

    def _normals_of(self, size: tuple[int, int]) -> _Normals:
        """Return where normals go, of that many vertices along x and z."""
        if size not in self._normals:
            dtype = formats.of(self._context).drawn(2, formats.PRECISE, "the ground's normals")
            texture = self._texture(size, 2, dtype)
            # drawn from coarser levels where cells are smaller than pixels, or they would glitter
            mipmaps.reserve(texture)
            texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
            self._normals[size] = _Normals(texture, self._context.framebuffer(texture))
        return self._normals[size]

    def _make_normals(self, heights: moderngl.Texture, cell_size: tuple[float, float]) -> None:
        """Make those of `heights` in metres at every `stride`-th vertex, and show them; cells are (z, x) in metres."""
        columns, rows = (-(-side // self.stride) for side in heights.size)
        normals = self._normals_of((columns, rows))
        normals.framebuffer.use()
        self._context.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
        bindings.use(self._program, {"u_heights": heights})
        self._program["u_cell_m"] = cell_size[::-1]
        self._program["u_stride"] = self.stride
        self._pass.render(moderngl.TRIANGLES, vertices=3)
        mipmaps.build(normals.texture, LEAST_TEXELS)
        self.normals = normals.texture
        self._drawn = self.version, self.stride

    def _texture(self, size: tuple[int, int], components: int, dtype: str) -> moderngl.Texture:
        texture = self._context.texture(size, components, dtype=dtype)
        texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        texture.repeat_x = texture.repeat_y = False
        return texture

    def release(self) -> None:
        """Give the textures back that are not the field's."""
        for each in self._normals.values():
            each.framebuffer.release()
            each.texture.release()
        if self._own is not None:
            self._own.release()
        self.heights = self.normals = self._own = self.detail = None
        self._normals, self._size, self._drawn = {}, (0, 0), (0, 0)
        self._detail_pass.release()
