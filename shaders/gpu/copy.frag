// What:   the values of a texture of the same size.

uniform sampler2D u_field;

out vec4 out_value;

void main() {
    out_value = texelFetch(u_field, ivec2(gl_FragCoord.xy), 0);
}
