/* reversible.h - what the record of a decision says of undo, as a person reads it. */
#ifndef REPORT_REVERSIBLE_H
#define REPORT_REVERSIBLE_H

#include "base/str.h"
#include "base/value.h"

/* "until 2026-01-31 12:34:56: warder undo 1a2b3c4d". Empty: nothing of it was saved. */
struct str reversible_text(struct arena *a, const struct value *record);

#endif
