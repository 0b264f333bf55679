/* proc.h - what the kernel says about other processes. */
#ifndef MACHINE_PROC_H
#define MACHINE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* /proc/PID/WHAT, as much as there is room for, and a NUL; 0: it cannot be read. */
size_t proc_read(pid_t pid, const char *what, char *out, size_t room);

pid_t proc_parent(pid_t pid); /* 0: not known */

/* A process, and no later one of the same number. */
struct proc_id {
    int64_t pid, started; /* in ticks since the machine was started */
};

/* False: it has ended, or nothing is known of it. */
bool proc_find(pid_t pid, struct proc_id *out);

/* The process that has started this one, or that has started the program `between` (its file name)
 * which has started this one. False: it is not known, or it has left its children to init. */
bool proc_starter(const char *between, struct proc_id *out);

#endif
