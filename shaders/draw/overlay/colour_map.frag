// What:   some rows of a map, drawn anew: kept as values, and shown in colours from u_low to u_high.
uniform sampler2D u_rows; // its first row is row u_first of the map
uniform sampler2D u_colours;
uniform int u_first;
uniform vec2 u_scale; // what values are multiplied by, and what is added then
uniform float u_low;
uniform float u_high;

layout(location = 0) out vec4 out_color;
layout(location = 1) out float out_value;

void main() {
    float value = u_scale.x * texelFetch(u_rows, ivec2(gl_FragCoord.xy) - ivec2(0, u_first), 0).r + u_scale.y;
    float entries = float(textureSize(u_colours, 0).x);
    float share = clamp((value - u_low) / (u_high - u_low), 0.0, 1.0);
    // from the middle of the first texel to the middle of the last
    out_color = texture(u_colours, vec2((0.5 + share * (entries - 1.0)) / entries, 0.5));
    out_value = value;
}
