// What:   each cell's receiver, and its height less the least rise along its way: no river falls too little where none
//         of these grows downstream.

uniform sampler2D u_way;    // receivers
uniform sampler2D u_path;   // least rise and cells along the whole way
uniform sampler2D u_solved; // heights in its third component
uniform vec2 u_rise;        // what one of each counts

out vec4 out_fall;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float rise = dot(texelFetch(u_path, cell, 0).zw, u_rise);
    out_fall = vec4(texelFetch(u_way, cell, 0).xy, texelFetch(u_solved, cell, 0).z - rise, 0.0);
}
