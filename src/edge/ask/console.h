/* console.h - a reviewer at a terminal: one review as a panel, one key.
 *
 * Keys pressed in the first moment were meant for what was on the screen before, and pasted text
 * presses none. The rule that a promotion would add is shown and may be edited before it leaves. */
#ifndef ASK_CONSOLE_H
#define ASK_CONSOLE_H

#include "ask/panel.h"
#include "base/error.h"

enum console_key {
    CONSOLE_QUIT = 0, /* also Ctrl-C, and a terminal that is gone */
    CONSOLE_APPROVE,
    CONSOLE_DENY,
    CONSOLE_PROMOTE,
    CONSOLE_SKIP,
    CONSOLE_GONE, /* it was answered elsewhere */
};

struct console_question {
    const struct panel *panel;
    struct str rule;             /* that a promotion would add; empty: it cannot be promoted */
    bool (*gone)(void *context); /* called every second: was it answered elsewhere? May be NULL */
    void *context;
};

/* *rule: with CONSOLE_PROMOTE, as it was last shown; it lives in the arena. STATUS_UNSAFE: there is
 * no terminal. Do not call it inside an arena_try() of this arena. */
enum status console_ask(struct arena *a, const struct console_question *q, enum console_key *key,
                        struct str *rule, struct error *err);

#endif
