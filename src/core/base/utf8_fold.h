/* utf8_fold.h - one spelling for all that a file system may take for the same name.
 *
 * macOS tells neither case nor composition apart: e with an acute accent is one code point or two,
 * a long s is an s. */
#ifndef BASE_UTF8_FOLD_H
#define BASE_UTF8_FOLD_H

#include "base/str.h"

/* Composed (NFC) and folded to one case, one code point to one. ASCII letters keep their case
 * unless the text has others, too: who compares folds those anyway. A text of plain ASCII is
 * returned as it is; bytes that are not UTF-8 stay what they are. Linear in the length. */
struct str utf8_fold(struct arena *a, struct str s);

#endif
