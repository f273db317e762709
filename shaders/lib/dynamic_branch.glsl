// What:   a block that pixels run through only where a condition holds.
// Use:    DYNAMIC_IF(condition) { ... }
// Note:   software OpenGL runs through both sides of every branch for every pixel, but leaves a loop as soon as no
//         pixel of a few is in it: a loop of one turn, whose number of turns no compiler can tell beforehand.

#define DYNAMIC_IF(condition) for (int turn_ = int(condition); turn_ > 0; --turn_)
