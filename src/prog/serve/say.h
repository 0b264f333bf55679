/* say.h - what the service tells the person who runs it: one line on standard error each. */
#ifndef SERVE_SAY_H
#define SERVE_SAY_H

/* "warder serve: ...", with everything escaped that a terminal would obey. */
__attribute__((format(printf, 1, 2))) void serve_say(const char *format, ...);

#endif
