/* redact.h - removes secrets from a text before it is stored or listed.
 *
 * A command is scanned three times: as plain text (known token shapes, keys with their values,
 * URLs, key blocks, random-looking words), as the words that the shell would pass to its programs
 * (so that quoting hides nothing), and as arguments (which option of which program takes a secret).
 * Only static bytes are replaced: substitutions, operators, hosts, paths and program text stay
 * readable, because people read the log.
 *
 * The time is linear in the text. Everything lives in the arena; a text without secrets is returned
 * unchanged. */
#ifndef RECORD_REDACT_H
#define RECORD_REDACT_H

#include "base/json.h"
#include "base/str.h"

#define REDACTED "[REDACTED]"

/* Texts inside texts (sh -c in sh -c) are parsed this deep; deeper ones are scanned as plain text.
 */
#define REDACT_DEPTH_MAX 4

/* The secrets that were removed, so that they can be removed from texts that quote the command, too
 * (the reason of a verdict). */
#define REDACT_FOUND_MAX                                                                           \
    64 /* secrets that are remembered; if there are more, texts that quote are dropped */
#define REDACT_FOUND_LEAST 4 /* bytes: shorter ones are too common to be searched elsewhere */
#define REDACT_QUOTE_MAX                                                                           \
    ((size_t)64 * 1024) /* bytes of a text that quotes; a longer one is dropped */

struct str redact_command(struct arena *a, struct str command,
                          struct strs *found);            /* shell text; found may be NULL */
struct str redact_text(struct arena *a, struct str text); /* anything else */
struct str redact_text_finding(struct arena *a, struct str text, struct strs *found);
/* Adds a secret that is known by other means than its text. */
void redact_remember(struct arena *a, struct str secret, struct strs *found);

/* A text about a command: removes its own secrets and those found in the command. */
struct str redact_quoting(struct arena *a, struct str text, const struct strs *found);

/* A tool's input: members with the name of a secret lose their value; every other string, and every
 * key, is redacted as a text, or as a command if its member is one of the blank-separated names in
 * `commands`. What was removed is added to `found`, which may be NULL. A string longer than
 * `longest` bytes is cut and marked: a record is not a copy of the files that were written. */
void redact_json(struct json_writer *w, const struct value *input, const char *commands,
                 size_t longest, struct strs *found);

#endif
