/* log.h - the words in which decisions of the record are shown. */
#ifndef REPORT_LOG_H
#define REPORT_LOG_H

#include "base/str.h"

/* The record's word for a decision, as people say it. Ends in NUL. */
const char *decision_said(struct str decision);

#endif
