// What:   turns light into the colours of a screen: a filmic curve or none, then sRGB, then rounding without bands.
//         With TRANSPARENT the light was added up times alpha, and the colours come times alpha, too.

#include "draw/light/reversible_tone_map.glsl"
#include "lib/srgb.glsl"
#include "draw/light/filmic.glsl"

const float TONE_FILMIC = 1.0; // the place of "filmic" among air.tone's choices
const float LEVELS = 255.0;

uniform sampler2D u_light;
uniform float u_frames; // that were added up in it
uniform vec2 u_corner_px; // of what is drawn of the picture

out vec4 out_color;

// Interleaved gradient noise, 0 to 1: Jimenez, "Next generation post processing in Call of Duty" (SIGGRAPH 2014).
float spread(vec2 pixel) {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

void main() {
    vec4 sum = texelFetch(u_light, ivec2(gl_FragCoord.xy), 0);
#ifdef TRANSPARENT
    float covered = sum.a;
    if (covered == 0.0) {
        out_color = vec4(0.0);
        return;
    }
#else
    float covered = u_frames;
#endif
    vec3 light = from_picture(sum.rgb / covered);
    vec3 colour = to_srgb(air_tone == TONE_FILMIC ? filmic(light, air_contrast, air_saturation) : min(light, 1.0));
    colour += (spread(gl_FragCoord.xy + u_corner_px) - 0.5) / LEVELS;
    out_color = vec4(colour, 1.0) * (covered / u_frames);
}
