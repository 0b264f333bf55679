/* verdict_text.h - everything that a decision came to, as lines of text, for tests that compare
 * whole decisions: the verdict, the trace, and all that was seen of the call. */
#ifndef TESTS_SUPPORT_VERDICT_TEXT_H
#define TESTS_SUPPORT_VERDICT_TEXT_H

#include "base/str.h"
#include "decide/verdict.h"

/* Must be called inside an arena_try(). Of a rule its text is named, and not its file. */
void verdict_text(struct buf *out, const struct verdict *v);

#endif
