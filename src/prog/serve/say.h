/* say.h - messages for the operator of the service, one line on standard error each. */
#ifndef SERVE_SAY_H
#define SERVE_SAY_H

/* "warder serve: ...", with all terminal control characters escaped. */
__attribute__((format(printf, 1, 2))) void serve_say(const char *format, ...);

#endif
