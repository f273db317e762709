// What:   the light of the sky on a surface, over pi, from the sky's moments up to the second.
// Use:    vec3 light = sky_irradiance(light_sky, normal);  rgb of what every surface gets, what it gets by its normal's
//         x, y and z, and by xy, yz, xz, x² - z², 3y² - 1 of it
// Source: Ramamoorthi and Hanrahan (2001), doi:10.1145/383259.383317: higher moments add less than 3 %
// Twin:   app/fellview/draw/sky/atmosphere.py, Moments

const int SKY_TERMS = 9;

vec3 sky_irradiance(vec4 sky[SKY_TERMS], vec3 n) {
    vec3 light = sky[0].rgb + sky[1].rgb * n.x + sky[2].rgb * n.y + sky[3].rgb * n.z;
    light += sky[4].rgb * (n.x * n.y) + sky[5].rgb * (n.y * n.z) + sky[6].rgb * (n.x * n.z);
    light += sky[7].rgb * (n.x * n.x - n.z * n.z) + sky[8].rgb * (3.0 * n.y * n.y - 1.0);
    return max(light, 0.0);
}
