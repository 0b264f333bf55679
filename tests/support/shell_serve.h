/* shell_serve.h - the parser and the analysis as a filter, for drivers in other languages.
 *
 *     test_shell_parse --tree      text NUL text NUL ... -> answer NUL answer NUL ...
 *     test_shell --actions
 *
 * Actions are those of a shell in /w whose home is /home/u. An answer to --tree is "refused OFFSET
 * SENTENCE" or the canonical print. */
#ifndef TESTS_SUPPORT_SHELL_SERVE_H
#define TESTS_SUPPORT_SHELL_SERVE_H

#include "base/arena.h"
#include "base/str.h"

/* Calls answer() for each text on standard input and prints the buffer. Returns an exit code. */
int serve_texts(void (*answer)(struct arena *a, struct str text, struct buf *out));

/* The answer to --tree. */
void answer_tree(struct arena *a, struct str text, struct buf *out);

/* The answer to --actions: lines as in tests/cases/shell/actions.case. */
void answer_actions(struct arena *a, struct str text, struct buf *out);

#endif
