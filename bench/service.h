/* service.h - a `warder serve` of the benchmark's own, in its place. */
#ifndef BENCH_SERVICE_H
#define BENCH_SERVICE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct service {
    pid_t pid;
    char runtime[PATH_MAX]; /* what $XDG_RUNTIME_DIR must say for a hook to find it */
    char socket[PATH_MAX];
};

bool service_is_built(void);
/* `name` keeps its files apart; `sync` is what --record-sync takes. Ends the program when it does
 * not start. */
void service_start(struct service *s, const char *name, const char *sync);
void service_stop(struct service *s);

int service_listen(const char *path);  /* a unix socket for another one to compare it with */
int service_connect(const char *path); /* to either */
/* One round trip: writes the line, reads one into `answer`. False: the other side has gone. */
bool service_ask(int fd, const char *line, size_t len, char *answer, size_t room);

#endif
