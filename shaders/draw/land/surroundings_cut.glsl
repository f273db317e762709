// What:   put in front of surroundings.glsl, has it take far ground from pieces of the land, and not from the land
//         mirrored. A uniform would cost every land half as much again.
// Use:    #define
// Twin:   app/fellview/draw/land/surroundings.py, which says where

#define CUT
