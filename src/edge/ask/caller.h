/* caller.h - does a person run this command, as far as can be seen?
 *
 * An agent can hide: it may open a terminal of its own and leave its process group. But the
 * commands of its tools are judged first, and `warder approve` is denied there. This check is the
 * second lock, not the first. */
#ifndef ASK_CALLER_H
#define ASK_CALLER_H

#include "base/error.h"

/* STATUS_UNSAFE, with a sentence: standard input is not a terminal, or an agent is an ancestor of
 * this process. */
enum status caller_is_person(struct error *err);

/* The second half of it: for what a person's script may do, too, and an agent may not. */
enum status caller_is_no_agent(struct error *err);

#endif
