// What:   the steps h = inflow + share h_on of four stretches of each cell's way made one.

uniform sampler2D u_step;

out vec4 out_step; // on (column, row), inflow, share

void main() {
    out_step = texelFetch(u_step, ivec2(gl_FragCoord.xy), 0);
    for (int stretch = 0; stretch < 3 && out_step.x >= 0.0; stretch++) {
        vec4 on = texelFetch(u_step, ivec2(out_step.xy), 0);
        out_step = vec4(on.xy, out_step.z + out_step.w * on.z, out_step.w * on.w);
    }
}
