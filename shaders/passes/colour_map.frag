// Values to colours: the texel under each pixel goes through a row of colours from u_low to u_high.
uniform sampler2D u_values;
uniform sampler2D u_colours;
uniform float u_low;
uniform float u_high;

out vec4 out_color;

void main() {
    float value = texelFetch(u_values, ivec2(gl_FragCoord.xy), 0).r;
    float entries = float(textureSize(u_colours, 0).x);
    float place = clamp((value - u_low) / (u_high - u_low), 0.0, 1.0);
    // from the middle of the first texel to the middle of the last
    out_color = texture(u_colours, vec2((0.5 + place * (entries - 1.0)) / entries, 0.5));
}
