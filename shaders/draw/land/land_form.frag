// What:   the recipe's form over the land itself, spread out so fine that straight lines between texels show no
//         corners: its height and how steep it is.

#include "draw/land/recipe_form.glsl"

uniform float u_cells; // a side of the land

out vec2 out_form;

void main() {
    out_form = form_at(floor(gl_FragCoord.xy) / u_cells).xy;
}
