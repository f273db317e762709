// Sets the pixels of land apart by depth: 1 where there may be water or ground that it wets, 3/8 on dry ground so near
// that what lies on it shows, 0 elsewhere on the land, and a half where there is none.

uniform sampler2D u_places;
uniform sampler2D u_water_near;
uniform vec4 u_place; // from metres to texture coordinates, as light_map_place
uniform float u_near_m; // of a pixel's footprint, up to which it is near

void main() {
    vec4 at = texelFetch(u_places, ivec2(gl_FragCoord.xy), 0);
    float water = texture(u_water_near, at.xz * u_place.xy + u_place.zw).r;
    gl_FragDepth = at.w == 0.0 ? 0.5 : water > 0.0 ? 1.0 : at.w < u_near_m ? 0.375 : 0.0;
}
