// What:   what is left of light on its way through water, and the water's own light.
// Use:    vec3 up_light = through_depth(below, depth_m, up, murk, seen);  below: what the ground sends; up: the cosine
//         of sight to the vertical; murk: times the usual of what the water carries; seen: as
//         draw/light/diffuse_light.glsl has it
// Note:   along c the light of colour c falls to a third in `water_clarity` where the water's own colour is the
//         brightest, and sooner in the others: exp(-k_c way), k_c = ln(colour_c) / ln(brightest) / clarity (Beer and
//         Lambert). The way is down from the surface and up again, bent by the refractive index.

#include "draw/light/shading.glsl"
#include "draw/sky/sky_light.glsl"

const float REFRACTIVE_INDEX = 1.333;
const float DIFFUSE_PATH = 1.1; // light from everywhere goes so much farther down than straight; the same in Jerlov (1976)

// Light over pi that falls on a level surface.
vec3 level_light(vec4 seen) {
    return shaded(vec3(1.0), vec3(0.0, 1.0, 0.0), seen);
}

// Extinction a metre.
vec3 water_extinction() {
    vec3 thickness = -log(clamp(paint(water_colour.rgb), 1e-4, 0.98));
    return thickness / (min(thickness.r, min(thickness.g, thickness.b)) * water_clarity);
}

vec3 through_depth(vec3 below, float depth_m, float up, float murk, vec4 seen) {
    float steep = sqrt(1.0 - (1.0 - up * up) / (REFRACTIVE_INDEX * REFRACTIVE_INDEX));
    vec3 kept = exp(-water_extinction() * murk * depth_m * (DIFFUSE_PATH + 1.0 / steep));
    return mix(murk * paint(water_colour.rgb) * level_light(seen), below, kept);
}
