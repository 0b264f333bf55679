/* streams.h - /dev/stdin is what the call opened as its input. That may be a directory, which
 * nobody reads from: `grep -r x /dev/stdin </etc` reads all that is below it. */
#ifndef FACTS_STREAMS_H
#define FACTS_STREAMS_H

#include "facts/facts.h"

/* Where the name of a stream is used, an input that is a directory may be anything below it. What
 * tee writes there is printed. */
void streams_doubt(struct facts *f);

#endif
