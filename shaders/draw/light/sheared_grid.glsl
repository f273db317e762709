// What:   a grid sheared so that the sun's direction runs up its columns: texel (x, y) of the sheared grid is step y
//         towards the sun of the line that starts at x. One step is one cell along the axis that the sun is nearer to
//         (the major one), and u_lean cells along the other.
// Use:    ivec2 cell, float share along the minor axis: see sheared_cell();  float x = sheared_line(cell)

uniform ivec2 u_major; // the major axis: (1, 0) or (0, 1)
uniform int u_towards; // 1 where the sun stands at the major axis' far end, -1 where it stands at its near end
uniform float u_lean; // cells along the minor axis a step towards the sun
uniform int u_first_line; // the number of the line that texel x = 0 is
uniform ivec2 u_cells; // of the grid, x and y

// The step at which a row or column `major` of the grid is met on the way to the sun.
int sheared_step(int major) {
    int last = (u_major.x == 1 ? u_cells.x : u_cells.y) - 1;
    return u_towards > 0 ? major : last - major;
}

// The line, with its fraction, that runs through a cell.
float sheared_line(ivec2 cell) {
    int minor = u_major.x == 1 ? cell.y : cell.x;
    int major = u_major.x == 1 ? cell.x : cell.y;
    return float(minor) - u_lean * float(sheared_step(major)) - float(u_first_line);
}
