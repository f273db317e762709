// What:   light as it stands in the picture before tone mapping, and back. Exposed light is squeezed into 0 to 1, so
//         that where four samples meet at an edge against the sun, each counts as much as the eye will see of it.
// Use:    out_color = vec4(into_picture(light), 1.0);  vec3 exposed = from_picture(texel);
// Source: Karis, "Tone mapping" (2013): weights 1 / (1 + brightness) while samples are averaged.

const float BRIGHTEST = 60000.0; // a little less than the largest half float, 65504

vec3 into_picture(vec3 light) {
#ifdef UNDEFINED
    if (any(isnan(light)) || any(isinf(light))) {
        return vec3(UNDEFINED); // it would be squeezed into a number, too
    }
#endif
    vec3 exposed = min(max(light_exposure.rgb * light, 0.0), BRIGHTEST);
    return exposed / (1.0 + max(exposed.r, max(exposed.g, exposed.b)));
}

vec3 from_picture(vec3 texel) {
    return texel / max(1.0 - max(texel.r, max(texel.g, texel.b)), 1.0 / BRIGHTEST);
}
