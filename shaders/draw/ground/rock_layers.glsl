// What:   the colour that the pile of rock layers has at a place. Layers thinner than a pixel are the mean of it.
// Use:    vec3 tint = layer_colour(height_m, coordinate, noise);  noise, of deviation 1, makes contacts ragged
// Twin:   app/fellview/terrain/erosion/rock.py, _look(); app/fellview/draw/ground/rock_layers.py, which has the colours

#ifdef LAYERS
uniform sampler2D u_layer_colours;
uniform sampler2D u_layer_places; // samples, of ground at height 0
uniform vec3 u_layer; // samples a metre; samples that noise of one deviation moves a contact; one over all samples

vec3 layer_colour(float height_m, vec2 coordinate, float noise) {
    float place = height_m * u_layer.x + texture(u_layer_places, coordinate).r + u_layer.y * noise + 0.5;
    return texture(u_layer_colours, vec2(place * u_layer.z, 0.5)).rgb;
}
#endif
