/* caller.h - does a person run this command, as far as that can be seen?
 *
 * An agent that wants to hide can: it may open a terminal of its own and leave its process group.
 * What it runs through its tools is judged before, and `warder approve` is denied there; this is
 * the second lock, not the first. */
#ifndef ASK_CALLER_H
#define ASK_CALLER_H

#include "base/error.h"

/* STATUS_UNSAFE, with a sentence: standard input is no terminal, or an agent is among the
 * ancestors of this process. */
enum status caller_is_person(struct error *err);

#endif
