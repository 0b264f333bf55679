/* panel.h - the question as a person sees it: its contents, and their layout for a width.
 *
 * The agent chose much of it. These texts are shown and never obeyed: only printable characters of
 * them reach the terminal. */
#ifndef ASK_PANEL_H
#define ASK_PANEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ask/terminal.h"
#include "base/list.h"
#include "base/str.h"
#include "rule/mode.h"

/* Texts are unchanged except that secrets are removed; empty ones are not shown. */
struct panel {
    const char *profile;
    struct str who; /* client, session */
    struct str tool, input, cwd, risk, reason;
    struct str rule, rule_place, comment; /* that decided it */
    struct strs findings;
    struct strs suggestions; /* the rules that would clear it; all of them are needed */
    struct strs *wider;      /* one list for each of them: rules to write instead; NULL: none */
    struct str target;       /* the file that "always" writes to */
    struct str note;         /* a remark about that */
    struct str no_allow;     /* why no allow rule can be remembered; empty: one can */
    struct str no_deny;      /* why no deny rule can be remembered; empty: one can */
    bool session;            /* a yes can hold for the rest of the session */
    struct str user_target;  /* the person's own file, where the project's would not count yet */
    struct str explanation;  /* the trace, for the full view */
};

/* The keys, and their labels in each profile. */
enum choice {
    CHOICE_NONE = 0,
    CHOICE_ALLOW,
    CHOICE_SESSION,
    CHOICE_ALWAYS_ALLOW,
    CHOICE_USER_ALLOW,
    CHOICE_DENY,
    CHOICE_ALWAYS_DENY,
    CHOICE_CANCEL,
    CHOICE_HELP,
    CHOICE_VIEW,
};
#define CHOICE_COUNT 10

struct panel_style {
    const char *profile; /* NULL: every other one */
    const char *title;
    const char *labels[CHOICE_COUNT];
    const char *denied;   /* what the model is told */
    bool yes_no;          /* y and n are keys, too */
    bool keeps_approvals; /* what was approved once is not asked again in this session */
};

const struct panel_style *panel_style(const char *profile);
enum choice panel_choice(const struct panel_style *style, char key);
bool panel_offers(const struct panel *p, enum choice choice);

/* The rule that a digit chooses: '1' is the suggested one, the others are wider. Empty: none. */
struct str panel_numbered(const struct panel *p, char digit);

#define PANEL_WIDTH_MIN 20 /* columns; a narrower terminal wraps by itself */
#define PANEL_PART_MAX  4  /* lines of one part that is not the input */

struct panel_layout {
    size_t width;      /* columns */
    size_t rows;       /* of the screen; 0: as many as are needed */
    size_t input_rows; /* of the input; what is longer is cut in the middle; 0: nothing is cut */
    bool ascii;        /* the terminal may take other bytes for controls: show them as escapes */
};

/* As this terminal is now; of a small screen the input gets half, because the keys must fit, too.
 */
struct panel_layout panel_layout_on(const struct terminal *t, size_t input_rows);

/* The question and its keys in `rows` lines, one of them left for the answer. What does not fit is
 * left out, but never the input, the reason or a key. */
void panel_question(struct arena *a, const struct panel *p, const struct panel_layout *layout,
                    struct strs *out);

/* All of it. Lines without line breaks, each at most `width` columns. */
void panel_lines(struct arena *a, const struct panel *p, const struct panel_layout *layout,
                 struct strs *out);

/* The keys; `help`: each with a sentence. */
void panel_keys(struct arena *a, const struct panel *p, const struct panel_layout *layout,
                struct strs *out);
void panel_help(struct arena *a, const struct panel *p, const struct panel_layout *layout,
                struct strs *out);

/* Any other text of several lines, not cut. */
void panel_text(struct arena *a, struct str text, const struct panel_layout *layout,
                struct strs *out);

/* Columns that a character takes; 0 for one that combines, -1 for one that cannot be shown as it
 * is. */
int panel_width_of(uint32_t cp);

/* One code point of `text` as it is shown; returns its bytes, and in *width its columns. */
size_t panel_show_next(struct buf *b, struct str text, bool ascii, size_t *width);

#endif
