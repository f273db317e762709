// What:   a grid sheared so that the sun's direction runs up its columns: texel (x, y) of the sheared grid is step y
//         towards the sun of a line. One step is one cell along the axis that the sun is nearer to (the major one), and
//         u_lean cells along the other. Lines that lie u_columns apart share a column: at a step one of them at most is
//         over the grid, which is narrower than that by two cells at least.
// Use:    float x = sheared_line(cell);  int line = line_of(texel);  texel.x is line % u_columns

uniform ivec2 u_major; // the major axis: (1, 0) or (0, 1)
uniform int u_towards; // 1 where the sun stands at the major axis' far end, -1 where it stands at its near end
uniform float u_lean; // cells along the minor axis a step towards the sun
uniform int u_first_line; // the number of the cell along the minor axis at which line 0 begins
uniform int u_columns; // of the sheared grid
uniform ivec2 u_cells; // of the grid, x and z

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

// Where a line is on the minor axis at a step, in cells.
float minor_at(int line, int step_) {
    return float(line + u_first_line) + u_lean * float(step_);
}

// The line that a texel of the sheared grid is of: that which is nearest to the grid at its step.
int line_of(ivec2 texel) {
    float short_of = -1.5 - minor_at(texel.x, texel.y); // all lines over the grid are more than -1 there
    return texel.x + u_columns * int(ceil(short_of / float(u_columns)));
}
