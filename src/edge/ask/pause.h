/* pause.h - a time in which a person is not asked: what would be a question runs, and what is
 * denied stays denied.
 *
 * One small file in the state directory, which `warder pause` writes and `warder resume` removes.
 * It allows calls, so everything about it must be right: its owner and mode (policy/state.h), each
 * member and no other, a time that is not too long, and this boot of the machine. Otherwise there
 * is no pause. It ends by two clocks, whichever comes first: setting the wall clock back does not
 * make it longer, and a restart ends it. */
#ifndef ASK_PAUSE_H
#define ASK_PAUSE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#define PAUSE_NAME        "pause.json"
#define PAUSE_SECONDS_MAX 28800 /* eight hours */
#define PAUSE_FILE_MAX                                                                             \
    ((size_t)32 * 1024)    /* a path has at most 4096 bytes, each up to six as JSON */
#define PAUSE_BOOT_SIZE 37 /* of the kernel's name for this boot, and the NUL */

/* The clocks, in seconds. */
struct pause_clock {
    int64_t wall;               /* since 1970 */
    int64_t up;                 /* since the machine was started; it goes on while that sleeps */
    char boot[PAUSE_BOOT_SIZE]; /* which start that was */
};
enum status pause_clock_read(struct pause_clock *out, struct error *err);

struct pause {
    struct pause_clock since, until;
    struct str project; /* it is for calls of this directory, and below it; empty: for all */
};

/* Is it one that counts now? A zeroed one does not. */
bool pause_counts(const struct pause *p, const struct pause_clock *now);

/* Is a call of this project paused by it? `proved`: the project is not only claimed. */
bool pause_covers(const struct pause *p, struct str project, bool proved);

/* The pause that counts now; zeroed if there is none, or it is over. A file that is wrong is an
 * error, and no pause. Needs no arena_try() around it. */
enum status pause_find(struct arena *a, const char *state_dir, struct pause *out,
                       struct error *err);

/* Begins one, in place of another; *out lives in the arena, and so does `project`. */
enum status pause_plan(int64_t seconds, struct str project, struct pause *out, struct error *err);
enum status pause_begin(struct arena *a, const char *state_dir, const struct pause *pause,
                        struct error *err);

/* Removes the file, whatever is in it. *was: there was one. */
enum status pause_end(const char *state_dir, bool *was, struct error *err);

/* "2026-01-31T12:34:56Z" */
#define PAUSE_UNTIL_SIZE 21
void pause_until(const struct pause *p, char out[PAUSE_UNTIL_SIZE]);

#endif
