/* console.h - a reviewer at a terminal: one review as a panel, one key.
 *
 * Keys of the first moment were meant for what stood there before, and pasted text presses none.
 * The rule that a promotion would add is shown and may be edited before it leaves. */
#ifndef ASK_CONSOLE_H
#define ASK_CONSOLE_H

#include "ask/panel.h"
#include "base/error.h"

enum console_key {
    CONSOLE_QUIT = 0, /* also Ctrl-C, and a terminal that has gone */
    CONSOLE_APPROVE,
    CONSOLE_DENY,
    CONSOLE_PROMOTE,
    CONSOLE_SKIP,
    CONSOLE_GONE, /* somebody else has answered it */
};

struct console_question {
    const struct panel *panel;
    struct str rule; /* that a promotion would add; empty: it cannot be promoted */
    bool (*gone)(
        void *context); /* asked about every second, may be NULL: has it been answered elsewhere? */
    void *context;
};

/* *rule: with CONSOLE_PROMOTE, as it was last shown; it lives in the arena. STATUS_UNSAFE: there is
 * no terminal. Not below an arena_try() of this arena. */
enum status console_ask(struct arena *a, const struct console_question *q, enum console_key *key,
                        struct str *rule, struct error *err);

#endif
