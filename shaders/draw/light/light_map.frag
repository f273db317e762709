// What:   puts what heights and sun decide into one texture: the share of the sun that is seen, smoothed over
//         neighbours, the share of the sky, and the red and blue of what the ground around sends.

uniform sampler2D u_visible;
uniform sampler2D u_seen;
uniform sampler2D u_bounced;

out vec4 out_light;

void main() {
    vec2 size = vec2(textureSize(u_visible, 0));
    vec2 at = gl_FragCoord.xy / size;
    // four looks half a cell off, each the mean of four cells: a tent of 3 x 3
    vec2 off = 0.5 / size;
    float visible = 0.25 * (texture(u_visible, at - off).r + texture(u_visible, at + off).r
        + texture(u_visible, at + vec2(off.x, -off.y)).r + texture(u_visible, at + vec2(-off.x, off.y)).r);
    out_light = vec4(visible, texture(u_seen, at).r, texture(u_bounced, at).rb);
}
