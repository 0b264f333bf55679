/* process.h - runs a program and collects its answer: the input is given, output and time are
 * limited, and at the end nothing of its process group is left.
 *
 * Only process_finish() and process_release() block. A process that leaves the group (setsid) is
 * out of reach, and its output after the leader has ended is ignored. */
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

#define PROCESS_OUTPUT_MAX  ((size_t)JSON_MAX_BYTES) /* standard output: more is no valid answer */
#define PROCESS_ERRORS_MAX  10000u /* standard error; the rest is read and dropped */
#define PROCESS_MERCY_MS    250    /* between SIGTERM and SIGKILL */
#define PROCESS_DESCRIPTORS 3      /* at most, filled by process_wait() */

struct process_plan {
    char *const *argv; /* argv[0] is searched in PATH */
    char *const *environment;
    const char *directory;
    struct str input;
    int64_t deadline; /* by clock_ms() */
};

enum process_end {
    PROCESS_RUNNING = 0,
    PROCESS_EXITED,   /* `code` */
    PROCESS_KILLED,   /* by signal `code`, not by us */
    PROCESS_TIMEOUT,  /* we ended it at its deadline */
    PROCESS_TOO_MUCH, /* we ended it because it wrote too much */
    PROCESS_LOST,     /* other code in this process reaped it: how it ended is not known */
};

struct output {
    int fd;
    char *text; /* malloc'ed */
    size_t len, room;
};

struct process {
    pid_t pid; /* also the process group; 0: none */
    int pidfd;
    struct output out, err;
    int64_t deadline, kill_at; /* kill_at: when SIGKILL follows the SIGTERM */
    enum process_end cause;    /* why we are ending it */
    enum process_end end;
    int code;
};

/* STATUS_IO if it cannot start. Call process_release() in either case. */
enum status process_start(struct process *p, const struct process_plan *plan, struct error *err);

size_t process_wait(const struct process *p, struct pollfd *fds, size_t room, int64_t *wake);
bool process_turn(struct process *p, int64_t now); /* true: it has ended, and its group too */
void process_finish(struct process *p); /* turns until then: its deadline at the latest */

/* Sends SIGTERM; process_release() waits for the end, and kills it at `mercy_until`. */
void process_terminate(struct process *p);
void process_release(struct process *p, int64_t mercy_until);

#endif
