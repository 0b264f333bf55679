/* redact.h - takes secrets out of a text before it is stored or listed.
 *
 * A command is looked at three times: as plain text (known token shapes, keys
 * with their values, URLs, key blocks, random-looking words), as the words that
 * the shell would hand to its programs (so that quoting hides nothing), and as
 * arguments (which option of which program takes a secret). Only static bytes
 * are replaced: substitutions, operators, hosts, paths and program text stay
 * readable, because the log is there to be read.
 *
 * The time is linear in the text. Everything lives in the arena; a text without
 * secrets comes back as it is. */
#ifndef RECORD_REDACT_H
#define RECORD_REDACT_H

#include "base/json.h"
#include "base/str.h"

#define REDACTED "[REDACTED]"

/* Texts inside of texts (sh -c in sh -c) are opened this deep; what is deeper is looked at as plain
 * text. */
#define REDACT_DEPTH_MAX 4

/* What was taken out of a text, so that it can be taken out of others that quote it (the reason of
 * a verdict). */
#define REDACT_FOUND_MAX                                                                           \
    64 /* secrets that are remembered; with more of them, a text that quotes is left out */
#define REDACT_FOUND_LEAST 4 /* bytes: shorter ones are too common to be looked for elsewhere */
#define REDACT_QUOTE_MAX                                                                           \
    ((size_t)64 * 1024) /* bytes of a text that quotes; a longer one is left out */

struct str redact_command(struct arena *a, struct str command,
                          struct strs *found);            /* shell text; found may be NULL */
struct str redact_text(struct arena *a, struct str text); /* anything else */

/* A text about a command: its own secrets go, and those that were found in the command. */
struct str redact_quoting(struct arena *a, struct str text, const struct strs *found);

/* A tool's input: members that are named like secrets lose their value, every other string is
 * redacted as a text, or as a command when its member is one of the blank-separated names in
 * `commands`. A string that is longer than `longest` bytes is cut and says so: a record is no copy
 * of the files that were written. */
void redact_json(struct json_writer *w, const struct value *input, const char *commands,
                 size_t longest);

#endif
