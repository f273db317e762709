// What:   the least rise above the receiver, where that is higher than the cell's step; other cells are left alone.

uniform sampler2D u_step;
uniform sampler2D u_solved; // heights in its third component
uniform float u_least;
uniform float u_rounding;

out vec4 out_step;

void main() {
    vec4 own = texelFetch(u_step, ivec2(gl_FragCoord.xy), 0);
    if (own.x < 0.0) {
        discard;
    }
    float below = texelFetch(u_solved, ivec2(own.xy), 0).z;
    float rise = u_least + u_rounding * abs(below);
    if (own.z + own.w * below >= below + rise) {
        discard;
    }
    out_step = vec4(own.xy, rise, 1.0);
}
