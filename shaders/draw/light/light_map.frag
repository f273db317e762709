// What:   puts what heights and sun decide into one texture: the share of the sun that is seen, smoothed over
//         neighbours, and the share of the sky.

uniform sampler2D u_visible;
uniform sampler2D u_seen;

out vec2 out_light;

void main() {
    vec2 size = vec2(textureSize(u_visible, 0));
    vec2 at = gl_FragCoord.xy / size;
    // four looks half a cell off, each the mean of four cells: a tent of 3 x 3
    vec2 off = 0.5 / size;
    float visible = 0.25 * (texture(u_visible, at - off).r + texture(u_visible, at + off).r
        + texture(u_visible, at + vec2(off.x, -off.y)).r + texture(u_visible, at + vec2(-off.x, off.y)).r);
    out_light = vec2(visible, texture(u_seen, at).r);
}
