// What:   evens a picture of clouds out: the mean of three by three of its pixels, the middle ones most, four readings
//         between pixels. What changes from each pixel to the next, as the places at which sight lines begin, is gone.

uniform sampler2D u_cloud_picture; // light times alpha, and alpha

out vec4 out_cloud;

void main() {
    vec2 pixel = 1.0 / vec2(textureSize(u_cloud_picture, 0));
    vec2 place = gl_FragCoord.xy * pixel;
    out_cloud = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        out_cloud += 0.25 * texture(u_cloud_picture, place + pixel * (vec2(i & 1, i >> 1) - 0.5));
    }
}
