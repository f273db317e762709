// Each cell's step as it is, or the least rise above the receiver where that is higher.

uniform sampler2D u_step;
uniform sampler2D u_solved; // heights in its third component
uniform float u_least;
uniform float u_rounding;

out vec4 out_step;

void main() {
    out_step = texelFetch(u_step, ivec2(gl_FragCoord.xy), 0);
    if (out_step.x >= 0.0) {
        float below = texelFetch(u_solved, ivec2(out_step.xy), 0).z;
        float rise = u_least + u_rounding * abs(below);
        if (below + rise > out_step.z + out_step.w * below) {
            out_step.zw = vec2(rise, 1.0);
        }
    }
}
