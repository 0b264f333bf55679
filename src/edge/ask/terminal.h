/* terminal.h - the person's terminal while a question is shown on it.
 *
 * In cbreak mode keys arrive one by one and are not echoed. However the question ends, by an
 * answer, a signal or exit(), the terminal is restored; only SIGKILL prevents that. */
#ifndef ASK_TERMINAL_H
#define ASK_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct terminal {
    int in, out; /* the same descriptor, if it is a terminal */
    int wake;    /* readable when a signal came; -1: none is caught */
    bool owned;  /* `in` was opened here */
    bool keys;   /* cbreak mode; else lines are read, and nothing but text is written */
    bool typed;  /* a person types on it, so keys may have been meant for something else */
    bool utf8;   /* bytes above 0x7f are characters there, and not controls */
    bool paged;  /* the alternate screen is shown */
};

/* Signals since the last call of terminal_news(). */
enum terminal_news {
    TERMINAL_RESIZED = 1,
    TERMINAL_STOPPED = 2,     /* Ctrl-Z: terminal_suspend() should follow */
    TERMINAL_CONTINUED = 4,   /* after a stop without notice */
    TERMINAL_INTERRUPTED = 8, /* Ctrl-C */
    TERMINAL_ENDED = 16,      /* a signal ends this process; terminal_close() lets it happen */
};

/* Does this process have a terminal, even if another process reads from it now? */
bool terminal_is_there(void);

/* Opens /dev/tty (in < 0), or takes the two descriptors; lines are read if it is not a terminal, or
 * a dumb one. False: there is no terminal, this process is not in its foreground, or another
 * question has it. */
bool terminal_open(struct terminal *t, int in, int out);
void terminal_close(struct terminal *t); /* zeroed memory is fine */

unsigned terminal_news(struct terminal *t); /* enum terminal_news bits */

/* Restores the terminal, stops this process as Ctrl-Z would, and takes the terminal again when it
 * continues. */
void terminal_suspend(struct terminal *t);
void terminal_resume(struct terminal *t); /* after TERMINAL_CONTINUED */

void terminal_size(const struct terminal *t, size_t *rows, size_t *columns);

/* Gives up after a second without progress: a stopped terminal must not stop the deadline. */
void terminal_write(const struct terminal *t, struct str text);
void terminal_write_lines(const struct terminal *t, struct arena *scratch,
                          const struct strs *lines);
void terminal_page(struct terminal *t, bool on); /* the alternate screen */

#endif
