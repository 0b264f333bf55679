/* strict.h - would the client itself read this file?
 *
 * Most clients drop a file of settings as a whole when something in it is not as they expect, and
 * our registration with it, without a word to the person. So a file is read here as strictly as its
 * client reads it: the columns `reads`, `only` and `typed` of struct registration. Where a client
 * would take more than we do (a byte order mark, a key given twice), the file is refused all the
 * same. */
#ifndef CLIENT_STRICT_H
#define CLIENT_STRICT_H

#include "client/register.h"

/* STATUS_SYNTAX: the client would not take our registration from this file; `err` says why and
 * where. Only of clients whose file is JSON. Below an arena_try(). */
enum status strict_read(struct arena *a, const struct client *client,
                        const struct registration *row, struct str text, struct value *out,
                        struct error *err);

#endif
