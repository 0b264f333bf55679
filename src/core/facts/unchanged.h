/* unchanged.h - does a shell command change no file, so that its patterns match what is on the disk
 * now? */
#ifndef FACTS_UNCHANGED_H
#define FACTS_UNCHANGED_H

#include "facts/facts.h"

/* Computed on first use: few commands have a pattern. */
bool call_changes_no_file(struct facts *f);

#endif
