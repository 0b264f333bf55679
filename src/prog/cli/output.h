/* output.h - what leaves the program: text that cannot harm a terminal, and an exit code that
 * cannot lie.
 *
 *     0 allow   1 deny   2 ask   64 and above: an error, from <sysexits.h>
 *
 * `warder check && do-it` must not do it because of an error, so
 * every failure, also one to write the answer, is 64 or above. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdio.h>
#include <sysexits.h>

#include "base/str.h"
#include "warder.h"

enum {
    EXIT_ALLOW = 0,
    EXIT_DENY = 1,
    EXIT_ASK = 2,
    /* The same numbers for answers that are no verdict. */
    EXIT_YES = 0,
    EXIT_NO = 1,
    EXIT_NEITHER = 2,
    /* Of a hook: the one code that every agent takes for a block. */
    EXIT_BLOCKED = 2,
};

/* One line on standard error: "warder: ...". */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

/* The same for what a call of the library said; `about` (a file, or NULL) comes first. Returns the
 * exit code. */
int complain_error(const char *about, const warder_error *err);

/* Prints `text` with everything escaped that a terminal would obey or that a reader would not see:
 * the texts name commands that the judged agent wrote. */
enum print_mode {
    PRINT_LINE,   /* line breaks are escaped, too */
    PRINT_LINES,  /* line breaks are kept */
    PRINT_COLOUR, /* and so are colours, which are ours */
};
void print_text(FILE *to, const char *text, enum print_mode mode);

/* Does --color WHEN (NULL: auto), with the terminal and NO_COLOR, want colours? */
bool output_coloured(const char *when);
#define COLOUR_OFF "\033[0m"
const char *behavior_colour(warder_behavior behavior);

/* `text` and a line break, unless it has one. For JSON, which the writer has made safe. */
void print_json(const char *text);

/* All of it, past the buffers of stdio; false when that cannot be. */
bool write_whole(int fd, struct str text);

/* Call it first. Closed standard streams are opened, on something that fails, so that no file of
 * ours gets their number; a reader that went away is a failed write and not a signal. */
void output_start(void);

/* Before this process becomes another program: standard streams and signals as they were found. */
void output_hand_over(void);

/* The exit code at the end: `code`, unless what was printed did not arrive. */
int output_finish(int code);

#endif
