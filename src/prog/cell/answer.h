/* answer.h - the keeper's answers to the calls that it is told of.
 *
 * The caller can change its memory at any time. So the keeper lets a call go on only where its
 * verdict does not rest on that memory: what may be written is for mounts and Landlock to say, and
 * the path that was seen is for the report, for names that are not there yet, and, without
 * namespaces, for what is protected: what a trick makes of these is found at the end (tripwire.h,
 * protect.h). connect() rests on memory; the keeper does it itself, on a copy of the address and on
 * its own descriptor of the socket (connect.c), and so it does everything else that the kernel
 * would let through in a cell without namespaces (behalf.h). */
#ifndef CELL_ANSWER_H
#define CELL_ANSWER_H

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "cell/kernel.h"
#include "cell/plan.h"
#include "cell/report.h"
#include "cell/servers.h"
#include "cell/tripwire.h"

struct answers {
    const struct plan *plan;
    struct report *report;
    struct tripwire *tripwire;
    struct recorder *recorder; /* NULL: nothing is saved */
    int listener;
    int root;               /* of the cell */
    int servers;            /* servers.h */
    ino_t users;            /* the cell's namespace of users, and that of its session */
    int landlock;           /* the version that the kernel has */
    pid_t first;            /* of the cell's processes, without namespaces */
    struct servers_own own; /* the same */
    char left[PATH_MAX];    /* where the command's shell has ended; empty: it has not said so */
    atomic_bool answered;   /* a call: from then on the command may run */
    atomic_bool broken;     /* a call could not be answered: its caller waits for ever */
};

/* Receives one call and answers it. */
void answer_next(struct answers *a);

/* An answer of our own: 0, or a negative error number. */
void answer_send(struct answers *a, uint64_t id, int result);

/* What a part of the keeper says instead of an error number. */
enum { ANSWER_GO_ON = 1, ANSWER_SENT, ANSWER_NONE };

/* The descriptor of the caller that has this number, for ourselves; -1: errno. */
int answer_take(const struct seccomp_notif *call, int number);
/* A descriptor of ours for the caller, as the result of its call. */
int answer_give(struct answers *a, const struct seccomp_notif *call, int fd, bool close_on_exec);

/* The text that an argument points to. False: as below. */
bool answer_text(const struct answers *a, const struct seccomp_notif *call, int argument,
                 char out[PATH_MAX]);

/* Copies from the caller. False: it is not there, or the caller is gone. */
bool answer_read(const struct answers *a, const struct seccomp_notif *call, uint64_t address,
                 void *out, size_t size);

/* connect.c */
void connect_answer(struct answers *a, const struct seccomp_notif *call);
/* In a process that was forked: its threads are not here, and their callers still wait. */
void connect_abandon(struct answers *a);

#endif
