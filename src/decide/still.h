/* still.h - does a shell command leave all files as they are, so that its patterns find what is on the disk now? */
#ifndef DECIDE_STILL_H
#define DECIDE_STILL_H

#include "layer/facts.h"

/* Found out when somebody asks for the first time: few commands have a pattern. */
bool still_is(struct facts *f);

#endif
