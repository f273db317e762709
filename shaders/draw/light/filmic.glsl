// What:   light as film shows it: a straight middle of a chosen contrast, dark tones that follow it down, and a
//         shoulder on which bright colours pale to white. Hues stay within 15°.
// Use:    vec3 shown = filmic(exposed, contrast, saturation);  0 to 1, still light and not yet sRGB
// Note:   y = 1 - (1 + C (x / MIDDLE)^contrast)^-3, which goes as a power of the light in the dark, rises everywhere
//         and ends at 1; C puts MIDDLE at MIDDLE_SHOWN. It is Burr's distribution of type XII,
//         doi:10.1214/aoms/1177731607. Each channel has the curve to itself, after some of the brightness was mixed
//         into it: so what is bright pales, as each layer of film answers to a little of all light. What was mixed in
//         is taken out again, nearly all.
// Twin:   app/fellview/draw/light/filmic.py

const float MIDDLE = 0.4; // what most of a sunlit land sends, as exposed by draw/light/incident_light.py
const float MIDDLE_SHOWN = 0.25; // a grey card is 0.18 on a print; in a wide view haze lies over most of it
const float FILM_CONTRAST = 1.4; // between that of slides, 1.6 to 1.8, and of negatives printed for portraits, 1.2
const float MIXED = 0.20;
const float UNMIXED = 0.16;
const vec3 BRIGHTNESS = vec3(0.2126, 0.7152, 0.0722); // ITU-R BT.709

vec3 filmic(vec3 exposed, float contrast, float saturation) {
    vec3 film = mix(exposed, vec3(dot(exposed, BRIGHTNESS)), MIXED);
    vec3 over = 1.0 + (pow(1.0 - MIDDLE_SHOWN, -1.0 / 3.0) - 1.0) * pow(film / MIDDLE, vec3(FILM_CONTRAST * contrast));
    vec3 shown = 1.0 - 1.0 / (over * over * over);
    float grey = dot(shown, BRIGHTNESS);
    vec3 colour = (shown - grey) * saturation / (1.0 - UNMIXED);
    // what would leave the screen's colours pales until it is one, and keeps its hue
    vec3 room = mix(vec3(grey), vec3(1.0 - grey), step(0.0, colour)) / max(abs(colour), 1e-6);
    return grey + colour * min(min(room.r, min(room.g, room.b)), 1.0);
}
