// What:   what a texture of the land has of every vertex, carried on around it as the heights are.

#include "draw/land/surroundings.glsl"

uniform sampler2D u_field;
uniform vec2 u_first;
uniform float u_sides_a_cell;
uniform float u_level;
uniform float u_has_slopes; // 1 where the last of four is a slope in degrees, and the third a curvature: they go by the height

out vec4 out_field;

void main() {
    Source at = source_of(u_first + floor(gl_FragCoord.xy) * u_sides_a_cell);
    vec4 field = continued(u_field, at, u_level);
    float height = mix(1.0, mix(1.0, at.height, at.share), u_has_slopes);
    field.b *= height;
    field.a = u_has_slopes > 0.5 ? degrees(atan(height * tan(radians(min(field.a, 89.0))))) : field.a;
    out_field = field;
}
