// What:   display colours to light and back: the sRGB curve of IEC 61966-2-1.
// Use:    vec3 light = from_srgb(colour);  vec3 colour = to_srgb(light);  both clamp to 0 at the low end
// Source: IEC 61966-2-1:1999; the joint of line and power stands at 0.0031308 of light.
// Twin:   app/fellview/draw/colour.py

vec3 from_srgb(vec3 colour) {
    vec3 line = colour / 12.92;
    vec3 curve = pow((max(colour, 0.0) + 0.055) / 1.055, vec3(2.4));
    return mix(curve, line, vec3(lessThanEqual(colour, vec3(0.04045))));
}

vec3 to_srgb(vec3 light) {
    vec3 kept = max(light, 0.0);
    vec3 curve = 1.055 * pow(kept, vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, 12.92 * kept, vec3(lessThanEqual(kept, vec3(0.0031308))));
}
