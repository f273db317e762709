// What:   heights in metres, where fall.frag looks for them.

uniform sampler2D u_heights;
uniform float u_lowest;
uniform float u_relief;

out vec4 out_solved;

void main() {
    out_solved = vec4(0.0, 0.0, texelFetch(u_heights, ivec2(gl_FragCoord.xy), 0).x * u_relief + u_lowest, 0.0);
}
