// The next stage of thermal erosion: (1 - b)·last + b·before - what slid off `last`.
// Twin: app/fellview/terrain/thermal.py, _stage()

uniform sampler2D u_before;
uniform sampler2D u_last;
uniform float u_b;
uniform vec3 u_tali; // m along z, x and across
uniform vec3 u_rates; // of a whole step, likewise

out float out_height_m;

// The part of `drop`, which may be negative, that is above `talus`.
float slide(float drop, float talus) {
    return max(drop - talus, 0.0) + min(drop + talus, 0.0);
}

// The height of a cell; past the edge, of the nearest one, so that nothing leaves there.
float height_at(ivec2 cell) {
    return texelFetch(u_last, clamp(cell, ivec2(0), textureSize(u_last, 0) - 1), 0).r;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    float h = height_at(cell);
    float before = texelFetch(u_before, cell, 0).r;
    float z = slide(h - height_at(cell + ivec2(0, -1)), u_tali.x) + slide(h - height_at(cell + ivec2(0, 1)), u_tali.x);
    float x = slide(h - height_at(cell + ivec2(-1, 0)), u_tali.y) + slide(h - height_at(cell + ivec2(1, 0)), u_tali.y);
    float fall = slide(h - height_at(cell + ivec2(-1, -1)), u_tali.z)
        + slide(h - height_at(cell + ivec2(1, 1)), u_tali.z);
    float rise = slide(h - height_at(cell + ivec2(1, -1)), u_tali.z)
        + slide(h - height_at(cell + ivec2(-1, 1)), u_tali.z);
    float lost = (u_rates.x * z + u_rates.y * x) + u_rates.z * (fall + rise);
    out_height_m = (h + u_b * (before - h)) - lost; // in this form, what does not slide stays exactly
}
