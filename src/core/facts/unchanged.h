/* unchanged.h - does a shell command leave all files as they are, so that its patterns find what is
 * on the disk now? */
#ifndef FACTS_UNCHANGED_H
#define FACTS_UNCHANGED_H

#include "facts/facts.h"

/* Found out when somebody asks for the first time: few commands have a pattern. */
bool call_changes_no_file(struct facts *f);

#endif
