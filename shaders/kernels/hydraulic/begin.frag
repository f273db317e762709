// What:   a level's land from what the level below left, and from the input; a first level's is the dry input. The
//         input's finer detail shows, but where it lies under deposits.
// Twin:   app/fellview/terrain/erosion/hydraulic.py, _begin()

uniform sampler2D u_base;
uniform bool u_first;
uniform sampler2D u_below; // change, water, load
uniform sampler2D u_lifted_base;
uniform float u_buried;
uniform float u_most;

out vec4 out_land;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float b = texelFetch(u_base, cell, 0).x;
    out_land = vec4(b, 0.0, 0.0, 0.0);
    if (!u_first) {
        vec3 below = texelFetch(u_below, cell, 0).xyz;
        float laid = max(below.x, 0.0) / u_buried;
        float ground = (b + below.x) - (b - texelFetch(u_lifted_base, cell, 0).x) * (laid / (laid + 1.0));
        out_land = vec4(ground, max(below.y, 0.0), clamp(below.z, 0.0, u_most), 0.0);
    }
}
