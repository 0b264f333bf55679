/* prompt.h - asks the person at the terminal: one panel, one key.
 *
 * An asker of the race (see race.h). Keys in the first moment are dropped, and pasted text presses
 * none. Without a terminal the first character of a line counts, and the end of the input denies.
 */
#ifndef ASK_PROMPT_H
#define ASK_PROMPT_H

#include "ask/always.h"
#include "ask/line.h"
#include "ask/panel.h"
#include "ask/race.h"
#include "ask/terminal.h"

#define PROMPT_INPUT_ROWS                                                                          \
    12 /* lines of the input that the panel shows, if the terminal is large enough */
#define PROMPT_MEMORY ((size_t)256 * 1024 * 1024)

enum prompt_state {
    PROMPT_CHOOSING = 0,
    PROMPT_EDITING,    /* editing the rule */
    PROMPT_CONFIRMING, /* a rule that the person changed, with what it would match */
    PROMPT_VIEWING,    /* showing all of it on the alternate screen */
};

struct prompt {
    /* Set by the caller; the rest is zero. */
    const struct panel *panel;
    struct always *always; /* NULL: no rule can be written */
    struct arena *arena;   /* of the decision: the reply's texts live there */
    int in, out;           /* -1: /dev/tty */
    uint32_t grace_ms;     /* keys that come sooner are dropped */

    struct terminal terminal;
    struct arena scratch; /* of one turn */
    enum prompt_state state;
    int64_t started;
    bool pasting;
    char bytes[256]; /* bytes that are not a whole key yet */
    size_t byte_count;
    enum behavior effect; /* of the rules being written */
    bool to_user;         /* into the person's own file */
    size_t offer;         /* which of the rules that may be written; 0: the suggested one */
    struct line line;
    size_t rule, rules;  /* which of how many */
    struct str *written; /* `rules` of them, in `arena` */
    struct strs page;    /* lines, in page_arena */
    struct arena page_arena;
    size_t top;
    struct reply *reply; /* of the turn */
    enum news news;
};

extern const struct asker_kind prompt_asker; /* self: a struct prompt */

#endif
