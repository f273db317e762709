// What:   the number and the hardness of the layer at each cell, to the nearest sample of the table.
// Twin:   app/fellview/terrain/erosion/rock.py, _look()

uniform sampler2D u_heights;
uniform sampler2D u_places;
uniform sampler2D u_table;
uniform float u_samples_a_unit;

layout(location = 0) out float out_layer;
layout(location = 1) out float out_hardness;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float at = texelFetch(u_heights, cell, 0).x * u_samples_a_unit + texelFetch(u_places, cell, 0).x;
    vec2 look = texelFetch(u_table, ivec2(clamp(at, 0.0, float(textureSize(u_table, 0).x - 1)) + 0.5, 0), 0).xy;
    out_layer = look.x;
    out_hardness = look.y;
}
