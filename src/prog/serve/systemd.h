/* systemd.h - the two things that systemd and a service say to each other: sockets that were opened
 * before, and how it goes. Both are a few lines, so no library is needed. */
#ifndef SERVE_SYSTEMD_H
#define SERVE_SYSTEMD_H

/* Each descriptor that was handed to this process, by LISTEN_FDS. The variables are removed. */
void systemd_sockets(void (*take)(void *context, int fd), void *context);

/* "READY=1" and the like, to $NOTIFY_SOCKET; nothing happens where there is none. */
void systemd_notify(const char *state);
/* The same for "RELOADING=1", which wants to know when. */
void systemd_notify_reloading(void);

#endif
