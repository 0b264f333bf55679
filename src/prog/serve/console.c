#include "serve/console.h"

#include <string.h>

#include "console.inc"
#include "serve/peer.h"

const struct console_file *console_find(const char *name)
{
    const char *wanted = name[0] ? name : "index.html";

    for (const struct console_file *f = console_files; f->name; f++)
        if (strcmp(f->name, wanted) == 0)
            return f;
    return NULL;
}

void api_console(struct peer *p, const struct request *r)
{
    const struct console_file *file = console_find(r->id);

    if (file)
        peer_reply_file(p, file, strcmp(file->tag, r->known) == 0);
    else
        peer_reply_problem(p, HTTP_NOT_FOUND,
                           console_find("") ? "the console has no such file"
                                            : "this build has no console");
}
