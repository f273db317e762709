// What:   put in front of surroundings.glsl, has all ground beyond the border be pieces of the land: where only that
//         farther out is drawn, beside which nothing of the land is mirrored.
// Use:    #define
// Twin:   app/fellview/draw/land/surroundings_frame.py, which says where

#define FAR
