/* service.h - runs a `warder serve` in the benchmark's home (place.h). */
#ifndef BENCH_SERVICE_H
#define BENCH_SERVICE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct service {
    pid_t pid;
    char socket[PATH_MAX];
};

bool service_is_built(void);
/* `name` separates its files from others; `sync` is passed to --record-sync. Ends the program if it
 * does not start. */
void service_start(struct service *s, const char *name, const char *sync);
void service_stop(struct service *s);

int service_listen(const char *path);  /* a unix socket for the server to compare with */
int service_connect(const char *path); /* to either of them */
/* One round trip: writes the line, reads one into `answer`. False if the other side has closed. */
bool service_ask(int fd, const char *line, size_t len, char *answer, size_t room);

#endif
