/* report.h - what the cell refused, for the agent, the person and the record. */
#ifndef CELL_REPORT_H
#define CELL_REPORT_H

#include <pthread.h>

#include "base/str.h"
#include "cell/plan.h"
#include "proxy/serve.h"

#define REPORT_KEPT        32 /* refusals that are remembered; the rest is counted */
#define REPORT_LINES       6  /* that are printed at most */
#define REPORT_TEXT        512
#define REPORT_CONNECTIONS 64 /* that are remembered; the rest is counted */

enum refusal_kind {
    REFUSED_WRITE,
    REFUSED_CONNECT,
    REFUSED_NAME,
    REFUSED_KEPT,   /* a name that was made nevertheless, and was moved away */
    REFUSED_STAYS,  /* ... and could not be */
    REFUSED_MENDED, /* what is protected was changed nevertheless, and is as it was again */
    REFUSED_BROKEN, /* ... and could not be mended */
};

struct refusal {
    enum refusal_kind kind;
    char text[REPORT_TEXT]; /* a path or an address, as the cell chose it: not to be trusted */
};

struct report {
    pthread_mutex_t lock; /* connections are answered by threads */
    struct refusal kept[REPORT_KEPT];
    size_t count, more;
    struct proxy_note connections[REPORT_CONNECTIONS];
    size_t connected;
    bool unsaved; /* what it changed could not be saved for undo */
};

void report_refusal(struct report *r, enum refusal_kind kind, struct str text);

void report_connection(struct report *r, const struct proxy_note *note);

/* On standard error, at most six lines: if something was refused and the command failed or names
 * it, or if something was done nevertheless. Programs try much that they can do without. The last
 * line says how a person can be asked to let the command run outside, if the plan has a token for
 * that. */
void report_print(const struct report *r, const struct plan *plan, int code);
/* One JSON object, a line, to the plan's report file, which `warder` puts into the record; nothing
 * if the plan names none. One more comes when what was left in the background has ended. */
void report_write(const struct report *r, const struct plan *plan, int code, bool left);

#endif
