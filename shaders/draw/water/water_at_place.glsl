// What:   what water there is at a place of the land: StandingWater.
// Use:    standing_water() fills it, find_river() its part about rivers

uniform float u_water_pixel; // the angle of a pixel in the middle of the picture

struct StandingWater {
    float level_m;
    float depth_m; // below 0 over dry ground
    float cover; // share of the pixel, at the shore
    bool sea;
    float waves; // as high as they are there, of the open sea's
    float pixel_m; // about as wide as what a pixel shows of level ground
    float bank_m; // how far within a river's bank; below 0 on land
    float half_m; // half the width of the river
    float flows; // share of the pixel that the river covers
    float snow; // share of its banks that snow covers
    vec2 along; // the river's course, whichever way it runs, of length 1
};
