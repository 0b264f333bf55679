/* streams.h - /dev/stdin is whatever the call opened as its input. That may be a directory: `grep
 * -r x /dev/stdin </etc` reads everything below it. */
#ifndef FACTS_STREAMS_H
#define FACTS_STREAMS_H

#include "facts/facts.h"

/* If the name of a stream is used, an input that is a directory may be anything below it. What tee
 * writes to a stream is printed. */
void streams_doubt(struct facts *f);

#endif
