// What:   the next coarser level of a texture: of each texel what stands at its middle, between the four finer texels
//         around it. Where sides are even that is their mean. Where they are odd it is as sharp: grids that meet have
//         sides of either kind, and would differ where they do.

uniform sampler2D u_field; // its base level is the finer one

out vec4 out_mean;

void main() {
    ivec2 size = textureSize(u_field, 0), last = size - 1;
    vec2 place = max(gl_FragCoord.xy * vec2(size) / vec2(max(size / 2, 1)) - 0.5, 0.0);
    ivec2 first = ivec2(place), next = min(first + 1, last);
    vec2 share = place - vec2(first);
    vec4 upper = mix(texelFetch(u_field, first, 0), texelFetch(u_field, ivec2(next.x, first.y), 0), share.x);
    vec4 lower = mix(texelFetch(u_field, ivec2(first.x, next.y), 0), texelFetch(u_field, next, 0), share.x);
    out_mean = mix(upper, lower, share.y);
}
