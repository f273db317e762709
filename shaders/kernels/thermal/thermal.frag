// What:   the next stage of thermal erosion: (1 - b)·last + b·before - what slid off `last`.
// Twin:   app/fellview/terrain/erosion/thermal.py, _stage()

uniform sampler2D u_before;
uniform sampler2D u_last;
uniform float u_b;
uniform vec3 u_tali; // m along z, x and across
uniform vec3 u_rates; // of a whole step, likewise
uniform bool u_layers;
uniform sampler2D u_surface; // of layers of rock: steepest slope in its second component

out float out_height_m;

// The part of `drop`, which may be negative, that is above `talus`.
float slide(float drop, float talus) {
    return max(drop - talus, 0.0) + min(drop + talus, 0.0);
}

float steepest_at(ivec2 cell) {
    return texelFetch(u_surface, clamp(cell, ivec2(0), textureSize(u_surface, 0) - 1), 0).y;
}

// The height of a cell; past the edge, of the nearest one, so that nothing leaves there.
float height_at(ivec2 cell) {
    return texelFetch(u_last, clamp(cell, ivec2(0), textureSize(u_last, 0) - 1), 0).r;
}

// What slides to the neighbour `way` off, but for its rate.
float slid(ivec2 cell, ivec2 way, float h, float talus, float steepest) {
    float part = u_layers ? 0.5 * (steepest + steepest_at(cell + way)) : 1.0;
    return slide(h - height_at(cell + way), talus * part);
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float h = height_at(cell);
    float before = texelFetch(u_before, cell, 0).r;
    float steepest = u_layers ? steepest_at(cell) : 0.0;
    float z = slid(cell, ivec2(0, -1), h, u_tali.x, steepest) + slid(cell, ivec2(0, 1), h, u_tali.x, steepest);
    float x = slid(cell, ivec2(-1, 0), h, u_tali.y, steepest) + slid(cell, ivec2(1, 0), h, u_tali.y, steepest);
    float fall = slid(cell, ivec2(-1, -1), h, u_tali.z, steepest) + slid(cell, ivec2(1, 1), h, u_tali.z, steepest);
    float rise = slid(cell, ivec2(1, -1), h, u_tali.z, steepest) + slid(cell, ivec2(-1, 1), h, u_tali.z, steepest);
    float lost = (u_rates.x * z + u_rates.y * x) + u_rates.z * (fall + rise);
    out_height_m = (h + u_b * (before - h)) - lost; // in this form, what does not slide stays exactly
}
