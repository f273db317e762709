// What:   the largest along four stretches of each cell's way.

uniform sampler2D u_fall;

out vec4 out_fall; // on (column, row), largest

void main() {
    out_fall = texelFetch(u_fall, ivec2(gl_FragCoord.xy), 0);
    for (int stretch = 0; stretch < 3 && out_fall.x >= 0.0; stretch++) {
        vec4 on = texelFetch(u_fall, ivec2(out_fall.xy), 0);
        out_fall = vec4(on.xy, max(out_fall.z, on.z), 0.0);
    }
}
