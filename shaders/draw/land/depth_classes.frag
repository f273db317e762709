// What:   sets the pixels of land apart by depth: above a half where there may be water or ground that it wets, below
//         it on dry ground, a half where there is no land; 1/8 and 7/8 on ground so near that what lies on it shows,
//         else 0 and 1; 5/8 where the sea is too deep for its bed to be seen.

const float OFF_PX = 2.0; // that what is drawn may lie off the ground that water goes by

uniform sampler2D u_places;
uniform sampler2D u_water_near;
uniform vec4 u_place; // from metres to texture coordinates, as light_map_place
uniform float u_sea_m; // its level as drawn, or far down where none is deep
uniform float u_dry_m; // the height as drawn over which no water reaches
uniform float u_near_m; // of a pixel's footprint, up to which it is near

void main() {
    vec4 at = texelFetch(u_places, ivec2(gl_FragCoord.xy), 0);
    vec2 water = texture(u_water_near, at.xz * u_place.xy + u_place.zw).rg;
    bool deep = water.g > 0.999 && at.y < u_sea_m; // else its place is that of a hill behind whose outline it lies
    float toward_middle = at.w < u_near_m ? 0.125 : 0.0;
    float wet = deep ? 0.625 : 1.0 - toward_middle;
    bool dry = water.r == 0.0 || at.y > u_dry_m + OFF_PX * at.w;
    gl_FragDepth = at.w == 0.0 ? 0.5 : dry ? toward_middle : wet;
}
