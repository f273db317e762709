// What:   how craggy each cell is, by the slopes to cells all around.
// Twin:   app/fellview/terrain/steps/crags.py, _weigh()

uniform sampler2D u_heights;
uniform ivec2 u_reach; // cells along x and z
uniform ivec2 u_summit; // cells along x and z that the fall around a summit is measured over
uniform vec2 u_cell_m;
uniform vec2 u_slopes; // tangents where crags begin and where they are whole
uniform vec2 u_swept;  // of a hollow where they fade and where they are gone
uniform vec2 u_free; // of a fall on all sides, likewise
uniform vec3 u_brink;  // uneven from where crags fade and where they have faded, and the share that is left
uniform float u_most_slope;
uniform float u_least;

out float out_weight;

float ramp(float t) {
    t = clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// How far the ground falls on all sides, of its slope there; towards the border the reach shrinks.
float free_at(ivec2 cell, float h) {
    ivec2 way = min(u_summit, min(cell, textureSize(u_heights, 0) - 1 - cell));
    if (way.x == 0 || way.y == 0) {
        return 0.0;
    }
    vec2 d = vec2(way) * u_cell_m;
    float across = sqrt(d.y * d.y + d.x * d.x);
    float n = (h - texelFetch(u_heights, cell + ivec2(0, -way.y), 0).r) / d.y;
    float s = (h - texelFetch(u_heights, cell + ivec2(0, way.y), 0).r) / d.y;
    float w = (h - texelFetch(u_heights, cell + ivec2(-way.x, 0), 0).r) / d.x;
    float e = (h - texelFetch(u_heights, cell + ivec2(way.x, 0), 0).r) / d.x;
    float nw = (h - texelFetch(u_heights, cell - way, 0).r) / across;
    float se = (h - texelFetch(u_heights, cell + way, 0).r) / across;
    float ne = (h - texelFetch(u_heights, cell + ivec2(way.x, -way.y), 0).r) / across;
    float sw = (h - texelFetch(u_heights, cell + ivec2(-way.x, way.y), 0).r) / across;
    float square = ((n * n + s * s) + (w * w + e * e)) + ((nw * nw + se * se) + (ne * ne + sw * sw));
    float fall = ((n + s) + (w + e)) + ((nw + se) + (ne + sw));
    return fall / sqrt(8.0 * square + u_least);
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy), cells = textureSize(u_heights, 0);
    ivec2 along = min(u_reach, min(cell, cells - 1 - cell));
    vec2 on = vec2(greaterThan(along, ivec2(0))); // on the border the ground goes on as it comes: no bend across it
    along = max(along, 1);
    int up = cell.y >= along.y ? cell.y - along.y : cell.y + along.y;
    int down = cell.y + along.y < cells.y ? cell.y + along.y : cell.y - along.y;
    int left = cell.x >= along.x ? cell.x - along.x : cell.x + along.x;
    int right = cell.x + along.x < cells.x ? cell.x + along.x : cell.x - along.x;
    vec2 d = vec2(along) * u_cell_m;
    float across = sqrt(d.y * d.y + d.x * d.x);
    float h = texelFetch(u_heights, cell, 0).r;
    float n = (texelFetch(u_heights, ivec2(cell.x, up), 0).r - h) / d.y;
    float s = (texelFetch(u_heights, ivec2(cell.x, down), 0).r - h) / d.y;
    float w = (texelFetch(u_heights, ivec2(left, cell.y), 0).r - h) / d.x;
    float e = (texelFetch(u_heights, ivec2(right, cell.y), 0).r - h) / d.x;
    float nw = (texelFetch(u_heights, ivec2(left, up), 0).r - h) / across;
    float se = (texelFetch(u_heights, ivec2(right, down), 0).r - h) / across;
    float ne = (texelFetch(u_heights, ivec2(right, up), 0).r - h) / across;
    float sw = (texelFetch(u_heights, ivec2(left, down), 0).r - h) / across;
    float square = (n * n + s * s) + (w * w + e * e);
    float slope = sqrt(0.5 * square);
    float rise = (on.y * (n + s) + on.x * (w + e)) + on.y * on.x * ((nw + se) + (ne + sw));
    float hollow = 0.125 * rise / (slope + u_least);
    float steep = ramp((slope - u_slopes.x) / (u_slopes.y - u_slopes.x));
    float swept = ramp((hollow - u_swept.x) / (u_swept.y - u_swept.x));
    float uneven = (on.y * abs(n * n - s * s) + on.x * abs(w * w - e * e)) / (square + u_least);
    float brink = ramp((uneven - u_brink.x) / (u_brink.y - u_brink.x));
    float keeps = rise < 0.0 ? 1.0 - (1.0 - u_brink.z) * brink : 1.0;
    out_weight = steep * (1.0 - swept) * keeps * min(slope, u_most_slope);
    if (out_weight > 0.0) {
        out_weight *= 1.0 - ramp((free_at(cell, h) - u_free.x) / (u_free.y - u_free.x));
    }
}
