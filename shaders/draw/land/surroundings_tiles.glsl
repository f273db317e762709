// What:   put in front of surroundings.glsl, has far ground pass from the land mirrored into pieces of it. A uniform
//         would cost every land more.
// Use:    #define
// Twin:   app/fellview/draw/land/surroundings.py, which says where

#define TILES
