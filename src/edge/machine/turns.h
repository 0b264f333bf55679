/* turns.h - a thread whose work can wait gives way to others, however the kernel shares the
 * processors.
 *
 * A low priority is not enough. Such a thread still takes a whole processor that nobody else wants
 * at that moment, those who are waking each other up must share what is left, and a thread of the
 * kernel that wakes up behind it may wait for the next tick. So it works in short turns, and rests
 * after each of them as long as others are at work. */
#ifndef MACHINE_TURNS_H
#define MACHINE_TURNS_H

#include <stdatomic.h>

#define TURN_NS        200000   /* a turn is about this long */
#define TURN_REST      4        /* times as long as it worked */
#define TURN_OTHERS_NS 20000000 /* others are at work if they have done something so recently */

/* From now on this thread works in turns. The number grows with whatever the others do. */
void turns_begin(const atomic_ulong *others);

/* Between two pieces of work, while it holds nothing that anyone else may wait for: rests if it is
 * time to. In a thread that does not work in turns it does nothing. */
void turns_rest(void);

#endif
