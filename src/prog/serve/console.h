/* console.h - the files of the console, inside the program: a table that the build makes of the
 * directory that console/ is bundled into. It is empty where the console was left out. */
#ifndef SERVE_CONSOLE_H
#define SERVE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "serve/routes.h"

struct console_file {
    const char *name, *type;
    const char *tag; /* ETag */
    bool immutable;  /* its name changes with its content */
    const unsigned char *bytes;
    size_t len;
};

/* index.html for the empty name. NULL: there is none. */
const struct console_file *console_find(const char *name);

void api_console(struct peer *peer, const struct request *request);

#endif
