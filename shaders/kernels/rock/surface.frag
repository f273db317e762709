// What:   what lies at the surface: erodibility, steepest slope, and the rock's own surface, as low as it has ever
//         been. Where all is rock, the third and fourth are its sample and the integral of 1 / erodibility there.
// Twin:   app/fellview/terrain/erosion/rock.py, _look_up()

uniform sampler2D u_heights;
uniform sampler2D u_places;
uniform sampler2D u_table;   // erodibility, steepest slope and integral of 1 / erodibility, one place a texel
uniform sampler2D u_ground;  // the rock's surface at first, afterwards what came out last
uniform bool u_first;
uniform float u_samples_a_unit;
uniform float u_plain;       // the slope of what is loose
uniform float u_loose;       // how deep it must be to hide the rock; 0 where all is rock

out vec4 out_surface;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float h = texelFetch(u_heights, cell, 0).x;
    int samples = textureSize(u_table, 0).x;
    float at = clamp(h * u_samples_a_unit + texelFetch(u_places, cell, 0).x, 0.0, float(samples - 1));
    int k = min(int(at), samples - 2);
    vec3 low = texelFetch(u_table, ivec2(k, 0), 0).xyz, high = texelFetch(u_table, ivec2(k + 1, 0), 0).xyz;
    vec3 here = low + (at - float(k)) * (high - low);
    if (u_loose > 0.0) {
        vec4 ground = texelFetch(u_ground, cell, 0);
        float lowest = min(u_first ? ground.x : ground.z, h);
        vec2 wear = here.xy + min((h - lowest) / u_loose, 1.0) * (vec2(1.0, u_plain) - here.xy);
        out_surface = vec4(wear, lowest, 0.0);
    } else {
        out_surface = vec4(here.xy, at, here.z);
    }
}
