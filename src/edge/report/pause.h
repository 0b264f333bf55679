/* pause.h - a pause in words. */
#ifndef REPORT_PAUSE_H
#define REPORT_PAUSE_H

#include "ask/pause.h"
#include "engine/report.h"

/* "until 2026-01-31 12:34:56 in /home/me/project", in local time. */
void report_pause(struct report *r, const struct pause *p);

#endif
