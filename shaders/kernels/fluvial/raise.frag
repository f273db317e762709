// What:   the heights, raised where a river would fall too little.

uniform sampler2D u_path;
uniform sampler2D u_solved;
uniform sampler2D u_highest; // of fluvial_fall along the whole way
uniform vec2 u_rise;

out float out_height;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float rise = dot(texelFetch(u_path, cell, 0).zw, u_rise);
    float highest = texelFetch(u_highest, cell, 0).z;
    out_height = texelFetch(u_solved, cell, 0).z;
    if (highest > out_height - rise) {
        out_height = highest + rise;
    }
}
