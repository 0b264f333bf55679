/* utf8_fold.h - one spelling for all names that a file system may treat as equal.
 *
 * macOS ignores case and composition: e with an acute accent may be one code point or two, and a
 * long s is an s. */
#ifndef BASE_UTF8_FOLD_H
#define BASE_UTF8_FOLD_H

#include "base/str.h"

/* Composed (NFC) and folded to one case, code point by code point. A pure ASCII text is returned as
 * is, in its own case: callers compare ASCII without regard to case anyway. Bytes that are not
 * UTF-8 stay as they are. Linear time. */
struct str utf8_fold(struct arena *a, struct str s);

#endif
