// What:   put in front of surroundings.glsl, has far ground take its form from what the land's recipe makes there, and
//         only what is finer from the land mirrored. A uniform would cost every land more.
// Use:    #define
// Twin:   app/fellview/draw/land/surroundings.py, which says where

#define RECIPE
#define TILES
