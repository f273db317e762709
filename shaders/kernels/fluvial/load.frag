// What:   what each cell lost, as the load that its river carries.

uniform sampler2D u_before;
uniform sampler2D u_after;
uniform sampler2D u_ground; // K, U
uniform float u_dt;

out float out_load;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float risen = texelFetch(u_before, cell, 0).x + u_dt * texelFetch(u_ground, cell, 0).y;
    out_load = max(0.0, risen - texelFetch(u_after, cell, 0).x);
}
