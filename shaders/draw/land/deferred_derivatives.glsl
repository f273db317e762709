// What:   how fine textures are read at pixels whose places were drawn before. There the four pixels of a quad may show
//         a near hill and a far one: what is between their places is no pixel's footprint, and outlines would be drawn
//         in mean colours. So each place comes with its footprint, and levels are chosen by the least in the quad.
// Use:    include it before what reads textures; vec4 place = deferred_position();  then texture() and fwidth() as ever
//         A draft's pixels are u_finer times as wide as its picture's, and textures are read as finely as that
//         wants them.
// Needs:  uniform sampler2D u_places: xyz, and the footprint as land_positions.frag has it, 0 where there is no land

const float APART = 3.0; // footprints between two places of a quad from which on they are of two hills
const float NO_LAND_M = 1e4; // more than any footprint, and not so much that differences lose what is less

uniform float u_finer;

float level_bias = 0.0;
float apart = 1.0;

// The least of a value in the quad.
float least_in_quad(float value) {
    vec2 side = 1.0 - 2.0 * vec2(ivec2(gl_FragCoord.xy) & 1); // to which the quad's other pixels lie
    float least = min(value, value + side.x * dFdx(value));
    return min(least, least + side.y * dFdy(least));
}

// The value of the quad's first pixel.
float first_in_quad(float value) {
    vec2 odd = vec2(ivec2(gl_FragCoord.xy) & 1);
    value -= odd.x * dFdx(value);
    return value - odd.y * dFdy(value);
}

vec4 deferred_position() {
    vec4 place = texelFetch(u_places, ivec2(gl_FragCoord.xy), 0);
    vec3 across = dFdx(place.xyz), up = dFdy(place.xyz);
    float least = least_in_quad(place.w > 0.0 ? place.w : NO_LAND_M);
    float between = max(length(across), length(up)) / least;
    apart = u_finer * (between > APART ? between : 1.0);
    // derivatives are each pixel's own, but Mesa's software renderers choose one level a quad, by those of its first
    level_bias = -log2(first_in_quad(apart));
    return place;
}

vec4 seen_texture(sampler2D map, vec2 at) {
    return texture(map, at, level_bias);
}

vec4 seen_texture(sampler2D map, vec2 at, float bias) {
    return texture(map, at, bias + level_bias);
}

vec4 seen_texture(sampler2DArray map, vec3 at) {
    return texture(map, at, level_bias);
}

vec4 seen_texture(sampler2DArray map, vec3 at, float bias) {
    return texture(map, at, bias + level_bias);
}

#define texture seen_texture
#define fwidth(value) (fwidth(value) / apart)
#define dFdx(value) (dFdx(value) / apart)
#define dFdy(value) (dFdy(value) / apart)
