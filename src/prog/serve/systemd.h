/* systemd.h - the two things that systemd and a service exchange: sockets opened in advance, and
 * the state of the service. A few lines each, so no library is needed. */
#ifndef SERVE_SYSTEMD_H
#define SERVE_SYSTEMD_H

/* Calls `take` for each descriptor in LISTEN_FDS and unsets the variables. */
void systemd_sockets(void (*take)(void *context, int fd), void *context);

/* Sends "READY=1" and the like to $NOTIFY_SOCKET, if that is set. */
void systemd_notify(const char *state);
/* The same for "RELOADING=1", which must carry a timestamp. */
void systemd_notify_reloading(void);

#endif
