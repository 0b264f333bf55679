/* process.h - a program that is asked something: its input is given, its output is kept within a
 * limit, its time is limited, and when it is over nothing of its process group is left.
 *
 * Nothing here blocks but process_stop(). A program that leaves its group (setsid) is beyond reach;
 * what it says after its parent has ended is not heard. */
#ifndef MACHINE_PROCESS_H
#define MACHINE_PROCESS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/json.h"
#include "base/str.h"

#define PROCESS_OUTPUT_MAX                                                                         \
    ((size_t)JSON_MAX_BYTES) /* of standard output: more cannot be an answer */
#define PROCESS_ERRORS_MAX                                                                         \
    10000u /* of standard error that are kept; the rest is read and forgotten */
#define PROCESS_MERCY_MS    250 /* between SIGTERM and SIGKILL */
#define PROCESS_DESCRIPTORS 3   /* that process_wait() fills at most */

struct process_plan {
    char *const *argv; /* argv[0] is looked for in PATH */
    char *const *environment;
    const char *directory;
    struct str input;
    int64_t deadline; /* of clock_ms() */
};

enum process_end {
    PROCESS_RUNNING = 0,
    PROCESS_EXITED,   /* `code` */
    PROCESS_KILLED,   /* by the signal `code`, which was not ours */
    PROCESS_TIMEOUT,  /* it was ended at its deadline */
    PROCESS_TOO_MUCH, /* it was ended because it wrote too much */
    PROCESS_LOST,     /* somebody else reaped it: how it ended is not known */
};

struct output {
    int fd;
    char *text; /* malloc'ed */
    size_t len, room;
};

struct process {
    pid_t pid; /* and its group; 0: none */
    int pidfd;
    struct output out, err;
    int64_t deadline, kill_at; /* kill_at: SIGTERM was sent, this is when SIGKILL follows */
    enum process_end cause;    /* why we are ending it */
    enum process_end end;
    int code;
};

/* STATUS_IO when it cannot be started. process_release() in every case. */
enum status process_start(struct process *p, const struct process_plan *plan, struct error *err);

size_t process_wait(const struct process *p, struct pollfd *fds, size_t room, int64_t *wake);
bool process_turn(struct process *p, int64_t now); /* true: it has ended, and its group with it */

/* Asks it to end; process_release() waits for that, and kills it at `mercy_until`. */
void process_terminate(struct process *p);
void process_release(struct process *p, int64_t mercy_until);

#endif
