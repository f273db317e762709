// What:   put in front of surroundings.glsl, has it scatter islands made of the land over the bed of the sea, and not
//         mirror the land. A uniform would cost every land half as much again.
// Use:    #define
// Twin:   app/fellview/draw/land/surroundings.py, which says where

#define ISLANDS
